"""Helpers for tests of names at rest: search for plain text in files."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

from api.server.data_folder import Files

NAME = "Fulánez de Tal y Qué"
OTHER = "Mengana"


def plain_file(path: Path, names: dict[str, str], texts: dict[str, str] | None = None) -> None:
    """A file as the versions before the seal left it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        for table, column, rows in (("persons", "name", names), ("texts", "text", texts or {})):
            db.execute(
                f"CREATE TABLE {table} (id TEXT PRIMARY KEY, {column} TEXT NOT NULL) WITHOUT ROWID"
            )
            db.executemany(f"INSERT INTO {table} VALUES (?, ?)", rows.items())


def held(path: Path, key: str) -> list[bytes]:
    """What a row of the file holds: the wrapped key and the sealed text, without their nonces."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute(
            "SELECT wrapped, sealed FROM persons WHERE id = ?1"
            " UNION ALL SELECT wrapped, sealed FROM texts WHERE id = ?1",
            (key,),
        ).fetchall()
    return [blob[12:] for row in rows for blob in row]


def forms(text: str) -> list[bytes]:
    """Byte forms of a text to search for."""
    return [
        text.encode(),
        text.encode("utf-16-le"),
        text.encode("utf-16-be"),
        json.dumps(text).strip('"').encode(),
        text.encode("latin-1"),
    ]


def everything(folder: Path) -> bytes:
    """The bytes of all files, those packed in backups unpacked."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found.append(path.read_bytes())
            if zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as archive:
                    found += [archive.read(name) for name in archive.namelist()]
    return b"\0".join(found)


def traces(folder: Path, secrets_: list[bytes]) -> list[bytes]:
    content = everything(folder)
    return [one for one in secrets_ if one in content]


def change(where: Files, statement: str, *values: object) -> None:
    """A change of the file without the program."""
    with closing(sqlite3.connect(where.persons, isolation_level=None)) as db:
        assert db.execute(statement, values).rowcount > 0
