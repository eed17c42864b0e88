"""A log in PostgreSQL: its settings, its queue of writers, its notifications."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from importlib import util
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError, OperationalError

from referee.log import stores as log_stores
from referee.log.durable import NotDurable
from referee.log.ports import NoTables, Receipt
from referee.log.postgres import connections as postgres_connections
from referee.log.postgres.connections import (
    PostgresLogDatastore,
    connect,
    require_log_and_mark_in_use,
)
from referee.log.postgres.copy import TABLES as COPIED
from referee.log.postgres.recorder import CREATING, PostgresLogRecorder
from referee.log.stores import NoDriver, create_tables, is_there, open_log, open_rows
from tests.referee.log.postgres_log import STREAM, address, admin, log, rows
from tests.support.places import ROOT
from tests.support.servers.one_log import LATE, PARTIDA, keyed, new_log
from tests.support.servers.own_postgres import Server
from tests.support.waiting import wait_for

__all__ = ["address", "admin", "log"]  # fixtures


# --- settings ------------------------------------------------------------------------------------


def test_a_server_that_may_lose_what_it_acknowledged_is_refused(
    address: str, admin: psycopg.Connection
) -> None:
    for name in ("full_page_writes", "fsync"):
        admin.execute(f"ALTER SYSTEM SET {name} = off")
        admin.execute("SELECT pg_reload_conf()")
        try:
            wait_for(lambda name=name: shown(admin, name) == "off", f"{name} off")
            with pytest.raises(NotDurable, match=f"{name} is off, not on"):
                open_log(address)
        finally:
            admin.execute(f"ALTER SYSTEM RESET {name}")
            admin.execute("SELECT pg_reload_conf()")
            wait_for(lambda name=name: shown(admin, name) == "on", f"{name} on")
    open_log(address).close()


def shown(c: psycopg.Connection, name: str) -> str:
    return c.execute(f"SHOW {name}").fetchone()[0]


@pytest.mark.parametrize(
    ("said", "meant"), [("off", "on"), ("local", "on"), ("on", "on"), ("remote_apply",) * 2]
)
def test_a_commit_waits_for_the_disk_whatever_the_address_says(
    address: str, said: str, meant: str
) -> None:
    with closing(connect(f"{address}%20-csynchronous_commit%3D{said}")) as c:
        assert shown(c, "synchronous_commit") == meant
        assert shown(c, "lock_timeout") == "5s"


def test_an_address_says_more_than_the_defaults(address: str) -> None:
    with closing(connect(f"{address}&application_name=club")) as c:
        assert shown(c, "application_name") == "club"
    with closing(connect(address)) as c:
        assert shown(c, "application_name") == "guinote"


# --- tables --------------------------------------------------------------------------------------


def test_a_database_without_our_tables_or_with_later_ones_is_not_opened(
    postgres: Server, address: str
) -> None:
    empty = postgres.new_address()
    assert not is_there(empty)
    with pytest.raises(NoTables, match="version 0"):
        open_log(empty)
    assert is_there(address)
    with closing(connect(address)) as later:
        later.execute("UPDATE log_head SET version = 99")
    for ask in (open_log, create_tables):
        with pytest.raises(NoTables, match="version 99"):
            ask(address)


def test_both_stores_have_the_same_tables(address: str, tmp_path: Path) -> None:
    create_tables(tmp_path / "log.db")
    with closing(sqlite3.connect(tmp_path / "log.db")) as file:
        asked = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        in_file = {
            name: [column[1] for column in file.execute(f"PRAGMA table_info({name})")]
            for (name,) in file.execute(asked).fetchall()
        }
    in_database: dict[str, list[str]] = {}
    with closing(connect(address)) as c:
        for name, column in c.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position"
        ):
            in_database.setdefault(name, []).append(column)
    assert in_database.pop("log_head") == ["one", "version", "position"]
    assert in_database == in_file
    assert {name for name, _ in COPIED} == set(in_file)


def test_any_number_of_workers_may_make_the_tables_at_once(postgres: Server) -> None:
    """Every writer has looked, found nothing, and waits for the first one to begin."""
    empty, failed = postgres.new_address(), []

    def make() -> None:
        try:
            create_tables(empty)
        except Exception as error:
            failed.append(error)

    workers = [threading.Thread(target=make) for _ in range(8)]
    with closing(connect(empty)) as first, first.transaction():
        first.execute(CREATING)
        for worker in workers:
            worker.start()
        wait_for(lambda: waiting(empty) == len(workers), "all workers wait")
    for worker in workers:
        worker.join()
    assert not failed
    open_log(empty).close()


def test_a_user_who_may_only_read_and_append_is_enough(
    postgres: Server, address: str, admin: psycopg.Connection
) -> None:
    schema = address.rpartition("%3D")[2]
    admin.execute("CREATE ROLE scorer LOGIN")
    admin.execute(f"GRANT USAGE ON SCHEMA {schema} TO scorer")
    appended = ", ".join(f"{schema}.{name}" for name in ("stored_events", "receipts", "leaves"))
    admin.execute(f"GRANT SELECT, INSERT ON {appended} TO scorer")
    admin.execute(f"GRANT SELECT, UPDATE ON {schema}.log_head, {schema}.tree TO scorer")
    modest = address.replace("club@", "scorer@")
    with closing(new_log(modest)) as referee:
        assert referee.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("k")).version == 1
        assert referee.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("k")).replayed
    with closing(connect(modest)) as c, pytest.raises(psycopg.errors.InsufficientPrivilege):
        c.execute("DELETE FROM stored_events")


def test_what_only_needs_a_file_does_not_import_the_driver() -> None:
    code = """import sys, projections.process
