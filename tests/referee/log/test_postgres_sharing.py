"""Two houses of a database that take turns on one connection: nothing of one is in the other."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from typing import NamedTuple
from uuid import UUID

import psycopg
import pytest
from eventsourcing.persistence import DatabaseError, PersistenceError, StoredEvent

from referee.access.tables import ACCESS_LAYOUT
from referee.log.ports import Rows
from referee.log.postgres import connections
from referee.log.postgres.connections import OpenAtOnce
from referee.log.postgres.recorder import PostgresLogRecorder, open_log
from referee.log.stores import create_tables, open_rows
from referee.store.databases import open_database
from referee.store.ports import Database
from tests.referee.log.postgres_log import STREAM, admin
from tests.support.servers.own_postgres import Server
from tests.support.waiting import wait_for

__all__ = ["admin"]  # a fixture

MANY = 7
"""Turns after which the driver has prepared each statement on the server."""
OURS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'guinote'"
BUSY = f"{OURS} AND state = 'active'"
SLEEP = "SELECT pg_sleep(20)"


class House(NamedTuple):
    """A house in a schema, whose events and accounts have its name."""

    name: str
    log: PostgresLogRecorder
    reader: Rows
    store: Database

    def record(self) -> None:
        """One more event, and a number of the store that counts them."""
        version = self.log.max_notification_id() + 1
        self.log.insert_events([StoredEvent(STREAM, version, self.name, b"{}")])
        with self.store.transaction() as db:
            self.store.set_store_state_number(db, version)

    def assert_alone(self) -> None:
        """It sees every event of its own, and none of another house."""
        events = self.log.select_events(STREAM)
        last = len(events)
        assert {one.topic for one in events} == {self.name}
        assert [row[0] for row in self.reader.read_from(1, 1000)] == list(range(1, last + 1))
        assert {row[3] for row in self.reader.read_from(1, 1000)} == {self.name}
        with self.store.connection() as db:
            assert (self.store.store_state_number(db), self.store.house_id(db)) == (last, self.name)


@pytest.fixture
def houses(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[House, House]]:
    addresses = [postgres.new_address() for _ in range(2)]
    for one in addresses:
        create_tables(one)
    bound = OpenAtOnce()  # without the connections of other tests of this process
    bound.most = 1
    monkeypatch.setattr(connections, "OPEN_AT_ONCE", bound)
    made = [
        House(name, open_log(one), open_rows(one), open_database(one, ACCESS_LAYOUT))
        for name, one in zip(("una", "otra"), addresses, strict=True)
    ]
    for one in made:
        with one.store.transaction() as db:
            one.store.set_house_id(db, one.name)
        one.record()
    una, otra = made
    yield una, otra
    for one in made:
        one.log.close()
        one.reader.close()
        one.store.close()
    assert connections.OPEN_AT_ONCE.count == 0


def take_turns(houses: tuple[House, House]) -> None:
    for _ in range(MANY):
        for one in houses:
            one.record()
            one.assert_alone()
    assert connections.OPEN_AT_ONCE.count == 1


def fail(house: House, _: psycopg.Connection) -> None:
    house.log.datastore.query_rows("SELECT 1 / 0", ())


def fail_in_a_transaction(house: House, _: psycopg.Connection) -> None:
    with house.store.transaction() as db:
        house.store.set_store_state_number(db, 1000)
        db.execute("SELECT 1 / 0")


def leave_a_transaction_open(house: House, _: psycopg.Connection) -> None:
    with house.log.datastore.connection() as c:
        c.execute("BEGIN")
        c.execute("UPDATE log_head SET position = 1000")


def leave_a_lock(house: House, _: psycopg.Connection) -> None:
    with house.log.datastore.connection() as c:
        c.execute("SELECT pg_advisory_lock('stored_events'::regclass::oid::bigint)")


def cancel(admin: psycopg.Connection) -> None:
    wait_for(lambda: admin.execute(BUSY).fetchall(), "a statement")
    admin.execute(f"SELECT pg_cancel_backend(pid) FROM ({BUSY}) AS busy")


def kill(admin: psycopg.Connection) -> None:
    wait_for(lambda: admin.execute(OURS).fetchall(), "a connection")
    admin.execute(f"SELECT pg_terminate_backend(pid) FROM ({OURS}) AS ours")


def meanwhile(work: Callable[[], object], disturb: Callable[[], None]) -> None:
    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        work()
    finally:
        thread.join()


def be_cancelled(house: House, admin: psycopg.Connection) -> None:
    meanwhile(lambda: house.log.datastore.query_rows(SLEEP, ()), lambda: cancel(admin))


def be_cancelled_in_the_turn(house: House, admin: psycopg.Connection) -> None:
    with house.log.hold_write_lock():
        be_cancelled(house, admin)


def be_killed(house: House, admin: psycopg.Connection) -> None:
    meanwhile(lambda: house.log.datastore.query_rows(SLEEP, ()), lambda: kill(admin))


def be_killed_while_idle(_: House, admin: psycopg.Connection) -> None:
    kill(admin)
    wait_for(lambda: not admin.execute(OURS).fetchall(), "its end")


@pytest.mark.parametrize(
    "trouble",
    [
        fail,
        fail_in_a_transaction,
        leave_a_transaction_open,
        leave_a_lock,
        be_cancelled,
        be_cancelled_in_the_turn,
        be_killed,
        be_killed_while_idle,
    ],
)
def test_houses_take_turns_on_one_connection_after_every_trouble(
    houses: tuple[House, House],
    admin: psycopg.Connection,
    trouble: Callable[[House, psycopg.Connection], None],
) -> None:
    take_turns(houses)
    for one in (*houses, *houses):
        with suppress(PersistenceError, psycopg.Error):
            trouble(one, admin)
        take_turns(houses)


def test_a_connection_that_fails_on_its_way_to_another_house_is_given_to_nobody(
    houses: tuple[House, House], admin: psycopg.Connection
) -> None:
    una, otra = houses
    with otra.log.datastore.connection() as c:
        held = c.execute("SELECT 'log_head'::regclass::oid::bigint").fetchone()
        pid = c.info.backend_pid
    for disturb in (cancel, kill):
        una.record()
        admin.execute("SELECT pg_advisory_lock(%s)", held)
        with pytest.raises(DatabaseError):
            meanwhile(otra.log.max_notification_id, partial(disturb, admin))
        admin.execute("SELECT pg_advisory_unlock(%s)", held)
        assert connections.OPEN_AT_ONCE.count == 0
        take_turns(houses)
    with otra.log.datastore.connection() as c:
        assert c.info.backend_pid != pid


def test_nothing_of_a_house_is_left_on_its_connection(
    houses: tuple[House, House], admin: psycopg.Connection
) -> None:
    una, otra = houses
    locks = "SELECT count(*) FROM pg_locks JOIN pg_class c ON objid = c.oid WHERE relnamespace = %s"
    with una.log.datastore.connection() as c:
        schema = c.execute("SELECT current_schema()::regnamespace::oid").fetchone()
        assert schema is not None
        assert admin.execute(locks, schema).fetchone() == (1,), "a log in use is not replaced"
    una.reader.last_position()
    una.record()
    una.reader.last_position()
    with otra.store.connection() as db:
        assert db.execute("SELECT pg_listening_channels()").fetchall() == []
        assert db.execute("SHOW default_transaction_read_only").fetchone() == ("off",)
        assert db.execute("SHOW lock_timeout").fetchone() == ("5s",)
        assert admin.execute(locks, schema).fetchone() == (0,)
        db.execute("RESET ALL")
        assert db.execute("SELECT current_schema()").fetchone() == (None,), "nor on one reset"


def test_a_commit_wakes_the_readers_of_its_house_alone(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.log.postgres.rows.POLL_S", 3_600.0)
    ours, others = postgres.new_address(), postgres.new_address()
    create_tables(ours)
    create_tables(others)
    bell, event = threading.Event(), StoredEvent(UUID(int=1), 1, "a", b"{}")
    with (
        closing(open_log(ours)) as log,
        closing(open_log(others)) as other,
        closing(open_rows(ours)) as reader,
    ):
        assert not reader.wait_for_write_or_bell(0, bell, 0.01)
        other.insert_events([event])
        assert not any(reader.wait_for_write_or_bell(0, bell, 0.01) for _ in range(5))
        log.insert_events([event])
        wait_for(lambda: reader.wait_for_write_or_bell(0, bell, 0.01), "the notification")
