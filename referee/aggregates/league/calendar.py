"""The calendar of a league: each with each, at home and away in turn, by the circle method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from referee.aggregates.league.state import LeagueMatch, LeagueRule, TeamLeague
from referee.errors import Refused
from referee.events.league import (
    MatchAct,
    MatchesScheduled,
    MatchMoved,
    MatchPostponed,
    ScheduledMatch,
    TeamId,
)

FEWEST_TEAMS: Final = 2


class Fixture(NamedTuple):
    """Two teams that meet, the home team first."""

    home: TeamId
    away: TeamId


def round_robin_rounds(teams: Sequence[TeamId], legs: int) -> list[list[Fixture]]:
    """Rounds in which each team meets each other once in a leg; one rests if they are odd.

    A leg of n teams has n - 2 breaks (twice at home or twice away in a row), and none if n is odd:
    fewer are not possible. The second leg is the first with the venues exchanged and its first
    round last, so that nobody is away three times in a row.

    >>> [[f"{one.home}-{one.away}" for one in found] for found in round_robin_rounds("1234", 1)]
    [['4-1', '2-3'], ['2-4', '3-1'], ['4-3', '1-2']]
    """
    first = list(_leg_rounds(teams))
    if legs == 1:
        return first
    swapped = [[Fixture(one.away, one.home) for one in played] for played in first]
    return [*first, *swapped[1:], swapped[0]]


def _leg_rounds(teams: Sequence[TeamId]) -> Iterator[list[Fixture]]:
    """Rounds of a leg. The last team of an even number stands in the middle of the circle."""
    is_even = len(teams) % 2 == 0
    ring = teams[:-1] if is_even else teams
    size = len(ring)
    for number in range(size):
        played = []
        if is_even:
            centre = Fixture(teams[-1], ring[number])
            played.append(centre if number % 2 == 0 else Fixture(*reversed(centre)))
        for step in range(1, (size + 1) // 2):
            one, other = ring[(number + step) % size], ring[(number - step) % size]
            played.append(Fixture(one, other) if step % 2 else Fixture(other, one))
        yield played


def round_count_of_largest_division(state: TeamLeague) -> int:
    """Number of rounds for the largest division, over all legs, without teams that withdrew."""
    playing = Counter(one.division for one in state.teams.values() if not one.withdrawn)
    most = max(playing.values(), default=0)
    return state.rules.legs * (most - 1 + most % 2)


def calendar_act_with_matches(state: TeamLeague, act: MatchesScheduled) -> MatchesScheduled:
    """The act that schedules matches, with the matches computed.

    :raises Refused: a division has too few teams, a round has no day, or the order is of others
    """
    playing = [one.id for one in state.teams.values() if not one.withdrawn]
    order = act.order or tuple(playing)
    if sorted(order) != sorted(playing):
        raise Refused(LeagueRule.CALENDAR_OTHERWISE)
    matches: list[ScheduledMatch] = []
    for division in range(1, len(state.divisions) + 1):
        teams = [one for one in order if state.teams[one].division == division]
        if len(teams) < FEWEST_TEAMS:
            raise Refused(LeagueRule.TEAMS_TOO_FEW, division=division)
        drawn = round_robin_rounds(teams, state.rules.legs)
        if len(drawn) > len(act.days):
            raise Refused(LeagueRule.DAYS_MISSING, rounds=len(drawn), days=len(act.days))
        matches += [
            ScheduledMatch(
                f"{division}-{number}-{place}", division, number, *fixture, day, act.time
            )
            for number, (played, day) in enumerate(zip(drawn, act.days, strict=False), 1)
            for place, fixture in enumerate(played, 1)
        ]
    return MatchesScheduled(act.days, act.time, act.order, tuple(matches))


def match_acts_to_repeat(before: TeamLeague, after: TeamLeague) -> list[MatchAct]:
    """Acts that repeat, for the matches of a new calendar, what was agreed on in the one before.

    A match is the same if the home team is; if they meet once, whoever is at home.
    """
    found: list[MatchAct] = []
    again = {_match_key(one, after): one.id for one in after.matches.values()}
    for old in before.matches.values():
        match, is_postponed = again.get(_match_key(old, after)), old.stage == "postponed"
        if match is not None and old.is_moved:
            reason = "" if is_postponed else old.reason
            found.append(MatchMoved(match, old.date, old.time, old.venue, reason))
        if match is not None and is_postponed:
            found.append(MatchPostponed(match, old.reason))
    return found


def _match_key(match: LeagueMatch, state: TeamLeague) -> tuple[TeamId, ...]:
    """Both teams, the home team first where they meet twice."""
    return match.teams if state.rules.legs > 1 else tuple(sorted(match.teams))
