"""The knock-out: the pairs of each tie, computed from the order and the ties won so far.

A tie is (bracket, round, place), rounds from 1 and places from 0 at the top. The consolation is for
pairs that lost the first tie that they played; the third place is between those who lost a
semifinal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from referee.aggregates.tournament.field import NOBODY, Pair, check_pairs, first_ties
from referee.aggregates.tournament.rules import TournamentRule
from referee.errors import Refused

Bracket: TypeAlias = Literal["main", "consolation", "third"]
TieId: TypeAlias = tuple[Bracket, int, int]
Won: TypeAlias = Mapping[TieId, Pair]
"""Winner of each tie that was played, in any order; ``""`` if neither pair came."""
SEMIFINAL: Final = 2


class KnockOut(msgspec.Struct, frozen=True):
    """What is played: the order of strength, with a consolation and a third place or not.

    ``forfeited``: ties whose loser did not come, and so is in no consolation.
    """

    order: tuple[Pair, ...]
    has_consolation: bool = False
    has_third_place: bool = False
    forfeited: frozenset[TieId] = frozenset()


class Tie(msgspec.Struct, frozen=True):
    """Two places of a bracket: each a pair, ``None`` while it is open, ``""`` if it stays empty.

    ``winner``: who goes on, ``""`` for nobody, ``None`` while it is open.
    """

    id: TieId
    pairs: tuple[Pair | None, Pair | None]
    winner: Pair | None

    @property
    def is_to_play(self) -> bool:
        """Whether two pairs are there and it is not decided."""
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


def ties_of(knock_out: KnockOut, won: Won) -> tuple[Tie, ...]:
    """Every tie as it stands, the main bracket first, round by round from the top.

    :raises Refused: a tie won that is not there or not to be played, or by somebody else
    """
    check_pairs(knock_out.order)
    main = _bracket("main", first_ties(knock_out.order), won)
    found = [*main]
    final = main[-1].id[1]
    if knock_out.has_third_place and final >= SEMIFINAL:
        losers = [tie.loser for tie in main if tie.id[1] == final - 1]
        found += _bracket("third", ((losers[0], losers[1]),), won)
    if knock_out.has_consolation and final >= SEMIFINAL:
        found += _bracket("consolation", _first_losers(main, knock_out.forfeited), won)
    unknown = set(won) - {tie.id for tie in found}
    if unknown:
        raise Refused(TournamentRule.TIE_UNKNOWN, tie=min(unknown))
    return tuple(found)


def _bracket(
    name: Bracket, first: Sequence[tuple[Pair | None, Pair | None]], won: Won
) -> list[Tie]:
    """Ties of a bracket whose first round is given."""
    found: list[Tie] = []
    pairs, number = list(first), 1
    while pairs:
        ties = [_tie((name, number, place), two, won) for place, two in enumerate(pairs)]
        found += ties
        winners = [tie.winner for tie in ties]
        pairs = list(zip(winners[::2], winners[1::2], strict=False))
        number += 1
    return found


def _tie(at: TieId, pairs: tuple[Pair | None, Pair | None], won: Won) -> Tie:
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


def _first_losers(
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
        (_comes(first[2 * at], tie, came), _comes(first[2 * at + 1], tie, came))
        for at, tie in enumerate(second)
    ]


def _loser_who_came(tie: Tie, forfeited: frozenset[TieId]) -> Pair | None:
    return NOBODY if tie.loser and tie.id in forfeited else tie.loser


def _comes(tie: Tie, following: Tie, came: Mapping[TieId, Pair | None]) -> Pair | None:
    if not tie.is_bye:
        return came[tie.id]
    if following.loser is None:
        return None
    return tie.winner if came[following.id] == tie.winner else NOBODY


def champion(ties: Sequence[Tie], bracket: Bracket = "main") -> Pair | None:
    """Who has won a bracket, if it is over."""
    return next((tie.winner for tie in reversed(ties) if tie.id[0] == bracket), None) or None


def is_over(ties: Sequence[Tie]) -> bool:
    """Whether the main bracket is, with a champion or without one."""
    finals = [tie for tie in ties if tie.id[0] == "main"][-1:]
    return any(tie.winner is not None for tie in finals)


def to_play(ties: Sequence[Tie]) -> Iterator[Tie]:
    """Ties that can be called to a table now."""
    return (tie for tie in ties if tie.is_to_play)
