"""The record over HTTP, line by line: what a tablet keeps."""

from __future__ import annotations

import pytest

from tests.support.servers.http_table import HttpTable, card, deal, pinta

LED = [card("A1", "3C"), card("B1", "4C"), card("A2", "5C"), card("B2", "6C")]


@pytest.fixture
def partida(table: HttpTable) -> str:
    where = table.partida()
    assert table.record(where, 0, deal(), pinta("RO"), *LED).status_code == 200
    return where


def test_the_record_is_read_line_by_line_with_its_texts_and_after_what_one_has(
    table: HttpTable, partida: str
) -> None:
    talk = {"kind": "incident", "incident": "talk", "text": "hablaba"}
    assert table.record(partida, 6, talk).status_code == 200
    changes = [{"line": 7, "how": "replace", "act": {**talk, "text": "no hablaba"}}]
    assert (
        table.post(
            f"{partida}/amendments", {"changes": changes, "because": "era el dos"}, 7
        ).status_code
        == 200
    )
    where = f"{partida.partition('/partidas')[0]}/entries"
    whole = table.get(where)
    (one,) = whole.json["partidas"]
    assert [(entry["line"], entry["act"]["kind"]) for entry in one["entries"]] == [
        *[(1, "deal"), (2, "pinta")],
        *[(line, "card") for line in range(3, 7)],
        *[(7, "incident"), (8, "amend")],
    ]
    assert one["entries"][6]["act"]["text"] == "hablaba"
    assert one["entries"][7]["act"] == {"kind": "amend", "changes": changes, "text": "era el dos"}
    assert (one["version"], whole.json["version"]) == (8, 3)
    (rest,) = table.get(f"{where}?after=7,3").json["partidas"]
    assert [entry["line"] for entry in rest["entries"]] == [8]
    (none,) = table.get(f"{where}?after=8").json["partidas"]
    assert (none["entries"], none["version"]) == ([], 8)
    assert table.get(where, **{"If-None-Match": whole.headers["ETag"]}).status_code == 304
    assert table.get(f"{where}?after=7,").json["codes"] == {"query": {"after": ["pattern"]}}


def test_a_text_that_was_erased_is_empty_in_the_record(table: HttpTable, partida: str) -> None:
    talk = {"kind": "incident", "incident": "talk", "text": "hablaba"}
    table.record(partida, 6, talk)
    audit = table.get(f"{partida}/audit?limit=200").json["items"]
    (text,) = [text for one in audit for text in one["texts"]]
    assert table.client.delete(f"/api/v1/persons/{text}", headers=table.owner()).status_code == 204
    (one,) = table.get(f"{partida.partition('/partidas')[0]}/entries").json["partidas"]
    assert one["entries"][-1]["act"]["text"] == ""
