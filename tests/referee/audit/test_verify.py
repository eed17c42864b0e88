"""Verification: an honest log has no difference, and each kind of difference is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from projections.runner.log import LogReader
from referee.aggregates.commands import Amend, Record, Undo
from referee.aggregates.encuentro import freeze_profile
from referee.application import Referee
from referee.audit.checkpoint import SigningKey
from referee.audit.verify.conclusions import StreamDifference, differences_in_all_streams
from referee.events import (
    CardPlayed,
    Change,
    DealerDue,
    DealStarted,
    EncuentroOpened,
    EncuentroWon,
    Event,
    IncidentNoted,
    OutcomeFollowed,
    PartidaWon,
    PintaTurned,
    ResultEntered,
    VueltasBegun,
)
from referee.kinds import partida_id
from referee.log.sqlite.recorder import create_tables
from referee.record.samples import parse_sample
from referee.rules.profile.profile import profile
from tests.support.records.samples import samples
from tests.support.servers.one_log import META, new_referee

KEY = SigningKey("club.example/mesas", bytes(32))
CLUB = freeze_profile(profile("club"), 4)
ENCUENTRO = UUID(int=7)
FIRST, SECOND = partida_id(ENCUENTRO, 1), partida_id(ENCUENTRO, 2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create_tables(tmp_path / "log.db")
    return tmp_path / "log.db"


@pytest.fixture
def referee(path: Path) -> Iterator[Referee]:
    """Two partidas: A won the first, which was once B's; the second is running."""
    with closing(new_referee(path)) as found:
        found.encuentros.open(EncuentroOpened(CLUB), META, ENCUENTRO)
        found.encuentros.start_partida(ENCUENTRO, META)
        found.encuentros.record_partida_acts(FIRST, [Record(IncidentNoted("late", "A1"))], META)
        found.encuentros.record_partida_acts(FIRST, [Record(ResultEntered("B"))], META)
        found.encuentros.record_partida_acts(
            FIRST, [Amend((Change(2, "replace", ResultEntered("A")),))], META
        )
        found.encuentros.start_partida(ENCUENTRO, META)
        found.encuentros.record_partida_acts(
            SECOND, [Record(DealStarted("A1")), Record(PintaTurned("3O"))], META
        )
        found.encuentros.record_partida_acts(SECOND, [Record(CardPlayed("B1", "AO")), Undo()], META)
        yield found


def differences(path: Path) -> list[StreamDifference]:
    with closing(LogReader(path)) as log:
        return list(differences_in_all_streams(log))


def test_an_honest_log_has_no_difference(path: Path, referee: Referee) -> None:
    referee.encuentros.record_partida_acts(FIRST, [Undo()], META)
    referee.encuentros.record_partida_acts(FIRST, [Undo()], META)
    assert not differences(path)


def test_samples_recorded_have_no_difference(path: Path, referee: Referee) -> None:
    for one in samples()[:4]:
        sample = parse_sample(one)
        frozen = freeze_profile(profile("club"), sample.players, sample.deck)
        found = referee.encuentros.open(EncuentroOpened(frozen), META).id
        referee.encuentros.start_partida(found, META)
        acts = [Record(act) for deal in sample.deals for act in deal]
        referee.encuentros.record_partida_acts(partida_id(found, 1), acts, META)
    assert not differences(path)


def test_progress_reaches_the_end(path: Path, referee: Referee) -> None:
    reports: list[tuple[int, int]] = []
    with closing(LogReader(path)) as log:
        assert not list(differences_in_all_streams(log, lambda *at: reports.append(at)))
    assert reports[-1] == (referee.position(),) * 2


def forged(path: Path, stream: UUID, forge: Callable[[list[Any]], list[Any]]) -> None:
    """A stream rewritten in the store by ``forge``."""
    with closing(new_referee(path)) as whole:
        history: list[Any] = whole.history(stream)
        datastore: Any = whole.recorder.datastore  # type: ignore[attr-defined]  # that of a log
        with datastore.transaction(commit=True) as cursor:
            cursor.execute("DELETE FROM stored_events WHERE originator_id = ?", (stream.hex,))
            cursor.execute("DELETE FROM leaves WHERE stream = ?", (stream.hex,))
        whole.events.put(forge(history))


def changed(old: Event, new: Event) -> Callable[[list[Any]], list[Any]]:
    def forge(history: list[Any]) -> list[Any]:
        assert any(one.event == old for one in history), history
        return [
            msgspec.structs.replace(one, event=new) if one.event == old else one for one in history
        ]

    return forge


def without(old: Event) -> Callable[[list[Any]], list[Any]]:
    def forge(history: list[Any]) -> list[Any]:
        kept = [one for one in history if one.event != old]
        assert len(kept) < len(history), history
        return [
            msgspec.structs.replace(one, originator_version=version)
            for version, one in enumerate(kept, 1)
        ]

    return forge


