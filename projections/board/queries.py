"""Public tables, for boards and streams."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping
from uuid import UUID

import msgspec

from projections.board.views import PublicEncuentroData, PublicTableData
from projections.runner.projection import as_json


def _one(cursor: sqlite3.Cursor, sql: str, *key: object) -> str | None:
    row = cursor.execute(sql, key).fetchone()
    return None if row is None else str(row[0])


def public_row(cursor: sqlite3.Cursor, encuentro_id: UUID) -> PublicTableData | None:
    """Public view of an encuentro, its latest partida in it."""
    key = str(encuentro_id)
    found = _one(cursor, "SELECT public FROM board_encuentro WHERE id = ?", key)
    if found is None:
        return None
    latest = _one(
        cursor,
        "SELECT public FROM board_partida WHERE encuentro = ? ORDER BY number DESC LIMIT 1",
        key,
    )
    view: PublicEncuentroData = msgspec.json.decode(found)
    return {**view, "partida": None if latest is None else msgspec.json.decode(latest)}


def current_rows(cursor: sqlite3.Cursor, since: str, limit: int) -> list[PublicTableData]:
    """Public views of the encuentros since a day (``2026-11-20``), with the latest partida of each.

    Running ones come first, in the order in which they were opened; without a day, only those. If
    there are more than ``limit``, the latest opened are returned.
    """
    cursor.execute(
        "SELECT id FROM (SELECT id, opened, running FROM board_encuentro WHERE date >= ?"
        " AND (running = 1 OR played = 1)"
        " UNION ALL SELECT id, opened, running FROM board_encuentro WHERE date = '' AND running = 1"
        " ORDER BY running DESC, opened DESC LIMIT ?) ORDER BY running DESC, opened",
        (since, limit),
    )
    found = [public_row(cursor, UUID(one)) for (one,) in cursor.fetchall()]
    return [view for view in found if view is not None]


def latest_results(cursor: sqlite3.Cursor, limit: int) -> list[PublicTableData]:
    """Public views of the encuentros that were decided, the latest opened first."""
    cursor.execute(
        "SELECT id FROM board_encuentro WHERE running = 0 AND played = 1"
        " ORDER BY opened DESC LIMIT ?",
        (limit,),
    )
    found = [public_row(cursor, UUID(one)) for (one,) in cursor.fetchall()]
    return [view for view in found if view is not None]


def etag(view: Mapping[str, object]) -> str:
    """Hash of a public view; it changes if and only if the view does."""
    return hashlib.sha256(as_json(view).encode()).hexdigest()[:32]
