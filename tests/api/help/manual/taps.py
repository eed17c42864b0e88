"""A person at a page who counts: taps (presses, choices, fields that are touched) and typed signs."""

from __future__ import annotations

from contextlib import suppress

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.support.waiting import LONGEST_MS

_WATCHED = """() => {
  if (window.isLeaving === undefined) {
    addEventListener("submit", (event) => {
      const method = event.submitter?.getAttribute("formmethod") ?? event.target.getAttribute("method");
      if (!event.defaultPrevented && method !== "dialog") window.isLeaving = true;
    });
    addEventListener("click", (event) => {
      const link = event.target.closest?.("a[href]");
      if (!link || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
      const [here, there] = [new URL(location), new URL(link.href)];
      const isInside = there.hash !== "" && there.href.split("#")[0] === here.href.split("#")[0];
      if (there.protocol.startsWith("http") && !isInside) window.isLeaving = true;
    });
  }
  window.isLeaving = false;
}"""
_LOOKS = 6
_LEAVES = "window.isLeaving === true"
_HAS_LEFT = "() => window.isLeaving === undefined"


class CountedPage:
    """A page that is used by taps and by typing only, both of which are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = self.signs = 0

    def tap(self, target: Locator) -> None:
        """One tap on something that can be seen.

        A form or a link leads on before anything else is tapped: another tap would call that off.
        """
        self.page.evaluate(_WATCHED)
        self._click(target)
        self.taps += 1
        try:
            if not self.page.evaluate(_LEAVES):
                return
        except PlaywrightError:  # it is leaving just now
            pass
        self.page.wait_for_function(_HAS_LEFT)
        self.page.wait_for_load_state()  # until its style is there, each link seems visible

    def _click(self, target: Locator) -> None:
        """Click, and look for the target again if what was found has been hidden meanwhile."""
        at_once_ms = LONGEST_MS / _LOOKS
        for _ in range(_LOOKS - 1):
            with suppress(PlaywrightTimeout):
                target.click(timeout=at_once_ms)
                return
        target.click(timeout=at_once_ms)

    def press(self, name: str) -> None:
        """A tap on the button of this name."""
        self.tap(self.page.get_by_role("button", name=name, exact=True))

    def follow(self, name: str) -> None:
        """A tap on the link of this name."""
        self.tap(self.page.get_by_role("link", name=name, exact=True))

    def write(self, label: str, text: str) -> None:
        """A field touched, and a text in it: typed or pasted."""
        self.tap(self.page.get_by_label(label))
        self.page.keyboard.insert_text(text)
        self.signs += len(text)
