"""Pages of tournaments over a real server: what they show, live, on every screen and on paper."""

from __future__ import annotations

import itertools
import re
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.pages import (
    PHONE,
    READ,
    TABLET,
    TELEVISION,
    address,
)
from tests.support.days import today
from tests.support.html import text_of
from tests.support.page_in_node import PageInNode, expect, page_in_node
from tests.support.read_pages import HEAVIEST_PAGE, Reader
from tests.support.servers.club_tables import Director
from tests.support.servers.served import Served


@pytest.fixture(scope="module")
def swiss(served: Served) -> Director:
    """Eight pairs in their second round: one table is called, the clock runs."""
    director = Director(served)
    director.id = director.tournament(9, format="swiss", rounds=3, minutes=45, tables=4)
    director.do("rounds")
    for one in director.open():
        director.win(one, min(one["pairs"], key=int))
    director.do("rounds")
    director.do("tables", {})
    director.do(f"meetings/{director.open()[0]['id']}/call")
    director.do("rounds/2/clock", {})
    director.read(director.path)
    return director


@pytest.fixture(scope="module")
def bracket(served: Served) -> Director:
    """Eleven pairs in a knock-out of which the first round is played."""
    director = Director(served)
    director.id = director.tournament(
        11, format="knock_out", has_consolation=True, has_third_place=True
    )
    for one in [one for one in director.open() if one["round"] == 1]:
        director.win(one, one["pairs"][0])
    director.read(director.path)
    return director


@pytest.fixture(scope="module")
def groups(served: Served) -> Director:
    """Eight pairs in two groups, the first round played."""
    director = Director(served)
    director.id = director.tournament(8, format="groups", groups=2, qualify=2)
    director.do("rounds")
    for one in director.open():
        director.win(one, one["pairs"][1])
    director.read(director.path)
    return director


def live(page: PageInNode) -> None:
    expect(page.locator("#state")).to_have_attribute("data-state", "live")


TIME_IS = """(pattern) =>
  new RegExp(pattern).test(document.querySelector("[role=timer]").shadowRoot.textContent)"""
WRONG_CLOCK = """() => {
  const real = Date.now;
  Date.now = () => real() + 1_200_000;
}"""
CSV = ("parejas", "cruces", "clasificacion")
BRACKET_PAGES = ("/cuadro", "/pareja/1", "/imprimir/cuadro")
SWISS_PAGES = (
    *("", "/clasificacion", "/rondas/2", "/parejas", "/pareja/3", "/mesa/1", "/sorteo"),
    *("/ficheros", "/imprimir/ronda", "/imprimir/clasificacion", "/imprimir/mesas"),
    "/imprimir/parejas",
)


def test_every_page_has_contrast_and_is_not_wider_than_its_screen(
    browser: Browser, served: Served, swiss: Director, bracket: Director, groups: Director
) -> None:
    paths = [
        "/torneos/",
        *(f"/torneos/{swiss.id}{page}" for page in SWISS_PAGES),
        *(f"/torneos/{bracket.id}{page}" for page in ("", *BRACKET_PAGES)),
        *(f"/torneos/{groups.id}{page}" for page in ("/grupos", "/imprimir/grupos")),
    ]
    with kept_page(browser, served, "/torneos/", **PHONE) as page:
        for lang, path in itertools.product(READ, paths):
            page.goto(address(served, f"{path}?lang={lang}"))
            assert page.locator("html").get_attribute("lang") == lang
            is_within(page, path, PHONE, TABLET)
            no_violations_in_any_scheme(page)
    with kept_page(browser, served, "/torneos/", **TELEVISION) as page:
        for path in paths:
            page.goto(address(served, path))
            is_within(page, path, TELEVISION)


def is_within(page: Page, path: str, *devices: dict[str, Any]) -> None:
    """Assert that nothing is wider than the screens of these devices; the last one's is left."""
    for device in devices:
        page.set_viewport_size(device["viewport"])
        width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert width <= 0, (path, device)


def test_a_pair_finds_its_table_by_its_name_or_number(served: Served, swiss: Director) -> None:
    with page_in_node(served, f"/torneos/{swiss.id}") as page:
        page.get_by_label("Busca tu pareja").fill("íñiguez")
        page.get_by_role("button", name="Buscar").click()
        assert page.locator(".pairs a").count() > 1
        page.get_by_label("Busca tu pareja").fill("1")
        page.get_by_role("button", name="Buscar").click()
        page.locator(".pairs a").click()
        expect(page.locator("h1")).to_contain_text("Pareja 1")
        called = swiss.open()[0]
        assert "1" in called["pairs"]
        expect(page.locator(".next-table .table b")).to_have_text("1")
        expect(page.locator(".next")).to_contain_text("A la mesa")
        page.wait_for_function(TIME_IS, arg=r"^4\d:\d\d$")


