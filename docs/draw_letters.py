"""Draws the letters of pictures that the service makes, in the sizes asked for.

PYTHONPATH=. python docs/draw_letters.py

The browser draws them with the font of the pages. A file has one line of JSON (sizes, heights and
widths), and after it how much of each pixel is covered, in sixteenths, glyph after glyph.
"""

from __future__ import annotations

import json
import lzma
import sys
from base64 import b64decode, b64encode
from pathlib import Path

from tests.support.browser.in_browser import running

API = Path(__file__).parent.parent / "api"
FONT = API / "html" / "static" / "html" / "figtree.woff2"
LETTERS = API / "door" / "letters.xz"
SIZES = ((30, 500), (46, 600), (76, 700))
"""Pixels and weight of each size."""
GLYPHS = (
    "".join(map(chr, [*range(0x20, 0x7F), *range(0xA1, 0x180)]))
    + "\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u20ac"
)
_DRAWN = """async ([font, size, weight, glyphs]) => {
  const address = `url(data:font/woff2;base64,${font})`;
  const face = new FontFace("Letters", address, { weight: "300 900" });
  document.fonts.add(await face.load());
  const high = Math.ceil(size * 1.3);
  const canvas = new OffscreenCanvas(size * 2, high).getContext("2d", { willReadFrequently: true });
  canvas.font = `${weight} ${size}px Letters, sans-serif`;
  canvas.textBaseline = "alphabetic";
  return [high, [...glyphs].map((glyph) => {
    const wide = Math.ceil(canvas.measureText(glyph).width);
    canvas.clearRect(0, 0, size * 2, high);
    canvas.fillText(glyph, 0, size);
    const { data } = canvas.getImageData(0, 0, Math.max(wide, 1), high);
    const pixels = { length: data.length / 4 };
    const covered = Uint8Array.from(pixels, (_, at) => Math.round(data[at * 4 + 3] / 17));
    return [wide, btoa(String.fromCharCode(...covered))];
  })];
}"""


def main() -> int:
    """Write the file."""
    sizes, covered = [], b""
    font = b64encode(FONT.read_bytes()).decode()
    with running() as browser:
        page = browser.new_page()
        for size, weight in SIZES:
            high, drawn = page.evaluate(_DRAWN, [font, size, weight, GLYPHS])
            widths = {glyph: one[0] for glyph, one in zip(GLYPHS, drawn, strict=True)}
            sizes.append({"size": size, "height": high, "widths": widths})
            covered += b"".join(b64decode(one[1]) for one in drawn)
    head = json.dumps(sizes, ensure_ascii=False).encode()
    LETTERS.write_bytes(lzma.compress(head + b"\n" + covered, preset=9))
    return 0


if __name__ == "__main__":
    sys.exit(main())
