"""A newcomer who does a task as its page of the manual says, from the home page on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, Locator, Page, expect

from api.http.languages import say
from tests.api.help.manual.house import NOW, ManualHouse
from tests.api.help.manual.taps import CountedPage
from tests.support.browser.pages import PHONE, Visit, address
from tests.support.waiting import wait_for

SHARP_PHONE: Final = {**PHONE, "device_scale_factor": 2}
_AROUND: Final = 12
_IS_STILL: Final = """() => document.readyState === "complete" && document.fonts.status === "loaded"
  && [...document.images].every((one) => one.complete || !one.checkVisibility())"""


class Newcomer(CountedPage):
    """Follows links and presses buttons by their words, which have the keys that the manual quotes.

    ``met``: keys of words that were used or seen; ``used``: those that were tapped, in order, and
    ``pressed``: words that were tapped without their key; ``pictures``: PNG of each, by its name.
    """

    def __init__(self, page: Page, house: ManualHouse) -> None:
        super().__init__(page)
        self.house, self.served = house, house.served
        self.met: set[str] = set()
        self.used: list[str] = []
        self.pressed: set[str] = set()
        self.pictures: dict[str, bytes] = {}

    def words(self, key: str) -> str:
        """Words with a key, which are then met."""
        self.met.add(key)
        return say(key, "es")

    def link(self, key: str) -> Locator:
        """The link that begins with these words."""
        return self.page.get_by_role("link", name=_beginning(self.words(key))).first

    def button(self, key: str) -> Locator:
        """The button with these words."""
        return self.page.get_by_role("button", name=self.words(key), exact=True).first

    def text(self, key: str) -> Locator:
        """What shows these words."""
        return self.page.get_by_text(self.words(key), exact=True).first

    def go(self, key: str) -> None:
        """Follow a link of the page."""
        self.used.append(key)
        self.tap(self.link(key))

    def press_key(self, key: str) -> None:
        """Press a button of the page."""
        self.used.append(key)
        self.tap(self.button(key))

    def unfold(self, key: str) -> None:
        """Open what is behind these words."""
        self.used.append(key)
        self.tap(self.page.locator("summary", has_text=self.words(key)).first)

    def press(self, name: str) -> None:
        """Press a button by its words alone."""
        self.pressed.add(name)
        super().press(name)

    def follow(self, name: str) -> None:
        """Follow a link by its words alone."""
        self.pressed.add(name)
        super().follow(name)

    def home(self) -> None:
        """Go to the home page by the name in the bar."""
        self.tap(self.page.locator("header.top .brand"))

    def fill(self, field: str, text: str) -> None:
        """Touch a field and type; for those whose label begins like another."""
        self.tap(self.page.locator(field))
        self.type(text)

    def type(self, text: str) -> None:
        """Type where the page was tapped."""
        self.page.keyboard.insert_text(text)

    def date(self, label: str, day: str) -> None:
        """Choose a day, as the browser lets one do it."""
        self.page.get_by_label(label).fill(day)
        self.taps += 1

    def choose(self, field: str, choice: str) -> None:
        """Choose one of a list."""
        self.page.locator(field).select_option(label=choice)
        self.taps += 1

    def main_way(self, way: str) -> None:
        """Go to a main page by the bar, which is behind the menu on a phone."""
        self.used.append(way)
        self.page.wait_for_load_state()  # until its style is there, the bar seems visible
        links = self.page.locator("header.top").get_by_role(
            "link", name=self.words(way), exact=True
        )
        link = links.locator("visible=true")
        if not self.page.locator("nav.main-ways").is_visible() or not link.count():
            self.tap(self.page.locator("header.top details.menu > summary"))
        self.tap(link.first)

    def sees(self, *keys: str) -> None:
        """These words are on the page."""
        for key in keys:
            shown = self.page.get_by_text(self.words(key)).locator("visible=true")
            expect(shown.first).to_be_visible()

    def picture(self, name: str, *of: Locator, around: int = _AROUND, without: str = "") -> None:
        """Take a picture of what is from the first of these to the last.

        ``around``: pixels of the page that are shown around it; ``without``: what is taken away before.
        """
        for one in of:
            expect(one).to_be_visible()
        if without:
            self.page.eval_on_selector_all(without, "all => all.forEach((one) => one.remove())")
        self.page.evaluate("document.activeElement?.blur()")
        self.page.wait_for_function(_IS_STILL)
        of[0].evaluate(
            "(one, around) => scrollBy(0, one.getBoundingClientRect().top - around)", around
        )
        boxes: list[Any] = [one.bounding_box() for one in of]
        size: Any = self.page.viewport_size
        left = max(0, min(box["x"] for box in boxes) - around)
        top = max(0, min(box["y"] for box in boxes) - around)
        right = min(size["width"], max(box["x"] + box["width"] for box in boxes) + around)
        bottom = min(size["height"], max(box["y"] + box["height"] for box in boxes) + around)
        clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
        assert name not in self.pictures

        def is_settled() -> bool:
            before = self.pictures.get(name)
            taken = self.page.screenshot(clip=clip, animations="disabled", caret="hide")
            self.pictures[name] = taken
            return taken == before

        wait_for(is_settled, "two pictures that are the same")


def _beginning(words: str) -> re.Pattern[str]:
    return re.compile(rf"^{re.escape(words)}")


class How(NamedTuple):
    """How a task is done: by whom, on what, in how many taps from the home page.

    ``unmet``: keys of words that its steps quote for another case than the one that is walked.
    """

    do: Callable[[Newcomer], None]
    taps: int
    is_signed_in: bool
    is_new_house: bool
    settings: dict[str, Any]
    unmet: tuple[str, ...]


HOW: Final[dict[str, How]] = {}
"""How each task is done, by its name."""


def done(
    task: str,
    taps: int,
    *,
    is_signed_in: bool = True,
    is_new_house: bool = False,
    on: dict[str, Any] = SHARP_PHONE,
    unmet: tuple[str, ...] = (),
) -> Callable[[Callable[[Newcomer], None]], Callable[[Newcomer], None]]:
    """How a task is done, in so many taps."""

    def note(do: Callable[[Newcomer], None]) -> Callable[[Newcomer], None]:
        assert task not in HOW, task
        HOW[task] = How(do, taps, is_signed_in, is_new_house, on, unmet)
        return do

    return note


@contextmanager
def newcomer(browser: Browser, house: ManualHouse, how: How) -> Iterator[Newcomer]:
    """Somebody at the home page."""
    settings = {
        "timezone_id": "Europe/Madrid",
        "reduced_motion": "reduce",
        "color_scheme": "light",
        **how.settings,
    }
    visit = Visit(browser, house.served, signed_in=how.is_signed_in, **settings)
    try:
        visit.page.clock.set_fixed_time(NOW)
        visit.page.goto(address(house.served, "/"))
        yield Newcomer(visit.page, house)
        visit.check()
    finally:
        visit.context.close()
