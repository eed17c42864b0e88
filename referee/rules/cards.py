"""Cards as small integers and sets of cards as bit masks: four suits, ten or twelve ranks.

A card is a small integer, ``suit * 12 + place`` with the suits in the order oros, copas, espadas,
bastos and the places from the dos (0) up to the as (11); sets of cards are bit masks over it. On
the log and on the wire a card is its token, rank then suit: ``"3O"``, ``"CC"``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from referee.rules.articles import Rule, mark_rule_decider

Card: TypeAlias = int
Mask: TypeAlias = int
Suit: TypeAlias = int
Pack: TypeAlias = Literal["spanish", "french_queen_sota", "french_queen_caballo"]

SUITS = "OCEB"
RANKS = "2456789CSR3A"
OROS, COPAS, ESPADAS, BASTOS = range(4)
PLACES = len(RANKS)
DOS, SIETE, NUEVE = RANKS.index("2"), RANKS.index("7"), RANKS.index("9")
CABALLO, SOTA, REY = RANKS.index("C"), RANKS.index("S"), RANKS.index("R")

RANK_POINTS = {"A": 11, "3": 10, "R": 4, "S": 3, "C": 2}
SUIT_POINTS = sum(RANK_POINTS.values())
DECK_POINTS = SUIT_POINTS * len(SUITS)

CARDS: tuple[Card, ...] = tuple(range(PLACES * len(SUITS)))
TOKENS: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD: dict[str, Card] = {token: card for card, token in enumerate(TOKENS)}
BIT: tuple[Mask, ...] = tuple(1 << card for card in CARDS)
SUIT_OF: tuple[Suit, ...] = tuple(card // PLACES for card in CARDS)
POINTS: tuple[int, ...] = tuple(RANK_POINTS.get(token[0], 0) for token in TOKENS)

SUIT_MASK: tuple[Mask, ...] = tuple(((1 << PLACES) - 1) << (PLACES * suit) for suit in range(4))
DECK_48: Mask = (1 << len(CARDS)) - 1
DECK_40: Mask = DECK_48 & ~sum(BIT[CARD[rank + suit]] for rank in "89" for suit in SUITS)
DECKS: dict[int, Mask] = {40: DECK_40, 48: DECK_48}
CANTE_PAIR: tuple[Mask, ...] = tuple(
    BIT[CARD["R" + suit]] | BIT[CARD["S" + suit]] for suit in SUITS
)

_FRENCH_SUITS = {"O": "D", "C": "H", "E": "S", "B": "C"}
FRENCH_RANKS: dict[Pack, dict[str, str]] = {
    "french_queen_sota": {"R": "K", "S": "Q", "C": "J"},
    "french_queen_caballo": {"R": "K", "C": "Q", "S": "J"},
}
"""What a French pack prints on the figures, by rank."""
PRINTED: dict[Pack, dict[str, str]] = {
    "spanish": {"A": "1", "S": "10", "C": "11", "R": "12"},
    **FRENCH_RANKS,
}
"""What a pack prints on its cards, by rank, where it is not the rank of a token."""
NUMERALS: dict[str, str] = {number: rank for rank, number in PRINTED["spanish"].items()}
"""Rank by the number on a Spanish card, for those that are no number in a token."""


def _higher_cards_by_card(order: str) -> tuple[Mask, ...]:
    """For each card, the higher cards of its suit when the ranks go up as in ``order``."""
    return tuple(
        sum(BIT[CARD[rank + token[1]]] for rank in order[order.index(token[0]) + 1 :])
        for token in TOKENS
    )


ABOVE: dict[str, tuple[Mask, ...]] = {
    "sota_over_caballo": _higher_cards_by_card(RANKS),
    "caballo_over_sota": _higher_cards_by_card("2456789SCR3A"),
}


def mask_of(cards: Iterable[Card]) -> Mask:
    """Set of cards as a mask.

    >>> cards_in(mask_of([CARD["AO"], CARD["2O"]])) == [CARD["2O"], CARD["AO"]]
    True
    """
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def mask_of_tokens(tokens: Iterable[str]) -> Mask:
    """Set of cards written as tokens, as a mask. ``KeyError`` for what is no card."""
    return mask_of(CARD[token] for token in tokens)


def cards_in(mask: Mask) -> list[Card]:
    """Cards of a mask, lowest identity first."""
    found = []
    while mask:
        bit = mask & -mask
        found.append(bit.bit_length() - 1)
        mask ^= bit
    return found


def tokens_in(mask: Mask) -> list[str]:
    """Tokens of the cards of a mask.

    >>> tokens_in(mask_of_tokens(["AO", "2O", "CC"]))
    ['2O', 'AO', 'CC']
    """
    return [TOKENS[card] for card in cards_in(mask)]


def points_of(mask: Mask) -> int:
    """Tantos that the cards of a mask are worth.

    >>> points_of(DECK_40), points_of(DECK_48)
    (120, 120)
    """
    return sum(POINTS[card] for card in cards_in(mask))


def sort_cards(cards: Iterable[Card]) -> Iterator[Card]:
    """Cards as a player sorts a hand: suit by suit, high to low."""
    yield from sorted(cards, key=lambda card: (SUIT_OF[card], -card))


def parse_card(text: str, pack: Pack = "spanish") -> Card:
    """Card that a token of this pack names. ``ValueError`` if it names none.

    >>> parse_card("3O") == parse_card("3D", "french_queen_sota") == CARD["3O"]
    True
    >>> [TOKENS[parse_card("QH", p)] for p in ("french_queen_sota", "french_queen_caballo")]
    ['SC', 'CC']
    """
    try:
        return _READERS[pack][text]
    except KeyError:
        raise ValueError(text) from None


def print_card(card: Card, pack: Pack = "spanish") -> str:
    """Token of a card in this pack, so that ``parse_card`` gives the card back."""
    return _WRITERS[pack][card]


def _french_token(token: str, ranks: dict[str, str]) -> str:
    return ranks.get(token[0], token[0]) + _FRENCH_SUITS[token[1]]


_WRITERS: dict[Pack, tuple[str, ...]] = {
    "spanish": TOKENS,
    **{
        pack: tuple(_french_token(t, ranks) for t in TOKENS) for pack, ranks in FRENCH_RANKS.items()
    },
}
_READERS: dict[Pack, dict[str, Card]] = {
    pack: {token: card for card, token in enumerate(tokens)} for pack, tokens in _WRITERS.items()
}


def _cards_that_beat_each_card(above: Sequence[Mask], trump: Suit) -> tuple[Mask, ...]:
    """For each card, all that beat it while it wins: higher ones of its suit, and trumps."""
    return tuple(
        above[card] | (0 if SUIT_OF[card] == trump else SUIT_MASK[trump]) for card in CARDS
    )


BEATS: dict[str, tuple[tuple[Mask, ...], ...]] = {
    order: tuple(_cards_that_beat_each_card(above, trump) for trump in range(len(SUITS)))
    for order, above in ABOVE.items()
}
"""``BEATS[options.sota_caballo][trump][card]``: the cards that beat ``card`` while it wins."""


@mark_rule_decider(Rule.TRICK_TAKER)
def index_of_winning_card(cards: Sequence[Card], trump: Suit, order: str) -> int:
    """Place in the trick of the card that wins: highest trump, else highest of the suit led.

    ``cards`` are in the order in which they were laid, at least one. Rule: common ground of all
    rulebooks; rank by the option ``sota_caballo``.

    >>> from referee.rules.cards import BASTOS, CARD, OROS
    >>> cards = [CARD["3O"], CARD["AE"], CARD["AO"], CARD["2B"]]
    >>> [index_of_winning_card(cards, trump, "sota_over_caballo") for trump in (OROS, BASTOS)]
    [2, 3]
    """
    beats = BEATS[order][trump]
    best = 0
    for index in range(1, len(cards)):
        if beats[cards[best]] & BIT[cards[index]]:
            best = index
    return best
