"""Cases as they are written: case, partida and encuentro together, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from projections.runner.log import LogReader
from referee.aggregates.commands import Amend, Record, Undo
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import Partida, follow_command_of_partida
from referee.application import Referee
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.errors import NotFound, Refused, Stale
from referee.events import (
    CardPlayed,
    Change,
    DealStarted,
    EncuentroOpened,
    LogAmended,
    PintaTurned,
    ResultContested,
    ResultEntered,
    ResultMadeOfficial,
    ResultReported,
    RulingGiven,
)
from referee.kinds import case_id, partida_id
from referee.log.sqlite.recorder import create_tables
from referee.log.streams import Answer
from referee.rules.articles import Rule
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
from tests.support.servers.one_log import ENCUENTRO, META, PARTIDA, keyed, new_referee

SECOND = partida_id(ENCUENTRO, 2)
BEGUN = [Record(act) for act in (DealStarted("B2"), PintaTurned("7O"), CardPlayed("A1", "AC"))]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    create_tables(tmp_path / "log.db")
    return tmp_path / "log.db"


@pytest.fixture
def referee(log: Path) -> Iterator[Referee]:
    """An encuentro by the club's rules, its first partida begun; the log is sound at the end."""
    found = new_referee(log)
    frozen = freeze_profile(profile("club").changed("uno", "1", {"camas_per_coto": 1}), 4)
    found.encuentros.open(EncuentroOpened(frozen), META, ENCUENTRO)
    found.encuentros.start_partida(ENCUENTRO, META)
    found.encuentros.record_partida_acts(PARTIDA, BEGUN, META)
    yield found
    assert list(differences_in_all_streams(LogReader(log))) == []
    found.close()


Submit = Callable[..., Answer]


@pytest.fixture
def submit(referee: Referee) -> Submit:
    def submitted(*acts: Any, number: int = 1) -> Answer:
        answers = [referee.cases.record(ENCUENTRO, number, act, META) for act in acts]
        return answers[-1]

    return submitted


def dispute(referee: Referee, **more: Any) -> Answer:
    return referee.cases.open(ENCUENTRO, opened(**{"lines": (3,), **more}), META)


def state(referee: Referee) -> Partida:
    return referee.encuentros.partida_by_id(PARTIDA)


def kinds(answer: Answer) -> list[str]:
    return [type(r.event).__name__ for r in answer.events]


def test_a_case_knows_where_it_was_opened_and_its_encuentro_follows_it(referee: Referee) -> None:
    answer = dispute(referee, seen=99, players=2, number=7)
    assert (answer.id, answer.version, answer.lines) == (case_id(ENCUENTRO, 1), 1, (1,))
    assert kinds(answer) == ["CaseOpened", "CaseFollowed"]
    case = referee.cases.case(ENCUENTRO, 1)
    assert case.opened is not None
    assert (case.opened.seen, case.opened.players, case.opened.number) == (3, 4, 1)
    assert referee.encuentros.encuentro(ENCUENTRO).result.open_case_numbers == (1,)
    assert dispute(referee).id == case_id(ENCUENTRO, 2)
    with pytest.raises(NotFound):
        referee.cases.case(ENCUENTRO, 3)


def test_a_case_is_about_lines_of_a_partida_that_are_there(referee: Referee) -> None:
    for act, rule in (
        ({"partida": 2}, Rule.PARTIDA_UNKNOWN),
        ({"lines": (4,)}, Rule.LINE_UNKNOWN),
    ):
        with pytest.raises(Refused) as caught:
            dispute(referee, **act)
        assert caught.value.rule == rule
    assert referee.encuentros.encuentro(ENCUENTRO).result.cases == ()


def test_play_is_suspended_until_the_ruling(referee: Referee, submit: Submit) -> None:
    answer = dispute(referee, suspends=True)
    assert kinds(answer) == ["CaseOpened", "PlaySuspended", "CaseFollowed"]
    assert state(referee).table.suspended
    assert kinds(submit(ruled()))[1:3] == ["PlayResumed", "RulingGiven"]
    assert not state(referee).table.suspended
    assert referee.cases.case(ENCUENTRO, 1).lines_of_rulings == (6,)
    dispute(referee, suspends=True)
    submit(closed(text="t"), number=2)
    assert not state(referee).table.suspended


