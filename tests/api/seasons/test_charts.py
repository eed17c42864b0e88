"""A season as pictures and files: they say what its table says, and can be read by anybody."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from api.http.spreadsheets import parse_numbered_rows
from api.seasons.charts import views
from api.seasons.charts.points_lines import LARGE, MARKS_OF_EIGHT, points_picture_data
from tests.support.browser.pages import (
    LOOKED_AT,
    PHONE,
    TELEVISION,
    address,
    no_violations_in_any_language,
    site,
    visiting,
)
from tests.support.demonstrated import demonstrated
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

CELL = re.compile(r"<td[^>]*>(?:(\d+)–(\d+)–(\d+))?</td>")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    """A club with the content of the demonstration."""
    table = demonstrated(tmp_path_factory.mktemp("charts"))
    yield table
    table.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    """The same club, served, and the address of its season."""
    folder = tmp_path_factory.mktemp("served")
    table = demonstrated(folder)
    season = season_of(table)["id"]
    table.close()
    with site(folder) as served:
        yield served, f"/temporadas/{season}"


def season_of(table: HttpTable) -> dict[str, Any]:
    key = table.get("/api/v1/seasons").json["items"][0]["id"]
    view: dict[str, Any] = table.get(f"/api/v1/seasons/{key}").json
    return view


def seen(table: HttpTable, page: str, season: str = "") -> str:
    key = season or season_of(table)["id"]
    answer = table.app.test_client().get(f"/temporadas/{key}/{page}")
    assert answer.status_code == 200
    text: str = answer.data.decode()
    return text


def rows_of(table: HttpTable, name: str) -> list[dict[str, str]]:
    head, *rows = (row.cells for row in parse_numbered_rows(seen(table, name)))
    return [dict(zip(head, row, strict=True)) for row in rows]


def ends(page: str) -> list[int]:
    """Points at which the lines of a chart end, the first of the table before the others."""
    grid = re.findall(r'd="M0 ([\d.]+)H[^<]*<(?:text[^>]*>(\d+))?', page)
    heights = {int(points or 0): float(y) for y, points in grid}
    each = (heights[0] - heights[max(heights)]) / max(heights)
    faint, marked = (
        [
            float(y)
            for y in re.findall(rf'<polyline class="{of}[^"]*" points="[^"]*,([\d.]+)"', page)
        ]
        for of in ("faint", "line")
    )
    assert len(marked) == len(MARKS_OF_EIGHT) or not faint
    return [round((heights[0] - y) / each) for y in [*marked[::-1], *faint]]


def test_each_line_of_the_chart_ends_at_the_points_of_the_table(shown: HttpTable) -> None:
    assert ends(seen(shown, "grafico")) == [row["points"] for row in season_of(shown)["standings"]]


def test_no_mark_covers_another_and_all_stay_in_the_picture() -> None:
    picture = points_picture_data([[0, 9]] * 10, ["2026-11-19"], MARKS_OF_EIGHT, LARGE)
    heights = [one.at[1] for one in picture.lines]
    apart = itertools.pairwise(heights)
    assert len(picture.faint) == 2
    assert all(lower - upper >= LARGE.icon for upper, lower in apart)
    assert LARGE.icon / 2 <= heights[0] <= heights[-1] <= LARGE.height - LARGE.icon / 2


def test_crossed_results_are_symmetric_and_add_up(shown: HttpTable) -> None:
    """Four sit at a table, so that each encuentro is played against two."""
    rows, page = season_of(shown)["standings"], seen(shown, "enfrentamientos")
    cells = [tuple(int(one or 0) for one in cell) for cell in CELL.findall(page)]
    table = [cells[at : at + len(rows)] for at in range(0, len(cells), len(rows))]
    assert len(table) == len(rows)
    for n, line in enumerate(table):
        assert line[n] == (0, 0, 0)
        assert [cell[::-1] for cell in line] == [other[n] for other in table]
        counts = tuple(2 * rows[n][one] for one in ("won", "level", "lost"))
        assert tuple(map(sum, zip(*line, strict=True))) == counts


def test_the_files_say_what_the_table_says(shown: HttpTable) -> None:
    view = season_of(shown)
    points = rows_of(shown, "puntos.csv")
    assert [(one["Jugador"], int(one["Puntos"])) for one in points] == [
        (row["name"], row["points"]) for row in view["standings"]
    ]
    results = rows_of(shown, "resultados.csv")
    for row in view["standings"]:
        mine = [one for one in results if row["name"] in one["pareja 1"] + one["pareja 2"]]
        assert len(mine) == row["played"]
        assert sum(row["name"] in one["ganador"] for one in mine) == row["won"]
    assert [one["fecha"] for one in results] == sorted(one["fecha"] for one in results)


# --- of pairs, of merged players, of three at a table ---------------------------------------------

SCORING = {"encuentro_won": 3, "coto_won": 1, "attendance": 1}
PAIRS = """2026-10-01;1;Los Unos: Uno Ab · Una Ab;2;Dos Ab · Dosa Ab;1
2026-10-08;1;Los Unos;0;Tres Ab · Tresa Ab;2
2026-10-15;1;Dos Ab · Dosa Ab;2;Tres Ab · Tresa Ab;0
"""
MERGED = """2026-10-01;1;Ramón Vela · Sol Cano;2;Teo Puy · Ugo Rey;0
2026-10-08;1;Ramon Vela Gil · Teo Puy;2;Sol Cano · Ugo Rey;1
"""
THREE = "2026-10-01;1;Gala;0;Hugo;2;Iris;1\n2026-10-01;1;Gala;2;Iris;0;Hugo;1\n"


def brought(table: HttpTable, of: str, text: str) -> str:
    """Id of a new season with results."""
    body = {"name": "Liga", "of": of, "scoring": SCORING, "rules": "club"}
    key = str(table.post("/api/v1/seasons", body).json["id"])
    if text == THREE:
        opening = {"date": "2026-10-01", "profile": {"id": "guinyot"}, "players": 3, "season": key}
        assert table.post("/api/v1/sessions", opening).status_code == 201
    answer = table.post("/api/v1/sessions/file", {"text": text, "season": key})
    assert answer.status_code == 200, answer.text
    assert table.get(f"/api/v1/seasons/{key}").json["standings"], "the views have followed"
    return key


def merged(table: HttpTable) -> str:
    """Id of a season in which one player was entered twice."""
    key = brought(table, "persons", MERGED)
    found = [table.get(f"/api/v1/players?q={name}").json["items"] for name in ("Sol", "Vela")]
    names = {one["name"]: one["player"] for items in found for one in items}
    both = {"kept": names["Ramón Vela"], "gone": names["Ramon Vela Gil"]}
    assert table.post("/api/v1/players/merges", both).status_code == 200
    table.get(f"/api/v1/seasons/{key}")  # waits for the views
    return key


@pytest.mark.parametrize("kind", ["pairs", "merged", "three"])
def test_chart_crossed_results_and_table_agree(shown: HttpTable, kind: str) -> None:
    made = {
        "pairs": lambda: brought(shown, "pairs", PAIRS),
        "merged": lambda: merged(shown),
        "three": lambda: brought(shown, "persons", THREE),
    }
    key = made[kind]()
    rows = shown.get(f"/api/v1/seasons/{key}").json["standings"]
    first = {"pairs": ("Dos Ab · Dosa Ab", 8), "merged": ("Ramón Vela", 12), "three": ("Hugo", 7)}
    counts = {"pairs": 3, "merged": 4, "three": 3}
    assert ((rows[0]["name"], rows[0]["points"]), len(rows)) == (first[kind], counts[kind])
    assert ends(seen(shown, "grafico", key)) == [row["points"] for row in rows]
    cells = [
        tuple(int(n or 0) for n in one) for one in CELL.findall(seen(shown, "enfrentamientos", key))
    ]
    table = [cells[at : at + len(rows)] for at in range(0, len(cells), len(rows))]
    rivals = 2 if kind == "merged" else 1
    for n, line in enumerate(table):
        assert line[n] == (0, 0, 0)
        assert [cell[::-1] for cell in line] == [other[n] for other in table]
        if kind != "three":
            assert sum(cell[0] for cell in line) == rivals * rows[n]["won"]


def test_a_chart_of_a_part_says_so_and_keeps_the_points_of_before(
    shown: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = PAIRS.replace("Ab", "Bel").replace("Los Unos", "Los Otros")
    key = brought(shown, "pairs", other)
    whole = ends(seen(shown, "grafico", key))
    assert "últimas jornadas" not in seen(shown, "grafico", key)
    monkeypatch.setattr(views, "MOST_EVENINGS", 2)
    page = seen(shown, "grafico", key)
    assert "Se ven las 2 últimas jornadas de 3" in page
    assert ends(page) == whole
    monkeypatch.setattr(views, "MOST_LINES", 2)
    page = seen(shown, "grafico", key)
    assert "Las líneas son de los 2 primeros de la tabla; en la lista están los 3" in page
    assert ends(page) == whole[:2]


def test_charts_fit_every_screen_with_contrast(browser: Browser, house: tuple[Served, str]) -> None:
    served, season = house
    for settings in ({**PHONE, "color_scheme": "dark"}, TELEVISION):
        with visiting(browser, served, season, **settings) as seen:
            for lang, page in itertools.product(LOOKED_AT, ("grafico", "enfrentamientos", "hoja")):
                seen.goto(address(served, f"{season}/{page}?lang={lang}"))
                no_violations_in_any_language(seen)
                wider = seen.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert wider <= 0, (page, lang, settings)
