"""Draws the cards: every face is a symbol of one sprite, made of shapes of our own.

    PYTHONPATH=. python docs/draw_cards.py

Each suit has a shape and a broken frame of its own (oros whole, copas one gap, espadas two, bastos
three, as on a Spanish pack), so nobody needs to tell the colours apart. A face is 62 by 93. A page
that shows one says its ``color``, ``--face``, ``--edge`` and ``--back``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

SHEETS = Path(__file__).parent.parent / "api" / "html" / "static" / "html"
WIDTH, HEIGHT = 62, 93
SPANISH_RANKS = {"A": "1", **{n: n for n in "23456789"}, "S": "10", "C": "11", "R": "12"}
FRENCH_RANKS = {"A": "A", **{n: n for n in "23456789"}, "R": "K"}

_KNOT = '<circle cx="{}" cy="{}" r="{}" fill="currentColor"/>'
SPANISH_SUITS = {
    "O": '<circle cx="20" cy="20" r="16.5" fill="currentColor" fill-opacity=".18" stroke="currentColor" stroke-width="2.6"/>'
    '<circle cx="20" cy="20" r="10.5" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="3.3 2.2"/>'
    '<path d="M20 12.5l2.2 5.3 5.3 2.2-5.3 2.2-2.2 5.3-2.2-5.3-5.3-2.2 5.3-2.2Z" fill="currentColor"/>',
    "C": '<path d="M7.5 5h25c.6 11-3.2 17.6-9.5 19v5.5l5.5 3.3v2.7h-17v-2.7l5.5-3.3V24C10.7 22.6 6.9 16 7.5 5Z" fill="currentColor"/>'
    '<path d="M11.5 10h17M13 15.5h14" stroke="var(--face)" stroke-width="1.8"/>',
    "E": '<g transform="rotate(28 20 20)"><path d="M20 1l4 6v18h-8V7Z" fill="currentColor"/>'
    '<path d="M20 6v17" stroke="var(--face)" stroke-width="1.4"/>'
    '<path d="M9 25h22v3.8H9ZM18 28.8h4v6.7h-4Z" fill="currentColor"/>'
    + _KNOT.format(20, 36.5, 2.6)
    + "</g>",
    "B": '<g transform="rotate(32 20 20)"><path d="M17.5 38 14.6 14C13 6 16 1.5 20 1.5S27 6 25.4 14l-2.9 24c-1.5 1.3-3.5 1.3-5 0Z" fill="currentColor"/>'
    + _KNOT.format(13.6, 12, 3.3)
    + _KNOT.format(26.2, 18, 2.9)
    + _KNOT.format(15.6, 25, 2.4)
    + '<path d="M18.5 8v5M21.5 13v6M19.5 21v5" stroke="var(--face)" stroke-width="1.5" stroke-linecap="round"/></g>',
}
FRENCH_SUITS = {
    "O": '<path d="M20 2 34 20 20 38 6 20Z" fill="currentColor"/>',
    "C": '<path d="M20 37C9 28 4 21 4 13.5 4 8 8 4.5 12.5 4.5c3.3 0 6 2 7.5 5 1.5-3 4.2-5 7.5-5C32 4.5 36 8 36 13.5 36 21 31 28 20 37Z" fill="currentColor"/>',
    "E": '<path d="M20 2c9 9 15 14 15 21.5 0 4.5-3.4 7.5-7.3 7.5-2.3 0-4.2-1-5.4-2.6.5 4 1.7 6.6 4.2 8.6H13.5c2.5-2 3.7-4.6 4.2-8.6C16.5 30 14.6 31 12.3 31 8.4 31 5 28 5 23.5 5 16 11 11 20 2Z" fill="currentColor"/>',
    "B": _KNOT.format(20, 11, 8)
    + _KNOT.format(11, 22.5, 8)
    + _KNOT.format(29, 22.5, 8)
    + '<path d="M20 14c.5 12 1.5 19 6 23H14c4.5-4 5.5-11 6-23Z" fill="currentColor"/>',
}
_HEAD = (
    '<circle cx="20" cy="18" r="7.5" fill="var(--face)" stroke="currentColor" stroke-width="2"/>'
)
_EYES = _KNOT.format(17.2, 17.5, 1.1) + _KNOT.format(22.8, 17.5, 1.1)
_CLOAK = '<path d="M8 46c0-12 4-19 12-19s12 7 12 19Z" fill="currentColor"/>'
FIGURES = {
    "rey": _CLOAK
    + '<path d="M20 27v19" stroke="var(--face)" stroke-width="2"/><path d="M12 46c.4-6 1.6-10 3.5-13M28 46c-.4-6-1.6-10-3.5-13" stroke="var(--face)" stroke-width="1.6" fill="none"/>'
    + _HEAD
    + _EYES
    + '<path d="M13.5 20c.5 7 3 10.5 6.5 10.5s6-3.5 6.5-10.5c-2 2.5-4 3.2-6.5 3.2s-4.5-.7-6.5-3.2Z" fill="currentColor"/>'
    '<path d="M10.5 13 8.5 2.5 14.6 7 20 .8 25.4 7l6.1-4.5L29.5 13Z" fill="currentColor"/>'
    '<path d="M12 10.8h16" stroke="var(--face)" stroke-width="1.6"/>',
    "caballo": '<path d="M12 46c-1-9 1-14 6-18.5-3.5 1-6 3-9.5 3.5-2 .3-3.8-2-3-4 1-2.5 3.5-4.5 5.5-8 1.5-5.5 5-9.5 9.5-11L20.5 3l5 5c6.5 3.5 9.5 12 9.5 22 0 6-.6 11-1.5 16Z" fill="currentColor"/>'
    '<circle cx="17.6" cy="16.5" r="1.7" fill="var(--face)"/>'
    '<path d="M27 12.5c4 5 5 12 4.6 20M24 16c3 5 3.8 10 3.4 16" stroke="var(--face)" stroke-width="1.7" fill="none" stroke-linecap="round"/>'
    '<path d="M8.5 27.5c3-.5 4.5-1.5 6-3" stroke="var(--face)" stroke-width="1.4" fill="none" stroke-linecap="round"/>'
    '<path d="M13.5 40.5h19.5" stroke="var(--face)" stroke-width="1.8"/>',
    "sota": _CLOAK
    + '<path d="M13 33.5h14M14 46V36M26 46V36" stroke="var(--face)" stroke-width="1.8" fill="none"/>'
    '<path d="M12.6 18c-1.4 5-1.2 8 .9 9.5M27.4 18c1.4 5 1.2 8-.9 9.5" stroke="currentColor" stroke-width="2.6" fill="none"/>'
    + _HEAD
    + _EYES
    + '<path d="M17.5 21.8c1.6 1 3.4 1 5 0" stroke="currentColor" stroke-width="1.3" fill="none" stroke-linecap="round"/>'
    '<path d="M9.5 13.5C10 7 14 4.5 20 4.5s10.5 2 12 6.5c-6 2.8-15.5 3.6-22.5 2.5Z" fill="currentColor"/>'
    '<path d="M27 6.5C30 2.5 33.5 1 37 1.5c-1 3.8-3.6 6.5-8 7.5Z" fill="currentColor" fill-opacity=".55"/>',
    "dama": _CLOAK
    + '<path d="M14.5 31c1.5 4 9.5 4 11 0M20 35v11" stroke="var(--face)" stroke-width="1.8" fill="none"/>'
    '<path d="M11.5 27c-1.5-6-.8-13 2-16 3.7-3.6 9.3-3.6 13 0 2.8 3 3.5 10 2 16Z" fill="currentColor"/>'
    + _HEAD
    + _EYES
    + '<path d="M17.5 21.8c1.6 1 3.4 1 5 0" stroke="currentColor" stroke-width="1.3" fill="none" stroke-linecap="round"/>'
    '<path d="M13 9 12 2.5l4.5 3L20 1l3.5 4.5 4.5-3L27 9Z" fill="currentColor"/>',
}
FIGURE_OF = {
    "12": "rey",
    "11": "caballo",
    "10": "sota",
    "K": "rey",
    "Q": "dama",
    "J": "sota",
}
"""Figure of a card by what is printed in its corner."""


class Pack(NamedTuple):
    """How a pack is drawn; suits and ranks are those of the log, whatever the pack prints."""

    suits: dict[str, str]
    ranks: dict[str, str]
    """What is printed in the corner."""
    gaps: Mapping[str, int] = {}
    """Gaps in the frame of each suit."""


GAPS = {"O": 0, "C": 1, "E": 2, "B": 3}
_LEFT, _MIDDLE, _RIGHT = 17.5, 31.0, 44.5
_ROWS = {1: (46.5,), 2: (30.0, 63.0), 3: (28.0, 46.5, 65.0), 4: (26.5, 39.8, 53.2, 66.5)}
_COLUMNS = {
    "2": ((), _ROWS[2]),
    "3": ((), _ROWS[3]),
    "4": (_ROWS[2], ()),
    "5": (_ROWS[2], _ROWS[1]),
    "6": (_ROWS[3], ()),
    "7": (_ROWS[3], (37.2,)),
    "8": (_ROWS[3], (37.2, 55.8)),
    "9": (_ROWS[4], _ROWS[1]),
}
"""Height of the pips in the two outer columns, and in the middle one."""


def _pip(suit: str, at: tuple[float, float]) -> str:
    return f'<use href="#p{suit}" x="{at[0]:g}" y="{at[1]:g}"/>'


def _pips(rank: str, suit: str) -> str:
    if rank == "A":
        return f'<use href="#{suit}" x="13" y="28.5" width="36" height="36"/>'
    outer, middle = _COLUMNS[rank]
    places = [(x, y) for y in outer for x in (_LEFT, _RIGHT)] + [(_MIDDLE, y) for y in middle]
    return "".join(_pip(suit, place) for place in places)


def _figure(printed: str, suit: str) -> str:
    return f'<use href="#{FIGURE_OF[printed]}"/>' + _pip(suit, (_MIDDLE, 77))


def _frame(gaps: int) -> str:
    """The frame, with the gaps above and below by which a suit is known from its edge."""
    left, right = 3.5, WIDTH - 3.5
    cuts = [left + (right - left) * (i + 1) / (gaps + 1) for i in range(gaps)]
    ends = [left, *(x for cut in cuts for x in (cut - 2.2, cut + 2.2)), right]
    lines = "".join(
        f"M{a:.1f} {y}H{b:.1f}" for y in (3.5, HEIGHT - 3.5) for a, b in [*pairwise(ends)][::2]
    )
    sides = f"M{left} 3.5V{HEIGHT - 3.5}M{right} 3.5V{HEIGHT - 3.5}"
    return f'<path d="{lines}{sides}" fill="none" stroke="currentColor" stroke-width=".9"/>'


def _index(rank: str, text: str) -> str:
    """The number in two corners, the same for every suit."""
    narrow = ' textLength="14.5" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
    shown = f'<text x="6.6" y="20"{narrow}>{text}</text>'
    turned = shown.replace("<text", '<text transform="rotate(180 31 46.5)"')
    font = 'font-family="Georgia,serif" font-size="17" font-weight="700" fill="currentColor"'
    return f'<g id="i{rank}" {font}>{shown}{turned}</g>'


def _face(rank: str, suit: str, printed: str) -> str:
    drawn = _figure(printed, suit) if printed in FIGURE_OF else _pips(rank, suit)
    return (
        f'<symbol id="{rank}{suit}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<use href="#f{suit}"/><use href="#i{rank}"/>{drawn}</symbol>'
    )


_PAPER = (
    f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="5.5" '
    'fill="var(--face)" stroke="var(--edge)"/>'
)


def _back() -> str:
    rows = "".join(
        f"M{x} {y}l5 5-5 5-5-5Z" for y in range(10, 80, 12) for x in (14, 25.5, 37, 48.5)
    )
    return (
        f'<symbol id="back" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{_PAPER}"
        f'<rect fill="var(--back)" x="4.5" y="4.5" width="{WIDTH - 9}" height="{HEIGHT - 9}" rx="3.5"/>'
        f'<path d="{rows}" fill="none" stroke="var(--face)" stroke-width="1.3"/></symbol>'
    )


def sheet(pack: Pack) -> str:
    """A sprite: a symbol for each suit and figure, each face by its token, and the back."""
    suits, ranks = pack.suits, pack.ranks
    parts = [
        *(f'<symbol id="{suit}" viewBox="0 0 40 40">{s}</symbol>' for suit, s in suits.items()),
        "<defs>",
        *(
            f'<g id="p{one}"><g transform="translate(-8 -8) scale(.4)">{s}</g></g>'
            for one, s in suits.items()
        ),
        *(f'<g id="f{suit}">{_PAPER}{_frame(pack.gaps.get(suit, 0))}</g>' for suit in suits),
        *(
            f'<g id="{f}"><g transform="translate(11 21)">{FIGURES[f]}</g></g>'
            for f in _figures(ranks.values())
        ),
        *(_index(rank, text) for rank, text in ranks.items()),
        "</defs>",
        *(_face(rank, suit, ranks[rank]) for suit in suits for rank in ranks),
        _back(),
    ]
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>\n'


def _figures(printed: Iterable[str]) -> list[str]:
    return [FIGURE_OF[one] for one in printed if one in FIGURE_OF]


SHEET_OF = {
    "cards.svg": Pack(SPANISH_SUITS, SPANISH_RANKS, GAPS),
    "cards-french_queen_sota.svg": Pack(FRENCH_SUITS, {**FRENCH_RANKS, "S": "Q", "C": "J"}),
    "cards-french_queen_caballo.svg": Pack(FRENCH_SUITS, {**FRENCH_RANKS, "C": "Q", "S": "J"}),
}
"""A sheet for each pack; in all of them a card has its token of the log."""


def main() -> None:
    """Write the sheets, or say which are not as they would be drawn."""
    is_checking = "--check" in sys.argv
    for name, pack in SHEET_OF.items():
        file, drawn = SHEETS / name, sheet(pack)
        if is_checking and file.read_text("utf-8") != drawn:
            sys.exit(f"{file.name} is not what docs/draw_cards.py draws")
        file.write_text(drawn, "utf-8")
        print(file.name, len(drawn))


if __name__ == "__main__":
    main()
