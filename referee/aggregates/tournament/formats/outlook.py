"""The next round of a Swiss tournament, with a view to the rounds that are left after it.

The round by the rules of ``swiss`` stands if all who take part can go on meeting new opponents in
every round left. If not, it is the nearest to it after which they can; if no round is, as many
rounds as can be. Only when not even this one can be paired does anybody meet again, and as few as
possible. What is paired is on the log and repeated from it: another way to pair is another
``PairingMethod``. ``docs/law/tournaments.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from referee.aggregates.tournament.field import FEWEST, MOST_TOGETHER, NOBODY, Pair
from referee.aggregates.tournament.formats.matching import Matching
from referee.aggregates.tournament.formats.swiss import (
    MOST_TRIED,
    Standings,
    next_swiss_round,
    pairing_facts_of,
    pairings_by_points,
    rank_by_points,
)
from referee.aggregates.tournament.history import History, Pairing, Round
from referee.aggregates.tournament.rules import TournamentRule
from referee.errors import Refused
from referee.events.tournament import PairingMethod
from referee.rules.chance import random_below, random_numbers, shuffle_by_seed

_Met: TypeAlias = Mapping[Pair, frozenset[Pair]]

SEAL: Final = b"guinote-outlook-1\n"
ORDERS: Final = 12
"""Orders in which pairs are looked at: each may give another round."""
FLOATERS: Final = 40
"""Sets of floaters of one size that are tried for the round by the rules."""
STEPS: Final = 12
"""How often rounds that leave somebody alone are paired again before it is given up."""
ORDERS_NEAR: Final = 3
CHECKS_NEAR: Final = 60
"""Pairings that are tried for a round near the wished one; what is left is as it was found."""


def next_round_by_method(
    method: PairingMethod, history: History, absent: frozenset[Pair], planned: int
) -> Round:
    """The next round by a method; ``planned``: how many rounds there are in all.

    :raises Refused: it cannot be paired
    """
    if method == "round":
        return next_swiss_round(history, absent)
    return next_round_leaving_later_rounds(history, absent, planned - len(history.rounds) - 1)


def next_round_leaving_later_rounds(history: History, absent: frozenset[Pair], later: int) -> Round:
    """The pairings of the next round, from the top; ``later``: how many rounds follow it.

    Nobody meets an opponent again, or has a second bye, unless no other round is possible.

    :raises Refused: too few pairs
    """
    present = history.pairs_in_next_round(absent)
    if len(present) < FEWEST:
        raise Refused(TournamentRule.PAIRS_NUMBER, found=len(present), least=FEWEST)
    known, is_small = pairing_facts_of(history), len(present) <= MOST_TOGETHER
    try:
        wished = next_swiss_round(history, absent, FLOATERS if is_small else MOST_TRIED)
    except Refused:
        return _round_with_fewest_rematches(rank_by_points(present, known), history, known)
    if not is_small:
        return wished
    search = _Outlook(rank_by_points(present, known), history.pairs_in_next_round(), known)
    return search.round_leaving_most_rounds(wished, later)


def rematches_of_round(rounds: Sequence[Round], number: int) -> tuple[Pairing, ...]:
    """Pairings of this round that an earlier one had; a second bye is one with nobody."""
    before = {frozenset(two) for one in rounds[: number - 1] for two in _pairings_with_bye(one)}
    return tuple(two for two in _pairings_with_bye(rounds[number - 1]) if frozenset(two) in before)


def _pairings_with_bye(one: Round) -> tuple[Pairing, ...]:
    return (*one.pairings, *(((one.bye, NOBODY),) if one.bye != NOBODY else ()))


def _pairs_with_bye_if_odd(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, and the place of a bye if their number is odd."""
    return [*pairs, *([NOBODY] if len(pairs) % 2 else [])]


def _opponents_met(known: Standings) -> _Met:
    """Opponents that each pair has met; a bye counts as having met nobody, the empty pair."""
    met = {
        pair: others | {NOBODY} if pair in known.had_bye else others
        for pair, others in known.met.items()
    }
    return {**met, NOBODY: known.had_bye}