def test_evidence_is_about_the_lines_that_are_there_by_then(
    referee: Referee, submit: Submit
) -> None:
    dispute(referee)
    referee.encuentros.record_partida_acts(PARTIDA, [Record(CardPlayed("B1", "3C"))], META)
    answer = submit(witness(lines=(4,)))
    assert kinds(answer) == ["EvidenceAttached"]
    assert answer.events[0].event.seen == 4  # type: ignore[union-attr]  # evidence


def test_a_ruling_is_an_act_of_the_partida_and_decides_it(referee: Referee, submit: Submit) -> None:
    dispute(referee)
    answer = submit(ruled(effect="partida", side="B"))
    assert kinds(answer)[:3] == ["CaseRuled", "RulingGiven", "PartidaWon"]
    assert "EncuentroWon" not in kinds(answer)
    assert kinds(answer)[-1] == "CaseFollowed"
    assert follow_command_of_partida(state(referee)).winner == "B"
    given = state(referee).log[-1]
    assert (given.line, given.act) == (4, RulingGiven("partida", "t", "B", article="sovereign"))
    assert referee.cases.case(ENCUENTRO, 1).lines_of_rulings == (4,)


def test_a_ruling_that_the_partida_cannot_have_rules_nothing(
    referee: Referee, submit: Submit
) -> None:
    dispute(referee)
    with pytest.raises(Refused) as caught:
        submit(ruled(effect="annul_act", line=9))
    assert caught.value.rule == Rule.LINE_UNKNOWN
    assert referee.cases.case(ENCUENTRO, 1).stage == "open"


def test_an_appeal_upheld_changes_nothing(referee: Referee, submit: Submit) -> None:
    dispute(referee)
    submit(ruled(effect="partida", side="B"), appealed())
    before = state(referee)
    assert kinds(submit(settled())) == ["AppealDecided", "CaseFollowed"]
    assert state(referee) == before


def test_an_appeal_changes_the_ruling_where_it_stood(referee: Referee, submit: Submit) -> None:
    dispute(referee)
    submit(ruled(effect="partida", side="B"), appealed())
    answer = submit(settled(word=ruling("warning", side="A")))
    assert kinds(answer)[:3] == ["AppealDecided", "LogAmended", "ConclusionRevised"]
    assert follow_command_of_partida(state(referee)).how == "undecided"
    assert state(referee).table.warnings == ((4, "A"),)
    assert [one.line for one in state(referee).log] == [1, 2, 3, 4, 5]
    assert referee.cases.case(ENCUENTRO, 1).lines_of_rulings == (4, 5)


def test_what_was_played_since_does_not_hold_an_appeal_up(referee: Referee, submit: Submit) -> None:
    dispute(referee)
    submit(ruled(effect="warning", side="A"), appealed())
    referee.encuentros.record_partida_acts(PARTIDA, [Record(CardPlayed("B1", "3C"))], META)
    answer = submit(settled(word=ruling("partida", side="B")))
    assert kinds(answer)[:3] == ["AppealDecided", "LogAmended", "RulingGiven"]
    assert (follow_command_of_partida(state(referee)).winner, state(referee).table.warnings) == (
        "B",
        (),
    )
    assert referee.cases.case(ENCUENTRO, 1).lines_of_rulings == (4, 6, 7)


def test_a_deal_that_was_replayed_stays_replayed_and_the_partida_can_still_be_given(
    referee: Referee, submit: Submit
) -> None:
    dispute(referee)
    submit(ruled(effect="replay_deal"), appealed())
    referee.encuentros.record_partida_acts(PARTIDA, [Record(DealStarted("B2"))], META)
    with pytest.raises(Refused) as caught:
        submit(settled(word=ruling("none")))
    assert caught.value.rule == Rule.DEAL_RUNNING
    answer = submit(settled(word=ruling("partida", side="A")))
    assert kinds(answer)[:2] == ["AppealDecided", "RulingGiven"]
    assert follow_command_of_partida(state(referee)).winner == "A"


def test_what_a_case_ruled_is_not_corrected_or_undone(referee: Referee, submit: Submit) -> None:
    dispute(referee)
    submit(ruled(effect="partida", side="B"), appealed())
    withdraw = Amend((Change(4, "withdraw"),), "t")
    for command in (withdraw, Undo()):
        with pytest.raises(Refused) as caught:
            referee.encuentros.record_partida_acts(PARTIDA, [command], META)
        assert caught.value.rule == Rule.RULED_IN_CASE
    submit(settled(word=ruling("none")))
    with pytest.raises(Refused) as caught:
        referee.encuentros.record_partida_acts(
            PARTIDA, [Amend((Change(5, "withdraw"),), "t")], META
        )
    assert caught.value.rule == Rule.RULED_IN_CASE
    referee.encuentros.record_partida_acts(PARTIDA, [Amend((Change(3, "withdraw"),))], META)


