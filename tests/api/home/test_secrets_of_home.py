"""What visitors see of a league, of its players and by the search does not change with secret acts."""

from __future__ import annotations

import re
from typing import Any

import pytest

from api.http import moments
from tests.support.servers.http_table import HttpTable, deal, pinta

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
    zone = moments.zone_named(services.referee.settings.time_zone())
    day = moments.day_in(zone, services.clock()).isoformat()
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


def seen(table: HttpTable) -> list[str]:
    """Pages of a visitor, with everything recorded in them."""
    table.get("/")
    services = table.app.extensions["guinote"]()
    assert services.reads.wait(services.referee.log.position(), 30)
    visitor, paths = table.app.test_client(), (*PAGES, *pages_of_league(table))
    pages = [visitor.get(path) for path in paths]
    assert [page.status_code for page in pages] == [200] * len(paths)
    return [page.text for page in pages]


def test_secret_acts_change_nothing(evening: tuple[HttpTable, str]) -> None:
    table, partida = evening
    answer = table.record(partida, 0, deal(), pinta())
    before = seen(table)
    assert re.search(r'<td class="points">\d', before[0])
    for what, act in SECRET.items():
        answer = table.record(partida, answer.json["version"], act)
        assert answer.status_code == 200, (what, answer.text)
        assert seen(table) == before, what


def test_a_partida_that_is_won_does_change_them(evening: tuple[HttpTable, str]) -> None:
    """Check of the test above: a changed view is detected."""
    table, partida = evening
    before = seen(table)
    assert table.record(partida, 0, {"kind": "result", "winner": "A"}).status_code == 200
    assert seen(table)[0] != before[0]
