"""Accessibility of the table on the tablet: axe in every state, texts in every language."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Browser, expect

from referee.events import CardPlayed, DealStarted, PintaTurned
from tests.support.browser.kept_pages import no_violations_in_any_scheme
from tests.support.browser.keying import Keying, first_deal, played, table
from tests.support.browser.pages import (
    PHONE,
    READ,
    no_violations,
    no_violations_in_any_language,
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


def test_a_table_and_what_comes_after_a_deal_are_readable_in_both_colour_schemes(
    browser: Browser, served: Served
) -> None:
    plays = [CardPlayed(seat, card) for seat, card in (("B1", "2C"), ("A1", "AC"))]
    acts = [DealStarted("B2"), PintaTurned("7O"), *plays]
    for lang in READ:
        look_at = no_violations_in_any_language if lang == "fr" else no_violations
        settings = {"es": {}, "ca": DARK, "en": PHONE, "fr": {**PHONE, **DARK}}[lang]
        with table(browser, served, acts, lang=lang, **settings) as keying:
            for _ in states(keying):
                look_at(keying.page)
    acts, _ = played(lambda account: account.how == "claim")
    after = ((".count", first_deal(acts)), (".decided", acts), (".scores .peek", acts[:-1]))
    for shown, so_far in after:
        with table(browser, served, so_far) as keying:
            expect(keying.page.locator(shown)).to_be_visible()
            no_violations_in_any_scheme(keying.page)
            keying.page.emulate_media(color_scheme="light")
