"""Draws the cards: every face is a symbol of one sprite, made of shapes of our own.

    PYTHONPATH=. python docs/draw_cards.py

Each suit has a shape and a broken frame of its own (oros whole, copas one gap, espadas two, bastos
three, as on a Spanish pack), so nobody needs to tell the colours apart. Figures are whole, and known
by their outline at 46 pixels: the rey is wide and has a crown, the caballo rides, the sota is slim and
looks aside. A face is 62 by 93. A page that shows one says its ``color``, ``--face``, ``--edge`` and
``--back``; gold and skin are the same everywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from referee.rules.library.drawing import KNOT, SPANISH_SUITS

SHEETS = Path(__file__).parent.parent / "api" / "html" / "static" / "html"
WIDTH, HEIGHT = 62, 93
SPANISH_RANKS = {"A": "1", **{n: n for n in "23456789"}, "S": "10", "C": "11", "R": "12"}
FRENCH_RANKS = {"A": "A", **{n: n for n in "23456789"}, "R": "K"}

FRENCH_SUITS = {
    "O": '<path d="M20 2 34 20 20 38 6 20Z" fill="currentColor"/>',
    "C": '<path d="M20 37C9 28 4 21 4 13.5 4 8 8 4.5 12.5 4.5c3.3 0 6 2 7.5 5 1.5-3 4.2-5 7.5-5C32 4.5 36 8 36 13.5 36 21 31 28 20 37Z" fill="currentColor"/>',
    "E": '<path d="M20 2c9 9 15 14 15 21.5 0 4.5-3.4 7.5-7.3 7.5-2.3 0-4.2-1-5.4-2.6.5 4 1.7 6.6 4.2 8.6H13.5c2.5-2 3.7-4.6 4.2-8.6C16.5 30 14.6 31 12.3 31 8.4 31 5 28 5 23.5 5 16 11 11 20 2Z" fill="currentColor"/>',
    "B": KNOT.format(20, 11, 8)
    + KNOT.format(11, 22.5, 8)
    + KNOT.format(29, 22.5, 8)
    + '<path d="M20 14c.5 12 1.5 19 6 23H14c4.5-4 5.5-11 6-23Z" fill="currentColor"/>',
}
GOLD, SKIN = "#e3a93a", "#f0c9a0"
_CLOTH, _LIGHT = 'fill="currentColor"', 'fill="var(--face)" stroke="currentColor"'
_GOLD = f'fill="{GOLD}" stroke="currentColor"'


def _limb(points: str, wide: float) -> str:
    """An arm or a leg of the cloth, cut out of what is behind it."""
    line = f'<path d="M{points}" fill="none" stroke-linecap="round" stroke-linejoin="round" stroke'
    return f'{line}="var(--face)" stroke-width="{wide + 2.2:g}"/>{line}="currentColor" stroke-width="{wide:g}"/>'


def _dots(fill: str, size: float, *places: tuple[float, float]) -> str:
    """Hands, eyes, jewels."""
    drawn = "".join(f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}"/>' for x, y in places)
    return f'<g fill="{fill}">{drawn}</g>'


FIGURES = {
    "rey": f'<path d="M22 36C12 38 10 52 8.5 87H40C39 76 40 67 44 58L53 37Q51 32 45 31 42 36 39 36Z" {_CLOTH}/>'
    f'<path d="M25 40 19.5 87H39L37 40Z" {_LIGHT}/><path d="M28.5 44h4.5L32 87h-5Z" {_GOLD}/>'
    '<path d="M23 60h15M20.5 80.5h6.5M32 80.5h7" stroke="currentColor" stroke-width="2.4"/>'
    f'<path d="M20 35Q31 43 42 35L44 42Q31 54 17.5 42Z" {_LIGHT}/>'
    + _dots("currentColor", 0.9, (22, 41), (27, 44.5), (35, 44.5), (40, 41))
    + '<path d="M12.8 29 15 86" stroke="currentColor" stroke-width="2.8"/>'
    + f'<path d="M25 19h12v8c0 6-12 6-12 0Z" fill="{SKIN}"/>'
    + '<path d="M23.5 18V27C24 43 38 43 38.5 27V18H36.5V25Q34 28 31 26.5 28 28 25.5 25V18Z" fill="currentColor"/>'
    + _dots("currentColor", 1, (28.3, 22.5), (33.7, 22.5))
    + f'<path d="M24 19.5 22 9.5 27 14 31 7 35 14 40 9.5 38 19.5Z" {_GOLD}/>'
    + f'<circle cx="12.8" cy="28" r="3.2" {_GOLD}/>'
    + _dots(SKIN, 2.8, (13.5, 47), (47, 29.5)),
    "caballo": f'<path d="M14 60C7 62 10 74 6.5 82 13 80 15 72 17 66Z" {_CLOTH}/>'
    f'<path d="M24 35C15 35 11 41 8 50 14 47 20 50 26 47Z" {_GOLD}/>'
    f'<path d="M13 62C14 54 20 52 27 51 33 50 35 44 37 38 38 34 41 31.5 44 31L45.5 27.5 48 31.5C51 33 53.5 38 55.5 41L54 45 50 45.5Q47 43 45 43.5C46 48 46.5 52 45.5 55L54 56 53 65H49.5L49 60.5 44 61 48 66 44.5 71 41.5 69 43 66 38.5 63C35 66 32 67 30 70L31 76 36 85V88H30L25 77 24 72Q21 76 18.5 78L21 85V88H15L12.5 78C15 73 13 68 13 62Z" {_CLOTH}/>'
    '<path d="M41.5 35C41 43 39 49 37 52M46 42.5 38 46" stroke="var(--face)" stroke-width="1.3" fill="none"/>'
    + _dots("var(--face)", 1.1, (46.5, 35.5))
    + f'<path d="M21 52 36 50 37 59 22 62Z" {_GOLD}/>'
    f'<path d="M27 30h4v6h-4Z" fill="{SKIN}"/><path d="M24 35h10l1 10 1 8q-8 4-14 0Z" {_LIGHT}/><path d="M23 46h11" stroke="{GOLD}" stroke-width="2.6"/>'
    + f'<path d="M24.5 20h9l1.8 5.5-1.8.5v3q-4.5 6-9 0Z" fill="{SKIN}"/>'
    + _dots("currentColor", 1, (31.5, 24.5))
    + f'<path d="M23 19h5.5c0 6-1 10-2.5 12.5q-4-2-3-12.5Z" {_CLOTH}/>'
    + f'<path d="M21.5 21q0-9.5 8-9.5 6.5 0 7.5 8.5Z" {_CLOTH}/>'
    + _limb("27.5 52 33 57.5 31 67H34", 4)
    + _limb("29 38 37 37 41.5 30", 3.6)
    + _dots(SKIN, 2.6, (42, 28), (37, 46)),
    "sota": f'<path d="M23 36C14 40 14 52 12 64 17 63 21 61 24 57Z" {_GOLD}/>'
    f'<path d="M29 62 30.5 84V87H39.5Q39 84 35 83L36 62Z" {_LIGHT}/>'
    f'<path d="M20 62 19.5 83V87H28.5Q28 84.5 25 83.5L28 62Z" {_CLOTH}/>'
    f'<path d="M22.5 36H28V66H17.5Z" {_CLOTH}/><path d="M28 36h4q3 0 3.5 4L38.5 66H28Z" {_LIGHT}/>'
    f'<path d="M19.5 51.5H37" stroke="{GOLD}" stroke-width="3"/>'
    f'<path d="M26 20H36.5V22.5L39 28.5 36.5 29 36 33Q33 36 30 34.5V37H25Z" fill="{SKIN}"/>'
    + _dots("currentColor", 1, (34, 26.5))
    + f'<path d="M22 20h8c0 8-1 12-3 15q-7 0-5-15Z" {_CLOTH}/>'
    + f'<path d="M24 19C16 19 11 25 9 34 16 33 21 29 26 23Z" {_GOLD}/>'
    + f'<path d="M22 21Q22 12 30 12 36.5 12 37.5 20Z" {_CLOTH}/><path d="M21 20.5 38.7 19.2" stroke="{GOLD}" stroke-width="3.4"/>'
    + _limb("31.5 40.5 39.5 43 46 33.5", 4.4)
    + _dots(SKIN, 2.8, (47, 29.5)),
    "dama": f'<path d="M27 50C24 60 18 70 9 87H42C40 74 37 62 35 50Z" {_CLOTH}/>'
    f'<path d="M31 52 24 87H38Z" {_LIGHT}/><path d="M26 79h10.5M28.5 67h5.5" stroke="currentColor" stroke-width="2.4"/>'
    f'<path d="M22 21C18 32 20 40 23 44H39C42 40 44 32 40 21 37 12 25 12 22 21Z" {_CLOTH}/>'
    f'<path d="M25 38H37L35 51H27Z" {_LIGHT}/><path d="M26.5 50h9" stroke="{GOLD}" stroke-width="3"/>'
    f'<path d="M25.5 21q5.5-5 11 0v6c0 7-11 7-11 0Z" fill="{SKIN}"/><path d="M29 31h4v6.5q-2 3.5-4 0Z" fill="{SKIN}"/>'
    + _dots("currentColor", 1, (28.5, 24), (33.5, 24))
    + f'<path d="M25 18 23.5 9.5 28 13 31 8 34 13 38.5 9.5 37 18Z" {_GOLD}/><path d="M29.7 28.3q1.3.9 2.6 0" stroke="currentColor" stroke-width="1.2" fill="none"/>'
    + _limb("25 40 19 49 27 56", 4)
    + _limb("37 40 42 42 46 33.5", 4)
    + _dots(SKIN, 2.6, (28, 56.5), (47, 29.5)),
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
        return f'<use href="#{suit}" x="9" y="24.5" width="44" height="44"/>'
    outer, middle = _COLUMNS[rank]
    places = [(x, y) for y in outer for x in (_LEFT, _RIGHT)] + [(_MIDDLE, y) for y in middle]
    return "".join(_pip(suit, place) for place in places)


def _figure(printed: str, suit: str) -> str:
    """A whole figure with its suit in the hand."""
    held = f'<use href="#{suit}" x="38.5" y="9.5" width="18" height="18"/>'
    return f'<use href="#{FIGURE_OF[printed]}"/>{held}'


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
    narrow = ' textLength="13" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
    shown = f'<text x="6.5" y="18.5"{narrow}>{text}</text>'
    turned = shown.replace("<text", '<text transform="rotate(180 31 46.5)"')
    font = 'font-family="Figtree,system-ui,sans-serif" font-size="15.5" font-weight="700" fill="currentColor"'
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
            f'<g id="p{one}"><use href="#{one}" x="-8" y="-8" width="16" height="16"/></g>'
            for one in suits
        ),
        *(f'<g id="f{suit}">{_PAPER}{_frame(pack.gaps.get(suit, 0))}</g>' for suit in suits),
        *(f'<g id="{f}">{FIGURES[f]}</g>' for f in _figures(ranks.values())),
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
