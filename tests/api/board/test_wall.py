"""Walls: never taller than the screen, read from the back of a hall, page by page by themselves."""

from __future__ import annotations

import itertools
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
from tests.support.read_pages import Reader
from tests.support.servers.club_tables import Club, Director, cante, deal, trick, whole_deal

SMALL: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
SCREENS = (TELEVISION, SMALL)
CALM: dict[str, Any] = {"reduced_motion": "reduce"}
MOTIONS: dict[Any, str] = {"no-preference": "turned", "reduce": "none"}
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


def stays_at(page: Page, number: int) -> None:
    """It is there now: soon it would be turned by itself."""
    assert page.locator("#turns").get_attribute("data-at") == str(number)


def items(page: Page) -> list[str]:
    return [str(one.get_attribute("data-item")) for one in page.locator("[data-item]").all()]


def turned_to_the_end(page: Page) -> dict[str, list[Any]]:
    """Every page fits and can be read; what was shown, with the sizes of the names of calls and tables."""
    found: dict[str, list[Any]] = {"shown": [], "called": [], "others": []}
    for _ in turned(page):
        whole(page)
        found["shown"] += page.evaluate(_SHOWN)
        found["called"] += page.evaluate(_SIZES, ".called .names")
        found["others"] += page.evaluate(_SIZES, ".table .names")
    assert found["shown"] == items(page)
    return found


def test_a_wall_is_never_taller_than_its_screen_and_read_from_the_back(
    browser: Browser, hall: Director, knock_out: Director
) -> None:
    """Eight calls and eight tables of a hall, and a tournament of sixteen pairs."""
    for screen in SCREENS:
        with visiting(browser, hall.served, "/healthz", **screen) as page:
            opened(page, hall, "/sala/")
            assert len(items(page)) == 8 + 8 + 2
            sizes = turned_to_the_end(page)
            assert len(sizes["called"]) == 8 * 2
            assert min(sizes["called"]) > 1.2 * max(sizes["others"])
            for what in ("", "/cuadro", "/clasificacion"):
                page.goto(address(hall.served, f"/torneos/{knock_out.id}/pared{what}"))
                expect(page.locator("#turns")).to_have_attribute("data-of", A_NUMBER)
                turned_to_the_end(page)
                assert page.locator("[data-item] .names").count() >= 16, what


def test_the_called_and_the_unfinished_are_shown_first_and_what_is_over_last(
    hall: Director, knock_out: Director
) -> None:
    visitor = Reader(hall.served)
    kinds = visitor.page("/sala/").values("[data-item]", "class")
    assert kinds == [*["called"] * 8, *["table"] * 8, *["table over"] * 2]
    wall = visitor.page(f"/torneos/{knock_out.id}/pared")
    assert wall.values("[data-part=now] li", "class") == [*["called"] * 3, *["open"] * 4]
    rounds = wall.all(".main .rounds")
    assert len(rounds[0].css(".tie.called")) == 2
    assert len(rounds) == 4


def test_pages_stop_for_a_pointer_the_focus_and_keys(browser: Browser, hall: Director) -> None:
    with visiting(browser, hall.served, "/healthz", **TELEVISION, **CALM) as page:
        opened(page, hall, "/sala/")
        page.clock.fast_forward(TURN_MS)
        is_at(page, 2)
        page.mouse.move(500, 500)
        page.clock.fast_forward(TURN_MS)
        stays_at(page, 2)
        page.clock.fast_forward(6 * TURN_MS)  # a pointer left on a television holds nothing
        is_at(page, 3)
        page.locator("article.table:visible a").first.focus()
        page.clock.fast_forward(6 * TURN_MS)
        stays_at(page, 3)
        page.keyboard.press("ArrowRight")
        is_at(page, 1)
        page.keyboard.press("Space")
        page.clock.fast_forward(6 * TURN_MS)
        stays_at(page, 1)
        hold = page.get_by_role("button", name="Parar")
        expect(hold).to_have_attribute("aria-pressed", "true")
        hold.click()
        page.mouse.move(700, 1075)
        page.clock.fast_forward(TURN_MS)
        is_at(page, 2)
        page.get_by_role("button", name="Página anterior").click()
        is_at(page, 1)
        no_violations(page)
        page.keyboard.press("ArrowLeft")
        stays_at(page, int(page.locator("#turns").get_attribute("data-of") or 1))
        assert page.evaluate(_SHOWN)


def test_a_page_fades_in_only_for_those_who_bear_motion(browser: Browser, hall: Director) -> None:
    with visiting(browser, hall.served, "/sala/", **TELEVISION) as page:
        expect(page.locator("#turns")).to_have_attribute("data-at", "1")
        page.keyboard.press("PageDown")
        expect(page.locator("main")).to_have_class("turned")
        first = page.locator("main > :not(header, [hidden])").first
        for motion, drawn in MOTIONS.items():
            page.emulate_media(reduced_motion=motion)
            assert first.evaluate("one => getComputedStyle(one).animationName") == drawn, motion


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Club]:
    """A hall that a test changes."""
    with site(tmp_path) as served:
        yield Club(served)


