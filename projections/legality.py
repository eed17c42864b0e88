"""Findings of a partida, so far as the cards are known: one row each, by their place."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec

from referee.partida import Partida, table_of
from referee.table.state import Finding

TABLE = (
    "CREATE TABLE finding (partida TEXT, place INTEGER, line INTEGER, rule TEXT, seat TEXT,"
    " known_at INTEGER, facts TEXT, PRIMARY KEY (partida, place)) WITHOUT ROWID"
)


def finding_row(finding: Finding) -> dict[str, Any]:
    """A finding as plain JSON values."""
    return {
        "line": finding.line,
        "rule": finding.rule.value,
        "seat": finding.seat,
        "known_at": finding.known_at,
        "facts": dict(finding.facts),
    }


def write_findings(cursor: sqlite3.Cursor, partida: str, state: Partida) -> None:
    """Replace the findings of a partida by those of its present record."""
    cursor.execute("DELETE FROM finding WHERE partida = ?", (partida,))
    rows = [
        (
            partida,
            place,
            found.line,
            found.rule.value,
            found.seat,
            found.known_at,
            msgspec.json.encode(dict(found.facts)).decode(),
        )
        for place, found in enumerate(table_of(state).findings)
    ]
    cursor.executemany("INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
