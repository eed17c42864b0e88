"""A scorer can neither give nor take back a ruling, by any route."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.servers.http_table import HttpTable, card, deal, pinta

RULING = {"kind": "ruling", "effect": "partida", "side": "A", "text": "Renuncio."}
OURS = {"Sec-Fetch-Site": "same-origin"}


def replaced(line: int, act: dict[str, Any]) -> dict[str, Any]:
    return {"changes": [{"line": line, "how": "replace", "act": act}]}


def withdrawn(line: int) -> dict[str, Any]:
    return {"changes": [{"line": line, "how": "withdraw"}]}


def ruled(table: HttpTable, *writes: tuple[str, dict[str, Any]]) -> str:
    """A partida with a ruling at line 4, and what its arbiter wrote after it."""
    where = table.partida()
    acts = (deal(), pinta(), card("A1", "AC"), RULING)
    assert table.record(where, 0, *acts).status_code == 200
    for version, (path, body) in enumerate(writes, 4):
        assert table.post(f"{where}/{path}", body, version).status_code == 200
    return where


def wrote(table: HttpTable, where: str, path: str, body: dict[str, Any], version: int) -> int:
    """Status that a scorer of the table gets."""
    sent = {**OURS, "Idempotency-Key": table.key(), "If-Match": f'"{version}"'}
    client = table.scorer(where.partition("/partidas")[0])
    return int(client.post(f"{where}/{path}", json=body, headers=sent).status_code)


@pytest.mark.parametrize(
    ("before", "path", "body"),
    [
        ([], "acts", {"acts": [RULING]}),
        ([], "undo", {}),
        ([], "amendments", withdrawn(4)),
        ([], "amendments", replaced(4, card("B1", "3C"))),
        ([], "amendments", replaced(3, RULING)),
        ([("amendments", withdrawn(4))], "amendments", withdrawn(5)),
        ([("undo", {}), ("amendments", replaced(3, RULING))], "undo", {}),
        ([("undo", {}), ("amendments", replaced(3, RULING))], "amendments", withdrawn(3)),
    ],
)
def test_a_ruling_is_not_for_who_keys_in(
    table: HttpTable, before: list[Any], path: str, body: dict[str, Any]
) -> None:
    where = ruled(table, *before)
    version = 4 + len(before)
    assert wrote(table, where, path, body, version) == 403
    assert table.get(where).json["version"] == version


def test_everything_else_at_their_table_is(table: HttpTable) -> None:
    where = ruled(table, ("undo", {}))
    assert wrote(table, where, "acts", {"acts": [card("B1", "3C")]}, 5) == 200
    assert wrote(table, where, "amendments", replaced(3, card("A1", "RC")), 6) == 200
    assert wrote(table, where, "undo", {}, 7) == 200
