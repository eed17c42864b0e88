"""The calendar: each with each, at home and away in turn, as evenly as possible."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise

import pytest

from referee.aggregates.league.calendar import Fixture, round_robin_rounds
from referee.aggregates.league.decider import decide
from referee.aggregates.league.state import INITIAL, LeagueRule
from referee.errors import Refused
from referee.events.league import LeagueOpened, LeagueRules, MatchesScheduled, TeamEntered
from tests.support.records.league_play import DAYS, LeaguePlay

SIZES = range(2, 21)


def teams_of(size: int) -> list[str]:
    return [str(number) for number in range(1, size + 1)]


def places(rounds: list[list[Fixture]], team: str) -> list[bool]:
    """Whether a team is at home, match by match."""
    return [one.home == team for played in rounds for one in played if team in one]


def breaks(rounds: list[list[Fixture]], size: int) -> int:
    return sum(
        one == next_ for team in teams_of(size) for one, next_ in pairwise(places(rounds, team))
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("legs", [1, 2])
def test_each_meets_each_once_a_leg_and_nobody_twice_in_a_round(size: int, legs: int) -> None:
    rounds = round_robin_rounds(teams_of(size), legs)
    assert len(rounds) == legs * (size - 1 + size % 2)
    for played in rounds:
        there = [team for one in played for team in one]
        assert len(set(there)) == len(there) == size - size % 2
    met = Counter(frozenset(one) for played in rounds for one in played)
    assert set(met.values()) == {legs}
    assert len(met) == size * (size - 1) // 2
    if legs > 1:
        assert max(Counter(one for played in rounds for one in played).values()) == 1


@pytest.mark.parametrize("size", SIZES)
def test_a_leg_has_no_more_breaks_than_it_must(size: int) -> None:
    assert breaks(round_robin_rounds(teams_of(size), 1), size) == (
        0 if size % 2 else max(0, size - 2)
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("legs", [1, 2])
def test_nobody_is_away_three_times_in_a_row_and_homes_are_even(size: int, legs: int) -> None:
    rounds = round_robin_rounds(teams_of(size), legs)
    for team in teams_of(size):
        mine = places(rounds, team)
        assert max(len([*same]) for _, same in groupby(mine)) <= 2
        assert abs(mine.count(True) - mine.count(False)) <= legs % 2


def test_a_calendar_gives_each_round_its_day_and_each_match_its_number() -> None:
    play = LeaguePlay(3, divisions=2, legs=1)
    play.do(MatchesScheduled(DAYS, "21:00", ("3", "1", "2", "4", "5", "6")))
    first = play.state.matches["1-1-1"]
    assert (first.home, first.away, first.date, first.time) == ("1", "2", DAYS[0], "21:00")
    assert len(play.state.matches) == 6
    assert {one.date for one in play.state.matches.values()} == set(DAYS[:3])


def test_a_calendar_is_refused_that_cannot_be() -> None:
    def refused(play: LeaguePlay, act: MatchesScheduled) -> str:
        with pytest.raises(Refused) as caught:
            play.do(act)
        return caught.value.rule

    play = LeaguePlay(4)
    assert refused(play, MatchesScheduled(DAYS[:5])) == LeagueRule.DAYS_MISSING
    assert refused(play, MatchesScheduled(DAYS, order=("1",))) == LeagueRule.CALENDAR_OTHERWISE
    assert refused(LeaguePlay(1), MatchesScheduled(DAYS)) == LeagueRule.TEAMS_TOO_FEW
    play.schedule()
    made = play.events[-1]
    assert isinstance(made, MatchesScheduled)
    other = MatchesScheduled(DAYS[1:], matches=made.matches)
    assert refused(play, other) == LeagueRule.CALENDAR_OTHERWISE
    play.report("1", "4", 6, 0)
    assert refused(play, MatchesScheduled(DAYS)) == LeagueRule.CALENDAR_FIXED


def test_a_calendar_is_made_again_with_a_team_that_came_late() -> None:
    play = LeaguePlay(4)
    play.schedule()
    play.do(TeamEntered("late"))
    play.schedule()
    assert {team for one in play.state.matches.values() for team in one.teams} == {*"12345"}


@pytest.mark.parametrize(
    "opened",
    [
        LeagueOpened("name", divisions=()),
        LeagueOpened("name", LeagueRules(legs=3)),
        LeagueOpened("name", LeagueRules(partidas=0)),
        LeagueOpened("name", LeagueRules(tie_breaks=("cotos", "cotos"))),
    ],
)
def test_a_league_needs_a_division_and_rules_that_can_be(opened: LeagueOpened) -> None:
    with pytest.raises(Refused) as caught:
        decide(opened, INITIAL)
    assert caught.value.rule == LeagueRule.RULES_IMPOSSIBLE
