"""Boxes of the table on the tablet: none over another, cut off or outside, in any state.

In the languages in which pages are looked at; in a long run in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser.kept_pages import kept_tablet
from tests.support.browser.overlaps import SCREENS, overlaps
from tests.support.browser.pages import LOOKED_AT
from tests.support.browser.table_states import TableState, leave, made, sheets, show, states
from tests.support.browser.tablets import Club
from tests.support.servers.served import Served

Tables = list[tuple[TableState, str]]


@pytest.fixture(scope="module")
def tables(served: Served) -> Callable[[Callable[[], Iterator[TableState]]], Tables]:
    """Encuentros in each of these states, made once for all languages."""
    club, known = Club(served), dict[str, Tables]()

    def of(wanted: Callable[[], Iterator[TableState]]) -> Tables:
        name = wanted.__name__
        if name not in known:
            known[name] = [(state, made(club, state)) for state in wanted()]
        return known[name]

    return of


def over(page: Page, tables: Tables) -> list[str]:
    """Boxes that are wrong, with the state and the screen."""
    found: list[str] = []
    for state, encuentro in tables:
        show(page, state, encuentro)
        for width, height in SCREENS:
            wrong = overlaps(page, width, height)
            found += [f"{state.name}, {width} x {height}: {one}" for one in wrong]
        leave(page)
    return found


@pytest.mark.parametrize("lang", LOOKED_AT)
def test_no_box_lies_over_another_at_a_table(
    browser: Browser, served: Served, tables: Callable[..., Tables], lang: str
) -> None:
    with kept_tablet(browser, served, f"/arbitro/?lang={lang}#/") as page:
        assert over(page, tables(states)) == []


@pytest.mark.parametrize("lang", LOOKED_AT)
def test_no_box_lies_over_another_in_a_sheet(
    browser: Browser, served: Served, tables: Callable[..., Tables], lang: str
) -> None:
    with kept_tablet(browser, served, f"/arbitro/?lang={lang}#/") as page:
        assert over(page, tables(sheets)) == []


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


@pytest.mark.parametrize("how", MOVED)
def test_a_box_that_is_moved_is_found(
    browser: Browser, served: Served, tables: Callable[..., Tables], how: str
) -> None:
    (one,) = [(state, where) for state, where in tables(states) if state.name == "trick"]
    with kept_tablet(browser, served, "/arbitro/?lang=es#/") as page:
        page.evaluate(_STYLED, MOVED[how])
        assert over(page, [one])
        page.evaluate(_STYLED, "")