def test_one_table_alone_fills_the_screen(browser: Browser, small: Club) -> None:
    table = small.table(*PLAYERS)
    small.won(table, "A")
    small.read(small.partida(table, *deal("B2", "7C")))
    with visiting(browser, small.served, "/sala/", **TELEVISION) as page:
        for screen in SCREENS:
            width, height = screen["viewport"].values()
            page.set_viewport_size(screen["viewport"])
            page.reload()
            expect(page.locator("#turns")).to_have_attribute("data-of", A_NUMBER)
            whole(page)
            box = page.locator("article.table").bounding_box()
            assert box is not None
            assert box["width"] * box["height"] > 0.7 * width * height, width
            assert min(page.evaluate(_SIZES, ".sides .names")) > 2 * LEAST, width
            assert page.evaluate(_SIZES, ".past .names")[0] > LEAST, width
            expect(page.locator("#turns")).to_be_hidden()
    said = Reader(small.served).page("/sala/")
    assert "Partida 1 para" in said.text(".past")
    assert said.texts(".legend li") == ["partida ganada", "coto ganado"]


def with_two_pages(director: Director) -> str:
    """A hall of twelve tables and a consolation; path of the partida of the last table."""
    tables = [director.table(*PLAYERS) for _ in range(12)]
    partida = director.partida(tables[-1])
    director.tournament(4, today().isoformat(), format="knock_out", has_consolation=True)
    for one in director.open():
        director.win(one, one["pairs"][0])
    director.do("tables", {})
    director.read(director.path)
    director.read(partida)
    return partida


def test_a_change_leaves_the_page_that_is_shown_and_a_call_is_shown_live(
    browser: Browser, small: Club
) -> None:
    director = Director(small.served)
    partida = with_two_pages(director)
    with visiting(browser, small.served, "/healthz", **TELEVISION) as page:
        opened(page, small, "/sala/")
        expect(page.locator("#state")).to_have_attribute("data-state", "live")
        page.keyboard.press("ArrowRight")
        is_at(page, 2)
        shown = page.evaluate(_SHOWN)
        page.evaluate("document.querySelectorAll('article').forEach((one) => { one.old = true })")
        director.act(partida, *deal("B2"))
        expect(page.locator("article:visible").last).to_contain_text("Con mazo")
        stays_at(page, 2)
        assert page.evaluate(_SHOWN) == shown
        drawn = page.locator("article").evaluate_all("all => all.filter((one) => !one.old).length")
        assert drawn == 1
        page.clock.fast_forward(TURN_MS)
        is_at(page, 1)
        whole(page)
        page.keyboard.press("ArrowRight")
        is_at(page, 2)
        for one in director.open():
            director.do(f"meetings/{one['id']}/call")
        expect(page.locator(".called .at")).to_have_count(2)
        expect(page.locator(".called .draw")).to_have_text("Consolación")
        is_at(page, 1)
        whole(page)
        page.keyboard.press("ArrowRight")
        is_at(page, 2)
        director.act(partida, trick("A1", 4), cante("A1", "E"))
        expect(page.locator("article .cantes")).to_contain_text("20 en espadas")
        stays_at(page, 2)


def is_one_long_page(page: Page, path: str) -> None:
    every = page.locator("[data-item]").evaluate_all(
        "all => all.map((one) => one.checkVisibility())"
    )
    assert len(every) > 8, path
    assert all(every), path
    expect(page.locator("#turns")).to_be_hidden()
    assert page.evaluate(_SCROLLS)[1] <= 0, path


def test_without_scripts_and_on_a_phone_a_wall_is_a_page_that_scrolls(
    browser: Browser, hall: Director, knock_out: Director
) -> None:
    for settings in ({**TELEVISION, "java_script_enabled": False}, PHONE):
        with visiting(browser, hall.served, "/healthz", **settings) as page:
            for path in ("/sala/", f"/torneos/{knock_out.id}/pared"):
                page.goto(address(hall.served, path))
                is_one_long_page(page, path)


def test_every_page_of_a_wall_has_contrast_and_no_word_is_too_wide(
    browser: Browser, hall: Director, knock_out: Director
) -> None:
    for screen, scheme in ((TELEVISION, "dark"), (PHONE, "light")):
        settings = {**screen, "color_scheme": scheme, **CALM}
        with visiting(browser, hall.served, "/healthz", **settings) as page:
            for lang, path in itertools.product(
                LOOKED_AT, ("/sala/", f"/torneos/{knock_out.id}/pared")
            ):
                page.goto(address(hall.served, f"{path}?lang={lang}"))
                expect(page.locator("#turns")).to_have_attribute("data-of", A_NUMBER)
                for _ in range(int(page.locator("#turns").get_attribute("data-of") or 1)):
                    no_violations_in_any_language(page)
                    assert page.evaluate(_SCROLLS)[1] <= 0, (path, lang)
                    page.keyboard.press("ArrowRight")
