"""A table keyed in on the tablet by taps, each of them counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Locator, Page

from referee.events import (
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    ClaimMade,
    CountEntered,
    DealStarted,
    PintaSwapped,
    PintaTurned,
    TableAct,
)

NAMES = {"A1": "Ana", "B1": "Blas", "A2": "Celia", "B2": "Diego", "C1": "Eva"}
HELD_MS = 1_300


class Keying:
    """Taps on the page of a table, and how many of them each kind of act took."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps: Counter[str] = Counter()

    def key(self, card: str) -> Locator:
        """A card on the pad."""
        return self.page.locator(f'.table > .pad [data-card="{card}"]')

    def laid(self, card: str) -> Locator:
        """A card on the table."""
        return self.page.locator(f'.felt .play[data-card="{card}"]')

    def button(self, name: str) -> Locator:
        """A button of the bar or of a sheet, by its words."""
        return self.page.get_by_role("button", name=name, exact=True)

    def tap(self, what: Locator, kind: str) -> None:
        """One tap, counted for a kind of act."""
        what.tap()
        self.taps[kind] += 1

    def hold(self, what: Locator, ms: int, kind: str) -> None:
        """A finger that stays for so long."""
        press(what, ms)
        self.taps[kind] += 1

    def acts(self, acts: Iterable[TableAct]) -> None:
        """Everything that happened, one act after the other; draws are taken for granted."""
        for act in acts:
            self.act(act)

    def act(self, act: TableAct) -> None:
        """One act as the arbiter keys it."""
        match act:
            case DealStarted() | CardDrawn():
                return
            case PintaTurned(card=card):
                self.tap(self.key(card), "pinta")
            case CardPlayed(card=card):
                self.tap(self.key(card), "card")
            case CanteAnnounced(seat=seat, suit=suit):
                self.tap(self.button("Cante"), "cante")
                self.tap(self.page.locator(f'[data-cante="{seat}{suit}"]'), "cante")
            case PintaSwapped(seat=seat):
                self.tap(self.button("Cambio"), "swap")
                self.tap(self.page.locator(f'.sheet [data-seat="{seat}"]'), "swap")
            case ClaimMade(seat=seat):
                self.tap(self.button("¡101!"), "claim")
                self.hold(self.page.locator(f'.sheet [data-seat="{seat}"]'), HELD_MS, "claim")
            case CountEntered():
                self.tap(self.button("Contar"), "count")
            case _:
                raise AssertionError(act)


def press(what: Locator, ms: int) -> None:
    """A finger put on something, and taken off after a while."""
    box: Any = what.bounding_box()
    page = what.page
    session = page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.wait_for_timeout(ms)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()
