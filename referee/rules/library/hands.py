"""Hands as values: sets of cards, with the lawful plays and the reasons against others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from referee.rules import duties
from referee.rules.articles import Rule
from referee.rules.cards import (
    BIT,
    CANTE_PAIR,
    DECKS,
    Mask,
    Pack,
    cards_in,
    mask_of,
    points_of,
    sort_cards,
)
from referee.rules.library.drawing import HEIGHT, WIDTH, card_fan_svg, fan_width, svg_document
from referee.rules.library.tricks import Trick, options_of_table
from referee.rules.library.values import CARD_OF, Card, Seat, Suit, check_type
from referee.rules.profile.profile import Profile
from referee.rules.profile.values import Article


@dataclass(frozen=True, slots=True)
class BrokenDuty:
    """A duty that a card would break, and the article of the profile on which the duty rests.

    ``option``: the option of that article. ``proof``: cards of the hand of which each single one
    proves the breach.
    """

    rule: Rule
    option: str
    article: Article
    proof: Hand


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Hand(AbstractSet[Card]):
    """Cards of a seat: an immutable set, in the order in which players sort their cards.

    ``mask``: the same cards as the fast functions of ``referee.rules`` take them.

    >>> hand = Hand.parse("RC 3O AO")
    >>> str(hand), len(hand), hand.points, Card.parse("3O") in hand
    ('AO 3O RC', 3, 25, True)
    >>> hand - {Card.parse("3O")}
    Hand.parse('AO RC')
    """

    mask: Mask

    def __init__(self, cards: Iterable[Card] = ()) -> None:
        _refuse_text(cards)
        cards = tuple(cards)
        check_type(Card, *cards)
        object.__setattr__(self, "mask", mask_of(card.id for card in cards))

    @classmethod
    def of_mask(cls, mask: Mask) -> Hand:
        """Hand of the cards of a mask."""
        hand = object.__new__(cls)
        object.__setattr__(hand, "mask", mask)
        return hand

    @classmethod
    def parse(cls, text: str, pack: Pack = "spanish") -> Hand:
        """Hand as written: tokens with spaces between. ``ValueError``: no card, or one twice."""
        cards = [Card.parse(token, pack) for token in text.split()]
        for at, card in enumerate(cards):
            if card in cards[:at]:
                raise ValueError(f"{card.text(pack)} is twice in the hand")
        return cls(cards)

    @property
    def points(self) -> int:
        """Tantos that the cards are worth."""
        return points_of(self.mask)

    @property
    def cantes(self) -> tuple[Suit, ...]:
        """Suits of which the hand holds both rey and sota.

        >>> Hand.parse("RO SO RC").cantes
        (Suit.OROS,)
        """
        return tuple(suit for suit in Suit if not CANTE_PAIR[suit.id] & ~self.mask)

    def svg(self) -> str:
        """The cards as a drawing; a notebook shows it by itself.

        >>> Hand.parse("AO 3O").svg().count("<title>")
        2
        """
        return svg_document(fan_width(len(self)) or WIDTH, HEIGHT, card_fan_svg(self), str(self))

    _repr_html_ = svg

    def lawful(
        self, trick: Trick, trump: Suit, profile: Profile, *, seat: Seat | None = None
    ) -> Hand:
        """Cards that may be laid in arrastre, where the duties of play hold.

        ``seat``: who lays; the next in order of play, if not given. ``ValueError`` if that seat
        cannot play to this trick, or if a card is not in the deck or in two places.

        >>> from referee.rules import profile
        >>> hand = Hand.parse("AC 5C AO")
        >>> hand.lawful(Trick.parse("B1 4C, A2 RC, B2 3C"), Suit.OROS, profile("club"))
        Hand.parse('AC')
        """
        position = self._duty_position_or_none(trick, trump, profile, seat)
        return self if position is None else Hand.of_mask(duties.lawful_plays(position, self.mask))

    def why_not(
        self, card: Card, trick: Trick, trump: Suit, profile: Profile, *, seat: Seat | None = None
    ) -> BrokenDuty | None:
        """Duty that laying a card would break, the first if several; None if the card is lawful.

        As ``lawful`` otherwise. ``ValueError`` too if the card is not in the hand.

        >>> from referee.rules import profile
        >>> hand, trick = Hand.parse("3O 7C 2E"), Trick.parse("B1 RE, A2 AC, B2 3E")
        >>> broken = hand.why_not(Card.parse("7C"), trick, Suit.OROS, profile("club"))
        >>> str(broken.rule), broken.article.basis, broken.proof
        ('follow', 'stated', Hand.parse('2E'))
        """
        check_type(Card, card)
        if card not in self:
            raise ValueError(f"{card} is not in the hand {self}")
        position = self._duty_position_or_none(trick, trump, profile, seat)
        for charge in duties.charges_against_card(position, card.id) if position else ():
            if proof := charge.cards & self.mask:
                article = profile.article(charge.option, trick.players)
                return BrokenDuty(charge.rule, charge.option, article, Hand.of_mask(proof))
        return None

    def _duty_position_or_none(
        self, trick: Trick, trump: Suit, profile: Profile, seat: Seat | None
    ) -> duties.Position | None:
        """Position that says the duties of the seat; None if it leads, ``ValueError`` if unfit."""
        check_type(Trick, trick)
        check_type(Suit, trump)
        options = options_of_table(profile, trick.players)
        laid = mask_of(card.id for card in trick.cards)
        if twice := self.mask & laid:
            raise ValueError(f"in the hand and in the trick: {Hand.of_mask(twice)}")
        if strange := (self.mask | laid) & ~DECKS[max(profile.decks)]:
            raise ValueError(f"not in the deck of {profile.id!r}: {Hand.of_mask(strange)}")
        if trick.is_complete:
            raise ValueError(f"all have played to this trick: {trick}")
        seat = seat or trick.to_play
        if seat is None:
            return None
        check_type(Seat, seat)
        seat.check(trick.players)
        if seat in trick.seats:
            raise ValueError(f"{seat} has played to this trick: {trick}")
        plays = [(player, card.id) for player, card in trick]
        return duties.position_before_play(plays, seat, trump.id, options)

    def text(self, pack: Pack = "spanish") -> str:
        """Hand as ``parse`` reads it: suit by suit, high to low."""
        return " ".join(card.text(pack) for card in self)

    def __contains__(self, card: object) -> bool:
        return isinstance(card, Card) and bool(self.mask & BIT[card.id])

    def __iter__(self) -> Iterator[Card]:
        return (CARD_OF[card] for card in sort_cards(cards_in(self.mask)))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __and__(self, other: AbstractSet[Any]) -> Hand:
        return Hand.of_mask(self.mask & _mask_of_set(other))

    def __or__(self, other: AbstractSet[Card]) -> Hand:  # type: ignore[override] # of cards only
        return Hand.of_mask(self.mask | _mask_of_set(other))

    def __sub__(self, other: AbstractSet[Any]) -> Hand:
        return Hand.of_mask(self.mask & ~_mask_of_set(other))

    def __hash__(self) -> int:
        return self._hash()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Hand.parse({self.text()!r})"


def _refuse_text(cards: object) -> None:
    """``TypeError`` for a text, which is an iterable as well."""
    if isinstance(cards, str):
        raise TypeError(f"a hand is made of cards; text is read by Hand.parse({cards!r})")


def _mask_of_set(cards: AbstractSet[object]) -> Mask:
    """Cards of any set as a mask; what is no card is left out."""
    if isinstance(cards, Hand):
        return cards.mask
    return mask_of(card.id for card in cards if isinstance(card, Card))