def test_the_table_of_a_card_says_what_is_played_there(served: Served, swiss: Director) -> None:
    page = Reader(served).page(f"/torneos/{swiss.id}/mesa/1")
    (here,) = page.texts("[data-part=here] li")
    assert "Ronda 2" in here
    assert page.count("[data-part=past] li") == 0


def test_a_bracket_is_drawn_with_its_scores_and_given_as_a_list(
    served: Served, bracket: Director
) -> None:
    visitor = Reader(served)
    page = visitor.page(f"/torneos/{bracket.id}/cuadro")
    drawn = page.one("svg.bracket[role=img]")
    assert "Cuadro principal" in str(drawn.attributes["aria-label"])
    assert len(drawn.css(".tie")) == 15
    assert len(drawn.css(".bye")) == 5
    assert len(drawn.css(".made")) == 6
    assert page.count(".list li") == 3 + 4
    (other,) = [one for one in page.all("main a") if text_of(one) == "Consolación"]
    led_to = urljoin(f"/torneos/{bracket.id}/cuadro", other.attributes["href"])
    assert visitor.page(led_to).text("h1") == "Consolación"


def test_a_result_is_on_the_page_without_asking_for_it(served: Served) -> None:
    director = Director(served)
    made = director.tournament(4, format="knock_out")
    director.read(director.path)
    with page_in_node(served, f"/torneos/{made}/cuadro") as page:
        live(page)
        assert page.locator(".bracket .made").count() == 0
        one = director.open()[0]
        director.win(one, one["pairs"][0])
        expect(page.locator(".bracket .made").first).to_have_text("2")
        page.goto(f"/torneos/{made}")
        live(page)
        for _ in range(2):
            one = director.open()[0]
            director.win(one, one["pairs"][0])
        expect(page.locator(".champion")).to_be_visible()


def test_a_large_tournament_has_the_weight_of_a_page(served: Served) -> None:
    director = Director(served)
    made = director.tournament(512, format="knock_out", has_consolation=True)
    director.read(director.path)
    for path in ("", "/cuadro?parte=16", "/rondas/1", "/parejas", "/imprimir/cuadro"):
        assert 5_000 < Reader(served).weight(f"/torneos/{made}{path}") < HEAVIEST_PAGE, path


def sheets(page: Page) -> int:
    """Sheets of paper that a page prints on."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True)))


def test_each_sheet_is_a_page_of_paper(
    browser: Browser, served: Served, swiss: Director, bracket: Director, groups: Director
) -> None:
    expected = {
        f"{bracket.id}/imprimir/cuadro": 1,
        f"{groups.id}/imprimir/grupos": 1,
        f"{swiss.id}/imprimir/ronda": 1,
        f"{swiss.id}/imprimir/clasificacion": 1,
        f"{swiss.id}/imprimir/mesas": 1,
        f"{swiss.id}/imprimir/parejas": 2,
    }
    with kept_page(browser, served, "/torneos/", **TABLET) as page:
        found = {}
        for path in expected:
            page.goto(address(served, f"/torneos/{path}"))
            found[path] = sheets(page)
        assert found == expected
    assert Reader(served).page(f"/torneos/{bracket.id}/imprimir/cuadro").count(".sheet") == 1


def test_files_are_sent_as_files(served: Served, swiss: Director) -> None:
    connection = served.connection()
    kinds = {
        **{f"{name}.csv": "text/csv; charset=utf-8" for name in CSV},
        "calendario.ics": "text/calendar; charset=utf-8",
    }
    for name, kind in kinds.items():
        connection.request("GET", f"/torneos/{swiss.id}/{name}")
        answer = connection.getresponse()
        text = answer.read().decode("utf-8-sig")
        assert (answer.status, answer.headers["Content-Type"]) == (200, kind)
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert "Pilar" in text
    connection.close()


def test_the_hall_shows_who_is_called_and_how_long_a_round_lasts(served: Served) -> None:
    """The hour is that of the service, also on a machine whose clock is wrong."""
    director = Director(served)
    day = today().isoformat()
    made = director.tournament(8, day, format="swiss", rounds=3, minutes=75, tables=4)
    director.do("rounds")
    director.do("tables", {})
    director.read(director.path)
    with page_in_node(served) as page:
        page.evaluate(WRONG_CLOCK)
        page.visit("/sala/")
        live(page)
        calling = page.locator(f"[data-part='calls-{made}']")
        expect(calling).to_have_count(0)
        called = director.open()[1]
        director.do(f"meetings/{called['id']}/call")
        expect(calling.locator("li")).to_have_count(1)
        expect(calling.locator("li")).to_contain_text(str(called["table"]))
        expect(calling.locator(".pair small").first).to_have_text(called["pairs"][0])
        director.do("rounds/1/clock", {})
        expect(calling.locator("[role=timer]")).to_have_count(1)
        page.wait_for_function(TIME_IS, arg=r"^1:1[45]:\d\d$")
        director.win(called, called["pairs"][0])
        expect(calling.locator("li")).to_have_count(0)
        director.do("rounds/1/clock/stop")
        expect(calling).to_have_count(0)
