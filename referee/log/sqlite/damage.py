"""Files in the place of a store that are none: damaged, of another program, or a folder."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from referee.log.faults import StoreFault, fault_of, in_one_line

ANY_TABLE: Final = "SELECT 1 FROM sqlite_schema"
"""A mark of every database that is not new, whoever made it."""
_TIMEOUT_S: Final = 10.0
_JOURNALS: Final = ("", "-wal", "-shm")


def damage_of(path: Path, mark: str, *, wholly: bool) -> str:
    """Why a file cannot be that of a store, in a line; empty if it is, or is not there.

    ``mark``: a statement that finds a row in every file of the store, unless it is a new one.
    ``wholly``: every page is read.
    """
    if not path.exists():
        return ""
    if not path.is_file():
        return "no file"
    uri = f"{path.absolute().as_uri()}?mode=rw"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=_TIMEOUT_S)) as db:
            return _damage_in(db, mark, wholly=wholly)
    except sqlite3.DatabaseError as error:
        if fault_of(error) in (StoreFault.DAMAGED, None):  # None: it lacks a table or a column
            return in_one_line(error)
        raise


def _damage_in(db: sqlite3.Connection, mark: str, *, wholly: bool) -> str:
    if db.execute(ANY_TABLE).fetchone() is None:  # a new file
        return ""
    if db.execute(mark).fetchone() is None:
        return "a database of another program"
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0] if wholly else "ok"
    return "" if found == "ok" else " ".join(found.split())


def set_aside(path: Path) -> Path:
    """Rename a file and its journal; the new name has the time in UTC.

    Whoever has the file open goes on with what was renamed.
    """
    aside = path.with_name(f"{path.name}.aside-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}")
    for end in _JOURNALS:
        journal = Path(f"{path}{end}")
        if journal.exists():
            journal.rename(f"{aside}{end}")
    return aside
