"""Counting a deal: what each side has of its tricks and cantes, and who has won by it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from referee.rules.cards import DECKS
from referee.rules.counts import (
    CANTE_OF_ANOTHER,
    CANTE_OF_TRUMP,
    Score,
    scores_from_items,
    sides_by_latest_taker,
    totals,
    winner_after_first_deal,
)
from referee.rules.library.hands import Hand
from referee.rules.library.tricks import Trick, options_of_table
from referee.rules.library.values import Rank, Seat, Side, Suit, check_type
from referee.rules.profile.options import Options, deck_size, is_dos_out
from referee.rules.profile.profile import Profile

Item: TypeAlias = tuple[Side, str, int]


@dataclass(frozen=True, slots=True)
class DealCount:
    """Result of counting a deal: scores, totals, takers and winner.

    ``scores``: cards, últimas and cantes of each side. ``totals``: what of it counts under the
    profile. ``takers``: who took each trick. ``is_complete``: whether the last trick is among them.
    ``winner``: who wins the partida if this was its first deal; None: nobody yet.
    """

    scores: Mapping[Side, Score]
    totals: Mapping[Side, int]
    takers: tuple[Seat, ...]
    is_complete: bool
    winner: Side | None


def count_deal(
    tricks: Iterable[Trick],
    trump: Suit,
    profile: Profile,
    *,
    cantes: Mapping[Side, Collection[Suit]] | None = None,
    deck: int | None = None,
) -> DealCount:
    """Count of the tricks of a deal and of the suits that each side has sung.

    The last trick of the deal earns the últimas. ``deck``: 40 or 48 cards; what the profile names
    first, if not given. ``ValueError`` if the tricks cannot be those of one deal.

    >>> from referee.rules import profile
    >>> tricks = map(Trick.parse, ["A1 AO, B1 3O, A2 2O, B2 RO", "A1 4C, B1 3C, A2 SC, B2 2C"])
    >>> count = count_deal(tricks, Suit.OROS, profile("club"), cantes={Side.B: [Suit.ESPADAS]})
    >>> count.takers, count.totals
    ((Seat.A1, Seat.B1), {Side.A: 25, Side.B: 33})
    """
    tricks = tuple(tricks)
    check_type(Trick, *tricks)
    players = tricks[0].players if tricks else profile.players[0]
    options = options_of_table(profile, players, deck)
    most = deck_size(options) // players
    laid = _all_cards_of_tricks(tricks, options, most)
    takers = tuple(trick.taker(trump, profile) for trick in tricks)
    items = [*_point_items_of_tricks(takers, tricks), *_cante_items(cantes or {}, trump, players)]
    is_complete = len(tricks) == most
    if is_complete:
        items += _last_trick_items(takers[-1], laid, options)
    found = scores_from_items(items, players)
    by_latest = sides_by_latest_taker(takers, Seat.at_table(players))
    winner = winner_after_first_deal(found, options, by_latest) if is_complete else None
    return DealCount(
        {Side(side): score for side, score in found.items()},
        {Side(side): total for side, total in totals(found, options).items()},
        takers,
        is_complete,
        Side(winner) if winner else None,
    )


def _all_cards_of_tricks(tricks: Sequence[Trick], options: Options, most: int) -> Hand:
    """Cards of all tricks. ``ValueError`` if they cannot be of one deal."""
    if len(tricks) > most:
        raise ValueError(f"a deal has {most} tricks, not {len(tricks)}")
    laid = Hand()
    for trick in tricks:
        if not trick.is_complete or trick.players != options.players:
            raise ValueError(f"not a complete trick of {options.players} players: {trick}")
        cards = Hand(trick.cards)
        if twice := laid & cards:
            raise ValueError(f"in two tricks: {twice}")
        laid |= cards
    if strange := Hand.of_mask(laid.mask & ~DECKS[options.deck]):
        raise ValueError(f"not in a deck of {options.deck}: {strange}")
    return laid


def _point_items_of_tricks(takers: Iterable[Seat], tricks: Iterable[Trick]) -> Iterable[Item]:
    """Item (side, ``cards``, points) of each trick, for the side that took it."""
    for seat, trick in zip(takers, tricks, strict=True):
        yield seat.side, "cards", trick.points


def _cante_items(
    cantes: Mapping[Side, Collection[Suit]], trump: Suit, players: int
) -> Iterable[Item]:
    """Item of each cante. ``ValueError`` if a suit is sung twice, or by no side of the table."""
    sides = {seat.side for seat in Seat.at_table(players)}
    sung: set[Suit] = set()
    for side, suits in cantes.items():
        if side not in sides:
            raise ValueError(f"{side} is no side of a table of {players}")
        for suit in suits:
            check_type(Suit, suit)
            if suit in sung:
                raise ValueError(f"{suit} is sung twice")
            sung.add(suit)
            yield side, "cante", CANTE_OF_TRUMP if suit == trump else CANTE_OF_ANOTHER


def _last_trick_items(taker: Seat, laid: Hand, options: Options) -> Iterable[Item]:
    """What the last trick earns: the últimas, and the pinta that was left over of three hands."""
    yield taker.side, "ultimas", options.last_trick_points
    left = Hand.of_mask(DECKS[options.deck] & ~laid.mask)
    if is_dos_out(options) and not all(card.rank is Rank.DOS for card in left):
        raise ValueError(f"three players leave out a dos, not {left}")
    yield taker.side, "cards", left.points