class _Outlook:
    """Search for a round after which all who take part can play the rounds that are left."""

    def __init__(self, ranked: Sequence[Pair], going_on: Sequence[Pair], known: Standings) -> None:
        self._now = _pairs_with_bye_if_odd(ranked)
        self._later = _pairs_with_bye_if_odd(going_on)
        self._met = _opponents_met(known)
        self._points = {**known.points, NOBODY: min(known.points.values())}
        both = dict.fromkeys((*self._now, *self._later))
        self._orders = [shuffle_by_seed(SEAL, str(number), both) for number in range(ORDERS)]
        self._words = random_numbers(SEAL)

    def round_leaving_most_rounds(self, wished: Round, later: int) -> Round:
        """The round as wished, or the nearest to it that leaves as many rounds as can be."""
        asked = dict(_both_ways(_pairings_with_bye(wished)))
        for rounds in range(min(later, len(self._later) - 1), 0, -1):
            if self._leaves_rounds(asked, rounds):
                return wished
            known = self._opponents_of_all_or_none({}, rounds, self._orders)
            if known is not None:
                return self._nearest_round(asked, known, rounds)
        return wished

    def _nearest_round(
        self, asked: Mapping[Pair, Pair], known: Mapping[Pair, Pair], rounds: int
    ) -> Round:
        """The round built from the bye and then from the top; ``known``: one that is possible."""
        fixed: dict[Pair, Pair] = {}
        place = {pair: at for at, pair in enumerate(self._now)}
        checks = CHECKS_NEAR
        for one in sorted(self._now, key=lambda pair: (pair != NOBODY, place[pair])):
            if one in fixed:
                continue
            for other in self._opponents_in_order(one, asked[one], fixed):
                if known[one] == other or not checks:
                    break
                checks -= 1
                near = {**fixed, one: other, other: one}
                found = self._opponents_of_all_or_none(near, rounds, self._orders[:ORDERS_NEAR])
                if found is not None:
                    known = found
                    break
            fixed |= {one: known[one], known[one]: one}
        pairings = [(one, fixed[one]) for one in self._now if place[one] < place[fixed[one]]]
        return Round(tuple(two for two in pairings if NOBODY not in two), fixed.get(NOBODY, NOBODY))

    def _opponents_in_order(self, one: Pair, asked: Pair, fixed: Mapping[Pair, Pair]) -> list[Pair]:
        """Opponents for a pair: the one wished, then the nearest in points."""
        free = [pair for pair in self._now if pair not in (one, asked) and pair not in fixed]
        if one == NOBODY:
            free.reverse()
        away = {pair: abs(self._points[pair] - self._points[one]) for pair in free}
        first = [asked] if asked not in fixed else []
        return first + [
            pair for pair in sorted(free, key=away.__getitem__) if pair not in self._met[one]
        ]

    def _opponents_of_all_or_none(
        self, fixed: Mapping[Pair, Pair], rounds: int, orders: Sequence[Sequence[Pair]]
    ) -> Mapping[Pair, Pair] | None:
        """Opponents in a round that has these pairings and leaves so many rounds.

        None if none is found.
        """
        free = set(self._now) - fixed.keys()
        for order in orders:
            matching = Matching((pair for pair in order if pair in free), self._met)
            if matching.alone_count:
                return None
            found = {**fixed, **matching.opponent_by_pair}
            if self._leaves_rounds(found, rounds):
                return found
        return None

    def _leaves_rounds(self, opponents: Mapping[Pair, Pair], rounds: int) -> bool:
        return self._has_rounds_left(_opponents_met_after_round(self._met, opponents), rounds)

    def _has_rounds_left(self, met: _Met, rounds: int) -> bool:
        """Whether so many further rounds were found in which every pair meets a new opponent.

        If everybody has half of the others left in each round, they are there (Dirac). Else each
        round is paired from what the others leave; while pairs are left alone, a round with some
        and two others are paired again, and stay so if no more are.
        """
        there = set(self._later)
        least = len(there) - 1 - max(len(met[pair] & there) for pair in there)
        if rounds <= 0 or 2 * (least - rounds + 1) >= len(there):
            return True
        if least < rounds:
            return False
        found = self._match_rounds_in_turn(met, there, rounds, 0)
        for step in range(1, STEPS + 1):
            bad = [at for at, one in enumerate(found) if one.alone_count]
            if not bad:
                return True
            again = {bad[step % len(bad)], *(random_below(rounds, self._words) for _ in range(2))}
            stay = [one for at, one in enumerate(found) if at not in again]
            rest = met
            for one in stay:
                rest = _opponents_met_after_round(rest, one.opponent_by_pair)
            new = self._match_rounds_in_turn(rest, there, len(again), step)
            if sum(one.alone_count for one in new) <= sum(found[at].alone_count for at in again):
                found = [*new, *stay]
        return not any(one.alone_count for one in found)

    def _match_rounds_in_turn(
        self, met: _Met, there: set[Pair], rounds: int, step: int
    ) -> list[Matching]:
        """Matchings of so many rounds, each from what those before leave; pairs may be alone."""
        found = []
        for number in range(rounds):
            order = self._orders[(step + number) % ORDERS]
            matching = Matching((pair for pair in order if pair in there), met)
            met = _opponents_met_after_round(met, matching.opponent_by_pair)
            found.append(matching)
        return found


