"""Verification of cases: an honest log has no difference, and each kind of difference is found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from projections.runner.log import LogReader
from referee.aggregates.commands import Record
from referee.aggregates.encuentro import freeze_profile
from referee.application import Referee
from referee.audit.verify.cases import differences_in_cases
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.events import (
    AppealDecided,
    CaseFollowed,
    CaseOpened,
    CaseRuled,
    DealStarted,
    EncuentroOpened,
    EvidenceAttached,
    LogAmended,
    TimeCalled,
)
from referee.kinds import case_id
from referee.log.mapper import RecordedEvent
from referee.log.sqlite.recorder import create_tables
from referee.rules.profile.profile import profile
from tests.support.records.case_text import (
    appealed,
    closed,
    opened,
    ruled,
    ruling,
    settled,
    witness,
)
from tests.support.servers.one_log import ENCUENTRO, META, PARTIDA, new_referee

Stream = list[RecordedEvent]


class Record3:
    """An encuentro, its case and its partida as they are stored."""

    def __init__(self, referee: Referee) -> None:
        self.match: Stream = referee.history(ENCUENTRO)
        self.case: Stream = referee.history(case_id(ENCUENTRO, 1))
        self.partida: Stream = referee.history(PARTIDA)

    def found(self) -> set[str]:
        files = {1: self.case} if self.case else {}
        return {one.what for one in differences_in_cases(self.match, files, {1: self.partida})}

    def changed(self, stream: Stream, kind: type[Any], **fields: Any) -> None:
        """Another event in the place of the last of its kind."""
        place = max(at for at, one in enumerate(stream) if isinstance(one.event, kind))
        stream[place] = replace(stream[place], event=replace(stream[place].event, **fields))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create_tables(tmp_path / "log.db")
    return tmp_path / "log.db"


@pytest.fixture
def referee(path: Path) -> Iterator[Referee]:
    """A closed case in which the appeal changed the ruling."""
    with closing(new_referee(path)) as found:
        found.encuentros.open(EncuentroOpened(freeze_profile(profile("club"), 4)), META, ENCUENTRO)
        found.encuentros.start_partida(ENCUENTRO, META)
        found.encuentros.record_partida_acts(PARTIDA, [Record(DealStarted("B2"))], META)
        found.cases.open(ENCUENTRO, opened(lines=(1,)), META)
        word = ruling("warning", side="B")
        for act in (
            witness(text="w"),
            ruled(effect="partida", side="A"),
            appealed(),
            settled(word=word),
            closed(),
        ):
            found.cases.record(ENCUENTRO, 1, act, META)
        yield found


@pytest.fixture
def record(referee: Referee) -> Record3:
    return Record3(referee)


def test_an_honest_log_has_no_difference(path: Path, referee: Referee, record: Record3) -> None:
    with closing(LogReader(path)) as log:
        assert list(differences_in_all_streams(log)) == []
    assert record.found() == set()
    assert list(differences_in_cases([], {}, {})) == []


def test_a_case_that_is_not_there_is_missed(record: Record3) -> None:
    record.case = []
    assert record.found() == {"case_missing"}


def test_a_ruling_that_the_partida_does_not_have(record: Record3) -> None:
    record.changed(record.case, CaseRuled, verdict=ruling("partida", side="B"))
    assert "ruling_wrong" in record.found()


def test_a_decision_that_the_partida_does_not_have(record: Record3) -> None:
    record.changed(record.partida, LogAmended, changes=())
    assert record.found() == {"ruling_wrong"}
    record.partida = []
    assert record.found() == {"ruling_wrong"}


def test_an_act_that_nobody_could_have_done(record: Record3) -> None:
    record.changed(record.case, AppealDecided, by="juez")
    assert record.found() == {"impossible_act"}


def test_a_stage_that_the_case_never_had(record: Record3) -> None:
    record.changed(record.match, CaseFollowed, stage="open")
    assert record.found() == {"case_wrong"}
    record.match = [one for one in record.match if not isinstance(one.event, CaseFollowed)]
    assert record.found() == {"case_wrong"}


def test_what_does_not_belong_into_a_case(record: Record3) -> None:
    last = record.case[-1]
    record.case.append(replace(last, event=TimeCalled(), originator_version=7, line=7))
    assert record.found() == {"foreign_event"}


def test_a_case_that_does_not_begin_with_its_opening(record: Record3) -> None:
    record.case = record.case[1:]
    found = record.found()
    assert {"not_opened", "version_gap"} <= found
    assert isinstance(record.case[0].event, EvidenceAttached)


def test_a_case_of_no_encuentro_is_astray(path: Path, referee: Referee) -> None:
    with closing(LogReader(path)) as log:
        every = log.read_from(0, 1000)

        class Cut:
            """The log without the encuentro itself."""

            def read_from(self, position: int, limit: int) -> list[Any]:
                del limit
                kept = [one for one in every if one.position >= position]
                return [one for one in kept if one.recorded.originator_id != ENCUENTRO]

            def history(self, stream: Any, upto: int) -> list[RecordedEvent]:
                return log.history(stream, upto)

        found = {one.what for one in differences_in_all_streams(Cut())}
    assert found == {"case_astray", "partida_astray"}
    assert any(isinstance(one.recorded.event, CaseOpened) for one in every)
