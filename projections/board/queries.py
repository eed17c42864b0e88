"""Public tables, for boards and streams."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from uuid import UUID

from projections.board.views import PublicEncuentroData, PublicTableData
from projections.runner.projection import as_json, find_view


def public_row(cursor: sqlite3.Cursor, encuentro_id: UUID) -> PublicTableData | None:
    """Public view of an encuentro, its latest partida in it."""
    key = str(encuentro_id)
    view: PublicEncuentroData | None = find_view(
        cursor, "SELECT public FROM board_encuentro WHERE id = ?", key
    )
    if view is None:
        return None
    latest = find_view(
        cursor,
        "SELECT public FROM board_partida WHERE encuentro = ? ORDER BY number DESC LIMIT 1",
        key,
    )
    return {**view, "partida": latest}


def public_rows(cursor: sqlite3.Cursor, encuentros: Iterable[str]) -> list[PublicTableData]:
    """Public views of some encuentros, in their order; without those that are not there."""
    found = (public_row(cursor, UUID(one)) for one in encuentros)
    return [view for view in found if view is not None]


def current_rows(cursor: sqlite3.Cursor, since: str, limit: int) -> list[PublicTableData]:
    """Public views of the encuentros since a day (``2026-11-20``), with the latest partida of each.

    Running ones come first, in the order in which they were opened; without a day, only those. If
    there are more than ``limit``, the latest opened are returned.
    """
    cursor.execute(
        "SELECT id FROM (SELECT id, opened, running FROM board_encuentro WHERE date >= ?"
        " AND played = 1"
        " UNION ALL SELECT id, opened, running FROM board_encuentro WHERE date = '' AND running = 1"
        " ORDER BY running DESC, opened DESC LIMIT ?) ORDER BY running DESC, opened",
        (since, limit),
    )
    return public_rows(cursor, [one for (one,) in cursor.fetchall()])


def latest_results(cursor: sqlite3.Cursor, limit: int) -> list[PublicTableData]:
    """Public views of the encuentros that were decided, the latest opened first."""
    cursor.execute(
        "SELECT id FROM board_encuentro WHERE running = 0 AND played = 1"
        " ORDER BY opened DESC LIMIT ?",
        (limit,),
    )
    return public_rows(cursor, [one for (one,) in cursor.fetchall()])


def etag(view: Mapping[str, object]) -> str:
    """Hash of a public view; it changes if and only if the view does."""
    return hashlib.sha256(as_json(view).encode()).hexdigest()[:32]
