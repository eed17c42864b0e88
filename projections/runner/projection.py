"""A projection: rows that answer one question, computed from the events of the log."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from projections.runner.streams import FoldedBatch

StoredT = TypeVar("StoredT")


class Projection(ABC):
    """Rows of one question.

    A new ``version`` means that the same events give other rows: those of this projection are then
    rebuilt. ``tables`` are ``CREATE`` statements by name, ``indexes`` further statements. What it
    writes depends on the events alone, not on how they are cut into batches: a row is written by
    its natural key, never ``+=``.
    """

    name: str
    version: int
    tables: Mapping[str, str]
    indexes: Sequence[str] = ()

    @abstractmethod
    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Write the rows that a batch changes, each key once."""

    def forget(self) -> None:  # noqa: B027 - most keep nothing
        """Clear what is kept in memory, after the rows were changed from elsewhere."""

    @property
    def fingerprint(self) -> str:
        """Hash of the version and the definitions of the tables: another one means a rebuild."""
        about = (self.name, self.version, sorted(self.tables.items()), list(self.indexes))
        return hashlib.sha256(json.dumps(about).encode()).hexdigest()


def as_json(view: object) -> str:
    """Stored bytes of a view; equal views have equal bytes."""
    return msgspec.json.encode(view, order="deterministic").decode()


def find_view(
    cursor: sqlite3.Cursor, kind: type[StoredT], sql: str, *key: object
) -> StoredT | None:
    """The view in the first row that a statement finds; None if it finds none."""
    row = cursor.execute(sql, key).fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=kind)


def replace_rows(
    cursor: sqlite3.Cursor,
    table: str,
    key: str,
    rows_of: Mapping[str, Iterable[Sequence[object]]],
) -> None:
    """Replace the rows of some streams. ``key``: the column with the id of a stream."""
    gone = f"DELETE FROM {table} WHERE {key} = ?"  # noqa: S608 - names of ours
    cursor.executemany(gone, [(stream,) for stream in rows_of])
    rows = [tuple(row) for found in rows_of.values() for row in found]
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - names of ours
