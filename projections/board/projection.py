"""Rows of the boards: what everybody may see of a partida and of its encuentro."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from projections.board.views import (
    PublicEncuentroData,
    PublicPartidaData,
    PublicTableData,
    public_encuentro,
    public_partida,
)
from projections.runner.projection import FoldedBatch, Projection, as_json, decode_first_row_or_none
from projections.views import view_as
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.partida import Partida


class BoardProjection(Projection):
    """One row for each partida, and one for each encuentro; nothing that is secret is in them.

    ``opened``: log position of the encuentro's first event; ``date``: its day, or nothing;
    ``running``: whether it is neither decided nor called off; ``played``: not called off.
    """

    name = "board"
    version = 2
    tables: Mapping[str, str] = {
        "board_partida": "CREATE TABLE board_partida (id TEXT PRIMARY KEY, encuentro TEXT,"
        " number INTEGER, public TEXT) WITHOUT ROWID",
        "board_encuentro": "CREATE TABLE board_encuentro (id TEXT PRIMARY KEY, opened INTEGER,"
        " date TEXT, running INTEGER, played INTEGER, public TEXT) WITHOUT ROWID",
    }
    indexes: Sequence[str] = (
        "CREATE INDEX board_partida_of ON board_partida (encuentro, number)",
        "CREATE INDEX board_encuentro_opened ON board_encuentro (opened)",
        "CREATE INDEX board_encuentro_current ON board_encuentro (date, running)",
    )

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Replace the rows of the changed partidas and encuentros."""
        cursor.executemany(
            "INSERT OR REPLACE INTO board_partida VALUES (?, ?, ?, ?)",
            [_partida_row(*one) for one in batch.states_of_kind(Partida)],
        )
        cursor.executemany(
            "INSERT OR REPLACE INTO board_encuentro VALUES (?, ?, '', 1, 1, '')",
            batch.positions_of_new_streams(Encuentro),
        )
        cursor.executemany(
            "UPDATE board_encuentro SET date = ?, running = ?, played = ?, public = ? WHERE id = ?",
            [_encuentro_row(*one) for one in batch.states_of_kind(Encuentro)],
        )


def _partida_row(stream: str, state: Partida) -> tuple[object, ...]:
    assert state.opened is not None
    return stream, state.opened.encuentro, state.opened.number, as_json(public_partida(state))


def _encuentro_row(stream: str, state: Encuentro) -> tuple[object, ...]:
    view = public_encuentro(stream, state)
    is_played = not state.is_called_off
    is_running = is_played and view.decided is None
    return view.date, is_running, is_played, as_json(view), stream


def find_public_encuentro(cursor: sqlite3.Cursor, encuentro_id: UUID) -> PublicTableData | None:
    """Public view of an encuentro with its latest partida; None if it does not exist."""
    key = str(encuentro_id)
    view = decode_first_row_or_none(
        cursor, PublicEncuentroData, "SELECT public FROM board_encuentro WHERE id = ?", key
    )
    if view is None:
        return None
    latest = decode_first_row_or_none(
        cursor,
        PublicPartidaData,
        "SELECT public FROM board_partida WHERE encuentro = ? ORDER BY number DESC LIMIT 1",
        key,
    )
    return view_as(PublicTableData, view, partida=latest)


def find_public_encuentros(
    cursor: sqlite3.Cursor, encuentros: Iterable[str]
) -> list[PublicTableData]:
    """Public views of some encuentros, in the given order; missing ones are left out."""
    found = (find_public_encuentro(cursor, UUID(one)) for one in encuentros)
    return [view for view in found if view is not None]


def find_current_encuentros(
    cursor: sqlite3.Cursor, since: str, limit: int
) -> list[PublicTableData]:
    """Public views of encuentros played on a day or later, each with its latest partida.

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
    return find_public_encuentros(cursor, [one for (one,) in cursor.fetchall()])


def latest_decided_encuentros(cursor: sqlite3.Cursor, limit: int) -> list[PublicTableData]:
    """Public views of decided encuentros, the latest opened first."""
    cursor.execute(
        "SELECT id FROM board_encuentro WHERE running = 0 AND played = 1"
        " ORDER BY opened DESC LIMIT ?",
        (limit,),
    )
    return find_public_encuentros(cursor, [one for (one,) in cursor.fetchall()])


def etag(view: object) -> str:
    """Hash of a public view, for HTTP: equal views have equal hashes."""
    return hashlib.sha256(as_json(view).encode()).hexdigest()[:32]