from pkgutil import resolve_name
from api.cli.main import PLACES
for place in PLACES.values():
    resolve_name(place)
sys.exit("psycopg" in sys.modules)"""
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_without_the_driver_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_stores, "find_spec", lambda name: None)
    assert util.find_spec("psycopg") is not None
    with pytest.raises(NoDriver, match="postgres"):
        open_log("postgresql://club@nowhere/club")


# --- the queue -----------------------------------------------------------------------------------


def test_a_reader_that_sees_a_position_has_seen_all_before_it(address: str) -> None:
    """Four writers with some failing writes: positions have no gap and are in order."""
    stop, seen = threading.Event(), []

    def write(n: int) -> None:
        with closing(open_log(address)) as log:
            for version in range(1, 61):
                log.insert_events([*rows(version, stream=UUID(int=n))])
                if version % 5 == 0:
                    with pytest.raises(IntegrityError):
                        log.insert_events(rows(version, stream=UUID(int=n)))

    def read() -> None:
        with closing(open_rows(address)) as log:
            while not stop.is_set() or not seen or seen[-1] < log.last_position():
                seen.extend(row[0] for row in log.read_from(len(seen) + 1, 1000))

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write, args=(n,)) for n in range(1, 5)]
    for one in (reader, *writers):
        one.start()
    for one in writers:
        one.join()
    stop.set()
    reader.join()
    assert seen == list(range(1, 241))


def test_who_has_the_turn_writes_and_others_wait_until_they_are_done(
    address: str, log: PostgresLogRecorder
) -> None:
    order: list[str] = []

    def rival() -> None:
        with closing(open_log(address)) as other:
            other.insert_events(rows(1, stream=UUID(int=7)))
            order.append("rival")

    thread = threading.Thread(target=rival)
    with log.hold_write_lock():
        thread.start()
        wait_for(lambda: waiting(address) == 1, "the rival waits")
        with log.hold_write_lock():
            log.insert_events(rows(1))
            assert log.select_events(STREAM)[0].originator_version == 1
        order.append("holder")
    thread.join()
    assert order == ["holder", "rival"]
    assert log.max_notification_id() == 2


def test_a_guard_is_looked_at_when_the_turn_has_come(
    address: str, log: PostgresLogRecorder
) -> None:
    """Not earlier, while a writer of the guarded stream holds the lock."""
    refused: list[Exception] = []

    def rival() -> None:
        with closing(open_log(address)) as other:
            try:
                other.insert_events(rows(1, stream=UUID(int=7)), guards={STREAM: 0})
            except IntegrityError as error:
                refused.append(error)

    thread = threading.Thread(target=rival)
    with log.hold_write_lock():
        thread.start()
        wait_for(lambda: waiting(address) == 1, "the rival waits")
        log.insert_events(rows(1))
    thread.join()
    assert "moved on" in str(refused[0])
    assert log.max_notification_id() == 1


def waiting(address: str) -> int:
    with closing(connect(address)) as c:
        asked = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        return c.execute(asked).fetchone()[0]


def test_one_connection_is_enough_to_hold_the_turn_and_to_write(address: str) -> None:
    datastore = PostgresLogDatastore(address, require_log_and_mark_in_use, most=1)
    with closing(PostgresLogRecorder(datastore)) as log:
        with log.hold_write_lock():
            log.insert_events(rows(1), key="d:k", receipt=Receipt("digest"))
            assert log.receipt_by_keys_or_none("d:k") == Receipt("digest", position=1)
        assert log.max_notification_id() == 1


def test_a_writer_does_not_wait_for_ever(
    address: str, log: PostgresLogRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = postgres_connections._SET.replace("'5s'", "'50ms'")
    settings = tuple(one for one in postgres_connections.SETTINGS if one[0] != "lock_timeout")
    monkeypatch.setattr(postgres_connections, "_SET", asked)
    monkeypatch.setattr(postgres_connections, "SETTINGS", settings)
    monkeypatch.setattr(postgres_connections, "_ASK", "SELECT 'on', 'on', 'on', 'read committed'")
    with closing(open_log(address)) as hasty, log.hold_write_lock():
        with pytest.raises(OperationalError, match="lock timeout"):
            hasty.insert_events(rows(1))
    assert log.max_notification_id() == 0


def test_when_every_connection_is_in_use_it_is_said_and_not_waited_for_ever(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_connections, "BUSY_TIMEOUT_S", 0.05)
    datastore = PostgresLogDatastore(address, require_log_and_mark_in_use, most=1)
    failed: list[Exception] = []

    def rival() -> None:
        try:
            PostgresLogRecorder(datastore).max_notification_id()
        except OperationalError as error:
            failed.append(error)

    with datastore.connection():
        thread = threading.Thread(target=rival)
        thread.start()
        thread.join()
    assert "in use" in str(failed[0])
    datastore.close()
