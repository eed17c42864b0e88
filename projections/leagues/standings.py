"""Standings of a division: points as items, and teams with equal points sorted by tie-breaks."""

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
    """Outcome of a match; each pair of numbers is for the home team, then for the away team."""

    absent: tuple[TeamId, ...]
    partidas: BothNumbers
    cotos: BothNumbers = (0, 0)
    cards: BothNumbers = (0, 0)

    def own_number_first(self, match: LeagueMatch, team: TeamId, numbers: BothNumbers) -> TeamScore:
        """These two numbers, of home and away, with the number of this team first."""
        return numbers if team == match.home else (numbers[1], numbers[0])


def outcome_of(state: TeamLeague, match: LeagueMatch) -> MatchOutcome | None:
    """Outcome of a match; None as long as no result of it counts.

    A match with a team whose results are annulled never counts. One that a withdrawn team did not
    play any more is lost by it if its results are kept.
    """
    if state.is_match_annulled(match):
        return None
    gone = [team for team in match.teams if state.teams[team].withdrawn]
    if match.is_open:
        return _outcome_by_absence(state, match, tuple(gone)) if gone else None
    if match.stage == "forfeited":
        return _outcome_by_absence(state, match, match.absent)
    if match.stage == "disputed":
        return None
    told = match.partidas
    winners = [one.winner for one in told]
    return MatchOutcome(
        (),
        (winners.count("home"), winners.count("away")),
        _sum_home_and_away([one.cotos for one in told]),
        _sum_home_and_away([_card_points(one, state.rules.cards_cap) for one in told]),
    )


def _outcome_by_absence(
    state: TeamLeague, match: LeagueMatch, absent: tuple[TeamId, ...]
) -> MatchOutcome:
    home, away = (0 if team in absent else state.rules.partidas for team in match.teams)
    return MatchOutcome(absent, (home, away))


def _card_points(told: PartidaTold, cap: int) -> BothNumbers:
    """Card points of both teams in a partida, each up to a limit."""
    home, away = told.cards
    return (min(home, cap), min(away, cap)) if cap else (home, away)


def _sum_home_and_away(numbers: list[BothNumbers]) -> BothNumbers:
    return sum(one for one, _ in numbers), sum(other for _, other in numbers)


_NONE_LOST: Final = Fraction(1_000_000)
"""Quotient of a team that won partidas and lost none: above all others."""


class CountedMatch(NamedTuple):
    """A match with its outcome."""

    match: LeagueMatch
    outcome: MatchOutcome


class TeamTally(NamedTuple):
    """Sums of a team over some matches; each pair is its own number and that of its opponents."""

    won: int = 0
    level: int = 0
    lost: int = 0
    absent: int = 0
    partidas: TeamScore = (0, 0)
    cotos: TeamScore = (0, 0)
    cards: TeamScore = (0, 0)

    @property
    def number_of_matches(self) -> int:
        """Number of matches that count, with those lost by absence."""
        return self.won + self.level + self.lost + self.absent

    def points_without_sanctions(self, rules: LeagueRules) -> int:
        """Points without sanctions; a match lost by absence gives none."""
        return self.won * rules.won + self.level * rules.level + self.lost * rules.lost


def tally_of(team: TeamId, counted: Iterable[CountedMatch]) -> TeamTally:
    """Sums of a team over these matches, whether it played in all of them or not."""
    found = TeamTally()
    for match, outcome in counted:
        if team in match.teams:
            found = _tally_with_match(found, team, match, outcome)
    return found


def _tally_with_match(
    found: TeamTally, team: TeamId, match: LeagueMatch, outcome: MatchOutcome
) -> TeamTally:
    """Sums of a team after one more match."""
    own, other = outcome.own_number_first(match, team, outcome.partidas)
    is_absent = team in outcome.absent
    return TeamTally(
        found.won + (own > other),
        found.level + (own == other and not is_absent),
        found.lost + (own < other and not is_absent),
        found.absent + is_absent,
        _sum_of_scores(found.partidas, (own, other)),
        _sum_of_scores(found.cotos, outcome.own_number_first(match, team, outcome.cotos)),
        _sum_of_scores(found.cards, outcome.own_number_first(match, team, outcome.cards)),
    )


