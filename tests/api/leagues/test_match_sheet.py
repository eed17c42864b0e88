"""A match of a league on paper: one sheet, with boxes that stay in their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.support.servers.http_league import HttpLeague
from tests.support.servers.http_table import HttpTable

BOXES = """() => [...document.querySelectorAll(".paper i")].map((one) => {
  const [sheet, box] = [document.querySelector(".paper"), one].map((it) => it.getBoundingClientRect());
  return [box.x - sheet.x, box.y - sheet.y, box.width, box.height].map(Math.round);
})"""
LONG = "Peña Guiñotera de los Amigos de la Plaza Mayor de Calamocha"


def league_of(table: HttpTable, *teams: str, **rules: Any) -> HttpLeague:
    made = HttpLeague(table, *teams, rules=rules)
    made.schedule(time="21:30")
    made.view()
    return made


def name_pairs(league: HttpLeague, *pairs: tuple[str, str]) -> None:
    named = [[{"name": one} for one in pair] for pair in pairs]
    match = league.match("1", "2")
    league.do({"kind": "lineup", "match": match, "team": "1", "pairs": named})
    league.view()


def sheet_of(league: HttpLeague) -> str:
    return f"/ligas/{league.id}/encuentros/{league.match('1', '2')}/hoja"


def pages_of(page: Page) -> int:
    """How many sheets a page prints on."""
    printed = page.pdf(prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", printed))


@pytest.fixture
def page(browser: Browser, table: HttpTable) -> Iterator[Page]:
    """A page of the browser that reads the application of the test."""
    context = browser.new_context(locale="es-ES")
    reader = table.app.test_client()

    def answer(route: Route) -> None:
        path = route.request.url.partition("://")[2].partition("/")[2]
        found = reader.get(f"/{path}")
        route.fulfill(status=found.status_code, body=found.data, content_type=found.content_type)

    context.route("**/*", answer)
    yield context.new_page()
    context.close()


def test_a_sheet_has_a_box_for_each_side_of_each_partida_and_what_a_tie_break_needs(
    table: HttpTable,
) -> None:
    league = league_of(table, "Bar Ana", "Bar Blas", partidas=4, tie_breaks=["direct", "cotos"])
    name_pairs(league, ("Ana Ruiz", "Eva Gil"))
    found = table.app.test_client().get(sheet_of(league)).text
    rows = re.findall(r"<li class=\"line.*?</li>", found, re.DOTALL)
    assert [row.count("<i></i>") for row in rows] == [4] * 4
    assert "Ana Ruiz" in rows[0]
    assert "Firma de Bar Blas" in found
    match = sheet_of(league).removesuffix("/hoja")
    assert re.search(rf'aria-label="https?://[^"]+{match}"', found)
    assert f'href="{match}/hoja"' in table.app.test_client().get(match).text
    absent = table.app.test_client().get(f"/ligas/{league.id}/encuentros/1-9-9/hoja")
    assert absent.status_code == 404


def test_the_sheets_of_a_round_are_those_of_its_matches_in_its_division(table: HttpTable) -> None:
    league = league_of(table, "Bar Ana", "Bar Blas", "Casino", "Peña")
    every = [one for one in league.view()["divisions"][0]["matches"] if one["round"] == 2]
    reader, home = table.app.test_client(), f"/ligas/{league.id}"
    found = reader.get(f"{home}/jornadas/2/hojas?lang=es").text
    assert found.count('<article class="paper') == 2
    assert "Hojas para rellenar: Jornada 2" in found
    for one in every:
        assert re.search(rf'aria-label="https?://[^"]+/encuentros/{one["match"]}"', found)
    assert reader.get(f"{home}/jornadas/7/hojas").status_code == 404
    assert reader.get(f"{home}/jornadas/2/hojas?division=2").status_code == 404
    assert f'href="{home}/jornadas/2/hojas?division=1"' in table.get(f"{home}/direccion").text


@pytest.mark.parametrize("partidas", [1, 6, 12, 30])
def test_only_a_browser_shows_that_a_match_prints_on_one_sheet_and_its_boxes_do_not_move(
    table: HttpTable, page: Page, partidas: int
) -> None:
    places = []
    for teams in (("Bar Ana", "Bar Blas"), (LONG, LONG[::-1])):
        league = league_of(table, *teams, "Casino", "Peña", partidas=partidas)
        if teams[0] == LONG:
            name_pairs(league, (LONG, LONG[::-1]))
        page.goto(f"http://guinote.test{sheet_of(league)}")
        assert pages_of(page) == 1
        page.emulate_media(media="print")
        places.append(page.evaluate(BOXES))
    page.goto(f"http://guinote.test/ligas/{league.id}/jornadas/1/hojas")
    assert pages_of(page) == 2, "each match of a round on its own"
    assert places[0] == places[1]
    boxes = places[0][4 : 4 + 2 * partidas]
    assert len({y for _, y, *_ in boxes}) == partidas
    assert all(
        low[1] + low[3] <= high[1] for low, high in zip(boxes[::2], boxes[2::2], strict=False)
    )
