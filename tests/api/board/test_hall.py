"""The tables of the hall: which are listed, in which order, and that the list has a tag."""

from __future__ import annotations

import re
from datetime import timedelta

from api.board.boards import MOST_TABLES
from tests.support.days import today
from tests.support.servers.http_table import ENCUENTROS, HttpTable, card, deal, pinta

SALA = "/api/v1/public/sala"


def day(ago: int) -> str:
    return (today() - timedelta(days=ago)).isoformat()


def opened(table: HttpTable, date: str = "") -> str:
    body = {"profile": {"id": "club"}, "players": 4, **({"date": date} if date else {})}
    answer = table.post(ENCUENTROS, body)
    assert answer.status_code == 201, answer.text
    return str(answer.headers["Location"])


def finish(table: HttpTable, encuentro: str) -> None:
    version = table.get(encuentro).json["version"]
    answer = table.post(f"{encuentro}/rulings", {"winner": "A", "because": "avería"}, version)
    assert answer.status_code == 200, answer.text


def listed(table: HttpTable) -> list[str]:
    table.get(ENCUENTROS)
    return [f"{ENCUENTROS}/{one['id']}" for one in table.client.get(SALA).json["tables"]]


def test_tables_that_play_come_first_in_the_order_of_opening(table: HttpTable) -> None:
    first, over, second, third = (opened(table, day(0)) for _ in range(4))
    finish(table, over)
    assert listed(table) == [first, second, third, over]


def test_what_is_long_ago_is_not_listed(table: HttpTable) -> None:
    old, undated, of_yesterday, coming, done = (
        opened(table, date) for date in (day(3), "", day(1), day(-7), "")
    )
    finish(table, done)
    assert old not in listed(table)
    assert listed(table) == [undated, of_yesterday, coming]


def test_of_too_many_the_latest_are_listed(table: HttpTable) -> None:
    every = [opened(table, day(0)) for _ in range(MOST_TABLES + 2)]
    assert listed(table) == every[2:]


def test_the_list_is_asked_for_again_by_its_tag(table: HttpTable) -> None:
    encuentro = opened(table, day(0))
    partida = table.partida(encuentro)
    table.record(partida, 0, deal(), pinta("7O"))
    table.get(partida)
    tag = table.client.get(SALA).headers["ETag"]
    assert table.client.get(SALA, headers={"If-None-Match": tag}).status_code == 304
    table.record(partida, 2, card("A1", "AE"))
    table.get(partida)
    assert table.client.get(SALA, headers={"If-None-Match": tag}).status_code == 304
    table.record(partida, 3, {"kind": "cante", "seat": "A1", "suit": "O"})
    table.get(partida)
    assert table.client.get(SALA, headers={"If-None-Match": tag}).status_code == 200


def test_a_result_that_a_side_denies_has_no_winner_on_the_walls(table: HttpTable) -> None:
    encuentro = opened(table, day(0))
    told = {"score": {"A": 2, "B": 0}, "side": "A", "by": {"name": "Ana"}}
    for path, body in (
        ("scores", told),
        ("denials", {"side": "B", "by": {"name": "Blas"}}),
    ):
        version = table.get(encuentro).json["version"]
        assert table.post(f"{encuentro}/result/{path}", body, version).status_code == 200
    table.get(encuentro)
    board, hall = (
        table.client.get(path, headers={"Accept-Language": "es"}).text
        for path in (f"/mesa/{encuentro.rpartition('/')[2]}", "/sala/")
    )
    for page in (board, hall):
        assert "Sin acuerdo sobre el resultado" in page
        assert "en disputa" in page
        assert not re.search("Encuentro terminado|an? el encuentro|Empate", page)
        assert 'side won"' not in page
