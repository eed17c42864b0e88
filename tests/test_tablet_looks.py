"""The table on the tablet for everybody: axe in every state and language, quick on a slow machine, not heavy."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from api.i18n import LANGUAGES
from referee.events import (
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    DealStarted,
    PintaSwapped,
    PintaTurned,
    TableAct,
)
from referee.rules.profile import profile
from tests.dealt_out import Player
from tests.keying import Keying, first_deal, played, table
from tests.pages import HEAVIEST_PAGE, PHONE, no_violations
from tests.served import Served

SLOWER = 6
QUICK_MS = 150
BETWEEN_TAPS_S = 0.5
TRIES = 3
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


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everybody_can_use_a_table(browser: Browser, served: Served, lang: str) -> None:
    plays = [CardPlayed(seat, card) for seat, card in (("B1", "2C"), ("A1", "AC"))]
    acts = [DealStarted("B2"), PintaTurned("7O"), *plays]
    settings = {"es": {}, "ca": DARK, "en": PHONE, "fr": {**PHONE, **DARK}}[lang]
    with table(browser, served, acts, lang=lang, **settings) as keying:
        for _ in states(keying):
            no_violations(keying.page)


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


_TIMED = """() => {
  window.taken = [];
  addEventListener("click", (event) => {
    const key = event.target.closest(".pad [data-card]");
    if (!key || !event.isTrusted) return;
    const [began, before] = [event.timeStamp, document.querySelector(".bar .undo").textContent];
    const look = () => {
      if (document.querySelector(".bar .undo").textContent === before) return requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => taken.push(performance.now() - began)));
    };
    setTimeout(look);
  }, true);
}"""


def cards_only() -> list[TableAct]:
    """A first deal with nothing but its pinta and its cards."""
    for seed in itertools.count():
        acts = first_deal(Player(profile("club").options(4, 40), seed, observed=True).partida())
        if not any(isinstance(act, CanteAnnounced | PintaSwapped) for act in acts):
            return [act for act in acts if not isinstance(act, CardDrawn)]
    raise AssertionError


_PLACES = """() => Object.fromEntries([...document.querySelectorAll(".table > .pad [data-card]")].map((key) => {
  const box = key.getBoundingClientRect();
  return [key.dataset.card, { x: box.x + box.width / 2, y: box.y + box.height / 2 }];
}))"""


def taken_by_a_deal(browser: Browser, served: Served) -> list[float]:
    """Milliseconds from each tap of a deal to its paint, on a machine so much slower, in order of length."""
    first, *acts = cards_only()
    assert isinstance(first, DealStarted)
    with table(browser, served, dealer=first.dealer) as keying:
        session = keying.page.context.new_cdp_session(keying.page)
        places = keying.page.evaluate(_PLACES)
        keying.page.evaluate(_TIMED)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        for act in acts:
            assert isinstance(act, PintaTurned | CardPlayed)
            point = places[act.card]
            session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
            session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            time.sleep(BETWEEN_TAPS_S)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        assert keying.view()["deals"][0]["counted"]
        taken = sorted(keying.page.evaluate("window.taken"))
        assert len(taken) == len(acts)
        return taken


def test_a_tap_is_painted_at_once_on_a_slow_tablet(browser: Browser, served: Served) -> None:
    found = []
    for _ in range(TRIES):
        taken = taken_by_a_deal(browser, served)
        found.append(round(taken[len(taken) * 95 // 100]))
        if found[-1] < QUICK_MS:
            return
    if os.getloadavg()[0] > (os.cpu_count() or 1):
        pytest.skip(f"the machine is busy with other things: p95 of {found} ms")
    raise AssertionError(found)


def test_a_table_is_not_heavy(browser: Browser, served: Served) -> None:
    with table(browser, served) as keying:
        keying.page.wait_for_load_state("networkidle")
        sent = keying.page.evaluate(
            """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
              .filter((one) => !one.name.includes("/api/")).reduce((sum, one) => sum + one.encodedBodySize, 0)"""
        )
        assert 20_000 < sent < HEAVIEST_PAGE
