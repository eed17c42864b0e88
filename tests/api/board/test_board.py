"""Boards in a real browser: content, access and updates."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import segno
from playwright.sync_api import Browser, Page, expect

from api.board.boards import MOST_TABLES
from api.http.folders import static_file
from tests.support.browser.in_browser import running
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import (
    HEAVIEST_PAGE,
    PHONE,
    TABLET,
    TELEVISION,
    address,
    in_each_language,
    no_violations,
    no_violations_in_any_language,
    site,
    visiting,
    weight_of,
)
from tests.support.servers.club_tables import (
    PEOPLE,
    Club,
    board_of,
    deal,
    every_state,
    trick,
    whole_deal,
)

WITHOUT_POINTER = ("--blink-settings=primaryPointerType=1,availablePointerTypes=1",)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with site(tmp_path_factory.mktemp("club")) as served:
        yield Club(served)


@pytest.fixture(scope="module")
def boards(club: Club) -> dict[str, str]:
    """Path of the board of a table in each state, and of all."""
    found = {name: board_of(path) for name, path in every_state(club).items()}
    club.read("/api/v1/encuentros")
    return {**found, "all": "/sala/"}


def is_live(page: Page) -> None:
    expect(page.locator("#state")).to_have_attribute("data-state", "live")


# --- what it shows -------------------------------------------------------------------------------


def text_of(page: Page, selector: str) -> str:
    return " ".join(page.locator(selector).first.inner_text().split())


def test_a_board_says_what_players_say(
    browser: Browser, club: Club, boards: dict[str, str]
) -> None:
    with kept_page(browser, club.served, boards["vueltas"], **TELEVISION) as page:
        assert text_of(page, ".vueltas") == "De vueltas"
        assert text_of(page, ".moment") == "Con mazo"
        assert page.locator(".pinta svg").get_attribute("aria-label") == "as de bastos"
        one, other = (text_of(page, f"[data-part=side-{side}]") for side in "AB")
        assert "34 buenas" in one
        assert "46 malas" in other
        assert "Las 40" in one
        assert "20 en copas" in other
        made = page.locator("[data-part=side-A] .made svg")
        assert [made.nth(n).get_attribute("aria-label") for n in (0, 1)] == [
            *("Partidas: 2 de 3", "Cotos: 0 de 2")
        ]
        assert made.first.locator("circle.on").count() == 2
        assert text_of(page, ".player:has(.part)") == "Pilar da"


def test_a_finished_encuentro_shows_its_winner(
    browser: Browser, club: Club, boards: dict[str, str]
) -> None:
    with kept_page(browser, club.served, boards["over"], **TELEVISION) as page:
        won = page.locator(".side.won")
        assert "Ganan el encuentro" in won.inner_text()
        assert "Ángel" in won.inner_text()
        heights = [
            page.locator(f".side{which} h2").evaluate(
                "one => parseFloat(getComputedStyle(one).fontSize)"
            )
            for which in (".won", ":not(.won)")
        ]
        assert heights[0] > 1.3 * heights[1]
    with kept_page(browser, club.served, boards["draw"]) as page:
        assert text_of(page, ".wins") == "Empate"
        assert page.locator(".side.won").count() == 0


def test_points_of_a_deal_that_nobody_counted_are_not_there(
    browser: Browser, club: Club, boards: dict[str, str]
) -> None:
    for name in ("free", "arrastre"):
        with kept_page(browser, club.served, boards[name]) as page:
            assert page.locator(".said").count() == 0
            assert "21" not in page.locator("#main").inner_text()


def test_the_hall_shows_every_table_that_plays(
    browser: Browser, club: Club, boards: dict[str, str]
) -> None:
    with kept_page(browser, club.served, "/sala/", **TELEVISION) as page:
        running_ones = set(boards.values()) - {boards["over"], boards["draw"], "/sala/"}
        links = page.locator("article h2 a")
        assert {links.nth(n).get_attribute("href") for n in range(links.count())} == running_ones


def test_everything_is_there_without_scripts(
    browser: Browser, club: Club, boards: dict[str, str]
) -> None:
    with visiting(browser, club.served, boards["vueltas"], java_script_enabled=False) as page:
        assert "34 buenas" in text_of(page, "[data-part=side-A]")
        assert text_of(page, "#state") == "Se recarga cada 30 segundos"
        assert page.locator("meta[http-equiv=refresh]").get_attribute("content") == "30"


def test_a_person_before_a_board_finds_home_and_help(
    browser: Browser, club: Club, boards: dict[str, str]
) -> None:
    """A large screen without a pointer, and a page without scripts, hang on a wall: they have none."""
    for path in (boards["free"], "/sala/"):
        for screen in (TELEVISION, TABLET, PHONE):
            with kept_page(browser, club.served, path, **screen) as page:
                links = page.locator("body > footer .leading-on a")
                expect(links.first).to_be_visible()
                assert links.first.get_attribute("href") == "/"
                assert links.last.get_attribute("href") == "/ayuda/seguir-en-directo"
        with visiting(browser, club.served, path, java_script_enabled=False) as page:
            assert page.locator(".leading-on").is_hidden()
    with running(*WITHOUT_POINTER) as wall:
        for settings, is_there in ((TELEVISION, False), (PHONE, True)):
            with visiting(wall, club.served, "/sala/", **settings) as page:
                is_live(page)
                assert page.locator(".leading-on").is_visible() == is_there


@pytest.mark.parametrize("name", ["vueltas", "long names", "three", "over", "free", "camas", "all"])
def test_a_whole_table_is_seen_at_once(
    browser: Browser, club: Club, boards: dict[str, str], name: str
) -> None:
    """On a television nothing has to be scrolled; on a phone, or at 400 % zoom, only vertically."""
    wide = "document.documentElement.scrollWidth - innerWidth"
    with kept_page(browser, club.served, boards[name], **TELEVISION) as page:
        for height, width in ((1080, 1920), (768, 1366), (800, 1280)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollHeight") <= height
            assert page.evaluate(wide) <= 0
    with kept_page(browser, club.served, boards[name], **PHONE) as page:
        for width, height in ((390, 844), (1024, 768), (320, 640)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(wide) <= 0, width


@pytest.mark.parametrize(
    ("lang", "screen"), in_each_language(PHONE, TELEVISION), ids=lambda one: str(len(one))
)
def test_everybody_can_use_every_board(
    browser: Browser, club: Club, boards: dict[str, str], lang: str, screen: dict[str, Any]
) -> None:
    settings = {**screen, "color_scheme": "dark" if screen is TELEVISION else "light"}
    with kept_page(browser, club.served, f"/sala/?lang={lang}", **settings) as page:
        for path in boards.values():
            page.goto(address(club.served, path))
            assert page.locator("html").get_attribute("lang") == lang
            is_live(page)
            no_violations_in_any_language(page)
            assert not re.search(
                r"\b(board|how|result)\.[a-z_]+", page.locator("body").inner_text()
            )


def test_the_chosen_background_is_kept_with_the_language(
    browser: Browser, club: Club, boards: dict[str, str]
) -> None:
    with kept_page(browser, club.served, boards["free"], color_scheme="light") as page:
        light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        page.get_by_role("link", name="Fondo oscuro").click()
        page.get_by_role("link", name="English").click()
        page.wait_for_url("**fondo=oscuro**")
        assert page.locator("html").get_attribute("lang") == "en"
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != light
        no_violations(page)
        page.get_by_role("link", name="Light").click()
        page.wait_for_url("**fondo=claro")
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == light


def test_the_colours_of_a_chosen_background_are_those_of_all_pages() -> None:
    def colours(sheet: str, place: str) -> dict[str, str]:
        return dict(
            re.findall(r"(--[a-z-]+): ([^;]+);", sheet.partition(place)[2].partition("}")[0])
        )

    common, board = (
        static_file(name).read_text("utf-8") for name in ("html/guinote.css", "board/board.css")
    )
    day, night = (
        colours(common, ":root {"),
        colours(common.partition("@media (prefers-color")[2], "{\n  :root {"),
    )
    night_here = colours(board, 'html[data-theme="dark"] {')
    day_here = colours(board, 'html[data-theme="light"] {')
    assert night_here == night
    assert day_here == {name: day[name] for name in day_here}
    assert set(day_here) == set(night_here)


def unpacked(browser: Browser, club: Club, path: str) -> int:
    """Uncompressed weight of a board, without its stream, which never ends."""
    with visiting(browser, club.served, path) as page:
        is_live(page)
        return weight_of(page, "decodedBodySize")


def test_no_board_is_heavy(browser: Browser, club: Club, boards: dict[str, str]) -> None:
    assert 30_000 < unpacked(browser, club, boards["vueltas"]) < HEAVIEST_PAGE / 2


def test_a_full_hall_is_not_heavy_either(browser: Browser, tmp_path: Path) -> None:
    with site(tmp_path) as served:
        club = Club(served)
        for _ in range(MOST_TABLES):
            table = club.table(*PEOPLE[:4])
            club.partida(table, *whole_deal("B2", 74), *deal("A1", "AB"), trick("A1", 3))
        club.read(table)
        assert unpacked(browser, club, "/sala/") < HEAVIEST_PAGE


# --- the way to a phone --------------------------------------------------------------------------


def test_a_code_leads_a_phone_to_the_same_board(
    browser: Browser, club: Club, boards: dict[str, str]
) -> None:
    host = f"mesa.localhost:{club.served.port}"
    context = browser.new_context(**TELEVISION)
    page = context.new_page()
    for path, code in ((boards["free"], f"{boards['free']}/qr.svg"), ("/sala/", "/sala/qr.svg")):
        page.goto(f"http://{host}{path}")
        is_live(page)
        no_violations(page)
        assert page.locator(".code img").get_attribute("src") == code
        drawn = io.BytesIO()
        made = segno.make(f"http://{host}{path}", error="m", micro=False)
        made.save(drawn, kind="svg", omitsize=True, border=3, light="#fff", nl=False)
        got = page.evaluate("async code => (await fetch(code)).text()", code)
        assert got == drawn.getvalue().decode()
    context.close()


def test_a_board_that_only_this_machine_reaches_shows_no_code(
    browser: Browser, club: Club, boards: dict[str, str]
) -> None:
    with kept_page(browser, club.served, boards["free"]) as page:
        assert page.locator(".code").count() == 0
