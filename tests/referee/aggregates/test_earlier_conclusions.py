"""What a log concluded stands, though the cards were taken otherwise when it was written."""

from __future__ import annotations

from uuid import UUID

import pytest

from referee.aggregates.commands import Amend, Record
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import decide, fold, fold_acts
from referee.audit.verify.streams import RecomputedPartida, replay_partida
from referee.errors import Refused
from referee.events import (
    Act,
    CardPlayed,
    Change,
    ConclusionRevised,
    Event,
    PartidaOpened,
    PartidaWon,
    RulingGiven,
)
from referee.log.mapper import RecordedEvent
from referee.record import parse_record
from referee.record.profiles import frozen_profile_of_record
from referee.rules.articles import Rule
from referee.rules.profile.profile import profile
from tests.support.places import ROOT

TUTE = ROOT / "tests" / "logs" / "tute-de-antes-con-un-robo-sin-anotar.guinote"
ACTS = parse_record(TUTE.read_text(encoding="utf-8")).partidas[0].acts
"""A true tute with a card that only a draw which nobody noted can have brought."""
OLD = frozen_profile_of_record(parse_record(TUTE.read_text(encoding="utf-8")))
NEW = freeze_profile(profile("club").changed("casa", "1", {"tute": True}), 4)
GOES_ON = CardPlayed("A1", "RC")
CONCEDED = PartidaWon("B", "concession", {"A": 11, "B": 0})


def opened(frozen=OLD) -> PartidaOpened:
    return PartidaOpened("a table", 1, frozen.options, frozen.hash)


def verified(*events: Event) -> RecomputedPartida:
    """A log of these events, verified."""
    lines = [sum(isinstance(one, Act) for one in events[: n + 1]) for n in range(len(events))]
    return replay_partida(
        [
            RecordedEvent(UUID(int=1), n, line, "2026-11-21T20:15:00.000Z", "x", "x", "s" * 22, one)
            for n, (line, one) in enumerate(zip(lines, events, strict=True), 1)
        ]
    )


def test_a_partida_that_went_on_goes_on() -> None:
    """The program of that time called the tute false, so it wrote no winner."""
    state = fold([opened(), *ACTS])
    assert [one.how for one in state.conclusions_from_acts] == ["tute"]
    assert state.table.decided is None
    assert state.table.conclusions == ()
    assert decide(Record(GOES_ON), state).events == (GOES_ON,)
    assert decide(Amend((Change(9, "withdraw"),)), state).events[1:] == ()


def test_a_winner_that_was_written_stands_until_an_act_changes_it() -> None:
    state = fold([opened(), *ACTS[:8], CONCEDED])
    assert (state.conclusions_from_acts, state.table.decided) == ((), CONCEDED)
    with pytest.raises(Refused) as refused:
        decide(Record(GOES_ON), state)
    assert refused.value.rule == Rule.PARTIDA_DECIDED
    ruling = RulingGiven("partida", "text", "A")
    _, *changed = decide(Record(ruling), state).events
    won = PartidaWon("A", "ruling", {"A": 11, "B": 0})
    assert changed == [ConclusionRevised(CONCEDED), won]


def test_acts_alone_conclude_a_partida_under_every_edition() -> None:
    won = (PartidaWon("A", "ruling", {"A": 11, "B": 0}),)
    for options in (None, NEW):
        begun = opened() if options is None else opened(options)
        state = fold_acts(begun, [*ACTS[:8], RulingGiven("partida", "text", "A")])
        assert (state.stated, state.table.decided) == (won, won[0]), options


def test_such_a_log_verifies_and_what_follows_today_is_told() -> None:
    found = verified(opened(), *ACTS, GOES_ON)
    assert found.differences == []
    assert found.state is not None
    last = RecordedEvent(UUID(int=1), 12, 11, "", "x", "x", "s" * 22, GOES_ON)
    (row,) = found.newest_law_differences(last)
    assert (row.what, row.stored) == ("earlier_law", ())
    assert [one["kind"] for one in row.computed] == ["partida_won"]


def test_it_does_not_under_the_newest_edition_nor_where_only_cards_laid_were_recorded() -> None:
    wrong = verified(opened(NEW), *ACTS)
    assert [one.what for one in wrong.differences] == ["missing_conclusion"]
    made_up = verified(opened(), *ACTS[:2], *ACTS[3:7], CONCEDED)
    assert [one.what for one in made_up.differences] == ["extra_conclusion"]
