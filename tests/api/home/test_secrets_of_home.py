"""What visitors see of a league, of its players and by the search does not change with secret acts."""

from __future__ import annotations

import re
from typing import Any

import pytest

from api.http import moments
from tests.support.servers.http_table import HttpTable, deal, pinta
from tests.support.servers.http_tournament import HttpTournament, decide
from tests.support.waiting import wait_for

PAGES = ("/", "/temporadas/", "/buscar?q=ana", "/buscar?q=liga", "/buscar?q=jugador")
HAND = ["AO", "3O", "RO", "SO", "CO", "6O"]
SECRET: dict[str, dict[str, Any]] = {
    "a hand": {"kind": "hand", "seat": "A1", "cards": HAND},
    "a card": {"kind": "card", "seat": "A1", "card": "AO"},
    "a card against the duties": {"kind": "card", "seat": "B1", "card": "3C"},
    "an incident": {"kind": "incident", "incident": "talk", "seat": "A1", "text": "secreto"},
    "cards shown": {"kind": "show", "seat": "B1", "cards": ["AC"]},
}


@pytest.fixture
def evening(table: HttpTable) -> tuple[HttpTable, str]:
    """An evening of a published league whose table plays its second partida."""
    services = table.app.extensions["guinote"]()
    zone = moments.time_zone_or_utc(services.referee.settings.time_zone_name())
    day = moments.day_in_zone(zone, services.clock()).isoformat()
    table.post("/api/v1/settings", {"league_audience": "everybody"}, 0)
    scoring = {
        **dict.fromkeys(("encuentro_won", "partida_won", "attendance"), 1),
        **dict.fromkeys(("encuentro_level", "encuentro_lost", "coto_won"), 0),
    }
    league = table.post("/api/v1/seasons", {"name": "Liga", "scoring": scoring}).json["id"]
    names = [{"name": name} for name in ("Ana", "Blas", "Celia", "Diego")]
    body = {"date": day, "profile": {"id": "club"}, "season": league, "present": names}
    opened = table.post("/api/v1/sessions", body)
    where = str(opened.headers["Location"])
    seed = {"method": "seed", "seed": "12345678"}
    drawn = table.post(f"{where}/draws", seed, opened.json["version"])
    playing = table.post(f"{where}/tables", version=drawn.json["version"])
    encuentro = f"/api/v1/encuentros/{playing.json['encuentros'][0]}"
    first = table.partida(encuentro)
    table.record(first, 0, {"kind": "result", "winner": "A"})
    return table, table.partida(encuentro)


def pages_of_league(table: HttpTable) -> list[str]:
    """Addresses of pages of its season and of a player who sits at the table."""
    (league,) = table.get("/api/v1/seasons").json["items"]
    first = table.get(f"/api/v1/seasons/{league['id']}").json["standings"][0]["person"]
    season = f"/temporadas/{league['id']}"
    parts = ("grafico", "enfrentamientos", "hoja", "puntos.csv", "resultados.csv")
    of_league = [season, *(f"{season}/{part}" for part in parts)]
    return [*of_league, f"/incrustar{season}", f"{season}/jugador/{first}", f"/jugador/{first}"]


PIECES = {"knock_out": "cuadro", "swiss": "clasificacion"}
"""What another site embeds of a tournament of each format."""


@pytest.fixture(params=PIECES)
def tournament(
    request: pytest.FixtureRequest, table: HttpTable
) -> tuple[HttpTable, str, list[str]]:
    """A tournament whose first meeting is held at a table, the second partida there, and what visitors see."""
    form = request.param
    played = HttpTournament(table, 4, format=form, **({"rounds": 2} if form == "swiss" else {}))
    played.draw()
    if form == "swiss":
        played.do("rounds")
    meeting = played.open()[0]["id"]
    encuentro = f"/api/v1/encuentros/{played.do(f'meetings/{meeting}/encuentro')['encuentro']}"
    table.record(table.partida(encuentro), 0, {"kind": "result", "winner": "A"})
    home = played.path.replace("/api/v1/tournaments", "/torneos")
    paths = [home, f"{home}/pared", f"/incrustar{home}/{PIECES[form]}"]
    return table, table.partida(encuentro), paths


def seen(table: HttpTable, *paths: str) -> list[str]:
    """Pages of a visitor, with everything recorded in them; of the league if none are named."""
    table.get("/")
    services = table.app.extensions["guinote"]()
    assert services.reads.wait(services.referee.position(), 30)
    visitor, paths = table.app.test_client(), paths or (*PAGES, *pages_of_league(table))
    pages = [visitor.get(path) for path in paths]
    assert [page.status_code for page in pages] == [200] * len(paths)
    return [page.text for page in pages]


def unchanged_by_secrets(table: HttpTable, partida: str, *paths: str) -> list[str]:
    """What visitors see of a running deal, which no secret act changed."""
    answer = table.record(partida, 0, deal(), pinta())
    before = seen(table, *paths)
    for what, act in SECRET.items():
        answer = table.record(partida, answer.json["version"], act)
        assert answer.status_code == 200, (what, answer.text)
        assert seen(table, *paths) == before, what
    return before


def test_secret_acts_change_nothing(evening: tuple[HttpTable, str]) -> None:
    shown = unchanged_by_secrets(*evening)
    assert re.search(r'<td class="points">\d', shown[0])


def test_secret_acts_at_a_meeting_change_nothing_of_its_tournament(
    tournament: tuple[HttpTable, str, list[str]],
) -> None:
    """A table of a tournament is held on the tablet like any other."""
    table, partida, paths = tournament
    shown = unchanged_by_secrets(table, partida, *paths)
    assert all("Ana 1" in page for page in shown)


def test_a_meeting_that_is_decided_does_change_what_is_embedded(
    tournament: tuple[HttpTable, str, list[str]],
) -> None:
    """Check of the test above: the tournament follows the table."""
    table, partida, paths = tournament
    piece = paths[-1]
    before = seen(table, piece)
    assert table.record(partida, 0, {"kind": "result", "winner": "A"}).status_code == 200
    decide(table, partida.partition("/partidas")[0], "A")
    wait_for(lambda: seen(table, piece) != before, "a tournament that follows its table")


def test_a_partida_that_is_won_does_change_them(evening: tuple[HttpTable, str]) -> None:
    """Check of the test above: a changed view is detected."""
    table, partida = evening
    before = seen(table)
    assert table.record(partida, 0, {"kind": "result", "winner": "A"}).status_code == 200
    assert seen(table)[0] != before[0]
