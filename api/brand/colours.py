"""The colour of a club as the pages use it: darkened or lightened until text on it can be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

Colour: TypeAlias = tuple[int, int, int]
LEAST_CONTRAST: Final = 4.5
"""Contrast of text with its ground (WCAG 2.2, 1.4.3)."""
_HEX: Final = re.compile(r"#[0-9a-f]{6}")
_BLACK: Final = (0, 0, 0)
_WHITE: Final = (255, 255, 255)
_STEPS: Final = 100
_ON_FELT: Final = "#fdfaf1"
_ON_FELT_DARK: Final = "#f4efdf"
_PAPERS: Final = ("#f7f4ec", "#fffdf8")
_PAPERS_DARK: Final = ("#15201b", "#1d2b25")
"""Grounds and texts of ``guinote.css``, by day and by night."""


class Palette(NamedTuple):
    """Colours of a page: ``felt`` under text, ``accent`` of text."""

    felt: str
    accent: str


def is_colour(text: str) -> bool:
    """Whether a text is ``#`` and six hexadecimal digits in lower case, as forms send a colour.

    >>> [is_colour(one) for one in ("#1f5c43", "#1F5C43", "red", "#fff")]
    [True, False, False, False]
    """
    return _HEX.fullmatch(text) is not None


def day_palette(colour: str) -> Palette:
    """The colours of a light page that follow from the club's colour.

    >>> day_palette("#ffcc00").felt
    '#8c7000'
    """
    return Palette(
        _readable_colour(colour, _BLACK, [_ON_FELT]), _readable_colour(colour, _BLACK, _PAPERS)
    )


def night_palette(colour: str) -> Palette:
    """The colours of a dark page that follow from the club's colour."""
    return Palette(
        _readable_colour(colour, _BLACK, [_ON_FELT_DARK]),
        _readable_colour(colour, _WHITE, _PAPERS_DARK),
    )


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, from 1 to 21.

    >>> [round(contrast("#000000", other), 1) for other in ("#000000", "#ffffff", "#8a2b1d")]
    [1.0, 21.0, 2.4]
    """
    light, dark = sorted(
        (_luminance(_parse_colour(one)), _luminance(_parse_colour(other))), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


def _readable_colour(colour: str, towards: Colour, others: Sequence[str]) -> str:
    """The colour, darkened or lightened just enough to be readable with all others."""
    start = _parse_colour(colour)
    for step in range(_STEPS + 1):
        mixed = [a + (b - a) * step // _STEPS for a, b in zip(start, towards, strict=True)]
        found = "#" + "".join(f"{part:02x}" for part in mixed)
        if all(contrast(found, other) >= LEAST_CONTRAST for other in others):
            break
    return found


def _parse_colour(colour: str) -> Colour:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def _luminance(colour: Colour) -> float:
    """Relative luminance (WCAG 2.2)."""
    red, green, blue = (
        one / 255 / 12.92 if one <= 10 else ((one / 255 + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - of the standard
        for one in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
