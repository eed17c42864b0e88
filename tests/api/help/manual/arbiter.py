"""How the tasks of the arbiter are done, on a tablet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from playwright.sync_api import Locator, expect

from referee.events import CardPlayed, ClaimMade, TableAct
from referee.rules.profile.profile import profile
from tests.api.help.manual.newcomer import Newcomer, done
from tests.support.browser.keying import finger_on, first_deal, opened, played
from tests.support.browser.pages import TABLET, connect, cut_off
from tests.support.browser.table_states import (
    NEXT_TRICK,
    NO_STOCK,
    OPENED,
    SHOWN,
    TRICK,
    UNFOLLOWED,
    WON,
)
from tests.support.browser.tablets import ENCUENTROS, Club

SEATED: Final = {
    "A1": "Pilar Gracia",
    "B1": "Fermín Calvo",
    "A2": "Elena Bielsa",
    "B2": "Óscar Lacasa",
}
SHEET: Final = "dialog.sheet[open]"


def given(
    one: Newcomer,
    acts: Sequence[TableAct] = (),
    of: tuple[str, int, int] = ("club", 4, 40),
    won: int = 0,
) -> str:
    """Id of a table at which this happened already, after so many partidas that A won."""
    name, players, deck = of
    club = Club(one.served)
    found = opened(club, name, profile(name).options(players, deck), "B2", SEATED)
    for number in range(1, won + 2):
        club.ask("POST", f"{ENCUENTROS}/{found}/partidas", {}, 2 + number)
        its = [WON] if number <= won else acts
        if its:
            club.record(found, *(msgspec.to_builtins(act) for act in its), number=number)
    return found


def to_table(one: Newcomer, encuentro: str) -> None:
    """From the home page to a table."""
    one.main_way("way.tablet")
    one.tap(one.page.locator(f'main a[href$="{encuentro}"]').first)
    expect(one.page.locator(".table .bar")).to_be_visible()


def key(one: Newcomer, card: str) -> Locator:
    """A card of the pad."""
    return one.page.locator(f'.table > .pad [data-card="{card}"]')


def laid(one: Newcomer, *cards: str) -> None:
    """Cards tapped one after the other."""
    for card in cards:
        one.tap(key(one, card))


def held(one: Newcomer, what: Locator, until: Locator) -> None:
    """A finger that rests on something until something else is there."""
    with finger_on(what):
        expect(until).to_be_visible()
    one.taps += 1


@done("abrir-mesa", 7, on=TABLET)
def table(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.tablet")
    one.go("tablet.open.new")
    for name in SEATED.values():
        one.press(name)
    one.sees("tablet.open.draw_partners")
    one.picture("abrir-mesa", page.locator("main"))
    one.press_key("tablet.open.open")
    expect(page.locator("section.table")).to_be_visible()


@done("apuntar-cartas", 9, on=TABLET)
def cards(one: Newcomer) -> None:
    page = one.page
    acts, _ = played()
    *so_far, last = first_deal(acts)
    assert isinstance(last, CardPlayed)
    over = given(one, so_far)
    to_table(one, given(one))
    laid(one, "7O", "AC", "2C", "4C")
    one.picture("apuntar-cartas", page.locator(".table"), around=0)
    one.home()
    one.tap(page.locator(f'main a[href$="{over}"]'))
    laid(one, last.card)
    expect(page.locator(".count")).to_be_visible()
    one.picture("tanteo", page.locator(".felt"), around=0)


@done("deshacer-y-corregir", 11, on=TABLET)
def undone(one: Newcomer) -> None:
    page = one.page
    to_table(one, given(one, NEXT_TRICK))
    one.tap(page.get_by_role("button", name=one.words("tablet.table.undo")))
    one.tap(page.locator(".felt .play").first)
    one.tap(key(one, "AE"))
    one.press_key("tablet.table.log")
    one.picture("bazas", page.locator(SHEET), around=0)
    one.press("Cerrar")
    one.tap(page.locator(".felt .last"))
    one.tap(page.locator('.felt .play[data-card="2C"]'))
    one.tap(key(one, "3O"))
    expect(page.locator(f"{SHEET} .changes li").first).to_be_visible()
    one.picture("que-cambia", page.locator(SHEET), around=0)
    one.press_key("tablet.table.confirm")


@done("cantes-y-siete", 7, on=TABLET)
def cantes(one: Newcomer) -> None:
    page = one.page
    to_table(one, given(one, TRICK))
    one.press_key("tablet.table.cante")
    one.picture("cante", page.locator(SHEET), around=0)
    one.tap(page.locator(f'{SHEET} [data-cante="A1E"]'))
    expect(page.locator(SHEET)).to_have_count(0)
    one.press_key("tablet.table.swap")
    one.tap(page.locator(f'{SHEET} [data-seat="A1"]'))
    one.press_key("tablet.table.more")
    one.sees("tablet.table.kind.show")


@done("cantar-las-101", 4, on=TABLET)
def claim(one: Newcomer) -> None:
    page = one.page
    acts, _ = played(lambda account: account.how == "claim" and account.winner == "A")
    claimed = acts[-1]
    assert isinstance(claimed, ClaimMade)
    to_table(one, given(one, acts[:-1]))
    one.press_key("tablet.table.claim")
    one.picture("ciento-una", page.locator(SHEET), around=0)
    who = page.locator(f'{SHEET} [data-seat="{claimed.seat}"]')
    held(one, who, page.locator(".decided h2"))


def denounced(one: Newcomer, by: str, against: str) -> Locator:
    """A renuncio of the first trick denounced on the tablet, and what the program says of it."""
    one.press_key("tablet.table.more")
    one.press_key("tablet.table.kind.denounce")
    for place, seat in enumerate((by, against)):
        group = one.page.locator(f"{SHEET} .form > .choice").nth(place)
        one.tap(group.get_by_role("button", name=SEATED[seat], exact=True))
    one.tap(one.page.locator(f'{SHEET} [data-trick="1"]'))
    one.tap(one.page.locator(f"{SHEET} .form .main"))
    said = one.page.locator(f"{SHEET} .accused")
    expect(said).to_have_attribute("data-from", "service")
    return said


@done("renuncio-y-caso", 24, on=TABLET)
def renuncio(one: Newcomer) -> None:
    page = one.page
    to_table(one, given(one, [*UNFOLLOWED, *SHOWN], NO_STOCK))
    denounced(one, "A1", "B1")
    one.sees("tablet.accused.not_proved")
    one.press("Cerrar")
    denounced(one, "B1", "A2")
    one.sees("tablet.accused.proved")
    expect(page.locator(f"{SHEET} .case")).to_be_visible()
    page.mouse.move(0, 0)  # nothing is under the finger that tapped
    one.picture("probado", page.locator(SHEET), around=0)
    one.press("Cerrar")
    one.home()
    one.tap(page.locator("main .club a", has_text="Jorge Marco").first)
    one.press_key("tablet.table.more")
    one.go("tablet.table.cases")
    one.sees("page.replay")
    one.follow("Caso 1")
    one.fill("#rule-by", "Julia Vera")
    one.tap(page.locator("button[name=likely]").first)
    one.picture("resolucion", page.locator("section", has=page.locator("#preview")).last)
    one.press_key("case.record")
    expect(page.locator("h1")).to_contain_text("resuelto")


@done("acta-y-firma", 9, on=TABLET)
def acta(one: Newcomer) -> None:
    page = one.page
    to_table(one, given(one, [WON], won=5))
    one.tap(page.locator("[data-report=A1]"))
    expect(page.locator("[data-confirm=B2]")).to_be_visible()
    one.picture("de-acuerdo", page.locator(".table .decided"), without=".on-phone")
    held(one, page.locator("[data-confirm=B2]"), page.locator('[data-stage="confirmed"]'))
    one.go("tablet.agree.page")
    one.go("acta.title")
    one.go("signing.sign")
    one.fill("#sign-by", "Julia Vera")
    one.press_key("signing.sign")
    expect(page.locator(".acta")).to_contain_text("Firma el acta: Julia Vera")


@done("sin-conexion", 6, on=TABLET)
def offline(one: Newcomer) -> None:
    page = one.page
    to_table(one, given(one, OPENED))
    cut_off(page)
    laid(one, "AC", "2C", "4C")
    expect(page.locator("button.sync")).to_contain_text("3")
    one.picture("sin-conexion", page.locator("header.top"), page.locator(".table .felt"))
    one.tap(page.locator("button.sync"))
    one.sees("leaving.link")
    connect(page)
    expect(page.locator("button.sync")).to_have_attribute("data-status", "sent")
