"""The analysis with the values of the public library: hands, tricks, seats and sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.analysis import questions
from referee.analysis.engine import WITHOUT_END
from referee.analysis.position import BadPosition, KnownPosition
from referee.analysis.questions import CardPrices, ClaimStrength
from referee.rules import Card, Hand, Profile, Seat, Side, Suit, Trick
from referee.rules.library.tricks import options_of_table
from referee.rules.library.values import CARD_OF


@dataclass(frozen=True, slots=True)
class OpenHands:
    """All hands open, with the open trick: a position in arrastre in which every card is known.

    ``leader``: who leads; the first of the trick, if a card lies on the table. ``sung``: suits that
    are sung. ``BadPosition`` if the cards cannot lie so.

    Answers hold for best play of all; with three players the two others play together against the
    side that is asked about. ``NoAnalysis`` where ``wasmtime`` is missing.
    """

    hands: Mapping[Seat, Hand]
    trump: Suit
    profile: Profile
    trick: Trick | None = None
    leader: Seat | None = None
    sung: frozenset[Suit] = frozenset()
    known: KnownPosition = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        players = len(self.hands)
        plays = self.trick.plays if self.trick else ()
        leader = plays[0][0] if plays else self.leader
        if set(self.hands) != set(Seat.at_table(players)) or leader is None:
            raise BadPosition("every seat of a table has a hand, and one of them leads")
        cards = 0
        for hand in (*self.hands.values(), Hand(card for _, card in plays)):
            cards |= hand.mask
        deck = next((n for n in self.profile.decks if not cards & ~Hand(Card.deck(n)).mask), None)
        known = KnownPosition(
            options_of_table(self.profile, players, deck or max(self.profile.decks)),
            self.trump.id,
            leader,
            tuple(self.hands[seat].mask for seat in Seat.at_table(players)),
            tuple(card.id for _, card in plays),
            sung=frozenset(suit.id for suit in self.sung),
        )
        if [seat for seat, _ in known.plays_of_open_trick] != [seat for seat, _ in plays]:
            raise BadPosition("the cards of a trick are laid in order of play")
        object.__setattr__(self, "known", known)

    @classmethod
    def parse(
        cls,
        hands: str,
        trump: Suit,
        profile: Profile,
        *,
        trick: str = "",
        leader: Seat | None = None,
    ) -> OpenHands:
        """Hands as written, ``A1 AO 2E, B1 3O 4E``, in any order; ``trick`` as ``Trick.parse``."""
        parts = [part.split(maxsplit=1) for part in hands.split(",")]
        held = {Seat(seat): Hand.parse("".join(cards)) for seat, *cards in parts}
        laid = Trick.parse(trick, players=len(held)) if trick else None
        return cls(held, trump, profile, laid, leader)

    @property
    def seat(self) -> Seat:
        """Seat whose turn it is."""
        return Seat(self.known.seat_to_play)

    def value(self, side: Side | None = None) -> int | None:
        """Points that a side makes from here; the one to play if none is said."""
        return questions.position_value_or_none(self.known, side)

    def values(self) -> dict[Card, int]:
        """Points of its side after each card that the seat to play holds, unlawful ones too."""
        return {CARD_OF[card]: points for card, points in self._prices().values.items()}

    def best(self) -> Hand:
        """Lawful cards with which the side to play makes most points."""
        return Hand(CARD_OF[card] for card in self._prices().best_cards)

    def cost(self, card: Card) -> int:
        """Points that a card of the seat to play makes less than the best lawful one."""
        return self._prices().cost(card.id)

    def reaches(self, side: Side, points: int) -> bool | None:
        """Whether a side can still make so many points, its cantes whole."""
        return questions.can_make_points(self.known, side, points)

    def claim(self, seat: Seat) -> ClaimStrength | None:
        """How strong a claim of all remaining tricks is: ``questions.strength_of_rest_claim``."""
        return questions.strength_of_rest_claim_or_none(self.known, seat)

    def _prices(self) -> CardPrices:
        found = questions.card_prices_or_none(self.known, most_nodes=WITHOUT_END)
        assert found is not None
        return found
