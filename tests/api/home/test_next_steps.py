"""The one next thing of each role, in the sentence with which the home page begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from html import unescape
from typing import Any

import pytest

from api.demo.content import NAMES
from tests.support.days import today
from tests.support.demonstrated import demonstrated
from tests.support.servers.accounts import joined
from tests.support.servers.http_table import HttpTable

SAID = re.compile(r'<h1 id="next">(.*?)</h1>.*?<a class="go" href="([^"]+)">(.*?)</a>', re.DOTALL)
MORE = re.compile(r"<li><p><strong>(.*?)</strong>.*?href=\"([^\"]+)\"", re.DOTALL)


def next_of(page: str) -> tuple[str, str, str]:
    found = SAID.search(page)
    assert found, page
    return tuple(map(unescape, found.groups()))  # type: ignore[return-value]  # three groups


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    """A club with an evening today, a tournament in its second round, and a case that waits."""
    table = demonstrated(tmp_path_factory.mktemp("played"), is_league_public=True)
    yield table
    table.close()


def home_as(table: HttpTable, role: Any, encuentro: str = "") -> str:
    seen = {"Guinote-Position": str(table.position)}
    return table.app.test_client().get("/", headers=table.signed_in(role, encuentro) | seen).text


def test_who_runs_evenings_opens_that_of_today_the_same_as_last_time(played: HttpTable) -> None:
    says, path, button = next_of(home_as(played, "admin"))
    assert re.fullmatch(r"Hoy, \w+, hay jornada, a las 19:30", says)
    assert (path, button) == ("/jornadas/nueva?como=misma", "Abrirla como la última vez")
    others = [unescape(one) for one, _ in MORE.findall(home_as(played, "admin"))]
    assert others == ["Ronda 2: faltan 3 resultados", "1 caso espera"]


def test_a_director_is_led_to_the_round_of_the_tournament(played: HttpTable) -> None:
    says, path, button = next_of(home_as(played, "director"))
    assert (says, button) == ("Ronda 2: faltan 3 resultados", "Llevar el torneo")
    assert re.fullmatch(r"/torneos/[\w-]+/direccion", path)


def test_an_arbiter_is_led_to_the_case_that_waits_and_to_tables(played: HttpTable) -> None:
    page = home_as(played, "arbiter")
    says, path, _ = next_of(page)
    assert (says, path.rpartition("/c/")[2]) == ("1 caso espera", "1")
    assert MORE.findall(page)[0] == ("Se juega 1 mesa", "/arbitro/")


def test_a_scorer_is_led_to_their_table(played: HttpTable) -> None:
    encuentro = played.encuentro().rpartition("/")[2]
    says, path, button = next_of(home_as(played, "scorer", encuentro))
    assert (says, button) == ("Tu mesa: Ana y Celia contra Blas y Diego", "Apuntar en ella")
    assert path == f"/arbitro/#/mesa/{encuentro}"


def test_a_player_with_an_account_sees_their_place_and_their_page(played: HttpTable) -> None:
    page = joined(played, NAMES[0].upper(), role="spectator").get("/").text
    (place, path), *others = MORE.findall(page)
    assert re.fullmatch(r"Puesto \d+ \((1 punto|\d+ puntos)\)", place)
    assert not others
    assert NAMES[0] in played.app.test_client().get(path).text
    assert MORE.findall(joined(played, "Nadie de aquí", role="spectator").get("/").text) == []


def test_a_visitor_learns_when_the_next_evening_is(played: HttpTable) -> None:
    says, path, _ = next_of(played.app.test_client().get("/").text)
    assert "hay jornada, a las 19:30" in says
    assert played.app.test_client().get(path).status_code == 200


# --- an evening, from its calendar to its last result --------------------------------------------


def test_an_evening_says_what_is_missing_until_it_is_over(table: HttpTable) -> None:
    where, version = opened(table, today(), 8)
    assert said(table) == "8 han venido, faltan por sortear las mesas"
    drawn = table.post(f"{where}/draws", {"method": "seed", "seed": "12345678"}, version)
    assert said(table) == "8 han venido, mesas sorteadas"
    playing = table.post(f"{where}/tables", version=drawn.json["version"])
    assert said(table) == "8 han venido, 2 mesas sin resultado"
    assert next_of(table.get("/").text)[1] == where.replace("/api/v1/sessions", "/jornadas")
    both = zip(("1 mesa sin", "todas las mesas con"), playing.json["encuentros"], strict=True)
    for left, encuentro in both:
        tell(table, encuentro)
        assert said(table) == f"8 han venido, {left} resultado"


def test_an_evening_of_pairs_counts_pairs_and_an_empty_one_nobody(table: HttpTable) -> None:
    body = {"date": today().isoformat(), "profile": {"id": "club"}, "of": "pairs"}
    where = str(table.post("/api/v1/sessions", body).headers["Location"])
    assert said(table) == "aún no ha venido nadie"
    two = [{"players": [{"name": name} for name in both]} for both in (("Ana", "Blas"),)]
    assert table.post(f"{where}/arrivals", {"pairs": two}, 1).status_code == 200
    assert said(table) == "1 pareja ha venido, faltan por sortear las mesas"


def test_the_next_evening_is_that_of_the_calendar_that_was_not_held(table: HttpTable) -> None:
    this_day = today()
    season = table.post("/api/v1/seasons", {"name": "Liga"}).headers["Location"]
    days = [{"date": (this_day + timedelta(days)).isoformat()} for days in (-7, 3, 10)]
    assert table.post(f"{season}/calendar", {"sessions": days}, 1).status_code == 200
    says, path, _ = next_of(table.get("/").text)
    assert says.startswith("La próxima jornada: ")
    assert f" {(this_day + timedelta(3)).day} de " in says
    assert path == str(season).replace("/api/v1/seasons", "/temporadas")


def test_an_evening_that_was_left_open_is_the_next_thing_with_its_day(table: HttpTable) -> None:
    opened(table, today() - timedelta(6), 4)
    assert next_of(table.get("/").text)[0].startswith("Jornada del ")


def test_an_arbiter_without_a_table_is_offered_the_tour(table: HttpTable) -> None:
    assert MORE.findall(home_as(table, "arbiter"))[-1][1] == "/arbitro/#/prueba"


def opened(table: HttpTable, day: date, players: int) -> tuple[str, int]:
    present = [{"name": f"Jugador {n}"} for n in range(players)]
    body = {"date": day.isoformat(), "profile": {"id": "club"}, "present": present}
    answer = table.post("/api/v1/sessions", body)
    assert answer.status_code == 201, answer.text
    return str(answer.headers["Location"]), answer.json["version"]


def said(table: HttpTable) -> str:
    says = next_of(table.get("/").text)[0]
    assert re.match(r"Hoy, \w+: ", says), says
    return says.partition(": ")[2]


def tell(table: HttpTable, encuentro: str) -> None:
    where = f"/api/v1/encuentros/{encuentro}"
    view = table.get(where).json
    told = table.post(f"{where}/result/scores", {"score": {"A": 2, "B": 0}}, view["version"])
    assert told.status_code == 200, told.text
