"""Accessibility of the forms of the tablet: axe, sizes of buttons, texts in every language."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from referee.events import CardPlayed
from tests.support.browser.form_keying import TRICK
from tests.support.browser.keying import table
from tests.support.browser.pages import PHONE, no_violations
from tests.support.servers.served import Served

LEAST_PX = 48
AT_ONCE = {"time", "resume"}
_KINDS = "all => all.map(e => e.dataset.kind)"
_HEIGHTS = "all => all.map(e => e.getBoundingClientRect().height).filter(height => height > 0)"


@pytest.mark.parametrize(
    ("lang", "settings"), [("es", {}), ("fr", {**PHONE, "color_scheme": "dark"})]
)
def test_everybody_can_fill_in_a_form(
    browser: Browser, served: Served, lang: str, settings: dict[str, Any]
) -> None:
    with table(browser, served, [*TRICK, CardPlayed("A1", "3C")], lang=lang, **settings) as keying:
        more, sheet = keying.page.locator(".bar button").last, keying.page.locator("dialog.sheet")
        more.tap()
        expect(sheet).to_be_visible()
        kinds = keying.sheet("[data-kind]").evaluate_all(_KINDS)
        assert len(kinds) > len(AT_ONCE)
        for kind in [one for one in kinds if one not in AT_ONCE]:
            keying.sheet(f'[data-kind="{kind}"]').tap()
            expect(keying.sheet("form .main")).to_be_visible()
            for folded in keying.sheet("details:not([open]) summary").all():
                folded.tap()
            no_violations(keying.page)
            heights = keying.sheet("button, input, summary").evaluate_all(_HEIGHTS)
            assert min(heights) >= LEAST_PX, kind
            assert "tablet." not in sheet.inner_text()
            keying.sheet("header button").tap()
            expect(sheet).to_have_count(0)
            more.tap()
            expect(sheet).to_be_visible()
