"""What came of a match, as it counts: by its partidas, by an absence, by a withdrawal."""

from __future__ import annotations

from typing import NamedTuple

from projections.leagues.views import TeamScore
from referee.aggregates.league.state import LeagueMatch, TeamLeague
from referee.events.league import BothNumbers, PartidaTold, TeamId


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
