"""Accessibility of the table on the tablet: axe in every state, texts in every language, weight."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from referee.events import CardPlayed, DealStarted, PintaTurned
from tests.support.browser.keying import Keying, first_deal, played, table
from tests.support.browser.pages import (
    HEAVIEST_PAGE,
    PHONE,
    READ,
    no_violations,
    no_violations_in_any_language,
    weight_of,
)
from tests.support.servers.served import Served

DARK = {"color_scheme": "dark"}


def states(keying: Keying) -> Iterator[str]:
    """Every state of a table one after the other: its sheets, a correction, the last trick."""
    page, bar = keying.page, keying.page.locator(".bar button:not(.undo)")
    expect(page.locator(".seat.turn")).to_be_visible()
    yield "playing"
    for place in range(bar.count()):
        bar.nth(place).tap()
        expect(page.locator("dialog.sheet")).to_be_visible()
        yield f"sheet {place}"
        page.keyboard.press("Escape")
        expect(page.locator("dialog.sheet")).to_have_count(0)
    page.locator(".felt .play").first.tap()
    expect(page.locator(".prompt.asks")).to_be_visible()
    yield "correcting"


@pytest.mark.parametrize("lang", READ)
def test_everybody_can_use_a_table(browser: Browser, served: Served, lang: str) -> None:
    plays = [CardPlayed(seat, card) for seat, card in (("B1", "2C"), ("A1", "AC"))]
    acts = [DealStarted("B2"), PintaTurned("7O"), *plays]
    look_at = no_violations_in_any_language if lang == "fr" else no_violations
    settings = {"es": {}, "ca": DARK, "en": PHONE, "fr": {**PHONE, **DARK}}[lang]
    with table(browser, served, acts, lang=lang, **settings) as keying:
        for _ in states(keying):
            look_at(keying.page)


@pytest.mark.parametrize("theme", [{}, DARK])
def test_everybody_can_use_what_comes_after_a_deal(
    browser: Browser, served: Served, theme: dict[str, str]
) -> None:
    acts, _ = played(lambda account: account.how == "claim")
    with table(browser, served, first_deal(acts), **theme) as keying:
        expect(keying.page.locator(".count")).to_be_visible()
        no_violations(keying.page)
    with table(browser, served, acts, **theme) as keying:
        expect(keying.page.locator(".decided")).to_be_visible()
        no_violations(keying.page)
    with table(browser, served, acts[:-1], **theme) as keying:
        expect(keying.page.locator(".scores .peek")).to_be_visible()
        no_violations(keying.page)


def test_a_table_is_not_heavy(browser: Browser, served: Served) -> None:
    first_visit = {
        "reduced_motion": "reduce"
    }  # a page that showed the list of tables has its files
    with table(browser, served, **first_visit) as keying:
        keying.page.wait_for_load_state("networkidle")
        assert 20_000 < weight_of(keying.page) < HEAVIEST_PAGE
