"""A tap on the tablet is answered with a vibration, where there is one and people want motion."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser.keying import finger_on, table
from tests.support.browser.table_states import OPENED
from tests.support.servers.served import Served

_HEARD = """() => {
  window.felt = [];
  Object.defineProperty(navigator, "vibrate", { value: (time) => window.felt.push(time) > 0, configurable: true });
}"""


@pytest.mark.parametrize(
    ("settings", "felt"), [({}, [12, 12, 40]), ({"reduced_motion": "reduce"}, [])]
)
def test_taps_and_held_buttons_are_felt(
    browser: Browser, served: Served, settings: dict[str, Any], felt: list[int]
) -> None:
    with table(browser, served, OPENED, **settings) as keying:
        keying.page.evaluate(_HEARD)
        keying.cards("AC")
        expect(keying.laid("AC")).to_be_visible()
        keying.tap(keying.button("¡101!"))
        with finger_on(claimer := keying.sheet('[data-seat="A1"]')):
            expect(claimer).to_have_count(0)
        assert keying.page.evaluate("felt.slice(0, 3)") == felt


def test_a_tablet_that_cannot_vibrate_works_alike(browser: Browser, served: Served) -> None:
    with table(browser, served, OPENED) as keying:
        keying.page.evaluate("Object.defineProperty(navigator, 'vibrate', { value: undefined })")
        keying.cards("AC")
        expect(keying.laid("AC")).to_be_visible()
