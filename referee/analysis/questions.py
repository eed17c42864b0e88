"""Questions about a position: its value, the price of each card, what can be reached, a claim.

All answers hold for the cards as they lie and best play of all four (of two: of both; of three: the
two others play together against the side that is asked about).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.analysis.engine import (
    MOST_NODES,
    WITHOUT_END,
    Aim,
    Engine,
    engine_of_thread,
    position_on_sheet,
    write_question_on_sheet,
)
from referee.analysis.position import KnownPosition
from referee.rules.cards import BIT, POINTS, Card, Mask, cards_in
from referee.rules.seats import Seat, Side, partner_of, side_of

ClaimStrength: TypeAlias = Literal["any_order", "any_partner", "best_play", "fails"]


@dataclass(frozen=True, slots=True)
class CardPrices:
    """Points that the side of a seat makes from here after each card that the seat holds.

    ``lawful``: those that break no duty. ``nodes``: the work it took, the same everywhere.
    """

    seat: Seat
    values: Mapping[Card, int]
    lawful: Mask
    nodes: int

    @property
    def best_value(self) -> int:
        """Value after the best lawful card: that of the position."""
        return max(self.values[card] for card in cards_in(self.lawful))

    @property
    def best_cards(self) -> tuple[Card, ...]:
        """Lawful cards after which the side makes most points."""
        return tuple(c for c in cards_in(self.lawful) if self.values[c] == self.best_value)

    def is_lawful(self, card: Card) -> bool:
        """Whether a card breaks no duty."""
        return bool(self.lawful & BIT[card])

    def cost(self, card: Card) -> int:
        """Points that a card makes less than the best lawful one; below 0 if it makes more."""
        return self.best_value - self.values[card]


def position_value_or_none(
    known: KnownPosition, side: Side | None = None, *, most_nodes: int = MOST_NODES
) -> int | None:
    """Points that a side makes from here with the open trick; the side to play if none is said.

    Half of a cante counts to its side, and half is taken from the others: so a point is worth the
    same wherever it comes from, and twice the value less ``points_left(known)`` is the lead from
    here on.
    None if the nodes did not suffice.

    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    return _prepare_engine(
        known, side or known.side_to_play, Aim.LEAD, most_nodes
    ).call_export_or_none("value")


def points_left(known: KnownPosition) -> int:
    """Points of the cards that are still to be won, with those of the last trick."""
    cards = sum(known.hands) | sum(BIT[card] for card in (*known.laid, *known.stock))
    return known.options.last_trick_points + sum(POINTS[card] for card in cards_in(cards))


def card_prices_or_none(known: KnownPosition, *, most_nodes: int = MOST_NODES) -> CardPrices | None:
    """Value after each card of the seat to play, the unlawful ones too.

    None as for ``position_value_or_none``.

    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    engine = _prepare_engine(known, known.side_to_play, Aim.LEAD, most_nodes)
    if engine.call_export_or_none("prices") is None:
        return None
    sheet = engine.sheet
    values = {card: sheet.price[card] for card in cards_in(known.hand_of_seat(known.seat_to_play))}
    return CardPrices(known.seat_to_play, values, sheet.lawful, sheet.nodes)


def can_make_points(
    known: KnownPosition,
    side: Side,
    points: int,
    *,
    rival: int = 0,
    most_nodes: int = MOST_NODES,
) -> bool | None:
    """Whether a side can make so many points from here against best play, its cantes whole.

    ``rival``: points that the other side needs, in a race that the first to have its own wins;
    nobody sings in it. 0: no race. None if the nodes did not suffice.

    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    engine = _prepare_engine(known, side, Aim.POINTS, most_nodes)
    if rival:
        engine.sheet.per_player = 0
    found = (
        engine.call_export_or_none("race", points, rival)
        if rival
        else engine.call_export_or_none("reaches", points)
    )
    return None if found is None else bool(found)


def strength_of_rest_claim_or_none(
    known: KnownPosition, seat: Seat, *, most_nodes: int = MOST_NODES
) -> ClaimStrength | None:
    """How strong the claim of a seat to all remaining tricks is; None if the nodes did not suffice.

    A trick that the partner takes counts for the seat.

    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    side, partner = side_of(seat), partner_of(seat, known.options.players)
    pair = frozenset(one for one in (seat, partner) if one)
    tricks = (
        known.hand_of_seat(known.seat_to_play).bit_count()
        + len(known.stock) // known.options.players
    )
    ways: tuple[tuple[ClaimStrength, frozenset[Seat]], ...] = (
        ("any_order", frozenset()),
        ("any_partner", frozenset({seat})),
        ("best_play", pair),
    )
    for strength, friends in ways:
        found = _prepare_engine(known, side, Aim.TRICKS, most_nodes, friends).call_export_or_none(
            "reaches", tricks
        )
        if found is None or found:
            return strength if found else None
    return "fails"


def position_after_card_or_none(
    known: KnownPosition, card: Card, side: Side | None = None
) -> KnownPosition | None:
    """The position after a card of the seat to play, as best play for a side goes on from it.

    A full trick is closed, and what is worth singing after it is sung. Only in arrastre; the side
    to play if none is said. None after the last card of the deal.

    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    assert not known.stock
    engine = _prepare_engine(known, side or known.side_to_play, Aim.LEAD, WITHOUT_END)
    engine.call_export("lay", card)
    return position_on_sheet(engine.sheet, known.options) if any(engine.sheet.hand) else None


def _prepare_engine(
    known: KnownPosition,
    side: Side,
    aim: Aim,
    most_nodes: int,
    friends: frozenset[Seat] | None = None,
) -> Engine:
    """The engine of this thread with the question on its sheet."""
    engine = engine_of_thread()
    write_question_on_sheet(engine.sheet, known, side, aim, friends)
    engine.sheet.most_nodes = most_nodes
    return engine
