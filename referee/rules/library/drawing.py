"""Cards as SVG: a row of them, each with the number and the suit that a Spanish pack prints.

A drawing needs nothing beside it. Suits are told apart by their shapes; their colours help.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from referee.rules.cards import PRINTED
from referee.rules.library.values import Card

WIDTH, HEIGHT, STEP = 62, 93, 34
"""A card, and how much of it is seen under the next one."""
KNOT: Final = '<circle cx="{}" cy="{}" r="{}" fill="currentColor"/>'
SPANISH_SUITS: Final = {
    "O": '<circle cx="20" cy="20" r="16.5" fill="currentColor" fill-opacity=".18" stroke="currentColor" stroke-width="2.6"/>'
    '<circle cx="20" cy="20" r="10.5" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="3.3 2.2"/>'
    '<path d="M20 12.5l2.2 5.3 5.3 2.2-5.3 2.2-2.2 5.3-2.2-5.3-5.3-2.2 5.3-2.2Z" fill="currentColor"/>',
    "C": '<path d="M7.5 5h25c.6 11-3.2 17.6-9.5 19v5.5l5.5 3.3v2.7h-17v-2.7l5.5-3.3V24C10.7 22.6 6.9 16 7.5 5Z" fill="currentColor"/>'
    '<path d="M11.5 10h17M13 15.5h14" stroke="var(--face)" stroke-width="1.8"/>',
    "E": '<g transform="rotate(28 20 20)"><path d="M20 1l4 6v18h-8V7Z" fill="currentColor"/>'
    '<path d="M20 6v17" stroke="var(--face)" stroke-width="1.4"/>'
    '<path d="M9 25h22v3.8H9ZM18 28.8h4v6.7h-4Z" fill="currentColor"/>'
    + KNOT.format(20, 36.5, 2.6)
    + "</g>",
    "B": '<g transform="rotate(32 20 20)"><path d="M17.5 38 14.6 14C13 6 16 1.5 20 1.5S27 6 25.4 14l-2.9 24c-1.5 1.3-3.5 1.3-5 0Z" fill="currentColor"/>'
    + KNOT.format(13.6, 12, 3.3)
    + KNOT.format(26.2, 18, 2.9)
    + KNOT.format(15.6, 25, 2.4)
    + '<path d="M18.5 8v5M21.5 13v6M19.5 21v5" stroke="var(--face)" stroke-width="1.5" stroke-linecap="round"/></g>',
}
"""Shape of each suit, 40 by 40, in the colour of its text."""
COLOURS: Final = {"O": "#a86b00", "C": "#b3261e", "E": "#1d4f91", "B": "#2c6b2f"}
_FACE: Final = "#fffdf7"
EDGE: Final = f'width="{WIDTH - 1}" height="{HEIGHT - 1}" x=".5" y=".5" rx="5"'


def svg_document(width: float, height: float, content: str, words: str) -> str:
    """A complete SVG document; ``words`` are its text for who cannot see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" aria-label="{words}" '
        f'font-family="sans-serif" style="--face:{_FACE};max-width:100%">{content}</svg>'
    )


def card_svg_group(card: Card, x: float, y: float) -> str:
    """SVG of the face of a card at a position."""
    number = PRINTED["spanish"].get(card.rank, card.rank)
    return (
        f'<g transform="translate({x:g} {y:g})" color="{COLOURS[card.suit]}"><title>{card}</title>'
        f'<rect {EDGE} fill="{_FACE}" stroke="#444"/>'
        f'<text x="5" y="20" font-size="18" font-weight="bold" fill="currentColor">{number}</text>'
        f'<g transform="translate(6 25) scale(.45)">{SPANISH_SUITS[card.suit]}</g>'
        f'<g transform="translate(20 42)">{SPANISH_SUITS[card.suit]}</g></g>'
    )


def card_fan_svg(cards: Iterable[Card]) -> str:
    """SVG elements of the cards of a hand, each over the one before, without a document."""
    return "".join(card_svg_group(card, STEP * at, 0) for at, card in enumerate(cards))


def fan_width(cards: int) -> int:
    """Width of the drawing of a hand of so many cards."""
    return WIDTH + STEP * (cards - 1) if cards else 0


def svg_label(text: str, x: float, y: float, weight: str = "normal") -> str:
    """SVG ``text`` element, centred at a position; the text is not escaped."""
    look = f'font-size="16" font-weight="{weight}" text-anchor="middle" fill="currentColor"'
    return f'<text x="{x:g}" y="{y:g}" {look}>{text}</text>'


def cards_over_seats_svg(cards: Sequence[tuple[str, Card]]) -> str:
    """SVG elements of pairs of seat and card: cards side by side, each over its seat."""
    return "".join(
        card_svg_group(card, (WIDTH + 6) * at, 0)
        + svg_label(seat, (WIDTH + 6) * at + WIDTH / 2, HEIGHT + 18)
        for at, (seat, card) in enumerate(cards)
    )
