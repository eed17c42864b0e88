"""Boxes of the table on the tablet: none over another, cut off or outside, in any state.

In the languages in which pages are looked at; in a long run in all of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from playwright.sync_api import Browser, Page

from tests.support.browser.kept_pages import kept_tablet
from tests.support.browser.overlaps import SCREENS, overlaps
from tests.support.browser.pages import LOOKED_AT, TABLET
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


def test_no_boxes_overlap_at_a_table_or_in_a_sheet_on_any_screen(
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
        assert found == [], lang
    (trick,) = [one for one in tables if one[0].name == "trick"]
    with kept_tablet(browser, served, f"/arbitro/?lang={lang}#/") as page:
        show(page, *trick)
        for how, rules in MOVED.items():
            page.evaluate(_STYLED, rules)
            assert list(wrong(page, trick[0])), f"not seen: {how}"
        page.evaluate(_STYLED, "")


# --- letters twice as large on a narrow phone ------------------------------------------------------

WIDTH, HEIGHT = 360, 740
PHONE = {**TABLET, "viewport": {"width": WIDTH, "height": HEIGHT}}
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


def enlarge_root(page: Page, size: str) -> None:
    """A style of the reader's own."""
    page.evaluate(_STYLED, f"html {{ font-size: {size} !important; }}")


def enlarge_default(page: Page) -> None:
    """The letters that the reader chose in the settings of the browser."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 32}})


def lost(page: Page, name: str) -> Iterator[str]:
    """Controls that are lost, and boxes that lie over others."""
    for one in page.evaluate(_UNREACHED):
        yield f"{name}: {one}"
    for one in overlaps(page, WIDTH, HEIGHT):
        if not one.endswith(" below"):  # the page scrolls
            yield f"{name}: {one}"


def lost_in(page: Page, tables: list[tuple[TableState, str]]) -> Iterator[str]:
    """What is wrong in any view."""
    for state, encuentro in tables:
        show(page, state, encuentro)
        page.wait_for_selector("body.at-table")
        yield from lost(page, state.name)
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


def test_letters_twice_as_large_lose_no_control_on_a_narrow_phone(
    browser: Browser, served: Served
) -> None:
    club = Club(served)
    tables = [(state, made(club, state)) for state in itertools.chain(states(), sheets())]
    with kept_tablet(browser, served, "/arbitro/?lang=es#/", **PHONE) as page:
        enlarge_root(page, "200%")
        assert list(lost_in(page, tables)) == []
        enlarge_root(page, "100%")
        enlarge_default(page)
        assert list(lost_in(page, tables)) == []
