"""Tables with a French pack: drawings and names of cards are those of the pack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser

from api.http.folders import static_file_path
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import no_violations, site
from tests.support.page_in_node import PageInNode, expect, page_in_node
from tests.support.servers.http_table import HttpTable, card, deal, pinta
from tests.support.servers.served import Served

FRENCH = "/static/html/cards-french_queen_sota.svg"
SPANISH = "/static/html/cards.svg"


class Club(NamedTuple):
    served: Served
    french: str
    spanish: str


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    folder = tmp_path_factory.mktemp("packs")
    table = HttpTable(folder)
    found = []
    for profile in ("baraja-francesa", "club"):
        where = table.partida(table.encuentro(profile))
        table.record(where, 0, deal(), pinta("RO"), card("A1", "SC"))
        table.get(where)
        found.append(where.split("/")[4])
    table.close()
    with site(folder) as served:
        yield Club(served, *found)


PAGES = ["/e/{}/p/1", "/mesa/{}", "/repeticion/{}/1?linea=3"]


@pytest.fixture(scope="module")
def page(club: Club) -> Iterator[PageInNode]:
    with page_in_node(club.served) as one:
        yield one


def sheets_of(page: PageInNode) -> set[str]:
    """Files that the cards of a page are drawn from."""
    expect(page.locator("svg.card").first).to_be_visible()
    return {one.partition("#")[0] for one in page.locator("svg.card use").values("href")}


def test_a_page_draws_the_cards_that_are_played_with(page: PageInNode, club: Club) -> None:
    for encuentro, sheet in ((club.french, FRENCH), (club.spanish, SPANISH)):
        for path in PAGES[:2]:
            page.visit(path.format(encuentro), signed_in=True)
            assert sheets_of(page) == {sheet}
            assert f"{sheet}#RO" in page.locator("svg.card use").values("href")


def test_a_replay_carries_the_drawings_of_its_pack(page: PageInNode, club: Club) -> None:
    for encuentro, sheet in ((club.french, FRENCH), (club.spanish, SPANISH)):
        drawn = static_file_path(sheet.removeprefix("/static/")).read_text("utf-8")
        page.visit(PAGES[2].format(encuentro), signed_in=True)
        assert sheets_of(page) == {""}
        expect(page.locator("use:not([href^='#'])")).to_have_count(0)
        king = page.evaluate("document.querySelector('symbol#RO').outerHTML")
        assert re.sub(r' xmlns="[^"]+"', "", king).replace("></use>", "/>") in drawn


def test_words_are_those_of_the_pack(page: PageInNode, club: Club) -> None:
    names = {club.french: "dama de corazones", club.spanish: "sota de copas"}
    trumps = {club.french: "Triunfo: diamantes", club.spanish: "Triunfo: oros"}
    for encuentro, words in names.items():
        for path in (PAGES[0], PAGES[2]):
            page.visit(path.format(encuentro), signed_in=True)
            text = page.locator("main").inner_text()
            assert [one for one in names.values() if one in text] == [words], path
            assert path == PAGES[2] or trumps[encuentro] in text


def test_the_hall_shows_each_table_with_its_pack(page: PageInNode, club: Club) -> None:
    page.visit("/sala/")
    for words in ("rey de diamantes", "rey de oros"):
        expect(page.locator(f"[role=img][aria-label='{words}']")).to_have_count(1)
    assert set(page.locator("svg.card use").values("href")) == {f"{FRENCH}#RO", f"{SPANISH}#RO"}


def test_the_file_of_a_partida_has_its_pack(page: PageInNode, club: Club) -> None:
    page.visit("/", signed_in=True)
    path = f"/repeticion/{club.french}/1/fichero"
    text = page.evaluate("(path) => fetch(path).then((got) => got.text())", path)
    assert "dama de corazones" in text
    assert "sota de copas" not in text


def test_the_draw_is_keyed_with_the_pack_of_the_rules(club: Club) -> None:
    status, rows = club.served.ask("GET", "/api/v1/profiles")
    packs = {one["id"]: one["pack"] for one in rows["items"]}
    assert status == 200
    assert packs["baraja-francesa"] == "french_queen_sota"
    assert packs["club"] == "spanish"


def test_cards_of_each_pack_are_drawn_and_readable_on_a_screen(
    browser: Browser, club: Club
) -> None:
    for encuentro in (club.french, club.spanish):
        for path in PAGES:
            with kept_page(browser, club.served, path.format(encuentro), signed_in=True) as page:
                laid = page.locator("svg.card use[href$='#RO']").first
                laid.wait_for(state="attached")
                assert laid.evaluate("use => use.getBBox().width") > 10, path
                no_violations(page)
