"""Tables with the names that the club gives them, beside their numbers."""

from __future__ import annotations

import re

from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk

CORNER = "Mesa del rincón"


def words(table: HttpTable, path: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", table.get(path).text).split())


def test_a_name_stands_wherever_pairs_look_for_their_table(table: HttpTable) -> None:
    desk = Desk(table, 4, format="knock_out")
    desk.run.draw()
    desk.run.do("tables")
    assert desk.send(do="table_names", names=f"\r\n{CORNER}\r\n").status_code == 303
    assert desk.run.view()["table_names"] == [None, CORNER]
    met = next(one for one in desk.run.open() if one["table"] == 2)
    home = desk.path.removesuffix("/direccion")
    pages = (f"/pareja/{met['pairs'][0]}", "/rondas/1", "/mesa/2", "/imprimir/mesas")
    for path in (*pages, "/imprimir/ronda?ronda=1", f"/direccion/cruces/{met['id']}"):
        assert CORNER in words(table, home + path), path
    assert CORNER not in words(table, f"{home}/mesa/1")
    assert CORNER in desk.get().text
    desk.run.do("tables/names", {"names": []})
    assert desk.run.view()["table_names"] == []
    assert CORNER not in words(table, f"{home}/mesa/2")
    assert desk.run.ask("tables/names", {"names": ["x"] * 65}).status_code == 422
