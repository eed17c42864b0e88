"""Boards: their content, access and weight over HTTP, and how they look in a browser."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import segno
from playwright.sync_api import Browser, Page, expect

from api.board.boards import MOST_TABLES
from api.http.folders import static_file_path
from tests.support.browser.in_browser import HOST, running
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import (
    PHONE,
    READ,
    TABLET,
    TELEVISION,
    address,
    no_violations,
    no_violations_in_any_language,
    site,
    visiting,
)
from tests.support.page_in_node import page_in_node
from tests.support.read_pages import HEAVIEST_PAGE, Reader
from tests.support.servers.club_tables import (
    PEOPLE,
    Club,
    board_of,
    deal,
    every_state,
    trick,
    whole_deal,
)
from tests.support.servers.long_runs import IS_LONG

WITHOUT_POINTER = ("--blink-settings=primaryPointerType=1,availablePointerTypes=1",)
MEASURED = ("vueltas", "long names", "three", "over", "free", "camas", "all")
BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"
TELEVISIONS = ((1920, 1080), (1366, 768), (1280, 800))
PHONES = ((390, 844), (1024, 768), (320, 640))
LARGER = """[document.documentElement.scrollWidth - innerWidth,
  document.documentElement.scrollHeight - innerHeight]"""
"""By how much the page is wider and taller than the screen."""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with site(tmp_path_factory.mktemp("club"), GUINOTE_HOST=HOST) as served:
        yield Club(served)


@pytest.fixture(scope="module")
def boards(club: Club) -> dict[str, str]:
    """Path of the board of a table in each state, and of all."""
    found = {name: board_of(path) for name, path in every_state(club).items()}
    club.read("/api/v1/encuentros")
    return {**found, "all": "/sala/"}


@pytest.fixture(scope="module")
def visitor(club: Club, boards: dict[str, str]) -> Reader:
    return Reader(club.served)


def is_live(page: Page) -> None:
    expect(page.locator("#state")).to_have_attribute("data-state", "live")


# --- what it shows -------------------------------------------------------------------------------


def test_a_board_says_what_players_say(visitor: Reader, boards: dict[str, str]) -> None:
    page = visitor.page(boards["vueltas"])
    assert page.text(".vueltas") == "De vueltas"
    assert page.text(".moment") == "Con mazo"
    assert page.values(".pinta svg", "aria-label") == ["as de bastos"]
    one, other = (page.text(f"[data-part=side-{side}]") for side in "AB")
    assert "34 buenas" in one
    assert "46 malas" in other
    assert "Las 40" in one
    assert "20 en copas" in other
    made = page.one("[data-part=side-A]").css(".made svg")
    assert [svg.attributes["aria-label"] for svg in made] == ["Partidas: 2 de 3", "Cotos: 0 de 2"]
    assert len(made[0].css("circle.on")) == 2
    assert page.texts(".player:has(.part)") == ["Pilar da", "Joaquín mano"]


def test_a_finished_encuentro_shows_its_winner(visitor: Reader, boards: dict[str, str]) -> None:
    won = visitor.page(boards["over"]).text(".side.won")
    assert "Ganan el encuentro" in won
    assert "Ángel" in won
    draw = visitor.page(boards["draw"])
    assert draw.texts(".wins") == ["Empate"]
    assert draw.count(".side.won") == 0


def test_points_of_a_deal_that_nobody_counted_are_not_there(
    visitor: Reader, boards: dict[str, str]
) -> None:
    for name in ("free", "arrastre"):
        page = visitor.page(boards[name])
        assert page.count(".said") == 0
        assert "21" not in page.text("#main")


def test_the_hall_shows_every_table_that_plays(visitor: Reader, boards: dict[str, str]) -> None:
    running_ones = set(boards.values()) - {boards["over"], boards["draw"], "/sala/"}
    links = visitor.page("/sala/").values("article h2 a", "href")
    assert sorted(map(str, links)) == sorted(running_ones)


def test_everything_is_there_without_scripts(visitor: Reader, boards: dict[str, str]) -> None:
    page = visitor.page(boards["vueltas"])
    assert "34 buenas" in page.text("[data-part=side-A]")
    assert page.one("#state noscript").text() == "Se recarga cada 30 segundos"
    assert page.values("head noscript meta[http-equiv=refresh]", "content") == ["30"]
    said = page.all("#state > :not(noscript)")
    assert said
    assert all("hidden" in one.attributes for one in said)


def test_home_and_help_are_visible_for_a_person_and_not_on_a_wall(
    browser: Browser, club: Club, boards: dict[str, str]
) -> None:
    """A large screen without a pointer, and a page without scripts, hang on a wall: they have none."""
    for path in (boards["free"], "/sala/"):
        links = Reader(club.served).page(path).values("body > footer .leading-on a", "href")
        assert links == ["/", "/ayuda/seguir-en-directo"]
        with visiting(browser, club.served, path, java_script_enabled=False) as page:
            assert page.locator(".leading-on").is_hidden(), path
        for screen in (TELEVISION, TABLET, PHONE):
            with kept_page(browser, club.served, path, **screen) as page:
                expect(page.locator(".leading-on")).to_be_visible()
    with running(*WITHOUT_POINTER) as wall:
        for settings, is_there in ((TELEVISION, False), (PHONE, True)):
            with visiting(wall, club.served, "/sala/", **settings) as page:
                is_live(page)
                assert page.locator(".leading-on").is_visible() == is_there, settings


# --- how it looks --------------------------------------------------------------------------------


def is_seen_at_once(page: Page, name: str, sizes: tuple[tuple[int, int], ...]) -> None:
    """On a television nothing has to be scrolled; on a phone, or at 400 % zoom, only vertically."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        wider, taller = page.evaluate(LARGER)
        assert wider <= 0, (name, width)
        assert taller <= 0 or sizes is PHONES, (name, height)


