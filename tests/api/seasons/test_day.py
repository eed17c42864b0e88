"""The day that a wrong clock gave to an evening, a tournament or an encuentro is corrected, whatever was recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.api.club.test_persons import differences
from tests.api.seasons.test_membership import id_of, played, points
from tests.api.seasons.test_seasons import season, version
from tests.api.seasons.test_session_pages import Secretary
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament

WRONG, RIGHT, BEFORE = "2023-11-27", "2026-11-27", "2026-11-20"


def rated_days(table: HttpTable) -> list[str]:
    with table.app.extensions["guinote"]().reads.reading() as rows:
        return [day for (day,) in rows.execute("SELECT DISTINCT day FROM rating ORDER BY day")]


def days(table: HttpTable, evening: str) -> set[str]:
    """Of an evening and of its tables."""
    view = table.get(evening).json
    tables = [table.get(f"/api/v1/encuentros/{one['id']}").json for one in view["encuentros"]]
    assert tables
    return {view["date"], *(one["date"] for one in tables)}


def corrected(table: HttpTable, address: str, day: str = RIGHT) -> Any:
    return table.post(f"{address}/day", {"date": day}, table.get(address).json["version"])


def test_an_evening_that_is_closed_and_has_results_gets_its_right_day(table: HttpTable) -> None:
    league = season(table)
    played(table, date=BEFORE, season=id_of(league))
    evening = played(table, date=WRONG, season=id_of(league))
    assert table.post(f"{evening}/closing", version=version(table, evening)).status_code == 200
    before = points(table, league)
    assert (days(table, evening), rated_days(table)) == ({WRONG}, [WRONG, BEFORE])
    answer = corrected(table, evening)
    assert answer.status_code == 200, answer.text
    assert (days(table, evening), rated_days(table)) == ({RIGHT}, [BEFORE, RIGHT])
    assert points(table, league) == before
    first = table.get(evening).json["encuentros"][0]["id"]
    last = table.get(f"/api/v1/encuentros/{first}/audit").json["items"][-1]
    assert (last["event"], last["fact"]["date"]) == ("OpeningChanged.1", RIGHT)
    alone = corrected(table, f"/api/v1/encuentros/{first}", BEFORE)
    assert (alone.status_code, alone.json["codes"]) == (422, {"json": {"date": ["day_of_evening"]}})
    assert table.post(f"{league}/closing", version=version(table, league)).status_code == 200
    refused = corrected(table, evening, BEFORE)
    assert (refused.status_code, refused.json["code"]) == (409, "season-closed")
    assert days(table, evening) == {RIGHT}


def test_only_the_day_of_an_encuentro_that_has_begun_can_be_another(table: HttpTable) -> None:
    encuentro = table.post(
        "/api/v1/encuentros", {"profile": {"id": "club"}, "players": 2, "date": WRONG}
    ).headers["Location"]
    partida = table.partida(encuentro)
    table.record(partida, 0, {"kind": "result", "winner": "A"})
    stale = table.post(f"{encuentro}/day", {"date": RIGHT}, 1)
    assert stale.status_code == 412
    assert corrected(table, encuentro, "27/11/2026").status_code == 422
    assert corrected(table, encuentro).status_code == 200
    assert table.get(encuentro).json["date"] == RIGHT
    assert table.get(partida).json["decided"]["winner"] == "A"


def test_the_secretary_corrects_the_day_on_a_page(table: HttpTable) -> None:
    evening = played(table, date=WRONG)
    secretary = Secretary(table)
    secretary.path = f"/jornadas/{id_of(evening)}"
    assert f'href="{secretary.path}/dia"' in secretary.page()
    assert f'value="{WRONG}"' in secretary.page(f"{secretary.path}/dia")
    wrong = secretary.do("dia", date="ayer")
    assert (wrong.status_code, "Tiene que ser un día" in wrong.text) == (422, True)
    assert secretary.do("dia", date=RIGHT).status_code == 303
    assert "27 de noviembre de 2026" in secretary.page()
    assert days(table, evening) == {RIGHT}
    first = table.get(evening).json["encuentros"][0]["id"]
    moved = secretary.table.client.get(f"/e/{first}/dia", headers=table.owner())
    assert moved.headers["Location"] == f"{secretary.path}/dia"


def test_a_tournament_and_the_tables_that_had_its_day_get_the_right_one(
    table: HttpTable, tmp_path: Path
) -> None:
    cup = HttpTournament(table, 4, format="knock_out")
    cup.draw()
    first, other = [one["id"] for one in cup.open()]
    for meeting in (first, other):
        cup.do(f"meetings/{meeting}/encuentro")
    held = {one["id"]: one["encuentro"] for one in cup.open()}
    tables = [f"/api/v1/encuentros/{held[one]}" for one in (first, other)]
    assert corrected(table, tables[1], BEFORE).status_code == 200
    cup.play_open()
    cup.do("closing")
    assert cup.ask("day", {"date": "27/11/2026"}).status_code == 422
    assert table.post(f"{cup.path}/day", {"date": RIGHT}, 1).status_code == 412
    cup.do("day", {"date": RIGHT})
    assert cup.view()["date"] == RIGHT
    assert [table.get(one).json["date"] for one in tables] == [RIGHT, BEFORE]
    secretary = Secretary(table)
    secretary.path = f"/torneos/{id_of(cup.path)}/direccion"
    assert f'href="{secretary.path}/dia"' in secretary.page()
    assert f'value="{RIGHT}"' in secretary.page(f"{secretary.path}/dia")
    for day, status in (("ayer", 422), (BEFORE, 303)):
        version = cup.view()["version"]
        sent = secretary.send(f"{secretary.path}/dia", date=day, version=version)
        assert sent.status_code == status
    secretary.page()  # waits for what the form wrote
    assert cup.view()["date"] == BEFORE
    assert [table.get(one).json["date"] for one in tables] == [BEFORE, BEFORE]
    assert differences(tmp_path) == []
