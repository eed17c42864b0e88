"""Sheets and forms of the tablet in a browser: axe, sizes of buttons, no text missing, on every screen."""

from __future__ import annotations

import os
from typing import Any

from playwright.sync_api import Browser, expect

from tests.support.browser.form_keying import (
    choose,
    in_vueltas_with_renuncios_of_all_deals,
    more,
    trick,
)
from tests.support.browser.keying import Keying, table, tablet_at
from tests.support.browser.pages import LOOKED_AT, PHONE, no_violations
from tests.support.browser.table_states import NEXT_TRICK, NO_STOCK, SHOWN, UNFOLLOWED
from tests.support.browser.tablets import Club
from tests.support.records.table_text import plays
from tests.support.servers.http_table import NAMES
from tests.support.servers.served import Served

LEAST_PX = 48
AT_ONCE = {"time", "resume", "claim_rest"}
DARK = {"color_scheme": "dark"}
SETTINGS: dict[str, dict[str, Any]] = {"ca": DARK, "en": PHONE, "fr": {**PHONE, **DARK}}
_KINDS = "all => all.map(e => e.dataset.kind)"
_HEIGHTS = "all => all.map(e => e.getBoundingClientRect().height).filter(height => height > 0)"
_UNFOLD = "all => all.forEach(e => { e.open = true; })"


def well_made(keying: Keying, what: str) -> None:
    """The open sheet is easy to use: for a finger, for a screen reader, in its language."""
    no_violations(keying.page)
    heights = keying.sheet(".inside").locator("button, input, summary, a.button")
    assert min(heights.evaluate_all(_HEIGHTS)) >= LEAST_PX, what


def test_every_form_is_readable_and_fits_a_finger_whatever_the_screen_and_its_colours(
    browser: Browser, served: Served
) -> None:
    for lang in LOOKED_AT:
        settings = SETTINGS.get(lang, {})
        with table(browser, served, NEXT_TRICK, lang=lang, **settings) as keying:
            every_form(keying)
    encuentro = in_vueltas_with_renuncios_of_all_deals(Club(served))
    with tablet_at(browser, served, encuentro) as keying:
        more(keying, "denounce")
        choose(keying, Quién_denuncia="Blas", A_quién="Ana", Reparto="Reparto 1")
        keying.tap(trick(keying, 10))
        well_made(keying, "denounce in vueltas")


def every_form(keying: Keying) -> None:
    """Each form of a running deal, unfolded; then the focus is where it was."""
    open_sheet = keying.page.locator(".bar button").last
    open_sheet.tap()
    expect(keying.sheet("[data-kind]").first).to_be_visible()
    kinds = keying.sheet("[data-kind]").evaluate_all(_KINDS)
    assert len(kinds) > len(AT_ONCE)
    for kind in [one for one in kinds if one not in AT_ONCE]:
        keying.sheet(f'[data-kind="{kind}"]').tap()
        expect(keying.sheet("form .main")).to_be_visible()
        keying.sheet("details").evaluate_all(_UNFOLD)
        well_made(keying, kind)
        keying.sheet("button.plain").last.tap()
        if kind == "deal":  # that of the running deal is changed in a sheet of its own
            open_sheet.tap()
    keying.page.keyboard.press("Escape")
    expect(keying.page.locator("dialog.sheet")).to_have_count(0)
    expect(open_sheet).to_be_focused()


def test_questions_and_verdicts_about_a_renuncio_are_readable_and_fit_every_screen(
    browser: Browser, served: Served
) -> None:
    followed = [*UNFOLLOWED[:2], *plays("A1 2C, B1 2E, A2 4C, B2 5C")]
    for lang in LOOKED_AT:
        proof = plays("B2 4E, A1 5E, B1 6C, A2 6E") if lang in {"es", "fr"} else []
        settings = SETTINGS.get(lang, {})
        with table(browser, served, [*followed, *proof], NO_STOCK, lang=lang, **settings) as keying:
            verdict(keying)
    with table(browser, served, [*UNFOLLOWED, *SHOWN], of=NO_STOCK) as keying:
        question(keying)


def verdict(keying: Keying) -> None:
    """The sheet of an accusation, once the service has judged it."""
    keying.page.locator(".bar button").last.tap()
    keying.sheet('[data-kind="denounce"]').tap()
    for place, seat in enumerate(("A1", "B1")):
        keying.sheet(".form > .choice").nth(place).get_by_role("button", name=NAMES[seat]).tap()
    keying.sheet('[data-trick="1"]').tap()
    keying.sheet(".form .main").tap()
    expect(keying.sheet(".accused")).to_have_attribute("data-from", "service")
    well_made(keying, "accused")
    keying.page.keyboard.press("Escape")
    expect(keying.page.locator("dialog.sheet")).to_have_count(0)


SCREENS = {"phone": (390, 844), "tablet": (800, 1280), "desk": (1440, 900)}


def question(keying: Keying) -> None:
    """What the tablet asks about a renuncio that it noticed, on every screen."""
    notice, page = keying.page.locator(".asked"), keying.page
    no_violations(page)
    for screen, (width, height) in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        expect(notice).to_be_in_viewport()
        expect(keying.key("7B")).to_be_in_viewport()
        page.wait_for_function("() => document.body.scrollWidth <= innerWidth")
        if folder := os.environ.get("PICTURES"):
            page.screenshot(path=f"{folder}/asked-{screen}.png")
    notice.get_by_role("button").tap()
    expect(keying.sheet(".findings")).to_be_visible()
    well_made(keying, "asked")