def _sum_of_scores(one: TeamScore, other: TeamScore) -> TeamScore:
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


def tie_break_value(tie_break: TieBreak, tally: TeamTally) -> Fraction:
    """Number of a team in a tie-break, where more is better; not for the direct encounter."""
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
    """Standings of a division, computed from the state of a league."""

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
        """Rows of the standings in order.

        Teams equal in all tie-breaks share a place, withdrawn teams are last.
        """
        rows: list[LeagueStandingData] = []
        for tied in self._groups_by_place():
            at = len(rows)
            mark = self._promotion_mark(at, at + len(tied))
            rows += [self._row(team, at + 1, mark) for team in tied]
        return rows

    def _promotion_mark(self, first: int, after: int) -> StandingMark:
        """Whether teams at a place are promoted or relegated.

        Empty before a match counts, or if only some of them would be.

        ``after``: how many teams are above or among them.
        """
        if not self.counted:
            return ""
        if after <= self._division.promoted:
            return "up"
        return "down" if first >= len(self._teams) - self._division.relegated else ""

    def _points(self, team: TeamId) -> int:
        return sum(one.points for one in self._items[team])

    def _groups_by_place(self) -> Iterable[list[TeamId]]:
        """Groups of teams in the order of the standings; the teams of a group share a place."""
        gone = {team for team in self._teams if self._state.teams[team].withdrawn}
        teams = sorted(self._teams, key=lambda one: (one in gone, -self._points(one)))
        for _, level in groupby(teams, lambda one: (one in gone, self._points(one))):
            yield from self._split_ties([*level], self._rules.tie_breaks)

    def _split_ties(
        self, level: list[TeamId], tie_breaks: Sequence[TieBreak]
    ) -> Iterable[list[TeamId]]:
        """Split teams with equal points by the tie-breaks, one after another."""
        if len(level) == 1 or not tie_breaks:
            yield level
            return
        first, *later = tie_breaks
        values = {team: self._tie_break_value_among(first, team, level) for team in level}
        level.sort(key=lambda team: -values[team])
        for _, still in groupby(level, values.__getitem__):
            yield from self._split_ties([*still], later)

    def _tie_break_value_among(
        self, tie_break: TieBreak, team: TeamId, level: list[TeamId]
    ) -> Fraction:
        """Number of a team in a tie-break; that in the direct encounter is remembered for the row.

        In the direct encounter its points among the tied teams.
        """
        if tie_break != "direct":
            return tie_break_value(tie_break, self._tallies[team])
        among = [one for one in self.counted if set(one.match.teams) <= set(level)]
        self._direct[team] = tally_of(team, among).points_without_sanctions(self._rules)
        return Fraction(self._direct[team])

    def _row(self, team: TeamId, place: int, mark: StandingMark) -> LeagueStandingData:
        tally = self._tallies[team]
        return LeagueStandingData(
            place=place,
            team=team,
            played=tally.number_of_matches,
            won=tally.won,
            level=tally.level,
            lost=tally.lost + tally.absent,
            partidas=tally.partidas,
            cotos=tally.cotos,
            cards=tally.cards,
            points=self._points(team),
            items=self._items[team],
            tie_breaks=[self._tie_break_value_data(one, team) for one in self._rules.tie_breaks],
            mark=mark,
        )

    def _tie_break_value_data(self, tie_break: TieBreak, team: TeamId) -> TieBreakData:
        if tie_break == "direct":
            known = self._direct.get(team)
            return TieBreakData(tie_break=tie_break, value="" if known is None else str(known))
        return TieBreakData(
            tie_break=tie_break, value=_tie_break_text(tie_break, self._tallies[team])
        )


def _tie_break_text(tie_break: TieBreak, tally: TeamTally) -> str:
    """A value as text, a quotient as a fraction that nobody has to round.

    >>> _tie_break_text("quotient", TeamTally(partidas=(9, 4)))
    '9/4'
    >>> _tie_break_text("difference", TeamTally())
    '0'
    """
    if tie_break == "quotient":
        return f"{tally.partidas[0]}/{tally.partidas[1]}"
    return str(tie_break_value(tie_break, tally).numerator)
