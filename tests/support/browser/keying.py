"""A table keyed in on the tablet by taps, each of them counted."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from playwright.sync_api import Browser
from playwright.sync_api import expect as expect_in_browser

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
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile
from referee.rules.seats import SEATS
from tests.support.browser.kept_pages import kept_tablet
from tests.support.browser.tablets import ENCUENTROS, Club
from tests.support.page_in_node import Found, PageInNode
from tests.support.page_in_node import expect as expect_in_node
from tests.support.records.dealt_out import Account, Player
from tests.support.servers.http_table import NAMES
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

HELD_MS = 2_000
_DRAWN = ("AO", "2C", "4E", "5B")


def expect(found: Any) -> Any:
    """Checks of elements, each of which is waited for."""
    return expect_in_node(found) if isinstance(found, Found) else expect_in_browser(found)


class Keying:
    """Taps on the page of a table, and how many of them each kind of act took.

    The page is one of a browser or one in node; elements are found in both with the same words.
    """

    def __init__(self, page: Any, club: Club, encuentro: str) -> None:
        self.page, self.club, self.encuentro = page, club, encuentro
        self.laid_in, self.last_by_itself = Counter[int](), 0
        self.deal = 0
        self.taps: Counter[str] = Counter()
        self.by_itself = 0

    def key(self, card: str) -> Any:
        """A card on the pad."""
        return self.page.locator(f'.table > .pad [data-card="{card}"]')

    def laid(self, card: str) -> Any:
        """A card on the table."""
        return self.page.locator(f'.felt .play[data-card="{card}"]')

    def seat(self, seat: str) -> Any:
        """A seat at the table."""
        return self.page.locator(f'.felt .seat[data-seat="{seat}"]')

    def sheet(self, what: str) -> Any:
        """Something in the open sheet."""
        return self.page.locator(f"dialog.sheet[open] {what}")

    def button(self, name: str) -> Any:
        """A button by its words."""
        return self.page.get_by_role("button", name=name, exact=True)

    def undo(self) -> Any:
        """The button that takes back."""
        return self.page.locator(".bar .undo")

    def tap(self, what: Any, kind: str = "") -> None:
        """One tap, counted for a kind of act."""
        what.tap()
        self.taps[kind] += 1

    def cards(self, *cards: str) -> None:
        """Cards laid, each by the seat whose turn it is."""
        for card in cards:
            self.tap(self.key(card), "card")

    def acts(self, acts: Iterable[TableAct]) -> None:
        """Key all acts in order; draws are implied, and the last card of a first deal may record
        itself.
        """
        for act in acts:
            self.act(act)

    def act(self, act: TableAct) -> None:
        """Key one act."""
        match act:
            case DealStarted() | CardDrawn():
                return
            case PintaTurned(card=card):
                self.tap(self.key(card), "pinta")
                self.deal += 1
            case CardPlayed(card=card):
                self.laid_in[self.deal] += 1
                if self.deal == 1 and self.laid_in[1] == self.last_by_itself:
                    self.by_itself += 1
                else:
                    self.tap(self.key(card), "card")
            case CanteAnnounced(seat=seat, suit=suit):
                self.tap(self.button("Cante"), "cante")
                self.tap(self.sheet(f'[data-cante="{seat}{suit}"]'), "cante")
            case PintaSwapped(seat=seat):
                self.tap(self.button("Cambio"), "swap")
                self.tap(self.sheet(f'[data-seat="{seat}"]'), "swap")
            case ClaimMade(seat=seat):
                self.tap(self.button("¡101!"), "claim")
                with finger_on(claimer := self.sheet(f'[data-seat="{seat}"]')):
                    expect(claimer).to_have_count(0)
                self.taps["claim"] += 1
            case CountEntered():
                self.tap(self.button("Contar"), "count")
            case _:
                raise AssertionError(act)

    def view(self, number: int = 1) -> dict[str, Any]:
        """The official view of a partida, once all that was keyed is in it."""
        expect(self.page.locator(".table")).to_have_attribute("aria-busy", "false")
        expect(self.page.locator("button.sync")).to_have_attribute("data-status", "sent")
        path = f"{ENCUENTROS}/{self.encuentro}/partidas/{number}"
        version = self.club.partidas(self.encuentro)[number - 1]["version"]
        wait_for(lambda: self.club.ask("GET", path)["version"] == version, "the view lags behind")
        return dict(self.club.ask("GET", path))


@contextmanager
def finger_on(what: Any) -> Iterator[None]:
    """A touch that starts on something and ends after the block."""
    if isinstance(what, Found):
        with what.pressed():
            yield
        return
    what.scroll_into_view_if_needed()
    box: Any = what.bounding_box()
    page = what.page
    session = page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    yield
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def touched(what: Any, for_ms: int) -> None:
    """A touch that ends after a time by the page's clock, however busy the machine."""
    what.evaluate(
        """async (one, time) => {
          const tell = (kind) => one.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerId: 1 }));
          setTimeout(() => tell("pointerup"), time);
          tell("pointerdown");
          await new Promise((done) => setTimeout(done, 3 * time));
        }""",
        for_ms,
    )


