"""Walls: never taller than the screen, read from the back of a hall, page by page by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser.pages import (
    LOOKED_AT,
    PHONE,
    TELEVISION,
    address,
    no_violations,
    no_violations_in_any_language,
    site,
    visiting,
)
from tests.support.days import today
from tests.support.servers.club_tables import Club, Director, deal, trick, whole_deal

SMALL = {"viewport": {"width": 1366, "height": 768}}
SCREENS = (TELEVISION, SMALL)
CALM: dict[str, Any] = {"reduced_motion": "reduce"}
TURN_MS = 12_000
A_NUMBER = re.compile(r"\d")
LEAST = 0.04
"""Height of what is read from the back, of the height of the screen."""
PLAYERS = ("Pilar Gracia", "Joaquín Lahoz", "Mari Carmen Íñiguez", "Chesús Bernal")
_SIZES = """(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility() && one.getClientRects().length)
  .map((one) => parseFloat(getComputedStyle(one).fontSize) / innerHeight)"""
_LINES = """(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility() && one.textContent.trim())
  .map((one) => one.getBoundingClientRect().height / innerHeight)"""
_OUTSIDE = """() => {
  const screen = document.querySelector("main").getBoundingClientRect();
  return [...document.querySelectorAll("[data-item]:not([hidden]), main > header")]
    .map((one) => one.getBoundingClientRect())
    .filter((box) => box.bottom > screen.bottom + 1 || box.right > innerWidth + 1 || box.top < 0).length;
}"""
_SHOWN = """() => [...document.querySelectorAll("[data-item]")]
  .filter((one) => one.checkVisibility()).map((one) => one.dataset.item)"""
_SCROLLS = """() => ["scrollHeight", "scrollWidth"].map(
  (side) => document.documentElement[side] - (side === "scrollHeight" ? innerHeight : innerWidth))"""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Director]:
    """Eight pairs of pairs called, eight tables that play, two that are over."""
    with site(tmp_path_factory.mktemp("hall")) as served:
        director = Director(served)
        for number in range(8):
            table = director.table(*PLAYERS)
            director.won(table, *"AB"[: number % 3])
            director.partida(table, *whole_deal("B2", 74), *deal("A1", "AB"), trick("A1", 3))
        day = today().isoformat()
        for winner in "AB":
            director.rule(director.table(*PLAYERS, day=day), winner)
        director.id = director.tournament(16, day, format="knock_out", minutes=45)
        director.do("tables", {})
        for one in director.open():
            director.do(f"meetings/{one['id']}/call")
        director.do("rounds/1/clock", {})
        director.read(director.path)
        yield director


@pytest.fixture(scope="module")
def knock_out(hall: Director) -> Director:
    """Sixteen pairs with a consolation: three called, one result, the others to come."""
    director = Director(hall.served)
    director.id = director.tournament(
        16, format="knock_out", has_consolation=True, has_third_place=True, tables=8
    )
    director.do("tables", {})
    waiting = director.open()
    for one in waiting[2:5]:
        director.do(f"meetings/{one['id']}/call")
    director.win(waiting[0], waiting[0]["pairs"][0])
    director.read(director.path)
    return director


def opened(page: Page, club: Club, path: str) -> None:
    """A wall that is laid out, with a clock that a test puts forward."""
    page.clock.install()
    page.goto(address(club.served, path))
    expect(page.locator("#turns")).to_have_attribute("data-of", A_NUMBER)


def whole(page: Page) -> None:
    """No scroll bar, and nothing outside the screen or too small to be read from the back."""
    assert page.evaluate(_SCROLLS) == [0, 0]
    assert page.evaluate(_OUTSIDE) == 0
    for selector in ("h1", ".time", ".names:not(.tie.done *)", ".at:not(.tie.done *)"):
        found = [*page.evaluate(_SIZES, selector), *page.evaluate(_LINES, selector)]
        assert min(found, default=1) >= LEAST, (selector, found)


def turned(page: Page) -> Iterator[int]:
    """The number of each page, as the clock of the wall itself turns them."""
    for number in range(1, int(page.locator("#turns").get_attribute("data-of") or 1) + 1):
        if number > 1:
            page.clock.fast_forward(TURN_MS)
        is_at(page, number)
        yield number


def is_at(page: Page, number: int) -> None:
    expect(page.locator("#turns")).to_have_attribute("data-at", str(number))


def items(page: Page) -> list[str]:
    return [str(one.get_attribute("data-item")) for one in page.locator("[data-item]").all()]


@pytest.mark.parametrize("screen", SCREENS, ids=["1080", "768"])
def test_a_hall_of_eight_calls_and_eight_tables_is_never_taller_than_its_screen(
    browser: Browser, hall: Director, screen: dict[str, Any]
) -> None:
    with visiting(browser, hall.served, "/healthz", **screen) as page:
        opened(page, hall, "/sala/")
        assert len(items(page)) == 8 + 8 + 2
        shown: list[str] = []
        called: list[float] = []
        others: list[float] = []
        for _ in turned(page):
            whole(page)
            shown += page.evaluate(_SHOWN)
            called += page.evaluate(_SIZES, ".called .names")
            others += page.evaluate(_SIZES, ".table .names")
        assert shown == items(page)
        assert len(called) == 8 * 2
        assert min(called) > 1.2 * max(others)


@pytest.mark.parametrize("screen", SCREENS, ids=["1080", "768"])
@pytest.mark.parametrize("what", ["", "/cuadro", "/clasificacion"])
def test_a_tournament_of_sixteen_pairs_is_never_taller_than_its_screen(
    browser: Browser, knock_out: Director, what: str, screen: dict[str, Any]
) -> None:
    with visiting(browser, knock_out.served, "/healthz", **screen) as page:
        opened(page, knock_out, f"/torneos/{knock_out.id}/pared{what}")
        shown: list[str] = []
        for _ in turned(page):
            whole(page)
            shown += page.evaluate(_SHOWN)
        assert shown == items(page)
        names = page.locator("[data-item] .names").all_text_contents()
        assert len(names) >= 16


def test_the_called_and_the_unfinished_are_shown_first_and_what_is_over_last(
    browser: Browser, hall: Director, knock_out: Director
) -> None:
    with visiting(browser, hall.served, "/sala/", **TELEVISION) as page:
        kinds = page.locator("[data-item]").evaluate_all("all => all.map((one) => one.className)")
        assert kinds == [*["called"] * 8, *["table"] * 8, *["table over"] * 2]
        page.goto(address(hall.served, f"/torneos/{knock_out.id}/pared"))
        waiting = page.locator("[data-part=now] li")
        classes = waiting.evaluate_all("all => all.map((one) => one.className)")
        assert classes == [*["called"] * 3, *["open"] * 4]
        first = page.locator(".main .rounds").first
        assert first.locator(".tie.called").count() == 2
        assert page.locator(".main .rounds").count() == 4


def test_pages_stop_while_somebody_reads_them(browser: Browser, hall: Director) -> None:
    with visiting(browser, hall.served, "/healthz", **TELEVISION, **CALM) as page:
        opened(page, hall, "/sala/")
        page.clock.fast_forward(TURN_MS)
        is_at(page, 2)
        page.mouse.move(500, 500)
        page.clock.fast_forward(TURN_MS)
        is_at(page, 2)
        page.clock.fast_forward(6 * TURN_MS)  # a pointer left on a television holds nothing
        is_at(page, 3)
        page.locator("article.table:visible a").first.focus()
        page.clock.fast_forward(6 * TURN_MS)
        is_at(page, 3)
        page.keyboard.press("ArrowRight")
        is_at(page, 1)
        page.keyboard.press("Space")
        page.clock.fast_forward(6 * TURN_MS)
        is_at(page, 1)
        hold = page.get_by_role("button", name="Parar")
        expect(hold).to_have_attribute("aria-pressed", "true")
        hold.click()
        page.mouse.move(700, 1075)
        page.clock.fast_forward(TURN_MS)
        is_at(page, 2)
        page.get_by_role("button", name="Página anterior").click()
        is_at(page, 1)
        no_violations(page)


@pytest.mark.parametrize(("motion", "drawn"), [("no-preference", "turned"), ("reduce", "none")])
def test_a_page_fades_in_only_for_those_who_bear_motion(
    browser: Browser, hall: Director, motion: Any, drawn: str
) -> None:
    with visiting(browser, hall.served, "/sala/", **TELEVISION, reduced_motion=motion) as page:
        expect(page.locator("#turns")).to_have_attribute("data-at", "1")
        page.keyboard.press("PageDown")
        expect(page.locator("main")).to_have_class("turned")
        first = page.locator("main > :not(header, [hidden])").first
        assert first.evaluate("one => getComputedStyle(one).animationName") == drawn


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Club]:
    """A hall that a test changes."""
    with site(tmp_path) as served:
        yield Club(served)


def test_one_table_alone_fills_the_screen(browser: Browser, small: Club) -> None:
    table = small.table(*PLAYERS)
    small.won(table, "A")
    small.read(small.partida(table, *deal("B2", "7C")))
    for screen in SCREENS:
        with visiting(browser, small.served, "/sala/", **screen) as page:
            whole(page)
            box = page.locator("article.table").bounding_box()
            assert box is not None
            width, height = screen["viewport"].values()
            assert box["width"] * box["height"] > 0.7 * width * height
            assert min(page.evaluate(_SIZES, ".sides .names")) > 2 * LEAST
            expect(page.locator(".past")).to_contain_text("Partida 1 para")
            assert page.evaluate(_SIZES, ".past .names")[0] > LEAST
            expect(page.locator(".legend li")).to_have_text(["partida ganada", "coto ganado"])
            expect(page.locator("#turns")).to_be_hidden()


def test_a_change_of_a_table_leaves_the_page_that_is_shown(browser: Browser, small: Club) -> None:
    tables = [small.table(*PLAYERS) for _ in range(12)]
    partida = small.partida(tables[-1])
    small.read(partida)
    with visiting(browser, small.served, "/healthz", **TELEVISION) as page:
        opened(page, small, "/sala/")
        expect(page.locator("#state")).to_have_attribute("data-state", "live")
        page.keyboard.press("ArrowRight")
        is_at(page, 2)
        shown = page.evaluate(_SHOWN)
        page.evaluate("document.querySelectorAll('article').forEach((one) => { one.old = true })")
        small.act(partida, *deal("B2"))
        expect(page.locator("article:visible").last).to_contain_text("Con mazo")
        is_at(page, 2)
        assert page.evaluate(_SHOWN) == shown
        drawn = page.locator("article").evaluate_all("all => all.filter((one) => !one.old).length")
        assert drawn == 1
        page.clock.fast_forward(TURN_MS)
        is_at(page, 1)
        whole(page)


def test_a_pair_that_is_called_is_shown_at_once(browser: Browser, small: Club) -> None:
    for _ in range(12):
        small.table(*PLAYERS)
    director = Director(small.served)
    day = today().isoformat()
    director.tournament(4, day, format="knock_out", has_consolation=True)
    for one in director.open():
        director.win(one, one["pairs"][0])
    director.do("tables", {})
    director.read(director.path)
    with visiting(browser, small.served, "/healthz", **TELEVISION) as page:
        opened(page, small, "/sala/")
        expect(page.locator("#state")).to_have_attribute("data-state", "live")
        page.keyboard.press("ArrowRight")
        is_at(page, 2)
        for one in director.open():
            director.do(f"meetings/{one['id']}/call")
        expect(page.locator(".called .at")).to_have_count(2)
        expect(page.locator(".called .draw")).to_have_text("Consolación")
        is_at(page, 1)
        whole(page)


def test_without_scripts_and_on_a_phone_a_wall_is_one_long_page(
    browser: Browser, hall: Director, knock_out: Director
) -> None:
    paths = ("/sala/", f"/torneos/{knock_out.id}/pared")
    for settings in ({**TELEVISION, "java_script_enabled": False}, PHONE):
        for path in paths:
            with visiting(browser, hall.served, path, **settings) as page:
                every = page.locator("[data-item]")
                assert every.count() > 8
                assert all(one.is_visible() for one in every.all())
                expect(page.locator("#turns")).to_be_hidden()
                assert page.evaluate(_SCROLLS)[1] <= 0


@pytest.mark.parametrize("lang", LOOKED_AT)
def test_everybody_can_use_a_wall(
    browser: Browser, hall: Director, knock_out: Director, lang: str
) -> None:
    for screen, scheme in ((TELEVISION, "dark"), (PHONE, "light")):
        settings = {**screen, "color_scheme": scheme, **CALM}
        with visiting(browser, hall.served, "/healthz", **settings) as page:
            for path in ("/sala/", f"/torneos/{knock_out.id}/pared"):
                page.goto(address(hall.served, f"{path}?lang={lang}"))
                expect(page.locator("#turns")).to_have_attribute("data-of", A_NUMBER)
                for _ in range(int(page.locator("#turns").get_attribute("data-of") or 1)):
                    no_violations_in_any_language(page)
                    assert page.evaluate(_SCROLLS)[1] <= 0
                    page.keyboard.press("ArrowRight")
