"""An evening is opened as the calendar of its season says, and put into a season or out of it later."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.api.seasons.test_pairs import evening
from tests.api.seasons.test_seasons import DAY, drawn, opened, rule, season, session, version
from tests.api.seasons.test_session_pages import NAMES, Secretary
from tests.support.days import today
from tests.support.servers.http_table import HttpTable


@pytest.fixture
def secretary(table: HttpTable) -> Secretary:
    return Secretary(table)


def league_with_today(table: HttpTable, **more: Any) -> str:
    """A season whose calendar has today at an hour and a place."""
    league = season(table, **more)
    day = {"date": today().isoformat(), "time": "20:15", "place": "El Casino"}
    answer = table.post(f"{league}/calendar", {"sessions": [day]}, version(table, league))
    assert answer.status_code == 200, answer.text
    return league


def played(table: HttpTable, **more: Any) -> str:
    """An evening of no season with a table that is decided."""
    evening = session(table, names=tuple(NAMES.split("\n")[:4]), **more)
    drawn(table, evening, method="seed", seed="Calamocha")
    (first,) = opened(table, evening)
    rule(table, first, "A")
    return evening


def points(table: HttpTable, league: str) -> dict[str, int]:
    return {one["name"]: one["points"] for one in table.get(league).json["standings"]}


def id_of(address: str) -> str:
    return address.rpartition("/")[2]


def test_the_form_has_all_that_the_calendar_of_today_knows(secretary: Secretary) -> None:
    table = secretary.table
    season(table, name="Otra liga")
    league = league_with_today(table, name="Liga de parejas", of="pairs", rules="escuela")
    played(table, place="Casa Joan")
    for page in (secretary.page("/jornadas/nueva"), secretary.page("/jornadas/nueva?como=misma")):
        assert f'name="date" type="date" required value="{today().isoformat()}"' in page
        assert 'value="El Casino"' in page
        assert "20:15" in page
        assert f'<option value="{id_of(league)}" selected' in page
        assert re.search(r'name="of" value="pairs" checked', page)
        assert re.search(r'<select id="profile" name="profile"><option value="" selected', page)
    form = {"date": today().isoformat(), "of": "pairs", "profile": ""}
    held = secretary.open(**form, **{"season-pairs": id_of(league)})
    assert "20:15" in held
    assert secretary.view["profile"]["id"] == "escuela"


def test_without_a_day_in_a_calendar_the_season_that_runs_is_proposed(secretary: Secretary) -> None:
    over = season(secretary.table, name="La de antes", since="2024-01-01", until="2024-06-30")
    runs = season(secretary.table, name="La de ahora", since="2025-01-01")
    page = secretary.page("/jornadas/nueva")
    assert f'<option value="{id_of(runs)}" selected' in page
    assert f'<option value="{id_of(over)}">' in page


def test_an_evening_is_counted_later_and_taken_out_after_a_look_at_the_table(
    secretary: Secretary,
) -> None:
    table = secretary.table
    league = league_with_today(table)
    evening = played(table, date=today().isoformat())
    closing = table.post(f"{evening}/closing", version=version(table, evening))
    assert closing.status_code == 200, closing.text
    secretary.path = f"/jornadas/{id_of(evening)}"
    page = secretary.page()
    assert "Este día está en el calendario de Liga de invierno" in page
    look = secretary.page(f"{secretary.path}/temporada?temporada={id_of(league)}")
    assert "Liga de invierno, con esta jornada" in look
    assert re.findall(r'class="n points">(\d+)<', look) == ["5", "5", "2", "2"]
    assert points(table, league) == {}
    assert secretary.do("temporada", temporada=id_of(league)).status_code == 303
    assert "Este día está en el calendario" not in secretary.page()
    assert sorted(points(table, league).values()) == [2, 2, 5, 5]
    out = secretary.page(f"{secretary.path}/temporada?temporada=")
    assert "Salen de la tabla: " in out
    assert secretary.do("temporada", temporada="").status_code == 303
    assert "Este día está en el calendario" in secretary.page()
    assert points(table, league) == {}


def test_another_evening_of_the_season_keeps_its_points_in_the_preview(table: HttpTable) -> None:
    league = season(table)
    played(table, season=id_of(league))
    evening = played(table)
    body = {"season": id_of(league)}
    preview = table.post(f"{evening}/season/preview", body)
    (one,) = preview.json["seasons"]
    assert (preview.json["version"], one["movement"]) == (version(table, evening), "joins")
    assert {line["name"]: line["points"] for line in one["before"]} == points(table, league)
    moved = table.post(f"{evening}/season", body, preview.json["version"])
    assert moved.status_code == 200, moved.text
    assert {line["name"]: line["points"] for line in one["after"]} == points(table, league)
    assert table.post(f"{evening}/season/preview", body).json["seasons"] == []


def test_an_evening_of_pairs_joins_a_season_of_pairs_after_a_look(table: HttpTable) -> None:
    league = season(table, of="pairs")
    where = evening(table, "Los Reyes", "Tute")
    drawn(table, where, method="seed", seed="Calamocha")
    (first,) = opened(table, where)
    rule(table, first, "A")
    preview = table.post(f"{where}/season/preview", {"season": id_of(league)})
    assert preview.status_code == 200, preview.text
    (one,) = preview.json["seasons"]
    assert (one["before"], len(one["after"])) == ([], 2)
    assert {line["name"] for line in one["after"]} == {"Los Reyes", "Tute"}


def test_no_evening_joins_or_leaves_a_closed_season_or_one_of_others(secretary: Secretary) -> None:
    table = secretary.table
    closed, pairs = season(table), season(table, of="pairs")
    inside, outside = played(table, season=id_of(closed)), played(table, date=DAY)
    table.post(f"{closed}/closing", version=version(table, closed))

    def refusal(evening: str, **body: str) -> str:
        return str(table.post(f"{evening}/season", body, version(table, evening)).json["code"])

    assert refusal(inside) == "season-closed"
    assert refusal(outside, season=id_of(closed)) == "season-closed"
    assert refusal(outside, season=id_of(pairs)) == "other-competitors"
    secretary.path = f"/jornadas/{id_of(inside)}"
    assert "/temporada?" not in secretary.page()
    assert secretary.do("temporada", temporada="").status_code == 409
    assert secretary.client.get(f"{secretary.path}/temporada?temporada=x").status_code == 404