def _opponents_met_after_round(met: _Met, opponents: Mapping[Pair, Pair]) -> _Met:
    """Opponents that each pair has met, with those of one more round."""
    return {
        pair: others | {opponents[pair]} if pair in opponents else others
        for pair, others in met.items()
    }


def _both_ways(pairings: Sequence[Pairing]) -> Iterator[Pairing]:
    for one, other in pairings:
        yield (one, other)
        yield (other, one)


# --- nothing else is possible --------------------------------------------------------------------


def _round_with_fewest_rematches(
    ranked: Sequence[Pair], history: History, known: Standings
) -> Round:
    """The round with as few rematches and second byes as possible, a rematch before a bye."""
    met, left = _opponents_met(known), _pairs_with_bye_if_odd(ranked)
    again: list[Pairing] = []
    alone = Matching(left, met).alone_count
    while alone:
        for two in _repeatable_pairings(left, history, known):
            rest = [pair for pair in left if pair not in two]
            if Matching(rest, met).alone_count == alone - 2:
                break
        left, alone = rest, alone - 2
        again.append(two)
    bye = next((one for one, other in again if other == NOBODY), NOBODY)
    if NOBODY in left:
        bye = next(
            pair
            for pair in reversed(left)
            if pair not in met[NOBODY]
            and not Matching([one for one in left if one not in (pair, NOBODY)], met).alone_count
        )
    fresh = pairings_by_points([pair for pair in left if pair not in (bye, NOBODY)], known)
    pairings = [*fresh, *(two for two in again if NOBODY not in two)]
    return Round(tuple(sorted(pairings, key=lambda two: ranked.index(two[0]))), bye)


def _repeatable_pairings(left: Sequence[Pair], history: History, known: Standings) -> list[Pairing]:
    """Pairings that can be repeated, best first.

    Rematches before byes, the rarest, the longest ago, the nearest.
    """
    when: dict[frozenset[Pair], list[int]] = {}
    for number, one in enumerate(history.rounds, 1):
        for two in _pairings_with_bye(one):
            when.setdefault(frozenset(two), []).append(number)
    points = {**known.points, NOBODY: 0}

    def repeat_rank(two: Pairing) -> tuple[bool, int, int, int]:
        were = when[frozenset(two)]
        away = abs(points[two[0]] - points[two[1]])
        return (NOBODY in two, len(were), were[-1], away)

    return sorted((two for two in combinations(left, 2) if frozenset(two) in when), key=repeat_rank)
