"""A person at a page who counts: taps (presses, choices, fields that are touched) and typed signs."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


class CountedPage:
    """A page that is used by taps and by typing only, both of which are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = self.signs = 0

    def tap(self, target: Locator) -> None:
        """One tap on something that can be seen."""
        target.click()
        self.taps += 1

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
