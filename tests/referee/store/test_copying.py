"""A store is copied as it is, between files and PostgreSQL, all or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from referee.log.ports import Address
from referee.store.databases import (
    HasRows,
    column_names,
    copy_tables,
    move_into_database,
    open_database,
)
from referee.store.ports import Database, Layout
from tests.support.servers.own_postgres import Server

FILE = """
CREATE TABLE IF NOT EXISTS guest ("by" TEXT PRIMARY KEY, until REAL, hash BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seen (number INTEGER PRIMARY KEY)
"""
SERVER = (
    'CREATE TABLE guest ("by" text COLLATE "C" PRIMARY KEY, hash bytea, until double precision)',
    "CREATE TABLE seen (number bigint PRIMARY KEY)",
)
GUESTS = [("Ana", 1_790_000_000.123456, b"\x00\xff"), ("Ángel 5%", None, None)]


def _open_file(db: sqlite3.Connection) -> None:
    db.executescript(FILE)


LAYOUT = Layout("guests", ("guest", "seen"), _open_file, (SERVER,))


def _filled(guests: Database) -> None:
    with guests.transaction() as db:
        db.executemany('INSERT INTO guest ("by", until, hash) VALUES (?, ?, ?)', GUESTS)
        db.execute("INSERT INTO seen VALUES (7)")
        guests.set_store_state_number(db, 2)


def _content(guests: Database) -> tuple[object, ...]:
    with guests.connection() as db:
        found = db.execute('SELECT "by", until, hash FROM guest ORDER BY "by"').fetchall()
        return (
            found,
            db.execute("SELECT number FROM seen").fetchall(),
            guests.store_state_number(db),
        )


@pytest.fixture(params=["sqlite", "postgres"])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty store to copy into, of either engine."""
    place = tmp_path / "other.db"
    if request.param == "postgres":
        place = request.getfixturevalue("postgres").new_address()
    with closing(open_database(place, LAYOUT)) as opened:
        yield opened


def test_a_copy_has_the_same_rows_to_the_last_bit(address: Address, other: Database) -> None:
    with closing(open_database(address, LAYOUT)) as guests:
        _filled(guests)
        assert copy_tables(guests, other, LAYOUT) == 3
        assert _content(other) == _content(guests) == (GUESTS, [(7,)], 2)
        with guests.connection() as db:
            assert set(column_names(db, "guest")) == {"by", "until", "hash"}


def test_a_store_with_rows_is_filled_only_if_they_are_to_be_replaced(
    address: Address, other: Database
) -> None:
    with other.transaction() as db:
        db.execute("INSERT INTO seen VALUES (1)")
    before = _content(other)
    with closing(open_database(address, LAYOUT)) as guests:
        _filled(guests)
        with pytest.raises(HasRows):
            copy_tables(guests, other, LAYOUT)
        assert _content(other) == before
        copy_tables(guests, other, LAYOUT, over=True)
        assert _content(other) == _content(guests)


def test_of_many_processes_one_takes_a_file_over(postgres: Server, tmp_path: Path) -> None:
    file, place = tmp_path / "guests.sqlite", postgres.new_address()
    with closing(open_database(file, LAYOUT)) as guests:
        _filled(guests)
    with ThreadPoolExecutor(6) as pool:
        taken = list(pool.map(lambda _: move_into_database(file, place, LAYOUT), range(6)))
    assert sorted(taken, key=str) == [3, *[None] * 5]
    with closing(open_database(place, LAYOUT)) as house:
        assert _content(house) == (GUESTS, [(7,)], 2)
    assert not file.exists()
    assert (
        move_into_database(tmp_path / "guests.sqlite.moved", tmp_path / "elsewhere", LAYOUT) is None
    )


def test_a_second_file_is_not_mixed_with_what_is_there(postgres: Server, tmp_path: Path) -> None:
    place = postgres.new_address()
    for name in ("first", "second"):
        with closing(open_database(tmp_path / name, LAYOUT)) as guests:
            _filled(guests)
    assert move_into_database(tmp_path / "first", place, LAYOUT) == 3
    with pytest.raises(HasRows):
        move_into_database(tmp_path / "second", place, LAYOUT)
    with closing(open_database(tmp_path / "second", LAYOUT)) as guests:
        assert _content(guests) == (GUESTS, [(7,)], 2)
