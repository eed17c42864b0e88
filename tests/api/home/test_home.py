"""The home page: ways that open, the season and the tournament in pictures, who won, first steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.html.ways import MAIN, PLACES
from api.http.languages import say
from tests.api.http.test_access_matrix import EVERYBODY, Site, Who
from tests.support.demonstrated import demonstrated
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament
from tests.support.servers.kept_apps import kept_table

LINK = re.compile(r'<a [^>]*href="(/[^"#]*)')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with kept_table(tmp_path_factory.mktemp("home")) as table:
        yield Site(table)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> HttpTable:
    """A club whose league everybody may see."""
    return demonstrated(tmp_path_factory.mktemp("shown"), is_league_public=True)


def main_of(page: str) -> str:
    return page[page.index("<main") : page.index("</main>")]


def ways_of(client: Any) -> list[str]:
    shown = client.get("/").text.split('class="main-ways"')[1].partition("</nav>")[0]
    return LINK.findall(shown)


@pytest.mark.parametrize("who", EVERYBODY, ids=[who.name for who in EVERYBODY])
def test_every_way_of_a_role_and_every_link_of_its_home_opens(site: Site, who: Who) -> None:
    client = site.clients[who.name]
    ways = ways_of(client)
    links = [*ways, *LINK.findall(main_of(client.get("/").text))]
    assert ways
    assert {path: client.get(path).status_code for path in links} == dict.fromkeys(links, 200)


def test_a_person_with_all_rights_is_shown_every_way_of_their_role(site: Site) -> None:
    for role in ("admin", "director", "arbiter"):
        assert ways_of(site.clients[role]) == [PLACES[way] for way in MAIN[role]]


def test_the_league_is_a_way_of_visitors_only_if_everybody_may_see_it(
    site: Site, shown: HttpTable
) -> None:
    assert "/temporadas/" not in ways_of(site.clients["stranger"])
    assert "/temporadas/" in ways_of(shown.app.test_client())


def test_a_stranger_sees_no_name_and_no_table(site: Site) -> None:
    for name, sees in (("stranger", 0), ("revoked", 0), ("spectator", 0), ("scorer here", 1)):
        client = site.clients[name]
        for path in ("/", "/mesas/"):
            assert ("Ana" in client.get(path).text) == bool(sees), (name, path)


def test_the_home_page_of_an_empty_site_opens(table: HttpTable) -> None:
    table.client.post("/entrar", data={"token": table.token})
    told = say("home.empty.club", "es")
    for client, is_told in ((table.client, False), (table.app.test_client(), True)):
        answer = client.get("/")
        assert (answer.status_code, told in answer.text) == (200, is_told)
    assert 'class="take" href="/reglas"' in answer.text


def test_a_visitor_finds_the_league_the_next_evening_and_who_won(shown: HttpTable) -> None:
    page = main_of(shown.app.test_client().get("/").text)
    assert say("home.next.at", "es", time="19:30") in page
    assert say("home.empty.how", "es") not in page
    assert page.count('<polyline class="line') == page.count('class="place"') - 7 == 5
    assert page.count('class="side won"') == page.count('class="side lost"') == 6
    assert "/e/" not in page
    for path in dict.fromkeys(LINK.findall(page)):
        assert shown.app.test_client().get(path).status_code == 200, path


def test_the_lines_end_at_the_points_of_the_table(shown: HttpTable) -> None:
    season = shown.get("/api/v1/seasons").json["items"][0]["id"]
    rows = shown.get(f"/api/v1/seasons/{season}").json["standings"]
    page = main_of(shown.app.test_client().get("/").text)
    grid = dict(re.findall(r'<text x="4" y="([\d.]+)">(\d+)</text>', page))
    (top, most) = min(grid.items(), key=lambda one: float(one[0]))
    (low, least) = max(grid.items(), key=lambda one: float(one[0]))
    each = (float(low) - float(top)) / (int(most) - int(least))
    ends = [float(y) for y in re.findall(r'points="[^"]*,([\d.]+)"', page)][::-1]
    assert [round(int(most) - (y - 5 - float(top)) / each) for y in ends] == [
        row["points"] for row in rows[:5]
    ]


def test_a_club_that_does_not_publish_shows_its_tournament_and_no_league(tmp_path: Path) -> None:
    table = demonstrated(tmp_path)
    page = table.app.test_client().get("/").text
    assert ("Torneo de otoño" in page, "Liga de los jueves" in page) == (True, False)
    assert "18/11" not in page
    assert 'class="results"' not in page
    owner = table.get("/").text
    assert ("Torneo de otoño" in owner, "Liga de los jueves" in owner) == (True, True)


def test_a_knock_out_is_drawn_and_then_its_winners_are_named(table: HttpTable) -> None:
    cup = HttpTournament(table, 4, format="knock_out")
    cup.draw()
    visitor = table.app.test_client()
    for winners in (False, True):
        table.get(cup.path)
        page = main_of(visitor.get("/").text)
        drawn = page[page.index('<svg class="bracket"') :]
        assert "Ana 1 · Blas 1" in drawn
        assert ('class="champion"' in page, "<strong>Ana 1 · Blas 1</strong>" in page) == (
            winners,
            winners,
        )
        cup.play_open()


def steps_done(table: HttpTable) -> list[bool]:
    page = table.get("/").text
    found = page[page.index('<ol class="first">') :].partition("</ol>")[0]
    return ['class="done"' in one for one in found.split("<li")[1:]]


def test_the_first_steps_of_a_new_house_are_ticked_when_they_are_done(table: HttpTable) -> None:
    assert steps_done(table) == [False, False, False]
    for name in ("Ana", "Blas", "Celia", "Diego"):
        assert table.post("/api/v1/players", {"name": name}).status_code == 201
    assert steps_done(table) == [True, False, False]
    rules = {"name": "Normas de la Peña", "base": "club", "changes": {"min_malas": 30}}
    assert table.post("/api/v1/club/rules", rules).status_code == 201
    assert steps_done(table) == [True, True, False]
    body = {"date": "2026-11-19", "profile": {"id": "club"}}
    opened = table.post("/api/v1/sessions", body)
    assert steps_done(table) == [True, True, True]
    where = str(opened.headers["Location"])
    assert table.post(f"{where}/closing", version=opened.json["version"]).status_code == 200
    assert 'class="first"' not in table.get("/").text


def test_first_steps_are_for_who_runs_the_club(site: Site) -> None:
    for name, sees in (
        ("admin", True),
        ("director", True),
        ("arbiter", False),
        ("stranger", False),
    ):
        assert ('class="first"' in site.clients[name].get("/").text) == sees, name
