"""Boxes of the table on the tablet: none over another, cut off or outside, in any state.

In the languages in which pages are looked at; in a long run in all of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

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
