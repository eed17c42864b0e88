"""Copies of a store from one engine to the other, row by row as they are."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path

from referee.log.durable import WriteQueue, lock_file
from referee.log.ports import Address
from referee.log.stores import is_postgres
from referee.store.file import house_of_file
from referee.store.opening import open_database
from referee.store.ports import MOVED_TO, Database, Layout, Statements


class HasRows(Exception):  # noqa: N818 - it says what is the case
    """A store that was to be filled has rows already."""


def copy_tables(source: Database, target: Database, layout: Layout, *, over: bool = False) -> int:
    """Copy every row of a store, and the number that it keeps, all or nothing; returns how many.

    Both are opened, so both have the tables of today. ``over``: replace the rows of the target.

    :raises HasRows: the target has rows, and they are not to be replaced
    """
    with source.transaction() as rows:  # a writer would tear the copy
        return copy_rows(rows, target, layout, (source.state(rows), source.house(rows)), over=over)


def copy_rows(
    rows: Statements, target: Database, layout: Layout, noted: tuple[int, str], *, over: bool
) -> int:
    """The same out of a transaction. ``noted``: the number and the house for the target.

    :raises HasRows: the target has rows, and they are not to be replaced
    """
    with target.transaction(though_moved=over) as db:
        for table in layout.tables:
            if over:
                db.execute(f"DELETE FROM {table}")  # noqa: S608 - a literal
            elif db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():  # noqa: S608 - a literal
                raise HasRows(layout.name)
        copied = sum(_copy(rows, db, table) for table in layout.tables)
        state, house = noted
        target.set_state(db, state)
        target.set_house(db, house)
    return copied


def take_over(file: Path, address: Address, layout: Layout) -> int | None:
    """Move a store of before into the database that its house uses now, once.

    Afterwards the file is called ``….moved``. Returns the number of rows; None if there is no file,
    or the store stays in one, or was moved by ``guinote move``.
    Any number of processes may call it at once.

    :raises HasRows: the database has such rows already; the file stays as it is
    """
    if not is_postgres(address) or not file.exists():
        return None
    moved = Path(f"{file}.moved")
    with ExitStack() as stack:
        queue = WriteQueue(lock_file(moved))
        stack.callback(queue.close)
        stack.enter_context(queue.turn())
        if not file.exists() or has_moved(file):  # read in turn: another process may rename it
            return None
        with (
            closing(open_database(file, layout)) as source,
            closing(open_database(address, layout)) as target,
        ):
            copied = copy_tables(source, target, layout)
        for end in ("-wal", ""):  # a process of before may have the file open, and so its journal
            if Path(f"{file}{end}").exists():
                Path(f"{file}{end}").rename(f"{moved}{end}")
    return copied


def has_moved(file: Path) -> bool:
    """Whether the store in a file was moved to another place, so that the file is a copy."""
    return house_of_file(file).startswith(MOVED_TO)


def columns(db: Statements, table: str) -> list[str]:
    """Names of the columns of a table."""
    return [one[0] for one in db.execute(f"SELECT * FROM {table} WHERE 1 = 0").description]  # noqa: S608 - a literal


def _copy(source: Statements, target: Statements, table: str) -> int:
    names = [f'"{name}"' for name in columns(source, table)]
    listed, marks = ", ".join(names), ", ".join("?" * len(names))
    rows = source.execute(f"SELECT {listed} FROM {table}").fetchall()  # noqa: S608 - literals
    target.executemany(f"INSERT INTO {table} ({listed}) VALUES ({marks})", rows)  # noqa: S608 - literals
    return len(rows)
