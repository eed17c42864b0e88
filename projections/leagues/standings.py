"""The table of a division: points as items, and those level in the order of the tie-breaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from projections.leagues.views import (
    LeagueStandingData,
    PointsItemData,
    ReasonOfPoints,
    StandingMark,
    TeamScore,
    TieBreakData,
)
from referee.aggregates.league.state import LeagueMatch, TeamLeague
from referee.events.league import BothNumbers, LeagueRules, PartidaTold, TeamId, TieBreak


class MatchOutcome(NamedTuple):
    """A match that counts; each pair of numbers is of the home team and of the other one."""

    absent: tuple[TeamId, ...]
    partidas: BothNumbers
    cotos: BothNumbers = (0, 0)
    cards: BothNumbers = (0, 0)

    def of(self, match: LeagueMatch, team: TeamId, numbers: BothNumbers) -> TeamScore:
        """Two numbers as one of the teams sees them."""
        return numbers if team == match.home else (numbers[1], numbers[0])


def outcome_of(state: TeamLeague, match: LeagueMatch) -> MatchOutcome | None:
    """The outcome of a match; None while nothing of it counts.

    A match with a team whose results are annulled never counts. One that a withdrawn team did not
    play any more is lost by it if its results are kept.
    """
    if state.is_annulled(match):
        return None
    gone = [team for team in match.teams if state.teams[team].withdrawn]
    if match.is_open:
        return _by_absence(state, match, tuple(gone)) if gone else None
    if match.stage == "forfeited":
        return _by_absence(state, match, match.absent)
    if match.stage == "disputed":
        return None
    told = match.partidas
    winners = [one.winner for one in told]
    return MatchOutcome(
        (),
        (winners.count("home"), winners.count("away")),
        _sum([one.cotos for one in told]),
        _sum([_cards_of(one, state.rules.cards_cap) for one in told]),
    )


def _by_absence(state: TeamLeague, match: LeagueMatch, absent: tuple[TeamId, ...]) -> MatchOutcome:
    home, away = (0 if team in absent else state.rules.partidas for team in match.teams)
    return MatchOutcome(absent, (home, away))


def _cards_of(told: PartidaTold, cap: int) -> BothNumbers:
    """Points of cards of a partida, as far as they count."""
    home, away = told.cards
    return (min(home, cap), min(away, cap)) if cap else (home, away)


def _sum(numbers: list[BothNumbers]) -> BothNumbers:
    return sum(one for one, _ in numbers), sum(other for _, other in numbers)


_NONE_LOST: Final = Fraction(1_000_000)
"""Quotient of a team that won partidas and lost none: above all others."""


class CountedMatch(NamedTuple):
    """A match and what counts of it."""

    match: LeagueMatch
    outcome: MatchOutcome


class TeamTally(NamedTuple):
    """What a team has from some matches; each score is its own and that of its opponents."""

    won: int = 0
    level: int = 0
    lost: int = 0
    absent: int = 0
    partidas: TeamScore = (0, 0)
    cotos: TeamScore = (0, 0)
    cards: TeamScore = (0, 0)

    @property
    def played(self) -> int:
        """Matches that count, those lost by an absence too."""
        return self.won + self.level + self.lost + self.absent

    def points(self, rules: LeagueRules) -> int:
        """Points without sanctions; an absence brings none."""
        return self.won * rules.won + self.level * rules.level + self.lost * rules.lost


def tally_of(team: TeamId, counted: Iterable[CountedMatch]) -> TeamTally:
    """What a team has from matches, of which it may have played none."""
    found = TeamTally()
    for match, outcome in counted:
        if team in match.teams:
            found = _with_match(found, team, match, outcome)
    return found


def _with_match(
    found: TeamTally, team: TeamId, match: LeagueMatch, outcome: MatchOutcome
) -> TeamTally:
    own, other = outcome.of(match, team, outcome.partidas)
    is_absent = team in outcome.absent
    return TeamTally(
        found.won + (own > other),
        found.level + (own == other and not is_absent),
        found.lost + (own < other and not is_absent),
        found.absent + is_absent,
        _plus(found.partidas, (own, other)),
        _plus(found.cotos, outcome.of(match, team, outcome.cotos)),
        _plus(found.cards, outcome.of(match, team, outcome.cards)),
    )


def _plus(one: TeamScore, other: TeamScore) -> TeamScore:
    return one[0] + other[0], one[1] + other[1]


def points_items(state: TeamLeague, team: TeamId, tally: TeamTally) -> list[PointsItemData]:
    """Points of a team as items; their sum is what the table shows."""
    rules = state.rules
    found: list[tuple[ReasonOfPoints, int, int]] = [
        ("won", tally.won, tally.won * rules.won),
        ("level", tally.level, tally.level * rules.level),
        ("lost", tally.lost, tally.lost * rules.lost),
        ("absent", tally.absent, 0),
    ]
    given = [one.given for one in state.sanctions.values() if not one.is_lifted]
    found += [("sanction", 1, -one.points) for one in given if one.team == team]
    return [
        PointsItemData(reason=reason, count=count, points=points)
        for reason, count, points in found
        if count
    ]


def value_of(tie_break: TieBreak, tally: TeamTally) -> Fraction:
    """A team's number in a tie-break, more is better; the direct encounter has none."""
    match tie_break:
        case "partidas":
            return Fraction(tally.partidas[0])
        case "cotos":
            return Fraction(tally.cotos[0] - tally.cotos[1])
        case "cards":
            return Fraction(tally.cards[0] - tally.cards[1])
        case "quotient":
            won, lost = tally.partidas
            return Fraction(won, lost) if lost else _NONE_LOST * bool(won)
        case _:
            return Fraction(tally.partidas[0] - tally.partidas[1])


