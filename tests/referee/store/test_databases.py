"""A store of tables keeps the same promises in a file and in PostgreSQL."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError

from referee.log.ports import Address, NewerData
from referee.log.postgres.connections import connect
from referee.release import RELEASE, release_as_number
from referee.store import server
from referee.store.databases import open_database
from referee.store.ports import Database, Layout
from tests.support.servers.own_postgres import Server

PLAYER = "CREATE TABLE player (name TEXT PRIMARY KEY, points INTEGER)"
LATER = "ALTER TABLE player ADD COLUMN club TEXT NOT NULL DEFAULT 'none'"


def _open_file(db: sqlite3.Connection) -> None:
    db.execute(PLAYER.replace("TABLE", "TABLE IF NOT EXISTS"))


FIRST = Layout("league", ("player",), _open_file, ((PLAYER,),))
SECOND = FIRST._replace(versions=((PLAYER,), (LATER,)))


@pytest.fixture
def league(address: Address) -> Iterator[Database]:
    with closing(open_database(address, FIRST)) as opened:
        yield opened


def _put(league: Database, name: str, points: int = 0) -> None:
    with league.transaction() as db:
        db.execute("INSERT INTO player (name, points) VALUES (?, ?)", (name, points))


def _names(league: Database) -> list[str]:
    with league.connection() as db:
        return [name for (name,) in db.execute("SELECT name FROM player ORDER BY name")]


def test_what_was_written_is_read_after_it_was_opened_again(
    league: Database, address: Address
) -> None:
    _put(league, "Ana", 31)
    with closing(open_database(address, FIRST)) as again, again.connection() as db:
        asked = db.execute("SELECT points FROM player WHERE name = :name", {"name": "Ana"})
        assert asked.fetchone() == (31,)


def test_a_transaction_that_fails_leaves_nothing(league: Database) -> None:
    _put(league, "Ana")
    rows = [("Blas", 1), ("Ana", 2)]
    with pytest.raises(IntegrityError), league.transaction() as db:
        db.executemany("INSERT INTO player (name, points) VALUES (?, ?)", rows)
    assert _names(league) == ["Ana"]
    _put(league, "Carmen")
    assert _names(league) == ["Ana", "Carmen"]


def test_a_per_cent_sign_and_many_rows_are_taken_as_they_are(league: Database) -> None:
    with league.transaction() as db:
        db.executemany("INSERT INTO player (name) VALUES (?)", [("Ana",), ("Blas 5%",)])
        db.execute("DELETE FROM player WHERE name LIKE 'An%'")
    assert _names(league) == ["Blas 5%"]


def test_writers_of_two_processes_do_not_lose_an_update(league: Database, address: Address) -> None:
    _put(league, "Ana")

    def count_up() -> None:
        with closing(open_database(address, FIRST)) as own:
            for _ in range(10):
                with own.transaction() as db:
                    (points,) = db.execute("SELECT points FROM player").fetchone()
                    db.execute("UPDATE player SET points = ?", (points + 1,))

    writers = [threading.Thread(target=count_up) for _ in range(4)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    with league.connection() as db:
        assert db.execute("SELECT points FROM player").fetchone() == (40,)


def test_a_store_keeps_a_number_and_is_swept(league: Database, address: Address) -> None:
    with league.transaction() as db:
        assert league.store_state_number(db) == 0
        league.set_store_state_number(db, 2)
    assert league.erase_deleted_bytes()
    with closing(open_database(address, FIRST)) as again, again.connection() as db:
        assert again.store_state_number(db) == 2


def test_tables_of_an_earlier_version_are_changed_and_of_a_later_one_refused(
    postgres: Server,
) -> None:
    place = postgres.new_address()
    with closing(open_database(place, FIRST)) as earlier:
        _put(earlier, "Ana")
    for _ in range(2):
        with closing(open_database(place, SECOND)) as later, later.connection() as db:
            assert db.execute("SELECT name, club FROM player").fetchall() == [("Ana", "none")]
    with closing(connect(place)) as c:
        c.execute("UPDATE stores SET release = '12.3.4'")
    with pytest.raises(NewerData, match=rf"league .* guinote 12\.3\.4, and this is .* {RELEASE}"):
        open_database(place, FIRST)


def test_a_file_that_a_later_release_marked_is_not_opened(tmp_path: Path) -> None:
    open_database(tmp_path / "league.db", FIRST).close()
    with closing(sqlite3.connect(tmp_path / "league.db")) as file:
        file.execute(f"PRAGMA application_id = {release_as_number('12.3.4')}")
    with pytest.raises(NewerData, match=rf"league.db .* 12\.3\.4, and this is .* {RELEASE}"):
        open_database(tmp_path / "league.db", FIRST)


def test_a_sweep_says_that_a_reader_is_in_its_way(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SWEEP_WAITS", "50ms")
    place = postgres.new_address()
    with closing(open_database(place, FIRST)) as league, closing(open_database(place, FIRST)) as by:
        _put(league, "Ana")
        with by.transaction() as db:
            db.execute("SELECT name FROM player")
            assert not league.erase_deleted_bytes()
        assert league.erase_deleted_bytes()


def test_a_sweep_that_the_user_may_not_do_is_not_said_to_be_done(postgres: Server) -> None:
    address = postgres.new_address()
    with closing(open_database(address, FIRST)) as league:
        assert league.erase_deleted_bytes()
        with psycopg.connect(address, autocommit=True) as admin:
            admin.execute("DROP ROLE IF EXISTS keeper")
            admin.execute("CREATE ROLE keeper LOGIN")
            schema = admin.execute("SELECT current_schema()").fetchone()[0]
            admin.execute(f"GRANT USAGE ON SCHEMA {schema} TO keeper")
            admin.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO keeper")
    with closing(open_database(address.replace("club@", "keeper@"), FIRST)) as kept:
        _put(kept, "Ana")
        assert not kept.erase_deleted_bytes()
