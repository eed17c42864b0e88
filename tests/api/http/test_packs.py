"""Tables with a French pack: drawings and names of cards are those of the pack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser

from api.http.folders import static_file
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import address, no_violations, site
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


@pytest.mark.parametrize("path", PAGES[:2])
def test_a_page_draws_the_cards_that_are_played_with(
    browser: Browser, club: Club, path: str
) -> None:
    for encuentro, sheet in ((club.french, FRENCH), (club.spanish, SPANISH)):
        with kept_page(browser, club.served, path.format(encuentro), signed_in=True) as page:
            page.locator(f"svg.card use[href='{sheet}#RO']").first.wait_for(state="attached")
            drawn = page.locator("svg.card use").evaluate_all(
                "all => all.map(e => e.getAttribute('href'))"
            )
            assert {one.partition("#")[0] for one in drawn} == {sheet}
            no_violations(page)


def test_a_replay_carries_the_drawings_of_its_pack(browser: Browser, club: Club) -> None:
    for encuentro, sheet in ((club.french, FRENCH), (club.spanish, SPANISH)):
        drawn = static_file(sheet.removeprefix("/static/")).read_text("utf-8")
        path = PAGES[2].format(encuentro)
        with kept_page(browser, club.served, path, signed_in=True) as page:
            laid = page.locator("svg.card use[href='#RO']").first
            laid.wait_for(state="attached")
            assert laid.evaluate("use => use.getBBox().width") > 10
            assert page.locator("use:not([href^='#'])").count() == 0
            (king,) = page.locator("symbol#RO").evaluate_all("all => all.map(e => e.outerHTML)")
            assert re.sub(r' xmlns="[^"]+"', "", king).replace("></use>", "/>") in drawn
            no_violations(page)


def test_words_are_those_of_the_pack(browser: Browser, club: Club) -> None:
    names = {club.french: "dama de corazones", club.spanish: "sota de copas"}
    trumps = {club.french: "Triunfo: diamantes", club.spanish: "Triunfo: oros"}
    for encuentro, words in names.items():
        for path in (PAGES[0], PAGES[2]):
            with kept_page(browser, club.served, path.format(encuentro), signed_in=True) as page:
                text = page.locator("main").inner_text()
                assert [one for one in names.values() if one in text] == [words], path
                assert path == PAGES[2] or trumps[encuentro] in text


def test_the_hall_shows_each_table_with_its_pack(browser: Browser, club: Club) -> None:
    with kept_page(browser, club.served, "/sala/") as page:
        for words in ("rey de diamantes", "rey de oros"):
            assert page.get_by_role("img", name=words, exact=True).count() == 1
        drawn = page.locator("svg.card use").evaluate_all(
            "all => all.map(e => e.getAttribute('href'))"
        )
        assert set(drawn) == {f"{FRENCH}#RO", f"{SPANISH}#RO"}


def test_the_file_of_a_partida_has_its_pack(browser: Browser, club: Club, tmp_path: Path) -> None:
    with kept_page(browser, club.served, "/", signed_in=True) as page:
        got = page.context.request.get(address(club.served, f"/repeticion/{club.french}/1/fichero"))
        assert got.ok
        text = got.text()
    assert "dama de corazones" in text
    assert "sota de copas" not in text


def test_the_draw_is_keyed_with_the_pack_of_the_rules(browser: Browser, club: Club) -> None:
    with kept_page(browser, club.served, "/reglas") as page:
        rows = page.context.request.get(address(club.served, "/api/v1/profiles")).json()
    packs = {one["id"]: one["pack"] for one in (rows["items"] if "items" in rows else rows)}
    assert packs["baraja-francesa"] == "french_queen_sota"
    assert packs["club"] == "spanish"
