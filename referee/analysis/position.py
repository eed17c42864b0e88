"""A position in which every card is known: what the engine can be asked about."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from referee.rules.cards import BIT, SUITS, TOKENS, Card, Mask, Suit, mask_of_tokens, tokens_in
from referee.rules.profile.options import Options, option_values
from referee.rules.seats import SEATS, SIDES, Seat, Side, order_from, side_of


class KnownPositionData(msgspec.Struct, frozen=True):
    """A known position in JSON, as the typedef of the same name in ``engine.js`` says."""

    options: dict[str, bool | int | str | list[str]]
    trump: str
    leader: Seat
    hands: dict[Seat, list[str]]
    laid: list[str]
    stock: list[str]
    sung: list[str]
    winners: list[Side]
    sung_now: dict[Seat, int] | None
    swap: tuple[Seat, str] | None


class BadPosition(ValueError):  # noqa: N818 - as BadProfile
    """Cards that cannot lie so: the message says which, and why."""


@dataclass(frozen=True, slots=True)
class KnownPosition:
    """A position in which every card is known: hands, open trick, stock and cantes.

    ``hands``: by seat in order of play from A1, without the cards of the open trick ``laid``, which
    ``leader`` led or is to lead. ``stock``: cards to draw, the next first and the pinta last; with
    cards in it the duties of play rest. ``sung``: suits that are sung. ``winners``: sides that
    have won a trick; it matters where any trick allows a cante.

    What the last trick still allows: ``sung_now`` is how many cantes each seat has sung since it,
    or None if nothing may be sung any more before the next trick is taken; ``swap`` is the seat
    that may still swap the pinta, and the card that it gives.

    :raises BadPosition: a card is in two places, or the hands have not the cards they must have
    """

    options: Options
    trump: Suit
    leader: Seat
    hands: tuple[Mask, ...]
    laid: tuple[Card, ...] = ()
    stock: tuple[Card, ...] = ()
    sung: frozenset[Suit] = frozenset()
    winners: frozenset[Side] = frozenset(SIDES[3])
    sung_now: tuple[int, ...] | None = None
    swap: tuple[Seat, Card] | None = None

    def __post_init__(self) -> None:
        seats = SEATS[self.options.players]
        if len(self.hands) != len(seats) or self.leader not in seats:
            raise BadPosition(f"{len(seats)} seats have a hand each, and one of them leads")
        seen = 0
        for cards in (*self.hands, *(BIT[card] for card in (*self.laid, *self.stock))):
            if seen & cards:
                raise BadPosition(f"in two places: {TOKENS[(seen & cards).bit_length() - 1]}")
            seen |= cards
        if len(self.laid) >= len(seats) or len(self.stock) % len(seats):
            raise BadPosition("a trick is open, and the stock serves all seats equally often")
        have_laid = order_from(self.leader, len(seats))[: len(self.laid)]
        sizes = {self.hand_of_seat(s).bit_count() + (s in have_laid) for s in seats}
        if sizes == {0} or len(sizes) > 1:
            raise BadPosition("every seat has as many cards as any other, and one at least")
        if self.swap and not (self.stock and self.hand_of_seat(self.swap[0]) & BIT[self.swap[1]]):
            raise BadPosition("a swap takes the pinta of the stock for a card that is held")

    @property
    def seat_to_play(self) -> Seat:
        """Seat whose turn it is."""
        return order_from(self.leader, self.options.players)[len(self.laid)]

    @property
    def side_to_play(self) -> Side:
        """Side whose turn it is."""
        return side_of(self.seat_to_play)

    @property
    def plays_of_open_trick(self) -> tuple[tuple[Seat, Card], ...]:
        """The open trick, each card with its seat."""
        seats = order_from(self.leader, self.options.players)
        return tuple(zip(seats, self.laid, strict=False))

    def hand_of_seat(self, seat: Seat) -> Mask:
        """Cards that a seat holds."""
        return self.hands[SEATS[self.options.players].index(seat)]

    def data(self) -> KnownPositionData:
        """The position as ``engine.js`` takes it: tokens for cards, letters for suits."""
        seats = SEATS[self.options.players]
        now = self.sung_now
        return KnownPositionData(
            options=option_values(self.options),
            trump=SUITS[self.trump],
            leader=self.leader,
            hands={s: tokens_in(hand) for s, hand in zip(seats, self.hands, strict=True)},
            laid=[TOKENS[card] for card in self.laid],
            stock=[TOKENS[card] for card in self.stock],
            sung=[SUITS[suit] for suit in sorted(self.sung)],
            winners=sorted(self.winners),
            sung_now=None if now is None else dict(zip(seats, now, strict=True)),
            swap=(self.swap[0], TOKENS[self.swap[1]]) if self.swap else None,
        )

    def position_without_cante_or_swap(self) -> KnownPosition:
        """The same position when nobody sings or swaps before the next card."""
        return replace(self, sung_now=None, swap=None)


def parse_hands(options: Options, hands: dict[Seat, str]) -> tuple[Mask, ...]:
    """Hands written as tokens, in the order of the seats.

    >>> parse_hands(Options(players=2), {"B1": "AO", "A1": "2O"})
    (1, 2048)
    """
    return tuple(mask_of_tokens(hands[seat].split()) for seat in SEATS[options.players])
