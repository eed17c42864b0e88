"""Those who already sit at a running table are not opened another without a word."""

from __future__ import annotations

import re
from typing import Any

from tests.support.servers.http_table import ENCUENTROS, HttpTable
from tests.support.servers.http_tournament import decide

DAY = "2026-11-26"
FOUR = [{"name": name} for name in ("Ana", "Blas", "Celia", "Diego")]


def opened(table: HttpTable, seats: Any, **more: Any) -> Any:
    body = {"profile": {"id": "club"}, "seats": seats, "date": DAY, **more}
    return table.post(ENCUENTROS, body)


def test_over_rest_a_second_table_is_refused_if_so_asked(table: HttpTable) -> None:
    places = ("A1", "B1", "A2", "B2")
    first = opened(table, dict(zip(places, FOUR, strict=True)))
    where = first.headers["Location"]
    seated = table.get(where).json["seats"]
    seats = {seat: {"person": person} for seat, person in seated.items()}
    crossed = {"A1": seats["B1"], "B1": seats["A1"], "A2": seats["A2"], "B2": seats["B2"]}
    for sitting in (seats, crossed):
        again = opened(table, sitting, unless_playing=True)
        assert (again.status_code, again.json["code"]) == (409, "already_playing")
        assert again.json["facts"] == {"encuentros": [first.json["id"]]}
    body = {"profile": {"id": "club"}, "seats": seats, "date": "2026-11-27", "unless_playing": True}
    other_day = [table.post(ENCUENTROS, body, key="the-same-key") for _ in range(2)]
    assert [one.status_code for one in other_day] == [201, 201]
    assert other_day[0].data == other_day[1].data
    assert opened(table, seats).status_code == 201
    decide(table, where, "A")
    for one in table.get(ENCUENTROS).json["items"]:
        decide(table, f"{ENCUENTROS}/{one['id']}", "A")
    assert opened(table, seats, unless_playing=True).status_code == 201


def test_an_evening_says_where_the_same_four_play_before_it_opens_another(
    table: HttpTable,
) -> None:
    body = {"date": DAY, "profile": {"id": "club"}, "present": FOUR}
    evening = table.post("/api/v1/sessions", body).headers["Location"]
    page = evening.replace("/api/v1/sessions", "/jornadas")

    def draw() -> None:
        version = table.get(evening).json["version"]
        assert table.post(f"{evening}/draws", {"method": "seed"}, version).status_code == 200

    def open_them(**more: str) -> Any:
        form = {"key": table.key().replace("-", "x") + "x" * 16, **more}
        form["version"] = str(table.get(evening).json["version"])
        answer = table.client.post(f"{page}/mesas", data=form, headers=table.owner())
        if waits := re.search(r"wait=(\d+)", answer.headers.get("Location", "")):
            table.position = int(waits[1])
        return answer

    draw()
    assert open_them().status_code == 303
    (first,) = table.get(evening).json["encuentros"]
    draw()
    text = table.get(page).text
    assert "Los mismos cuatro ya están en una mesa sin terminar" in text
    assert f'href="/e/{first["id"]}"' in text
    assert open_them().status_code == 422
    assert len(table.get(evening).json["encuentros"]) == 1
    assert 'name="again" value="yes"' in text
    assert open_them(again="yes").status_code == 303
    assert len(table.get(evening).json["encuentros"]) == 2
