"""The deck at a table: which cards are in play, and which of them may take the pinta."""

from __future__ import annotations

from referee.rules.cards import BIT, CARD, DECKS, NUEVE, PLACES, SIETE, SUITS, Card, Mask, Suit
from referee.rules.profile.options import Options

REMOVED_DOS = "2B"
_DOSES = frozenset(f"2{suit}" for suit in SUITS)


def packets(options: Options) -> tuple[int, ...]:
    """How many cards each seat gets at a time, round by round.

    >>> packets(Options()), packets(Options(hand_size=10, deal_packets="one_by_one"))[:2]
    ((3, 3), (1, 1))
    """
    return (3, 3) if options.deal_packets == "3+3" else (1,) * options.hand_size


def is_dos_out(options: Options) -> bool:
    """Whether three players take one dos out of forty cards."""
    return (options.players, options.deck, options.three_deck) == (3, 40, "one_dos_out")


def cards_in_play(options: Options) -> int:
    """How many cards are shuffled.

    >>> cards_in_play(Options()), cards_in_play(Options(players=3))
    (40, 39)
    """
    return options.deck - is_dos_out(options)


def deck_mask(options: Options, removed: str = REMOVED_DOS) -> Mask:
    """Cards that are shuffled; ``removed`` is the dos that three players take out.

    ``ValueError`` if that is no dos.

    >>> deck_mask(Options(players=3)).bit_count()
    39
    """
    if removed not in _DOSES:
        raise ValueError(removed)
    whole = DECKS[options.deck]
    return whole & ~BIT[CARD[removed]] if is_dos_out(options) else whole


def swap_card(options: Options, trump: Suit) -> Card:
    """Card that may take the pinta: the highest blank of trump, siete or (48 cards) nueve.

    >>> swap_card(Options(), 0) == CARD["7O"], swap_card(Options(deck=48), 3) == CARD["9B"]
    (True, True)
    """
    place = {40: SIETE, 48: NUEVE}[options.deck]
    return trump * PLACES + place


def two_for_seven(
    options: Options, trump: Suit, removed: str = REMOVED_DOS
) -> tuple[Card, Card] | None:
    """Dos of trump and the siete it may take where that lies as pinta; None where it may not.

    With the dos of trump out of the deck nobody can.
    """
    dos, siete = (CARD[rank + SUITS[trump]] for rank in "27")
    is_held = bool(deck_mask(options, removed) & BIT[dos])
    return (dos, siete) if options.two_for_seven and is_held else None
