"""A player across seasons: what their page says, to whom, and that it shows nothing secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from api.http.languages import say
from tests.support.browser.pages import (
    LOOKED_AT,
    PHONE,
    TELEVISION,
    address,
    enough_contrast,
    no_violations,
    no_violations_in_any_language,
    site,
    visiting,
)
from tests.support.demonstrated import demonstrated
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

LINK = re.compile(r'href="(/[^"#]*)')
RECORD = re.compile(r'class="record">ganó (\d+) de (\d+)<')


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    """A club whose league everybody may see."""
    table = demonstrated(tmp_path_factory.mktemp("career"), is_league_public=True)
    yield table
    table.close()


@pytest.fixture(scope="module")
def house(shown: HttpTable, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The same club, served."""
    folder = tmp_path_factory.mktemp("served")
    table = demonstrated(folder, is_league_public=True)
    table.close()
    with site(folder) as served:
        yield served


def season_of(table: HttpTable) -> dict[str, Any]:
    key = table.get("/api/v1/seasons").json["items"][0]["id"]
    view: dict[str, Any] = table.get(f"/api/v1/seasons/{key}").json
    return view


def page_of(table: HttpTable, person: str, *, is_owner: bool = False) -> str:
    headers = table.owner() if is_owner else {}
    answer = table.app.test_client().get(f"/jugador/{person}", headers=headers)
    assert answer.status_code == 200
    return answer.text


def test_the_figures_are_those_of_the_season(shown: HttpTable) -> None:
    season = season_of(shown)
    for row in season["standings"]:
        page = page_of(shown, row["person"])
        won, played = re.search(r"<dd>(\d+) <small>de (\d+)<", page).groups()
        assert (int(won), int(played)) == (row["won"], row["played"])
        chips = page.split('<ul class="form">')[1].partition("</ul>")[0]
        assert chips.count("<li>") == min(row["played"], 10)
        where = re.search(r"(\d+)<small>/(\d+)</small>", page).groups()
        assert tuple(map(int, where)) == (row["place"], len(season["standings"]))
        assert f"{row['points']} punto" in page


def test_all_partners_and_rivals_are_there_and_their_records_add_up(shown: HttpTable) -> None:
    """Four sit at a table: each encuentro has one partner and two rivals."""
    row = season_of(shown)["standings"][0]
    page = page_of(shown, row["person"])
    partners, rivals = page.split("Contra quién juega")
    for part, each in ((partners, 1), (rivals, 2)):
        found = [(int(won), int(played)) for won, played in RECORD.findall(part)]
        assert found
        assert sum(won for won, _ in found) == each * row["won"]
        assert sum(played for _, played in found) == each * row["played"]


def test_every_link_of_the_page_opens_for_a_visitor(shown: HttpTable) -> None:
    client, row = shown.app.test_client(), season_of(shown)["standings"][0]
    page = page_of(shown, row["person"])
    main = page[page.index("<main") : page.index("</main>")]
    paths = dict.fromkeys(LINK.findall(main))
    assert len(paths) > 10
    assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)


def test_a_club_that_does_not_publish_keeps_it_to_those_who_may_read(tmp_path: Path) -> None:
    table = demonstrated(tmp_path)
    person = table.get("/api/v1/players").json["items"][0]["player"]
    visitor = table.app.test_client()
    assert "/entrar" in visitor.get(f"/jugador/{person}").headers["Location"]
    assert page_of(table, person, is_owner=True)
    season = season_of(table)["id"]
    assert "/jugador/" not in visitor.get(f"/temporadas/{season}/jugador/{person}").text.replace(
        f"/temporadas/{season}/jugador/", ""
    )
    table.close()


def test_who_never_played_is_nobody_to_a_visitor(shown: HttpTable) -> None:
    added = shown.post("/api/v1/players", {"name": "Zoilo Nuevo"})
    assert added.status_code == 201
    person = added.json["players"][0]
    assert "Zoilo" in shown.get(f"/jugador/{person}").text
    assert say("career.new", "es") in shown.get(f"/jugador/{person}").text
    assert shown.app.test_client().get(f"/jugador/{person}").status_code == 404


def test_a_name_on_the_home_page_leads_to_a_page_that_fits_a_phone_with_contrast(
    browser: Browser, house: Served
) -> None:
    """One step: a tap on a name of the table."""
    with visiting(browser, house, "/", **PHONE) as page:
        for lang in LOOKED_AT:
            page.goto(address(house, f"/?lang={lang}"))
            page.locator(".season tbody a").first.tap()
            page.wait_for_url("**/jugador/*")
            expect(page.locator(".form li").first).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), lang
            page.locator("details.more summary").first.tap()
            no_violations_in_any_language(page)
        page.emulate_media(color_scheme="dark")
        enough_contrast(page)
        path = page.url.partition(str(house.port))[2]
    with visiting(browser, house, path, **TELEVISION) as page:
        no_violations(page)
