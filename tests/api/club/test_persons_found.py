"""Persons are found by name: who played last first, by the beginnings of words."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.server.data_folder import Files
from tests.support.servers.http_table import ENCUENTROS, HttpTable
from tests.support.servers.sealed_names import change

PERSONS = "/api/v1/persons"


def seat(table: HttpTable, *names: str) -> dict[str, str]:
    """Two players of a new encuentro, by name or by id; their ids."""
    who = [{"person" if len(name) == 32 else "name": name} for name in names]
    body = {
        "profile": {"id": "club"},
        "players": 2,
        "seats": dict(zip(("A1", "B1"), who, strict=True)),
    }
    opened = table.post(ENCUENTROS, body)
    assert opened.status_code == 201, opened.text
    return dict(table.get(opened.headers["Location"]).json["seats"])


def found(table: HttpTable, query: str = "") -> list[str]:
    answer = table.get(f"{PERSONS}?{query}")
    assert answer.status_code == 200, answer.text
    return [one["name"] for one in answer.json["items"]]


def test_who_played_last_comes_first_and_who_never_did_last(table: HttpTable) -> None:
    table.app.extensions["guinote"]().persons.add_person("Aurora")
    old = seat(table, "Zoe", "Yago")
    seat(table, "Blas", "Ana")
    assert found(table) == ["Blas", "Ana", "Zoe", "Yago", "Aurora"]
    seat(table, old["A1"], "Eva")
    assert found(table) == ["Zoe", "Eva", "Blas", "Ana", "Yago", "Aurora"]


@pytest.mark.parametrize(
    ("sought", "names"),
    [
        ("in", ["Íñigo Peña Ruiz"]),
        ("PENA i", ["Íñigo Peña Ruiz"]),
        ("rui", ["Íñigo Peña Ruiz", "Rui Costa"]),
        ("uiz", []),
        ("%25", []),
        ("+", ["Íñigo Peña Ruiz", "Rui Costa"]),
    ],
)
def test_beginnings_of_words_are_sought_without_accents(
    table: HttpTable, sought: str, names: list[str]
) -> None:
    seat(table, "Íñigo Peña Ruiz", "Rui Costa")
    if sought == "+":
        assert table.get(f"{PERSONS}?q={sought}").status_code == 422
    else:
        assert found(table, f"q={sought}") == names


def test_the_list_goes_on_page_by_page(table: HttpTable) -> None:
    for n in range(3):
        seat(table, f"Ana {n}", f"Blas {n}")
    pages, cursor = [], ""
    while True:
        answer = table.get(f"{PERSONS}?limit=4{cursor}").json
        pages.append({one["name"] for one in answer["items"]})
        if answer["next"] is None:
            break
        cursor = f"&cursor={answer['next']}"
    assert [len(page) for page in pages] == [4, 2]
    assert pages[0].isdisjoint(pages[1])


def test_who_was_erased_is_not_found_and_a_row_that_was_changed_neither(
    table: HttpTable, tmp_path: Path
) -> None:
    ids = seat(table, "Ana", "Blas")
    assert table.client.delete(f"{PERSONS}/{ids['A1']}", headers=table.owner()).status_code == 204
    assert found(table) == ["Blas"]
    change(Files(tmp_path), "UPDATE persons SET sealed = zeroblob(40)")
    assert found(table) == []


@pytest.mark.parametrize("query", ["limit=0", "cursor=x", "name=Ana", f"q={'a' * 81}"])
def test_an_invalid_query_is_reported(table: HttpTable, query: str) -> None:
    assert table.get(f"{PERSONS}?{query}").status_code == 422


def test_names_are_for_those_who_signed_in(table: HttpTable) -> None:
    assert table.client.get(PERSONS).status_code == 401


def test_a_table_in_the_list_says_which_partida_is_running(table: HttpTable) -> None:
    seat(table, "Ana", "Blas")
    (row,) = table.get(ENCUENTROS).json["items"]
    assert (row["partidas"], row["running"]) == (0, None)
    table.partida(f"{ENCUENTROS}/{row['id']}")
    (row,) = table.get(ENCUENTROS).json["items"]
    assert (row["partidas"], row["running"]) == (1, 1)
