"""Boxes of the table on the tablet: none over another, cut off or outside, in any state.

In the languages in which pages are looked at; in a long run in all of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial

from playwright.sync_api import Browser, Page

from tests.support.browser.kept_pages import kept_tablet
from tests.support.browser.overlaps import SCREENS, overlaps
from tests.support.browser.pages import LOOKED_AT
from tests.support.browser.table_states import TableState, made, sheets, show, states
from tests.support.browser.tablets import Club
from tests.support.servers.served import Served


def wrong(page: Page, state: TableState) -> Iterator[str]:
    """Boxes that are wrong, with the state and the screen."""
    for width, height in SCREENS:
        for one in overlaps(page, width, height):
            yield f"{state.name}, {width} x {height}: {one}"


_STYLED = """(rules) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [sheet];
}"""
MOVED = {
    "the prompt over the pad": ".prompt { margin-bottom: -3rem; z-index: 1; }",
    "a card over a seat": ".play.at-s { transform: translateX(-12rem); }",
    "a name out of its button": ".seat { width: 3rem; }",
    "the bar below the screen": ".bar { margin-top: 3rem; margin-bottom: -3rem; }",
}


WIDTH, HEIGHT = 360, 740
"""A narrow phone."""
USUAL, TWICE = {"standard": 16, "fixed": 13}, {"standard": 32, "fixed": 32}
LARGE = (
    ("html { font-size: 200% !important; }", USUAL),
    ("html { font-size: 100% !important; }", TWICE),
)
"""Letters twice as large: by a style of the reader's own, and by what they chose in the settings of the browser."""
_SIZE = "getComputedStyle(document.documentElement).fontSize"
VIEWS = {"#/salir": ".leaving .choices", "#/nueva": ".who", "#/": "main .club"}
_UNREACHED = """async () => {
  const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const found = [];
  for (const one of root.querySelectorAll("a[href], button, input, select, summary")) {
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || one.matches(".skip, .gone")) continue;
    const name = one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 40);
    one.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1) found.push(`${name}: ${Math.round(left)} to ${Math.round(right)}`);
    const [x, y] = [(left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
    const hit = document.elementFromPoint(x, y);
    const isHit = hit && (one.contains(hit) || hit.contains(one) || (one.labels && [...one.labels].some((label) => label.contains(hit))));
    if (!isHit) found.push(`${name}: under ${hit?.outerHTML.slice(0, 80)}`);
    if (width < 24 || height < 24) found.push(`${name}: ${Math.round(width)} x ${Math.round(height)}`);
  }
  if (root.scrollWidth > root.clientWidth + 1) {
    const wide = [...root.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > root.getBoundingClientRect().right + 1);
    found.push(`scrolls sideways: ${wide.slice(0, 3).map((one) => `${one.tagName}.${one.getAttribute("class")}`)}`);
  }
  scrollTo(0, 0);
  return found;
}"""


def lost_with_large_letters(page: Page, look: Callable[[], Iterator[str]]) -> Iterator[str]:
    """What is lost on a narrow phone with letters twice as large."""
    devtools = page.context.new_cdp_session(page)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    for rules, sizes in (*LARGE, ("", USUAL)):
        page.evaluate(_STYLED, rules)
        devtools.send("Page.setFontSizes", {"fontSizes": sizes})
        if rules:
            assert page.evaluate(_SIZE) == "32px"
            yield from look()
    devtools.detach()


def lost(page: Page, name: str) -> Iterator[str]:
    """Controls that are lost, and boxes that lie over others."""
    for one in page.evaluate(_UNREACHED):
        yield f"{name}: {one}"
    for one in overlaps(page, WIDTH, HEIGHT):
        if not one.endswith(" below"):  # the page scrolls
            yield f"{name}: {one}"


def lost_in_views(page: Page) -> Iterator[str]:
    """What is lost in the views beside the tables."""
    page.keyboard.press("Escape")
    page.locator("button.sync").click()
    page.wait_for_selector("dialog.panel")
    yield from lost(page, "panel")
    page.keyboard.press("Escape")
    for view, shown in VIEWS.items():
        page.evaluate("(view) => { location.hash = view; }", view)
        page.wait_for_selector(shown)
        page.wait_for_selector("body:not(.at-table)")
        yield from lost(page, view)


def test_no_boxes_overlap_on_any_screen_and_large_letters_lose_no_control_on_a_narrow_phone(
    browser: Browser, served: Served
) -> None:
    club = Club(served)
    tables = [(state, made(club, state)) for state in itertools.chain(states(), sheets())]
    for lang in LOOKED_AT:
        found: list[str] = []
        with kept_tablet(browser, served, f"/arbitro/?lang={lang}#/") as page:
            for state, encuentro in tables:
                show(page, state, encuentro)
                found += wrong(page, state)
                if lang == LOOKED_AT[0]:
                    found += lost_with_large_letters(page, partial(lost, page, state.name))
            if lang == LOOKED_AT[0]:
                found += lost_with_large_letters(page, partial(lost_in_views, page))
        assert found == [], lang
    (trick,) = [one for one in tables if one[0].name == "trick"]
    with kept_tablet(browser, served, f"/arbitro/?lang={lang}#/") as page:
        show(page, *trick)
        for how, rules in MOVED.items():
            page.evaluate(_STYLED, rules)
            assert list(wrong(page, trick[0])), f"not seen: {how}"
        page.evaluate(_STYLED, "")
