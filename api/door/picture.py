"""Pictures with text, as PNG: rectangles and letters of the font of the pages, on a palette.

The letters were drawn once (``docs/draw_letters.py``), so no library of fonts is needed here.
"""

from __future__ import annotations

import json
import lzma
import struct
import unicodedata
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from api.brand.colours import Colour
from api.brand.png import png_of_chunks

_LETTERS: Final = Path(__file__).with_name("letters.xz")
_SHADES: Final = 16
SMALL, MIDDLE, LARGE = 30, 46, 76
"""Sizes of letters, in pixels."""


class Pen(NamedTuple):
    """The colour of letters, and the colour that they are written on."""

    colour: Colour
    ground: Colour


class Box(NamedTuple):
    """A part of a picture, in pixels."""

    left: int
    top: int
    width: int
    height: int


class _Font(NamedTuple):
    """Letters of one size: their height, and of each its width and its covered pixels."""

    height: int
    letters: Mapping[str, tuple[int, bytes]]


class Canvas:
    """A picture that is drawn from the back to the front."""

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        self.width, self.height = width, height
        self._pens: list[Pen] = []
        self._pixels = bytearray([self._place_pen_in_palette(Pen(ground, ground))]) * (
            width * height
        )

    def fill(self, box: Box, colour: Colour) -> None:
        """Fill a box."""
        row = bytes([self._place_pen_in_palette(Pen(colour, colour))]) * box.width
        for y in range(box.top, box.top + box.height):
            start = y * self.width + box.left
            self._pixels[start : start + box.width] = row

    def write(self, text: str, at: tuple[int, int], size: int, pen: Pen) -> None:
        """Write a text. ``at``: the upper left corner of its first letter."""
        font, base = _fonts()[size], self._place_pen_in_palette(pen)
        shades = bytes(base + min(shade, _SHADES - 1) for shade in range(256))
        x, top = at
        for letter in _drawable_text(text, font):
            width, covered = font.letters[letter]
            drawn = covered.translate(shades)
            for row in range(font.height):
                start = (top + row) * self.width + x
                self._pixels[start : start + width] = drawn[row * width : (row + 1) * width]
            x += width

    def png(self) -> bytes:
        """The picture as a file."""
        palette = bytearray()
        for pen in self._pens:
            for shade in range(_SHADES):
                mixed = (
                    round(g + (c - g) * shade / (_SHADES - 1))
                    for c, g in zip(pen.colour, pen.ground, strict=True)
                )
                palette += bytes(mixed)
        rows = range(0, len(self._pixels), self.width)
        packed = zlib.compress(b"".join(b"\0" + self._pixels[y : y + self.width] for y in rows), 6)
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 3, 0, 0, 0)
        return png_of_chunks((b"IHDR", header), (b"PLTE", bytes(palette)), (b"IDAT", packed))

    def _place_pen_in_palette(self, pen: Pen) -> int:
        """Index in the palette at which the shades of a pen begin; a new pen is added."""
        if pen not in self._pens:
            self._pens.append(pen)
        return self._pens.index(pen) * _SHADES


def text_width(text: str, size: int) -> int:
    """Width of a text in pixels."""
    font = _fonts()[size]
    return sum(font.letters[letter][0] for letter in _drawable_text(text, font))


def fit_text(text: str, size: int, width: int) -> str:
    """A text, cut with an ellipsis where it is wider than the width in pixels.

    >>> fit_text("María del Pilar", 30, 130)
    'María d…'
    """
    if text_width(text, size) <= width:
        return text
    short = text
    while short and text_width(f"{short}…", size) > width:
        short = short[:-1]
    return f"{short.rstrip()}…"


def _drawable_text(text: str, font: _Font) -> str:
    """A text with only letters that the font has: others lose their accents, or become a point."""
    found = (
        letter if letter in font.letters else unicodedata.normalize("NFKD", letter)[:1]
        for letter in unicodedata.normalize("NFC", text)
    )
    return "".join(letter if letter in font.letters else "·" for letter in found)


@cache
def _fonts() -> dict[int, _Font]:
    """The fonts for pictures, by the size of their letters in pixels."""
    head, _, covered = lzma.decompress(_LETTERS.read_bytes()).partition(b"\n")
    found, at = {}, 0
    for one in json.loads(head):
        letters = {}
        for letter, width in one["widths"].items():
            size = max(width, 1) * one["height"]
            letters[letter] = (max(width, 1), covered[at : at + size])
            at += size
        found[one["size"]] = _Font(one["height"], letters)
    return found
