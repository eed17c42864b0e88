"""A round in shifts: each meeting has its hour, pairs see theirs, and tables are used again."""

from __future__ import annotations

import re

import pytest

from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk

SHIFTS = ["17:00", "19:00"]


@pytest.fixture
def desk(table: HttpTable) -> Desk:
    """A knock-out of eight pairs with two tables."""
    made = Desk(table, 8, format="knock_out", tables=2)
    made.run.draw()
    return made


def words(table: HttpTable, path: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", table.get(path).text).split())


def test_meetings_are_spread_over_the_shifts_and_each_table_takes_one_of_each(
    table: HttpTable, desk: Desk
) -> None:
    typed = f"{SHIFTS[1]}, {SHIFTS[0]}"
    assert desk.send(do="hours", round="1", hours=typed).status_code == 303
    assert desk.send(do="tables").status_code == 303
    met = desk.run.open()
    assert [one["hour"] for one in met] == [*SHIFTS[:1] * 2, *SHIFTS[1:] * 2]
    assert [one["table"] for one in met] == [1, 2, 1, 2]
    home = desk.path.removesuffix("/direccion")
    for one in met:
        for pair in one["pairs"]:
            assert f"A las {one['hour']}" in words(table, f"{home}/pareja/{pair}")
    assert words(table, f"{home}/imprimir/ronda?ronda=1").count(SHIFTS[1]) == 2
    taken = desk.run.ask("tables", {"tables": {met[0]["id"]: 2}})
    assert (taken.status_code, taken.json["reason"]) == (409, "table-taken")
    assert words(table, f"{home}/mesa/1").count("Ana") == 4


def test_one_meeting_gets_another_hour_and_a_round_none(desk: Desk) -> None:
    desk.run.do("rounds/1/hours", {"hours": SHIFTS})
    first = desk.run.open()[0]
    assert desk.send(do="hour", meeting=first["id"], hour="20:30").status_code == 303
    assert desk.run.open()[0]["hour"] == "20:30"
    assert "A las 20:30" in desk.get(f"/cruces/{first['id']}").text
    desk.run.do(f"meetings/{first['id']}/hour", {"hour": ""})
    assert desk.run.open()[0]["hour"] == ""
    desk.run.do("rounds/1/hours", {"hours": []})
    assert {one["hour"] for one in desk.run.open()} == {""}


def test_a_meeting_whose_table_is_taken_at_its_new_hour_has_none(desk: Desk) -> None:
    desk.run.do("rounds/1/hours", {"hours": SHIFTS})
    desk.run.do("tables")
    late = desk.run.open()[2]
    desk.run.do(f"meetings/{late['id']}/call")
    desk.run.do(f"meetings/{late['id']}/hour", {"hour": SHIFTS[0]})
    assert [one["table"] for one in desk.run.open()] == [1, 2, 0, 2]
    assert not desk.run.open()[2]["called"]
    desk.run.do(f"meetings/{late['id']}/hour", {"hour": SHIFTS[1]})
    desk.run.do("tables")
    desk.run.do("rounds/1/hours", {"hours": []})
    assert [one["table"] for one in desk.run.open()] == [1, 2, 0, 0]


def test_a_meeting_without_an_hour_takes_its_table_at_every_hour(desk: Desk) -> None:
    desk.run.do("tables")
    waiting = desk.run.open()[2]
    desk.run.do(f"meetings/{waiting['id']}/hour", {"hour": SHIFTS[0]})
    taken = desk.run.ask("tables", {"tables": {waiting["id"]: 1}})
    assert (taken.status_code, taken.json["reason"]) == (409, "table-taken")
    assert desk.run.ask("tables").json["reason"] == "table-missing"


def test_what_is_no_hour_or_over_is_refused(desk: Desk) -> None:
    assert desk.send(do="hours", round="1", hours="25:00").status_code == 422
    assert desk.send(do="hour", meeting=desk.run.open()[0]["id"], hour="tarde").status_code == 422
    first = desk.run.open()[0]
    desk.run.win(first, first["pairs"][0])
    assert desk.run.ask("rounds/9/hours", {"hours": SHIFTS}).status_code == 409
    over = desk.run.ask(f"meetings/{first['id']}/hour", {"hour": "17:00"})
    assert (over.status_code, over.json["reason"]) == (409, "meeting-over")
    desk.run.do("rounds/1/hours", {"hours": SHIFTS})
    assert [one["hour"] for one in desk.run.open() if one["round"] == 1] == [
        *SHIFTS[:1] * 2,
        SHIFTS[1],
    ]
