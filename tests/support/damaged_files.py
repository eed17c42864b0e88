"""What may befall the file of a store."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path


def header_overwritten(file: Path) -> None:
    """The first bytes are others."""
    with file.open("r+b") as opened:
        opened.write(bytes(100))


def pages_overwritten(file: Path, kept: int = 1) -> None:
    """Pages after the first, which holds the schema, are others."""
    with file.open("r+b") as opened:
        opened.seek(kept * 4096)
        opened.write(b"\xa5" * (file.stat().st_size - kept * 4096))


def emptied(file: Path) -> None:
    """Nothing is left in it."""
    os.truncate(file, 0)


def of_another_program(file: Path) -> None:
    """A sound database in its place."""
    file.unlink()
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE addresses (name TEXT)")


def a_folder(file: Path) -> None:
    """A folder in its place."""
    file.unlink()
    file.mkdir()
