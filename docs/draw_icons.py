"""Draws the icons of the installed tablet: the oro of ``icon.svg`` in the sizes asked for.

PYTHONPATH=. python docs/draw_icons.py
"""

from __future__ import annotations

import struct
import sys
import zlib
from math import hypot
from pathlib import Path

STATIC = Path(__file__).parent.parent / "api" / "html" / "static" / "html"
FELT, GOLD = (0x1F, 0x5C, 0x43), (0xF3, 0xD2, 0x7A)
SIZES = {
    "icon-192.png": (192, 1.0),
    "icon-512.png": (512, 1.0),
    "icon-maskable-512.png": (512, 0.8),
}
"""Pixels, and how much of them the drawing takes: a mask may cut a tenth off each side."""


def gold(distance: float, unit: float) -> float:
    """Share of gold in a pixel so far from the middle: a ring and a dot, smooth at their edges."""
    ring = 0.5 + 1.5 * unit - abs(distance - 12 * unit)
    dot = 0.5 + 4 * unit - distance
    return min(1.0, max(0.0, ring, dot))


def rows(size: int, share: float) -> bytes:
    """Pixels of an icon, each row after its filter byte."""
    unit, middle = size / 40 * share, (size - 1) / 2
    found = bytearray()
    for y in range(size):
        found.append(0)
        for x in range(size):
            part = gold(hypot(x - middle, y - middle), unit)
            found += bytes(round(f + (g - f) * part) for f, g in zip(FELT, GOLD, strict=True))
    return bytes(found)


def chunk(kind: bytes, content: bytes) -> bytes:
    """A part of a PNG file."""
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


def png(size: int, pixels: bytes) -> bytes:
    """A square picture in eight bits a colour."""
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(pixels, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def main() -> int:
    """Write the icons."""
    for name, (size, share) in SIZES.items():
        (STATIC / name).write_bytes(png(size, rows(size, share)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
