"""Uploaded pictures: a PNG is read to its last byte, and only the picture itself is kept.

The page scales any picture in the browser and sends a PNG. Nothing else is taken, so that the
service decodes no other format; texts, places and other additions are left out.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Final

LARGEST_SIDE: Final = 256
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_KEPT: Final = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Channels by kind of colour."""
_DEPTHS: Final = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}


class NoPicture(Exception):  # noqa: N818 - it says what the bytes are
    """The bytes are no PNG that pages can show."""


def plain_png(content: bytes) -> bytes:
    """A checked PNG with nothing but its picture.

    :raises NoPicture: it is none, damaged, interlaced, animated or larger than ``LARGEST_SIDE``
    """
    if not content.startswith(_SIGNATURE):
        raise NoPicture("another format")
    chunks = [one for one in _chunks(content) if one[0] in _KEPT]
    names = [name for name, _ in chunks]
    pixels = b"".join(data for name, data in chunks if name == b"IDAT")
    is_whole = names[:1] == [b"IHDR"] and names[-1:] == [b"IEND"] and names.count(b"IHDR") == 1
    if not is_whole:
        raise NoPicture("parts missing")
    _check_pixels(chunks[0][1], pixels, has_palette=b"PLTE" in names)
    return _SIGNATURE + b"".join(map(_chunk_bytes, chunks))


def png_of_chunks(*chunks: tuple[bytes, bytes]) -> bytes:
    """A PNG file made of these chunks."""
    return _SIGNATURE + b"".join(map(_chunk_bytes, (*chunks, (b"IEND", b""))))


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(content):
        head = content[at : at + 8]
        size = int.from_bytes(head[:4], "big")
        data, check = content[at + 8 : at + 8 + size], content[at + 8 + size : at + 12 + size]
        if len(check) < 4 or int.from_bytes(check, "big") != zlib.crc32(head[4:] + data):  # noqa: PLR2004 - a checksum
            raise NoPicture("cut or damaged")
        yield head[4:], data
        at += 12 + size
        if head[4:] == b"IEND":
            return


def _check_pixels(header: bytes, pixels: bytes, *, has_palette: bool) -> None:
    """Check that there are as many pixels as the header says, and no more."""
    try:
        width, height, depth, kind, packing, filters, interlaced = struct.unpack(">IIBBBBB", header)
    except struct.error:
        raise NoPicture("no header") from None
    is_small = 0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE
    if not is_small or depth not in _DEPTHS.get(kind, ()) or packing or filters or interlaced:
        raise NoPicture("too large, or of a kind that is not taken")
    size = height * (1 + -(-width * depth * _CHANNELS[kind] // 8))
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(pixels, size + 1)
    except zlib.error:
        raise NoPicture("damaged") from None
    if len(found) != size or (kind == 3 and not has_palette):  # noqa: PLR2004 - colours by a palette
        raise NoPicture("not as large as it says")


def _chunk_bytes(chunk: tuple[bytes, bytes]) -> bytes:
    name, data = chunk
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
