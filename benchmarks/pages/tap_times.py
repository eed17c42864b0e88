"""How long the tablet takes from a tap to what it paints, over a whole deal."""

from __future__ import annotations

import itertools
import time
from typing import NamedTuple

from playwright.sync_api import Browser, CDPSession

from referee.events import (
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    DealStarted,
    PintaSwapped,
    PintaTurned,
    TableAct,
)
from referee.rules.profile.profile import profile
from tests.support.browser.keying import first_deal, table
from tests.support.records.dealt_out import Player
from tests.support.servers.served import Served

BETWEEN_TAPS_S = 0.5

_TIMED = """() => {
  window.taken = [];
  addEventListener("click", (event) => {
    const key = event.target.closest(".pad [data-card]");
    if (!key || !event.isTrusted) return;
    const last = () => document.querySelector(".bar .undo").textContent;
    const [began, before] = [event.timeStamp, last()];
    const look = () => {
      if (last() === before) return requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => taken.push(performance.now() - began)));
    };
    setTimeout(look);
  }, true);
}"""

_PLACES = """() => Object.fromEntries([...document.querySelectorAll(".pad [data-card]")].filter(
  (key) => key.closest(".table > .pad")).map((key) => {
  const box = key.getBoundingClientRect();
  return [key.dataset.card, { x: box.x + box.width / 2, y: box.y + box.height / 2 }];
}))"""


def cards_only() -> list[TableAct]:
    """A first deal with nothing but its pinta and its cards."""
    for seed in itertools.count():
        acts = first_deal(Player(profile("club").options(4, 40), seed, observed=True).partida())
        if not any(isinstance(act, CanteAnnounced | PintaSwapped) for act in acts):
            return [act for act in acts if not isinstance(act, CardDrawn)]
    raise AssertionError


class Tapped(NamedTuple):
    """A deal tapped in: milliseconds from each tap to its paint, sorted, and the page's work."""

    taken: list[float]
    busy_ms: float


def tapped_deal(browser: Browser, served: Served, slower: int) -> Tapped:
    """Every card of a deal, on a machine so much slower."""
    first, *acts = cards_only()
    assert isinstance(first, DealStarted)
    with table(browser, served, dealer=first.dealer) as keying:
        session = keying.page.context.new_cdp_session(keying.page)
        places = keying.page.evaluate(_PLACES)
        keying.page.evaluate(_TIMED)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        before = busy_ms(session)
        for act in acts:
            assert isinstance(act, PintaTurned | CardPlayed)
            tap(session, places[act.card])
            time.sleep(BETWEEN_TAPS_S)
        busy = busy_ms(session) - before
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        assert keying.view()["deals"][0]["counted"]
        taken = sorted(keying.page.evaluate("window.taken"))
        assert len(taken) == len(acts)
        return Tapped(taken, busy)


def busy_ms(session: CDPSession) -> float:
    """Processor time that the page has taken in all its tasks."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1_000 * next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


def tap(session: CDPSession, point: dict[str, float]) -> None:
    """One touch of the screen."""
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def percentile(ordered: list[float], percent: int) -> float:
    """Of values in order."""
    return ordered[len(ordered) * percent // 100]
