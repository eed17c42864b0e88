"""A league on a log is decided again: what nobody could have recorded is found."""

from __future__ import annotations

from uuid import UUID

import pytest
from msgspec.structs import replace

from referee.audit.verify.club import differences_in_league
from referee.events.league import (
    LeagueAct,
    MatchesScheduled,
    MatchReported,
    SanctionLifted,
    TeamEntered,
    TeamSanctioned,
)
from referee.log.mapper import RecordedEvent
from tests.support.records.league_play import LeaguePlay, partidas

AT = "2026-01-01T20:00:00.000Z"


def history(*events: LeagueAct) -> list[RecordedEvent]:
    return [
        RecordedEvent(UUID(int=1), at, at, AT, "owner", "token", "salt", event)
        for at, event in enumerate(events, 1)
    ]


@pytest.fixture
def play() -> LeaguePlay:
    made = LeaguePlay(4)
    made.schedule()
    made.report("1", "2", 4, 2)
    made.do(TeamSanctioned("1", 2, "late"))
    return made


def test_a_league_as_it_was_recorded_has_no_differences(play: LeaguePlay) -> None:
    assert [*differences_in_league(history(*play.events))] == []


def exchanged(event: LeagueAct) -> LeagueAct:
    """A calendar in which the first match is at the other venue."""
    assert isinstance(event, MatchesScheduled)
    first, *others = event.matches
    return replace(event, matches=(replace(first, home=first.away, away=first.home), *others))


@pytest.mark.parametrize(
    ("place", "other"),
    [
        (2, TeamEntered("team 2", team="7")),
        (6, MatchReported("9-9-9", partidas(6, 0))),
        (7, SanctionLifted("1", "never given")),
    ],
)
def test_what_could_not_be_recorded_is_found(
    play: LeaguePlay, place: int, other: LeagueAct
) -> None:
    events = [*play.events[:place], other, *play.events[place + 1 :]]
    found = [*differences_in_league(history(*events))]
    assert [(one.line, one.what) for one in found] == [(place + 1, "impossible_act")]


def test_a_calendar_that_was_changed_is_found(play: LeaguePlay) -> None:
    events = [*play.events[:5], exchanged(play.events[5]), *play.events[6:]]
    found = [*differences_in_league(history(*events))]
    assert [(one.line, one.what) for one in found] == [(6, "impossible_act")]
