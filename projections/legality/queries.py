"""What the law says of the acts of a partida, as the rows have it."""

from __future__ import annotations

import sqlite3
from uuid import UUID

import msgspec

from projections.legality.findings import FindingData


def findings_of(cursor: sqlite3.Cursor, partida_id: UUID) -> list[FindingData]:
    """Findings of a partida, in the order of its record."""
    cursor.execute(
        "SELECT line, rule, seat, known_at, facts FROM finding WHERE partida = ? ORDER BY place",
        (str(partida_id),),
    )
    return [
        {
            "line": line,
            "rule": rule,
            "seat": seat,
            "known_at": known_at,
            "facts": msgspec.json.decode(facts),
        }
        for line, rule, seat, known_at, facts in cursor
    ]
