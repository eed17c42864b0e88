"""The consolation is told from the main draw wherever cruces of both are listed."""

from __future__ import annotations

import re

import pytest

from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk


@pytest.fixture
def desk(table: HttpTable) -> Desk:
    """A cup of eight in its second round: two semifinals, two cruces of the consolation."""
    made = Desk(table, 8, format="knock_out", has_consolation=True, tables=4)
    made.run.draw()
    for one in made.run.open():
        made.run.win(one, min(one["pairs"], key=int))
    made.run.do("tables", {})
    for one in made.run.open():
        made.run.do(f"meetings/{one['id']}/call")
    made.run.view()  # the pages have it
    return made


def home(desk: Desk) -> str:
    return desk.path.removesuffix("/direccion")


def told(page: str, row: str) -> list[str]:
    """What is told of each cruce that is listed, by a pattern of its row."""
    rows = re.findall(row, page, re.DOTALL)
    return ["consolation" if "Consolación" in one else "main" for one in rows]


BOTH = ["consolation", "consolation", "main", "main"]


@pytest.mark.parametrize(
    ("path", "row"),
    [
        ("/direccion", r'<td class="n">\d</td>.*?</tr>'),
        ("/imprimir/ronda?ronda=2", r'<tr><td class="n">\d.*?</tr>'),
        ("", r'<li class="called">.*?</li>'),
        ("/rondas/2", r'<li class="called">.*?</li>'),
        ("/pared", r'<li class="called" .*?</li>'),
    ],
)
def test_each_cruce_of_the_consolation_says_so(desk: Desk, path: str, row: str) -> None:
    page = desk.table.get(f"{home(desk)}{path}").text
    assert sorted(told(page.partition("<main")[2].partition("<details")[0], row)) == BOTH


def test_the_wall_of_the_brackets_names_each_round_of_the_consolation(desk: Desk) -> None:
    page = desk.table.get(f"{home(desk)}/pared/cuadro").text
    titles = re.findall(r"<h3>(.*?)</h3>", page)
    assert titles == ["Semifinales", "Final", "Consolación · Semifinales", "Consolación · Final"]