def ending(new: Event, *, lines: int = 0, versions: int = 1) -> Callable[[list[Any]], list[Any]]:
    def forge(history: list[Any]) -> list[Any]:
        last = history[-1]
        version, line = last.originator_version + versions, last.line + lines
        one = msgspec.structs.replace(last, event=new, originator_version=version, line=line)
        return [*history, one]

    return forge


def reopened(**fields: Any) -> Callable[[list[Any]], list[Any]]:
    def forge(history: list[Any]) -> list[Any]:
        first = msgspec.structs.replace(history[0].event, **fields)
        return [msgspec.structs.replace(history[0], event=first), *history[1:]]

    return forge


def won(referee: Referee, side: str) -> PartidaWon:
    """The conclusion that this side won, as it is on the log."""
    stored = [one.event for one in referee.history(FIRST)]
    return next(one for one in stored if isinstance(one, PartidaWon) and one.winner == side)


def test_a_wrong_winner_is_found(path: Path, referee: Referee) -> None:
    real = won(referee, "A")
    forged(path, FIRST, changed(real, msgspec.structs.replace(real, winner="B")))
    (found,) = differences(path)[:1]
    assert (found.stream, found.line, found.what) == (str(FIRST), 3, "changed_conclusion")
    assert (found.stored["winner"], found.computed["winner"]) == ("B", "A")


def test_changed_totals_are_found(path: Path, referee: Referee) -> None:
    real = won(referee, "B")
    forged(path, FIRST, changed(real, msgspec.structs.replace(real, totals={"A": 1, "B": 101})))
    assert [(one.line, one.what) for one in differences(path)] == [(2, "changed_conclusion")]


def test_a_missing_conclusion_is_found(path: Path, referee: Referee) -> None:
    forged(path, FIRST, without(won(referee, "A")))
    assert (3, "missing_conclusion") in [(one.line, one.what) for one in differences(path)]


def outcome(winner: str) -> OutcomeFollowed:
    return OutcomeFollowed(1, winner, "ruling", {})


@pytest.mark.parametrize(
    ("stream", "forge", "what", "line"),
    [
        (SECOND, ending(VueltasBegun(2)), "extra_conclusion", 4),
        (SECOND, ending(DealStarted(""), lines=1), "impossible_act", 5),
        (SECOND, ending(IncidentNoted("late", "A1"), lines=1, versions=2), "version_gap", 5),
        (SECOND, ending(IncidentNoted("late", "A1"), lines=2), "line_gap", 6),
        (SECOND, ending(EncuentroWon("A", 1)), "foreign_event", 4),
        (SECOND, reopened(profile_hash="another"), "options_changed", 0),
        (SECOND, reopened(number=3), "partida_missing", 3),
        (SECOND, reopened(encuentro=str(UUID(int=9))), "partida_astray", 0),
        (SECOND, ending(DealerDue("B2")), "dealer_wrong", 4),
        (SECOND, lambda history: history[1:], "not_opened", 1),
        (ENCUENTRO, ending(EncuentroWon("A", 1)), "extra_conclusion", 3),
        (ENCUENTRO, ending(outcome("B")), "outcome_wrong", 3),
        (
            ENCUENTRO,
            reopened(profile=msgspec.structs.replace(CLUB, edition="forged")),
            "profile_changed",
            1,
        ),
    ],
)
def test_what_was_planted_is_found(
    path: Path,
    referee: Referee,
    stream: UUID,
    forge: Callable[[list[Any]], list[Any]],
    what: str,
    line: int,
) -> None:
    forged(path, stream, forge)
    found = [(one.what, one.line) for one in differences(path)]
    assert (what, line) in found


# --- the house -----------------------------------------------------------------------------------


def test_a_house_that_names_its_notary_and_took_a_copy_back_is_honest(
    path: Path, referee: Referee
) -> None:
    referee.house.name_notary(KEY.public.text, META, instead_of="")
    referee.house.note_restoration(12, 7, META)
    assert differences(path) == []


@pytest.mark.parametrize("key", ["", "no key", f"{KEY.public.text} ", KEY.text])
def test_a_notary_without_a_public_key_is_found(path: Path, referee: Referee, key: str) -> None:
    referee.house.name_notary(key, META, instead_of="")
    (found,) = differences(path)
    assert (found.what, found.stored["key"]) == ("impossible_act", key)


def test_a_copy_that_was_no_shorter_than_what_was_signed_is_found(
    path: Path, referee: Referee
) -> None:
    referee.house.note_restoration(7, 7, META)
    assert [found.what for found in differences(path)] == ["impossible_act"]
