"""The check of a store commits to the disk, in either engine, and changes nothing."""

from __future__ import annotations

import secrets
import threading
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import psycopg
import pytest

from referee.application import Referee
from referee.log.ports import Address
from referee.log.stores import create_tables, is_postgres, open_for_audit
from referee.store.databases import open_database
from referee.store.ports import Layout
from tests.support.waiting import wait_for

_PLAYER = "CREATE TABLE player (name TEXT PRIMARY KEY)"


@pytest.fixture
def referee(address: Address) -> Iterator[Referee]:
    create_tables(address)
    with closing(Referee(address, salt=secrets.token_bytes, new_id=uuid.uuid4)) as found:
        yield found


def flushed(address: Address) -> object:
    """How far the journal of a store has reached the disk."""
    if not is_postgres(address):
        return Path(f"{address}-wal").stat().st_size
    with closing(psycopg.connect(str(address), autocommit=True)) as c:
        found = c.execute("SELECT pg_current_wal_flush_lsn()").fetchone()
        assert found is not None
        return found[0]


def test_a_check_is_on_the_disk_and_changes_nothing(address: Address, referee: Referee) -> None:
    with closing(open_for_audit(address)) as log:
        tree = log.tree()
    before = flushed(address)
    referee.check_by_writing()
    assert flushed(address) != before
    assert referee.position() == 0
    with closing(open_for_audit(address)) as log:
        assert log.tree() == tree


def test_so_is_that_of_other_tables(address: Address) -> None:
    layout = Layout("league", ("player",), lambda db: db.execute(_PLAYER) and None, ((_PLAYER,),))
    with closing(open_database(address, layout)) as league:
        with league.transaction() as db:
            db.execute("INSERT INTO player (name) VALUES (?)", ("Ana",))
            league.set_store_state_number(db, 7)
        before = flushed(address)
        league.check_by_writing()
        assert flushed(address) != before
        with league.connection() as db:
            assert league.store_state_number(db) == 7
            assert db.execute("SELECT name FROM player").fetchall() == [("Ana",)]


def test_who_waits_for_a_turn_is_seen_to_wait(address: Address, referee: Referee) -> None:
    waiting: list[str] = []

    @contextmanager
    def seen() -> Iterator[None]:
        waiting.append("begun")
        yield
        waiting.append("over")

    def take() -> None:
        with referee._log.hold_write_lock():
            waiting.append("turn")

    second = threading.Thread(target=take)
    with referee._log.hold_write_lock():
        referee.set_waiting_context(seen)
        second.start()
        wait_for(lambda: waiting == ["begun"], "a writer that waits")
        referee.set_waiting_context(nullcontext)
    second.join()
    assert waiting == ["begun", "over", "turn"]