def opened(
    club: Club, name: str, options: Options, dealer: str, names: dict[str, str] = NAMES
) -> str:
    """Id of a new encuentro at which a seat was drawn to deal first; "": no draw."""
    seats = SEATS[options.players]
    body = {
        "profile": {"id": name},
        "players": options.players,
        "deck": options.deck,
        "seats": {seat: {"name": names[seat]} for seat in seats},
    }
    answer = club.ask("POST", ENCUENTROS, body)
    if not dealer:
        return str(answer["id"])
    order = [dealer, *(seat for seat in seats if seat != dealer)]
    fallen = dict(zip(order, _DRAWN, strict=False))
    draw = {
        "method": "a_la_mas_alta",
        "purpose": "dealer",
        "candidates": list(seats),
        "cards": [[seat, fallen[seat]] for seat in seats],
    }
    found = str(answer["id"])
    club.ask("POST", f"{ENCUENTROS}/{found}/draws", draw, answer["version"])
    return found


@contextmanager
def table(
    browser: Browser | PageInNode,
    served: Served,
    acts: Sequence[TableAct] = (),
    of: tuple[str, int, int] = ("club", 4, 40),
    dealer: str = "",
    lang: str = "es",
    **settings: Any,
) -> Iterator[Keying]:
    """The page of a new table at which this happened already."""
    name, players, deck = of
    options, club = profile(name).options(players, deck), Club(served)
    encuentro = opened(club, name, options, dealer or SEATS[players][-1])
    club.ask("POST", f"{ENCUENTROS}/{encuentro}/partidas", {}, 3)
    for at in range(0, len(acts), 100):
        club.record(encuentro, *(msgspec.to_builtins(act) for act in acts[at : at + 100]))
    club.ask("GET", f"{ENCUENTROS}/{encuentro}")  # once the service shows all of it
    with tablet_at(browser, served, encuentro, lang, **settings) as keying:
        for act in acts:
            keying.deal += isinstance(act, PintaTurned)
            keying.laid_in[keying.deal] += isinstance(act, CardPlayed)
        if options.claim_in == "vueltas" and options.renuncio_until != "next_trick":
            keying.last_by_itself = options.trick_count * players
        expect(keying.page.locator(".table .bar")).to_be_visible()
        yield keying


@contextmanager
def tablet_at(
    browser: Browser | PageInNode,
    served: Served,
    encuentro: str,
    lang: str = "es",
    **settings: Any,
) -> Iterator[Keying]:
    """The page of a table that there is."""
    if isinstance(browser, PageInNode):
        with browser.at(f"#/mesa/{encuentro}"):
            yield Keying(browser, Club(served), encuentro)
        return
    where = f"/arbitro/?lang={lang}#/mesa/{encuentro}"
    with kept_tablet(browser, served, where, **settings) as page:
        yield Keying(page, Club(served), encuentro)


def played(
    wanted: Callable[[Account], bool] = lambda _: True, of: tuple[str, int, int] = ("club", 4, 40)
) -> tuple[list[TableAct], Account]:
    """A random partida that ends as wanted."""
    name, players, deck = of
    for seed in itertools.count():
        player = Player(profile(name).options(players, deck), seed, observed=True)
        acts = player.partida()
        if wanted(player.account):
            return acts, player.account
    raise AssertionError


def first_deal(acts: Sequence[TableAct]) -> list[TableAct]:
    """Acts of the first deal of a partida."""
    deals = [place for place, act in enumerate(acts) if isinstance(act, DealStarted)]
    return list(acts[: deals[1]] if len(deals) > 1 else acts)
