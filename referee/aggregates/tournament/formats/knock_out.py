"""The knock-out: the pairs of each tie, computed from the order and the ties won so far.

A tie is (bracket, round, place), rounds from 1 and places from 0 at the top. The consolation is for
pairs that lost the first tie that they played; the third place is between those who lost a
semifinal; the repechage is for pairs that lost in the first round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from referee.aggregates.tournament.field import (
    NOBODY,
    Pair,
    check_pairs,
    first_ties,
    first_ties_without_byes,
)
from referee.aggregates.tournament.rules import TournamentRule
from referee.errors import Refused
from referee.events.tournament import Repechage

Bracket: TypeAlias = Literal["main", "repechage", "consolation", "third"]
TieId: TypeAlias = tuple[Bracket, int, int]
Won: TypeAlias = Mapping[TieId, Pair]
"""Winner of each tie that was played, in any order; ``""`` if neither pair came."""
SEMIFINAL: Final = 2


class KnockOut(msgspec.Struct, frozen=True):
    """What is played: the order of strength, with a consolation and a third place or not.

    ``forfeited``: ties whose loser did not come, and so is in no consolation or repechage.
    ``withdrawn``: who left before the repechage, and is not in it. ``drawn``: of the repechage, the
    ties of the first round whose losers were drawn, in their order; None until then.
    """

    order: tuple[Pair, ...]
    has_consolation: bool = False
    has_third_place: bool = False
    forfeited: frozenset[TieId] = frozenset()
    repechage: Repechage = "none"
    withdrawn: frozenset[Pair] = frozenset()
    drawn: tuple[TieId, ...] | None = None


class Tie(msgspec.Struct, frozen=True):
    """Two places of a bracket: each a pair, ``None`` while it is open, ``""`` if it stays empty.

    ``winner``: who goes on, ``""`` for nobody, ``None`` while it is open.
    """

    id: TieId
    pairs: tuple[Pair | None, Pair | None]
    winner: Pair | None

    @property
    def is_to_play(self) -> bool:
        """Whether both pairs of the tie are known and it is not decided."""
        return self.winner is None and all(self.pairs)

    @property
    def is_bye(self) -> bool:
        """Whether a pair advances without playing."""
        return NOBODY in self.pairs

    @property
    def loser(self) -> Pair | None:
        """The pair that this tie eliminates, ``""`` for nobody, ``None`` while it is open."""
        if self.winner is None:
            return None
        if self.is_bye or self.winner == NOBODY:
            return NOBODY
        return self.pairs[0] if self.winner == self.pairs[1] else self.pairs[1]


def ties_of_knock_out(knock_out: KnockOut, won: Won) -> tuple[Tie, ...]:
    """Every tie as it stands, the main bracket first, round by round from the top.

    The repechage is between the first and the second round of the main bracket.

    :raises Refused: a tie won that is not there or not to be played, or by somebody else
    """
    check_pairs(knock_out.order)
    found = _main_and_repechage_ties(knock_out, won)
    main = [tie for tie in found if tie.id[0] == "main"]
    final = main[-1].id[1]
    if knock_out.has_third_place and final >= SEMIFINAL:
        losers = [tie.loser for tie in main if tie.id[1] == final - 1]
        found += _create_bracket_ties("third", ((losers[0], losers[1]),), won)
    if knock_out.has_consolation and final >= SEMIFINAL:
        found += _create_bracket_ties(
            "consolation", _consolation_pairs(main, knock_out.forfeited), won
        )
    unknown = set(won) - {tie.id for tie in found}
    if unknown:
        raise Refused(TournamentRule.TIE_UNKNOWN, tie=min(unknown))
    return tuple(found)


def _main_and_repechage_ties(knock_out: KnockOut, won: Won) -> list[Tie]:
    if knock_out.repechage == "none":
        return _create_bracket_ties("main", first_ties(knock_out.order), won)
    first = _create_round_ties("main", 1, first_ties_without_byes(knock_out.order), won)
    drawn = ties_for_repechage_or_none(knock_out, first)
    free = indices_of_ties_nobody_won(first)
    if drawn is None:
        again, winners = [], dict.fromkeys(free)
    else:
        losers = [_loser_who_came(tie, knock_out.forfeited) for tie in drawn]
        pairs = repechage_pairings(losers, len(free), are_played=knock_out.repechage == "ties")
        again = _create_round_ties("repechage", 1, pairs, won)
        winners = dict(zip(free, (tie.winner for tie in again), strict=True))
    going = [winners.get(at, tie.winner) for at, tie in enumerate(first)]
    second = list(zip(going[::2], going[1::2], strict=False))
    return [*first, *again, *_create_bracket_ties("main", second, won, since=2)]


def ties_for_repechage_or_none(knock_out: KnockOut, first: Sequence[Tie]) -> Sequence[Tie] | None:
    """Ties of the first round whose losers get a second chance.

    None until they are drawn, if they have to be.

    There is nothing to draw without free places, and without two pairs that want one.
    """
    if knock_out.drawn is not None:
        of_first = {tie.id: tie for tie in first}
        return [of_first[at] for at in knock_out.drawn]
    if any(tie.winner is None for tie in first):
        return None
    candidates = ties_with_loser_for_repechage(knock_out, first)
    return candidates if not indices_of_ties_nobody_won(first) or len(candidates) <= 1 else None


def ties_with_loser_for_repechage(knock_out: KnockOut, first: Sequence[Tie]) -> list[Tie]:
    """Ties of the first round whose loser came and is still there."""
    return [
        tie
        for tie in first
        if _loser_who_came(tie, knock_out.forfeited) and tie.loser not in knock_out.withdrawn
    ]


def indices_of_ties_nobody_won(first: Sequence[Tie]) -> list[int]:
    """Indices of ties of the first round that nobody won.

    First the empty ones, then those lost by both pairs.
    """
    free = [at for at, tie in enumerate(first) if tie.winner == NOBODY]
    return sorted(free, key=lambda at: any(first[at].pairs))


def repechage_pairings(
    losers: Sequence[Pair | None], places: int, *, are_played: bool
) -> list[tuple[Pair | None, Pair | None]]:
    """Pairs of each tie of the repechage.

    Two losers while there are enough, then one loser with a bye.

    >>> repechage_pairings(["a", "b", "c", "d", "e"], 3, are_played=True)
    [('a', 'b'), ('c', 'd'), ('e', '')]
    >>> repechage_pairings(["a", "b", "c"], 1, are_played=False)
    [('a', '')]
    """
    both = max(0, min(places, len(losers) - places)) if are_played else 0
    met = [(losers[2 * at], losers[2 * at + 1]) for at in range(both)]
    alone = [(one, NOBODY) for one in losers[2 * both : both + places]]
    return [*met, *alone, *[(NOBODY, NOBODY)] * (places - len(met) - len(alone))]


def _create_round_ties(
    name: Bracket, number: int, pairs: Sequence[tuple[Pair | None, Pair | None]], won: Won
) -> list[Tie]:
    return [_create_tie((name, number, place), two, won) for place, two in enumerate(pairs)]


def _create_bracket_ties(
    name: Bracket, first: Sequence[tuple[Pair | None, Pair | None]], won: Won, since: int = 1
) -> list[Tie]:
    """Ties of a bracket since the round whose pairs are given."""
    found: list[Tie] = []
    pairs, number = list(first), since
    while pairs:
        ties = _create_round_ties(name, number, pairs, won)
        found += ties
        winners = [tie.winner for tie in ties]
        pairs = list(zip(winners[::2], winners[1::2], strict=False))
        number += 1
    return found


def _create_tie(at: TieId, pairs: tuple[Pair | None, Pair | None], won: Won) -> Tie:
    if NOBODY in pairs or None in pairs:
        if at in won:
            raise Refused(TournamentRule.TIE_NOT_PLAYED, tie=at, pairs=pairs)
        if NOBODY not in pairs:
            return Tie(at, pairs, None)
        other = pairs[1] if pairs[0] == NOBODY else pairs[0]
        return Tie(at, pairs, other)
    winner = won.get(at)
    if winner is not None and winner not in (*pairs, NOBODY):
        raise Refused(TournamentRule.WINNER_UNKNOWN, tie=at, winner=winner, pairs=pairs)
    return Tie(at, pairs, winner)


def _consolation_pairs(
    main: Sequence[Tie], forfeited: frozenset[TieId]
) -> list[tuple[Pair | None, Pair | None]]:
    """Pairs of the consolation, in the order of the ties of the second round.

    A place for each tie of the first round: its loser, if it came; of a bye, the pair that had it,
    if it loses its first tie.
    """
    first = [tie for tie in main if tie.id[1] == 1]
    second = [tie for tie in main if tie.id[1] == SEMIFINAL]
    came = {tie.id: _loser_who_came(tie, forfeited) for tie in main}
    return [
        (
            _consolation_pair(first[2 * at], tie, came),
            _consolation_pair(first[2 * at + 1], tie, came),
        )
        for at, tie in enumerate(second)
    ]


def _loser_who_came(tie: Tie, forfeited: frozenset[TieId]) -> Pair | None:
    return NOBODY if tie.loser and tie.id in forfeited else tie.loser


def _consolation_pair(tie: Tie, following: Tie, came: Mapping[TieId, Pair | None]) -> Pair | None:
    if not tie.is_bye:
        return came[tie.id]
    if following.loser is None:
        return None
    return tie.winner if came[following.id] == tie.winner else NOBODY


def champion(ties: Sequence[Tie], bracket: Bracket = "main") -> Pair | None:
    """Who has won a bracket, if it is over."""
    return next((tie.winner for tie in reversed(ties) if tie.id[0] == bracket), None) or None


def is_main_bracket_over(ties: Sequence[Tie]) -> bool:
    """Whether the main bracket is over, with a champion or without one."""
    finals = [tie for tie in ties if tie.id[0] == "main"][-1:]
    return any(tie.winner is not None for tie in finals)


def playable_ties(ties: Sequence[Tie]) -> Iterator[Tie]:
    """Ties that can be called to a table now."""
    return (tie for tie in ties if tie.is_to_play)
