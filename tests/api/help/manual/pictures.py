"""The committed pictures of the manual: written as WebP by the browser, and compared cell by cell."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser

from api.help.pages import PICTURES

HEAVIEST: Final = 60_000
"""Bytes of a picture."""
RENEWAL: Final = "make pages"
QUALITIES: Final = (0.8, 0.7, 0.6, 0.5)
TOLERANCE: Final = 16
"""Difference of a channel between the means of a cell, of 255; what it has to bear is in docs/developing/checks.md."""
_READ = """const read = async (kind, text) => {
  const blob = await (await fetch(`data:image/${kind};base64,${text}`)).blob();
  const image = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext("2d", { alpha: false });
  pen.drawImage(image, 0, 0);
  return { canvas, pen };
};"""
_WRITE = (
    "async ([png, quality]) => {"
    + _READ
    + """
  const { canvas } = await read("png", png);
  const blob = await canvas.convertToBlob({ type: "image/webp", quality });
  return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (one) => String.fromCharCode(one)).join(""));
}"""
)
_DIFFERENCE = (
    "async ([png, webp, cells]) => {"
    + _READ
    + """
  const means = async (kind, text) => {
    const { canvas: { width, height }, pen } = await read(kind, text);
    const { data } = pen.getImageData(0, 0, width, height);
    const size = Math.max(1, Math.round(width / cells));
    const columns = Math.ceil(width / size);
    const sums = new Float64Array(columns * Math.ceil(height / size) * 4);
    for (let at = 0; at < data.length; at += 4) {
      const x = (at / 4) % width, y = Math.floor(at / 4 / width);
      const cell = (Math.floor(y / size) * columns + Math.floor(x / size)) * 4;
      for (const channel of [0, 1, 2]) sums[cell + channel] += data[at + channel];
      sums[cell + 3] += 1;
    }
    return { width, height, of: (at) => sums[at] / sums[at - (at % 4) + 3], length: sums.length };
  };
  const [one, other] = [await means("png", png), await means("webp", webp)];
  if (Math.abs(one.width - other.width) > 2 || Math.abs(one.height - other.height) > 2) return 255;
  let worst = 0;
  for (let at = 0; at < Math.min(one.length, other.length); at += 1)
    if (at % 4 !== 3) worst = Math.max(worst, Math.abs(one.of(at) - other.of(at)));
  return worst;
}"""
)
CELLS: Final = 32
"""Cells beside each other in a picture."""


class Album:
    """The pictures in the folder of the manual."""

    def __init__(self, browser: Browser, folder: Path = PICTURES) -> None:
        self._page, self._folder = browser.new_context().new_page(), folder

    def grown_old(self, taken: dict[str, bytes]) -> list[str]:
        """Names of pictures that do not look any more like those just taken, or are missing."""
        return [name for name, png in taken.items() if self.difference(name, png) > TOLERANCE]

    def difference(self, name: str, png: bytes) -> float:
        """Greatest difference of a cell, of 255; all of it if there is no picture or its size is another."""
        file = self._file(name)
        if not file.exists():
            return 255
        asked = [_text(png), _text(file.read_bytes()), CELLS]
        return float(self._page.evaluate(_DIFFERENCE, asked))

    def renew(self, taken: dict[str, bytes]) -> None:
        """Write those that grew old; the others stay as they are, byte for byte."""
        self._folder.mkdir(exist_ok=True)
        for name in self.grown_old(taken):
            written = (self._written(taken[name], quality) for quality in QUALITIES)
            light = next((one for one in written if len(one) <= HEAVIEST), None)
            assert light, f"{name}: over {HEAVIEST} bytes, show less of the page"
            self._file(name).write_bytes(light)

    def _written(self, png: bytes, quality: float) -> bytes:
        return base64.b64decode(self._page.evaluate(_WRITE, [_text(png), quality]))

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.webp"


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()
