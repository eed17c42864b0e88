"""Reported outcomes over HTTP: all are recorded, with doubts, and with the stated reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.rules.articles import Rule
from tests.support.servers.http_table import HttpTable, card, deal, pinta
from tests.support.servers.kept_apps import kept_table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[HttpTable]:
    with kept_table(tmp_path) as found:
        yield found


def outcome(**more: Any) -> dict[str, Any]:
    return {"kind": "result", "winner": "A", "how": "first_deal", **more}


ODD = outcome(totals={"A": 115, "B": 36}, text="así lo firmaron los dos")


def test_what_cannot_be_is_recorded_with_its_reason_and_explained(table: HttpTable) -> None:
    partida = table.partida()
    assert table.record(partida, 0, ODD).status_code == 200
    assert table.get(partida).json["decided"]["totals"] == {"A": 115, "B": 36}
    (found,) = table.get(f"{partida}/findings?lang=es").json["findings"]
    assert found["rule"] == Rule.RESULT_SUM.value
    assert "151" in found["text"]
    assert "150, 170" in found["text"]
    (entry,) = table.get(f"{partida.rpartition('/partidas')[0]}/entries").json["partidas"][0][
        "entries"
    ]
    assert entry["act"]["text"] == ODD["text"]


def test_an_outcome_put_right_is_not_doubted_any_more(table: HttpTable) -> None:
    partida = table.partida()
    table.record(partida, 0, ODD)
    right = outcome(totals={"A": 115, "B": 35})
    changes = [{"line": 1, "how": "replace", "act": right}]
    answer = table.post(f"{partida}/amendments", {"changes": changes}, 1)
    assert answer.status_code == 200
    assert table.get(f"{partida}/findings").json["findings"] == []


def test_an_outcome_ends_a_partida_that_was_begun_with_cards(table: HttpTable) -> None:
    partida = table.partida()
    acts = [deal(), pinta(), card("A1", "3C"), outcome(how="concession")]
    assert table.record(partida, 0, *acts).status_code == 200
    decided = table.get(partida).json["decided"]
    assert (decided["winner"], decided["how"]) == ("A", "concession")


@pytest.mark.parametrize(
    "totals, points",
    [({}, ()), ({"A": 115, "B": 35}, ("115", "35"))],
)
def test_points_that_nobody_reported_have_no_column(
    table: HttpTable, totals: dict[str, int], points: tuple[str, ...]
) -> None:
    partida = table.partida()
    table.record(partida, 0, outcome(totals=totals))
    encuentro = partida.rpartition("/partidas")[0]
    assert table.get(encuentro).json["partidas"][0]["winner"] == "A"  # the pages have it too
    page = table.get(f"/e/{encuentro.rpartition('/')[2]}").text
    cells = "".join(f'<td class="n">{one}</td>' for one in points)
    assert f"</td>{cells}</tr>" in page