def test_a_preview_says_what_the_ruling_says_and_saves_nothing(
    referee: Referee, submit: Submit
) -> None:
    dispute(referee)
    act = ruled(effect="partida", side="B")
    version, preview = referee.cases.case_version_and_preview(ENCUENTRO, 1, act)
    assert (version, preview.version_to_confirm) == (1, 3)
    assert preview.before.partida
    assert follow_command_of_partida(preview.before.partida).how == "undecided"
    assert preview.after.encuentro.win is None
    assert referee.cases.case(ENCUENTRO, 1).version == 1
    answer = referee.cases.record(ENCUENTRO, 1, act, META, 1, 3)
    assert [r.event for r in answer.events][1 : 1 + len(preview.events)] == list(preview.events)
    assert state(referee) == preview.after.partida


def test_a_ruling_meant_for_another_version_is_stale(referee: Referee) -> None:
    dispute(referee)
    with pytest.raises(Stale) as stale:
        referee.cases.record(ENCUENTRO, 1, ruled(), META, 2, 3)
    assert (stale.value.version, stale.value.of) == (1, "")
    with pytest.raises(Stale) as stale:
        referee.cases.record(ENCUENTRO, 1, ruled(), META, 1, 2)
    assert (stale.value.version, stale.value.of) == (3, "partida")


def test_a_request_sent_again_is_one_case(referee: Referee) -> None:
    answers = [referee.cases.open(ENCUENTRO, opened(lines=()), keyed("k-1")) for _ in range(2)]
    assert [one.replayed for one in answers] == [False, True]
    assert answers[0].id == answers[1].id
    assert len(referee.encuentros.encuentro(ENCUENTRO).result.cases) == 1


def test_a_contested_result_is_a_case(referee: Referee, submit: Submit) -> None:
    referee.encuentros.record_partida_acts(PARTIDA, [Record(ResultEntered("A"))], META)
    contest = ResultContested("blas", "B", 0, "t")
    with pytest.raises(Refused) as caught:
        referee.cases.contest_result(ENCUENTRO, contest, opened("B", by="blas"), META)
    assert caught.value.rule == Rule.RESULT_OPEN
    referee.encuentros.start_partida(ENCUENTRO, META)
    referee.encuentros.record_partida_acts(SECOND, [Record(ResultEntered("A"))], META)
    referee.encuentros.record_encuentro_act(ENCUENTRO, ResultReported("ana", "A", "x"), META)
    act = opened("B", by="blas", partida=2, lines=(1,))
    answer = referee.cases.contest_result(ENCUENTRO, contest, act, META)
    assert kinds(answer) == ["CaseOpened", "ResultContested", "CaseFollowed"]
    assert answer.id == case_id(ENCUENTRO, 1)
    submit(ruled(effect="partida", side="B", until=None))
    assert referee.encuentros.encuentro(ENCUENTRO).win is None
    submit(closed())


def test_a_signed_acta_holds_partidas_and_rulings(referee: Referee, submit: Submit) -> None:
    referee.encuentros.record_partida_acts(PARTIDA, [Record(ResultEntered("A"))], META)
    referee.encuentros.start_partida(ENCUENTRO, META)
    referee.encuentros.record_partida_acts(SECOND, [Record(ResultEntered("A"))], META)
    referee.encuentros.record_encuentro_act(ENCUENTRO, ResultMadeOfficial("juez", "t"), META)
    dispute(referee)
    tries: list[Callable[[], Any]] = [
        lambda: submit(ruled()),
        lambda: referee.encuentros.record_partida_acts(
            PARTIDA, [Amend((Change(4, "withdraw"),), "t")], META
        ),
        lambda: referee.encuentros.record_partida_acts(
            PARTIDA, [Record(RulingGiven("none", "t"))], META
        ),
    ]
    for each in tries:
        with pytest.raises(Refused) as caught:
            each()
        assert caught.value.rule == Rule.ACTA_SIGNED
    submit(witness(text="w"))
    assert not any(isinstance(one.act, LogAmended) for one in state(referee).log)
