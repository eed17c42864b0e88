"""The search: by beginnings of words, grouped, and nothing that the reader may not see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from api.http.languages import say, texts_of_language
from api.http.moments import day_words
from api.search import pages as search_pages
from api.seasons import views as season_views
from tests.support.browser.pages import PHONE, READ, address, no_violations, site, visiting
from tests.support.days import today
from tests.support.demonstrated import demonstrated
from tests.support.servers.http_table import HttpTable

GROUP = re.compile(r'<section aria-labelledby="(\w+)">(.*?)</section>', re.DOTALL)
RESULT = re.compile(
    r'<a href="([^"]+)"[^>]*>(?:<span class="avatar [OCEB]" aria-hidden="true">[^<]*</span> )?<div><strong>([^<]*)</strong>'
)


@pytest.fixture(scope="module", params=[False, True], ids=["kept", "published"])
def table(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[HttpTable, bool]]:
    """A club with a pair that has a name; whether everybody may see its league."""
    made = demonstrated(tmp_path_factory.mktemp("search"), is_league_public=request.param)
    players = made.get("/api/v1/players?q=pilar").json["items"]
    others = made.get("/api/v1/players?q=oscar").json["items"]
    both = [players[0]["player"], others[0]["player"]]
    assert made.post("/api/v1/pairs", {"players": both, "name": "Los Reyes"}).status_code == 201
    assert made.get("/api/v1/pairs?q=reyes").json["items"], "the views have followed"
    yield made, request.param
    made.close()


def found(client: Any, sought: str, **headers: str) -> dict[str, list[tuple[str, str]]]:
    page = client.get("/buscar", query_string={"q": sought}, headers=headers)
    assert page.status_code == 200
    return {
        group: [(unescape(name), path) for path, name in RESULT.findall(its)]
        for group, its in GROUP.findall(page.text)
    }


def names(groups: dict[str, list[tuple[str, str]]]) -> dict[str, list[str]]:
    return {group: [name for name, _ in its] for group, its in groups.items()}


def test_people_stand_with_their_initials(table: tuple[HttpTable, bool]) -> None:
    made, _ = table
    for path in ("/buscar?q=iban", "/jugadores/?q=iban"):
        page = made.client.get(path, headers=made.owner()).text
        assert re.findall(r'class="avatar [OCEB]" aria-hidden="true">(\w+)<', page) == ["MI"], path
    assert 'class="avatar' not in made.client.get("/buscar?q=otono", headers=made.owner()).text


def test_who_may_read_finds_all_of_the_club(table: tuple[HttpTable, bool]) -> None:
    made, _ = table
    every: list[tuple[str, str]] = []
    for sought, group, name in (
        ("OSC LAC", "people", "Óscar Lacasa"),
        ("iban", "people", "Manuel Ibáñez"),
        ("reyes", "pairs", "Los Reyes"),
        ("pilar reyes", "pairs", "Los Reyes"),
        ("otono", "tournaments", "Torneo de otoño"),
        ("jueves liga", "seasons", "Liga de los jueves"),
    ):
        groups = found(made.client, sought, **made.owner())
        assert names(groups)[group] == [name], (sought, groups)
        every += [one for its in groups.values() for one in its]
    month = day_words((today() - timedelta(weeks=1)).isoformat(), texts_of_language("es")).split()[
        2
    ]
    evenings = found(made.client, f"arrastre {month}", **made.owner())["evenings"]
    assert evenings
    for _, path in [*every, *evenings]:
        assert made.client.get(path, headers=made.owner()).status_code == 200, path


def test_a_visitor_finds_what_is_published_alone(table: tuple[HttpTable, bool]) -> None:
    made, is_public = table
    for who in ({}, made.signed_in("spectator")):
        client = made.app.test_client()
        assert names(found(client, "otoño", **who)) == {"tournaments": ["Torneo de otoño"]}
        assert found(client, "reyes", **who) == {}, "a pair of the club that nobody published"
        (pair,) = found(client, "andres pilar", **who)["pairs"]
        assert pair[0] == "Pilar Gracia · Andrés Lahoz", "a pair of a tournament"
        assert ("seasons" in found(client, "jueves", **who)) == is_public
        assert ("evenings" in found(client, "arrastre", **who)) == is_public
        people = found(client, "oscar", **who)
        assert ("people" in people) == is_public
        for its in people.values():
            for _, path in its:
                assert path.startswith(("/jugador/", "/torneos/"))
                assert client.get(path, headers=who).status_code == 200


def test_who_is_bound_to_a_table_finds_no_more_than_a_visitor(
    table: tuple[HttpTable, bool],
) -> None:
    made, _ = table
    bound = made.signed_in("arbiter", made.encuentro().rpartition("/")[2])
    client = made.app.test_client()
    for sought in ("oscar", "reyes", "ana", "jueves"):
        assert found(client, sought, **bound) == found(client, sought), sought


@pytest.mark.parametrize("sought", ["", "   ", "\0", "zzzz", "'; --", "<b>", "%", "9" * 500])
def test_anything_may_be_asked(table: tuple[HttpTable, bool], sought: str) -> None:
    made, _ = table
    assert found(made.client, sought, **made.owner()) == {}


def test_the_search_fits_a_phone_with_contrast(browser: Browser, tmp_path: Path) -> None:
    made = demonstrated(tmp_path)
    made.close()
    with site(tmp_path) as served:
        with visiting(browser, served, "/buscar", signed_in=True, **PHONE) as page:
            for lang in READ:
                page.goto(address(served, f"/buscar?lang={lang}"))
                page.locator("#sought").fill("pilar")
                page.locator("#sought").press("Enter")
                expect(page.locator(".found a").first).to_contain_text("Pilar")
                no_violations(page)
                page.goto(page.url.replace("q=pilar", "q=zzz"))
                nothing = say("search.nothing", lang, sought="zzz")
                expect(page.get_by_role("status")).to_contain_text(nothing)


def test_an_evening_of_long_ago_is_found_and_that_there_are_more_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = HttpTable(tmp_path)
    monkeypatch.setattr(season_views, "_SESSIONS", 1)
    for day in ("1999-02-04", "2020-02-06", "2021-02-04"):
        body = {"date": day, "profile": {"id": "club"}, "place": "Casino"}
        assert made.post("/api/v1/sessions", body).status_code == 201
    assert len(made.get("/api/v1/sessions").json["items"]) == 3, "the views have followed"
    evenings = found(made.client, "febrero 1999", **made.owner())["evenings"]
    assert [name for name, _ in evenings] == ["jueves, 4 de febrero de 1999"]
    more = "escribe más letras"
    assert more not in made.get("/buscar?q=casino").text
    monkeypatch.setattr(search_pages, "MOST", 2)
    monkeypatch.setattr(search_pages, "MOST", 2)
    page = made.get("/buscar?q=casino").text
    assert more in page
    assert len(RESULT.findall(page)) == 2
    made.close()
