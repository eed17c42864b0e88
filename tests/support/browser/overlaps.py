"""Boxes of a page that lie over each other, are cut off, or are outside of the screen."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

SCREENS: Final = ((800, 1280), (1024, 768), (1280, 800))
"""Tablets, upright and across."""


def overlaps(page: Page, width: int, height: int) -> list[str]:
    """What is wrong on a screen of this size, in words; of an open dialog alone."""
    page.set_viewport_size({"width": width, "height": height})
    return list(page.evaluate(_OVERLAPS, [width, height]))


_OVERLAPS: Final = """async ([width, height]) => {
  while (innerWidth !== width || innerHeight !== height) await new Promise(requestAnimationFrame);
  const [NEAR, LEADING] = [2, 0.22];
  const dialogs = [...document.querySelectorAll("dialog[open]")];
  const root = dialogs.at(-1) ?? document.body;
  const meant = ".crown, .mark, .sign, .hidden, .hidden *, .skip, svg.drawings, svg.drawings *";
  const isShown = (one) => !one.closest(meant) && one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const named = (one) => `${one.tagName.toLowerCase()}${one.className?.baseVal ?? (one.className && `.${one.className}`)}`.replaceAll(" ", ".");
  const boxes = [];
  const clipped = (one, rect) => {
    let { left, top, right, bottom } = rect;
    for (let at = one; at && at !== root; at = at.parentElement) {
      if (getComputedStyle(at).overflow === "visible") continue;
      const box = at.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return new DOMRect(left, top, Math.max(right - left, 0), Math.max(bottom - top, 0));
  };
  const add = (of, rect, what) => rect.width > NEAR && rect.height > NEAR && boxes.push({ of, rect, what });
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    if (!text.data.trim() || !isShown(text.parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const strict = (rect) => new DOMRect(rect.x, rect.y + rect.height * LEADING, rect.width, rect.height * (1 - 2 * LEADING));
    for (const rect of range.getClientRects()) add(text.parentElement, clipped(text.parentElement, strict(rect)), `"${text.data.trim()}"`);
  }
  const drawn = "button, a.button, input, summary, svg.card, .pinta, .count, .decided, .asked, .prompt.asks, .stock";
  for (const one of root.querySelectorAll(drawn)) if (isShown(one)) add(one, one.getBoundingClientRect(), named(one));
  const cut = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > NEAR && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > NEAR;
  const found = [];
  boxes.forEach((one, place) => {
    for (const other of boxes.slice(place + 1)) {
      if (one.of.contains(other.of) || other.of.contains(one.of) || !cut(one.rect, other.rect)) continue;
      found.push(`${one.what} over ${other.what}`);
    }
    const { rect } = one;
    if (root === document.body && (rect.left < -NEAR || rect.right > width + NEAR)) found.push(`${one.what} outside`);
    if (root === document.body && !document.querySelector(".agreement") && rect.bottom > height + NEAR) found.push(`${one.what} below`);
  });
  for (const one of root.querySelectorAll("button:not(.play), a.button, p, td, th, .side")) {
    if (!isShown(one) || getComputedStyle(one).textOverflow === "ellipsis") continue;
    if (one.scrollWidth > one.clientWidth + NEAR && one.clientWidth) found.push(`${named(one)} "${one.textContent.trim().slice(0, 40)}" is too narrow`);
  }
  return [...new Set(found)];
}"""
