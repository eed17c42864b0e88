"""History of a tournament by rounds: pairs, pairings and results.

Points are items, each with its round and its reason; a total is their sum.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec

from referee.aggregates.tournament.field import NOBODY, Pair, check_pairs
from referee.aggregates.tournament.rules import TournamentRule
from referee.errors import Refused
from referee.events.tournament import RoundPoints

Pairing: TypeAlias = tuple[Pair, Pair]
RoundOutcome: TypeAlias = Literal["won", "level", "lost", "open", "bye", "absent", "late"]


KEPT: Final = 400
"""Size of the cache of points: rounds of 512 pairs in groups of four, and some more."""


class Entrant(msgspec.Struct, frozen=True, gc=False):
    """A pair from its first round to its last; ``until`` 0: it has not withdrawn."""

    pair: Pair
    since: int = 1
    until: int = 0

    def is_in_round(self, number: int) -> bool:
        """Whether the pair takes part in a round."""
        return self.since <= number and (not self.until or number <= self.until)


class Round(msgspec.Struct, frozen=True, gc=False):
    """Pairings and byes of a round; pairs in neither were absent."""

    pairings: tuple[Pairing, ...]
    bye: Pair = NOBODY


class PlayedPairing(msgspec.Struct, frozen=True, gc=False):
    """How a pairing of a round ended; cotos and partidas in the order of ``pairs``.

    ``winner`` ``""``: level, or of a walkover nobody. A walkover was not played.
    """

    round: int
    pairs: Pairing
    winner: Pair
    cotos: tuple[int, int] = (0, 0)
    partidas: tuple[int, int] = (0, 0)
    is_walkover: bool = False

    @property
    def round_and_pairs(self) -> tuple[int, frozenset[Pair]]:
        """Round and pairs, in no order."""
        return (self.round, frozenset(self.pairs))


class History(msgspec.Struct, frozen=True, gc=False):
    """A tournament by rounds as it stands; entrants strongest first, late ones behind."""

    entrants: tuple[Entrant, ...]
    rounds: tuple[Round, ...] = ()
    met: tuple[PlayedPairing, ...] = ()
    scoring: RoundPoints = RoundPoints()

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Every pair that takes or took part."""
        return tuple(one.pair for one in self.entrants)

    def pairs_in_next_round(self, absent: frozenset[Pair] = frozenset()) -> tuple[Pair, ...]:
        """Pairs to be paired in the next round."""
        number = len(self.rounds) + 1
        there = (one.pair for one in self.entrants if one.is_in_round(number))
        return tuple(pair for pair in there if pair not in absent)


class PointItem(msgspec.Struct, frozen=True, gc=False):
    """Points of one round, why, and against whom."""

    round: int
    reason: RoundOutcome
    points: int
    opponent: Pair = NOBODY


def check_history(history: History) -> None:
    """Refuse an inconsistent history.

    :raises Refused: a pair is no entrant, is twice in a round, or met without a pairing
    """
    check_pairs(history.pairs)
    known = set(history.pairs)
    for number, one in enumerate(history.rounds, 1):
        named = [pair for pairing in one.pairings for pair in pairing]
        named += [one.bye] if one.bye != NOBODY else []
        for pair in named:
            if pair not in known:
                raise Refused(TournamentRule.PAIR_UNKNOWN, round=number, pair=pair)
            if named.count(pair) > 1:
                raise Refused(TournamentRule.PAIR_TWICE, round=number, pair=pair)
    to_meet = {
        (number, frozenset(pairing))
        for number, one in enumerate(history.rounds, 1)
        for pairing in one.pairings
    }
    for met in history.met:
        if met.round_and_pairs not in to_meet:
            raise Refused(TournamentRule.NOT_PAIRED, round=met.round, pairs=met.pairs)
        if met.winner not in (*met.pairs, NOBODY):
            raise Refused(TournamentRule.WINNER_UNKNOWN, round=met.round, winner=met.winner)
        to_meet.remove(met.round_and_pairs)


def point_items_of(history: History) -> Mapping[Pair, tuple[PointItem, ...]]:
    """Points of every pair, round by round."""
    met: dict[int, list[PlayedPairing]] = {}
    for one in history.met:
        met.setdefault(one.round, []).append(one)
    found: dict[Pair, list[PointItem]] = {pair: [] for pair in history.pairs}
    for number, drawn in enumerate(history.rounds, 1):
        results = tuple(met.get(number, ()))
        is_over = len(results) == len(drawn.pairings)
        of_round = _of_round_over if is_over else _round_point_items
        for pair, item in of_round(number, drawn, results, history.entrants, history.scoring):
            found[pair].append(item)
    return {pair: tuple(items) for pair, items in found.items()}


def _round_point_items(
    number: int,
    drawn: Round,
    met: tuple[PlayedPairing, ...],
    entrants: tuple[Entrant, ...],
    scoring: RoundPoints,
) -> tuple[tuple[Pair, PointItem], ...]:
    """Points of a round: of pairings, of byes and of absent pairs."""
    results = {one.round_and_pairs: one for one in met}
    found: list[tuple[Pair, PointItem]] = []
    paired = {drawn.bye}
    for pairing in drawn.pairings:
        paired.update(pairing)
        ended = results.get((number, frozenset(pairing)))
        for pair, opponent in (pairing, pairing[::-1]):
            found.append((pair, _meeting_point_item(number, ended, pair, opponent, scoring)))
    if drawn.bye != NOBODY:
        found.append((drawn.bye, PointItem(number, "bye", scoring.bye)))
    for entrant in entrants:
        if entrant.pair not in paired and (not entrant.until or number <= entrant.until):
            is_late = number < entrant.since
            reason: RoundOutcome = "late" if is_late else "absent"
            points = scoring.late if is_late else scoring.absent
            found.append((entrant.pair, PointItem(number, reason, points)))
    return tuple(found)


_of_round_over: Final = lru_cache(KEPT)(_round_point_items)
"""Without the cache the projector takes a tenth to a fifth longer for a result of 512 pairs."""


def _meeting_point_item(
    number: int, met: PlayedPairing | None, pair: Pair, opponent: Pair, scoring: RoundPoints
) -> PointItem:
    if met is None:
        return PointItem(number, "open", 0, opponent)
    if met.winner == NOBODY and not met.is_walkover:
        return PointItem(number, "level", scoring.level, opponent)
    if met.winner == pair:
        return PointItem(number, "won", scoring.won, opponent)
    return PointItem(number, "lost", scoring.lost, opponent)


def sum_points(items: tuple[PointItem, ...], before: int | None = None) -> int:
    """Sum of points of all rounds, or only of the rounds before a given one."""
    return sum(item.points for item in items if before is None or item.round < before)