class DivisionTable:
    """The table of a division, worked out from a league."""

    def __init__(self, state: TeamLeague, number: int) -> None:
        self._state, self._rules = state, state.rules
        self._division = state.divisions[number - 1]
        self.counted = [
            CountedMatch(match, outcome)
            for match in state.matches.values()
            if match.division == number and (outcome := outcome_of(state, match)) is not None
        ]
        self._teams = [one.id for one in state.teams.values() if one.division == number]
        self._tallies = {team: tally_of(team, self.counted) for team in self._teams}
        self._items = {
            team: points_items(state, team, tally) for team, tally in self._tallies.items()
        }
        self._direct: dict[TeamId, int] = {}

    def rows(self) -> list[LeagueStandingData]:
        """Its rows in order; a team that withdrew is last, and teams level in all share a place."""
        rows: list[LeagueStandingData] = []
        for tied in self._order():
            at = len(rows)
            mark = self._mark(at, at + len(tied))
            rows += [self._row(team, at + 1, mark) for team in tied]
        return rows

    def _mark(self, first: int, after: int) -> StandingMark:
        """Whether teams that share a place go up or down, all of them; none before a match counts.

        ``after``: how many teams are above or among them.
        """
        if not self.counted:
            return ""
        if after <= self._division.promoted:
            return "up"
        return "down" if first >= len(self._teams) - self._division.relegated else ""

    def _points(self, team: TeamId) -> int:
        return sum(one.points for one in self._items[team])

    def _order(self) -> Iterable[list[TeamId]]:
        """Teams in order, those that share a place together."""
        gone = {team for team in self._teams if self._state.teams[team].withdrawn}
        teams = sorted(self._teams, key=lambda one: (one in gone, -self._points(one)))
        for _, level in groupby(teams, lambda one: (one in gone, self._points(one))):
            yield from self._split([*level], self._rules.tie_breaks)

    def _split(self, level: list[TeamId], tie_breaks: Sequence[TieBreak]) -> Iterable[list[TeamId]]:
        """Teams level so far, by the next tie-break, and those still level by the ones after it."""
        if len(level) == 1 or not tie_breaks:
            yield level
            return
        first, *later = tie_breaks
        values = {team: self._value(first, team, level) for team in level}
        level.sort(key=lambda team: -values[team])
        for _, still in groupby(level, values.__getitem__):
            yield from self._split([*still], later)

    def _value(self, tie_break: TieBreak, team: TeamId, level: list[TeamId]) -> Fraction:
        """What a team has in a tie-break; in direct encounters, the points among those level."""
        if tie_break != "direct":
            return value_of(tie_break, self._tallies[team])
        among = [one for one in self.counted if set(one.match.teams) <= set(level)]
        self._direct[team] = tally_of(team, among).points(self._rules)
        return Fraction(self._direct[team])

    def _row(self, team: TeamId, place: int, mark: StandingMark) -> LeagueStandingData:
        tally = self._tallies[team]
        return LeagueStandingData(
            place=place,
            team=team,
            played=tally.played,
            won=tally.won,
            level=tally.level,
            lost=tally.lost + tally.absent,
            partidas=tally.partidas,
            cotos=tally.cotos,
            cards=tally.cards,
            points=self._points(team),
            items=self._items[team],
            tie_breaks=[self._tie_break(one, team) for one in self._rules.tie_breaks],
            mark=mark,
        )

    def _tie_break(self, tie_break: TieBreak, team: TeamId) -> TieBreakData:
        if tie_break == "direct":
            known = self._direct.get(team)
            return TieBreakData(tie_break=tie_break, value="" if known is None else str(known))
        return TieBreakData(tie_break=tie_break, value=_value_text(tie_break, self._tallies[team]))


def _value_text(tie_break: TieBreak, tally: TeamTally) -> str:
    """A value as text, a quotient as a fraction that nobody has to round.

    >>> _value_text("quotient", TeamTally(partidas=(9, 4))), _value_text("difference", TeamTally())
    ('9/4', '0')
    """
    if tie_break == "quotient":
        return f"{tally.partidas[0]}/{tally.partidas[1]}"
    return str(value_of(tie_break, tally).numerator)