def a_winner_is_written_larger(page: Page) -> None:
    one, other = (
        page.locator(f".side{which} h2").evaluate(
            "one => parseFloat(getComputedStyle(one).fontSize)"
        )
        for which in (".won", ":not(.won)")
    )
    assert one > 1.3 * other


def test_every_board_fits_its_screen_and_has_contrast(
    browser: Browser, club: Club, boards: dict[str, str]
) -> None:
    for screen, scheme in ((PHONE, "light"), (TELEVISION, "dark")):
        is_far = screen is TELEVISION
        with kept_page(browser, club.served, "/sala/", color_scheme=scheme, **screen) as page:
            for lang, (name, path) in itertools.product(READ, boards.items()):
                if not (is_far or IS_LONG or name in MEASURED):
                    continue
                page.goto(address(club.served, f"{path}?lang={lang}"))
                assert page.locator("html").get_attribute("lang") == lang
                is_live(page)
                no_violations_in_any_language(page)
                if name in MEASURED and lang == READ[0]:
                    is_seen_at_once(page, name, TELEVISIONS if is_far else PHONES)
                    page.set_viewport_size(screen["viewport"])
                if name == "over" and is_far:
                    a_winner_is_written_larger(page)
    page = browser.new_page(**TELEVISION)
    page.goto(f"http://{HOST}:{club.served.port}/sala/")
    expect(page.locator(".code img")).to_be_visible()
    no_violations(page)
    page.close()


def test_a_chosen_background_has_its_colours_and_contrast(
    browser: Browser, club: Club, boards: dict[str, str]
) -> None:
    with kept_page(browser, club.served, boards["free"], color_scheme="light") as page:
        light = page.evaluate(BACKGROUND)
        page.goto(address(club.served, f"{boards['free']}?fondo=oscuro"))
        assert page.evaluate(BACKGROUND) != light
        no_violations(page)
        page.emulate_media(color_scheme="dark")
        page.goto(address(club.served, f"{boards['free']}?fondo=claro"))
        assert page.evaluate(BACKGROUND) == light
        no_violations(page)


def test_the_chosen_background_is_kept_with_the_language(
    club: Club, boards: dict[str, str]
) -> None:
    with page_in_node(club.served, boards["free"]) as page:
        for name, query in (
            ("Fondo oscuro", "fondo=oscuro"),
            ("English", "lang=en&fondo=oscuro"),
            ("Light", "fondo=claro"),
        ):
            page.get_by_role("link", name=name).click()
            assert urlsplit(page.url).query == query
        assert page.locator("html").get_attribute("lang") == "en"
        assert page.locator("html").get_attribute("data-theme") == "light"


def test_the_colours_of_a_chosen_background_are_those_of_all_pages() -> None:
    def colours(sheet: str, place: str) -> dict[str, str]:
        return dict(
            re.findall(r"(--[a-z-]+): ([^;]+);", sheet.partition(place)[2].partition("}")[0])
        )

    common, board = (
        static_file_path(name).read_text("utf-8")
        for name in ("html/guinote.css", "board/board.css")
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


# --- its weight, and the way to a phone ----------------------------------------------------------


def test_no_board_is_heavy(visitor: Reader, boards: dict[str, str]) -> None:
    assert 30_000 < visitor.weight(boards["vueltas"], is_packed=False) < HEAVIEST_PAGE / 2


def test_a_full_hall_is_not_heavy_either(tmp_path: Path) -> None:
    with site(tmp_path) as served:
        club = Club(served)
        for _ in range(MOST_TABLES):
            table = club.table(*PEOPLE[:4])
            club.partida(table, *whole_deal("B2", 74), *deal("A1", "AB"), trick("A1", 3))
        club.read(table)
        assert Reader(served).page("/sala/").count("article") == MOST_TABLES
        assert Reader(served).weight("/sala/", is_packed=False) < HEAVIEST_PAGE


def test_a_code_leads_a_phone_to_the_same_board(
    club: Club, visitor: Reader, boards: dict[str, str]
) -> None:
    host = f"{HOST}:{club.served.port}"
    for path, code in ((boards["free"], f"{boards['free']}/qr.svg"), ("/sala/", "/sala/qr.svg")):
        assert visitor.page(path, Host=host).values(".code img", "src") == [code]
        drawn = io.BytesIO()
        made = segno.make(f"http://{host}{path}", error="m", micro=False)
        made.save(drawn, kind="svg", omitsize=True, border=3, light="#fff", nl=False)
        assert visitor.get(code, Host=host)[1] == drawn.getvalue()


def test_a_board_that_only_this_machine_reaches_shows_no_code(
    visitor: Reader, boards: dict[str, str]
) -> None:
    assert visitor.page(boards["free"]).count(".code") == 0
