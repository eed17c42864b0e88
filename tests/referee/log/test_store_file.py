"""The store of the log: durable, with positions, receipts and guards."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import IntegrityError, OperationalError, StoredEvent

from referee.log import durable
from referee.log import stores as log_stores
from referee.log.durable import NotDurable, connect
from referee.log.ports import Address, NoTables, Receipt
from referee.log.sqlite.recorder import (
    LogPool,
    SQLiteLogDatastore,
    SQLiteLogRecorder,
    create_tables,
)
from tests.support.places import ROOT

STREAM = UUID("6f1c2a54-0d7a-4a51-9a0a-4b7f5c1f3e11")


@pytest.fixture
def recorder(address: Address) -> Iterator[SQLiteLogRecorder]:
    """A log in either store."""
    log_stores.create_tables(address)
    opened: Any = log_stores.open_log(address)
    yield opened
    opened.close()


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SQLiteLogRecorder]:
    """A log in a file."""
    create_tables(tmp_path / "log.db")
    datastore = SQLiteLogDatastore(str(tmp_path / "log.db"))
    yield SQLiteLogRecorder(datastore)
    datastore.close()


def rows(*versions: int, stream: UUID = STREAM) -> list[StoredEvent]:
    return [StoredEvent(stream, version, "TimeCalled.1", b"{}") for version in versions]


def test_positions_run_over_all_streams_and_are_never_used_again(
    recorder: SQLiteLogRecorder,
) -> None:
    other = UUID(int=7)
    assert recorder.insert_events([*rows(1, 2), *rows(1, stream=other)]) == [1, 2, 3]
    with pytest.raises(IntegrityError):
        recorder.insert_events([*rows(2, stream=other), *rows(2)])
    assert recorder.max_notification_id() == 3
    with recorder.datastore.transaction(commit=True) as cursor:
        cursor.execute("DELETE FROM stored_events WHERE position = 3")
    assert recorder.insert_events(rows(2, stream=other)) == [4]
    assert [n.id for n in recorder.select_notifications(2, 10)] == [2, 4]
    assert [n.id for n in recorder.select_notifications(2, 10, inclusive_of_start=False)] == [4]
    assert [s.originator_version for s in recorder.select_events(STREAM, gt=1)] == [2]
    assert [s.originator_version for s in recorder.select_events(STREAM, desc=True, limit=1)] == [2]


def test_a_receipt_is_kept_with_its_events_or_neither_is(recorder: SQLiteLogRecorder) -> None:
    recorder.insert_events(rows(1), key="d:k", receipt=Receipt("digest", 1, (1,)))
    assert recorder.receipt_by_keys_or_none("d:k") == Receipt("digest", 1, (1,), (), 1)
    with pytest.raises(IntegrityError):
        recorder.insert_events(rows(2), key="d:k", receipt=Receipt("other", 2, (2,)))
    with pytest.raises(IntegrityError):
        recorder.insert_events(rows(1), key="d:l", receipt=Receipt("other", 2, (2,)))
    assert recorder.max_notification_id() == 1
    assert recorder.receipt_by_keys_or_none("d:l") is None


def test_a_guard_refuses_a_write_when_a_stream_that_was_read_moved_on(
    recorder: SQLiteLogRecorder,
) -> None:
    other = UUID(int=7)
    recorder.insert_events(rows(1), guards={other: 0})
    with pytest.raises(IntegrityError, match="moved on"):
        recorder.insert_events(rows(1, stream=other), guards={STREAM: 0})
    recorder.insert_events(rows(1, stream=other), guards={STREAM: 1})
    assert recorder.max_notification_id() == 2


def test_every_connection_is_durable_and_a_write_locks_at_once(file: SQLiteLogRecorder) -> None:
    asked = {name: wanted for name, _, wanted in durable.SETTINGS}
    assert asked["synchronous"] == 2
    for is_writer in (True, False):
        with file.datastore.transaction(commit=is_writer) as cursor:
            for name, wanted in asked.items():
                cursor.execute(f"PRAGMA {name}")
                assert cursor.fetchone()[0] == wanted
    rival = sqlite3.connect(file.datastore.pool.db_name, timeout=0, isolation_level=None)
    with file.datastore.transaction(commit=True):
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            rival.execute("BEGIN IMMEDIATE")
    rival.close()


class Deaf(sqlite3.Connection):
    """A build of SQLite that ignores a setting."""

    setting = "synchronous"

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        tampered = (
            f"PRAGMA {self.setting} = 1" if sql.startswith(f"PRAGMA {self.setting} =") else sql
        )
        return super().execute(tampered, *parameters)


def test_a_file_that_does_not_sync_every_commit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_tables(tmp_path / "log.db")
    with pytest.raises(NotDurable, match="synchronous is 1, not 2"):
        connect(tmp_path / "log.db", factory=Deaf)
    with pytest.raises(NotDurable, match="journal_mode is memory"):
        connect(":memory:")
    monkeypatch.setattr(Deaf, "setting", "busy_timeout")
    with pytest.raises(NotDurable, match="busy_timeout is 1"):
        connect(tmp_path / "log.db", factory=Deaf)


def test_a_file_without_our_tables_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    for name in ("absent.db", "empty.db"):
        datastore = SQLiteLogDatastore(str(tmp_path / name))
        with pytest.raises(NoTables):
            SQLiteLogRecorder(datastore).max_notification_id()
        datastore.close()


def test_errors_of_sqlite_are_those_of_the_library(file: SQLiteLogRecorder) -> None:
    with pytest.raises(OperationalError):
        with file.datastore.transaction(commit=True) as cursor:
            cursor.execute("INSERT INTO nowhere VALUES (1)")
    assert file.insert_events(rows(1)) == [1]


def test_a_connection_that_cannot_be_opened_fails_one_write_and_not_the_next(
    file: SQLiteLogRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as broken:
        broken.setattr(LogPool, "_connect", full)
        for _ in range(3):
            with pytest.raises(OperationalError):
                file.insert_events(rows(1))
    assert file.insert_events(rows(1)) == [1]


def test_tables_of_a_later_program_are_left_alone(tmp_path: Path) -> None:
    create_tables(tmp_path / "log.db")
    create_tables(tmp_path / "log.db")
    with closing(sqlite3.connect(tmp_path / "log.db", isolation_level=None)) as later:
        later.execute("PRAGMA user_version = 3")
    with pytest.raises(NoTables, match="version 3"):
        create_tables(tmp_path / "log.db")


def test_many_processes_may_start_at_once_on_no_tables(address: Address) -> None:
    code = "import sys; from referee.log.stores import create_tables; create_tables(sys.argv[1])"
    arguments = [sys.executable, "-c", code, str(address)]
    root = ROOT
    starts = [subprocess.Popen(arguments, cwd=root) for _ in range(6)]
    assert [start.wait() for start in starts] == [0] * 6
    with closing(log_stores.open_log(address)) as opened:
        assert opened.max_notification_id() == 0


def test_a_store_opened_before_a_fork_does_not_write_after_it(
    recorder: SQLiteLogRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(RuntimeError, match="fork"):
        recorder.insert_events(rows(1))


def test_a_full_disk_refuses_whole_writes_and_heals_without_a_restart(
    file: SQLiteLogRecorder,
) -> None:
    def pages(limit: int) -> None:
        with file.datastore.transaction(commit=False) as cursor:
            cursor.execute(f"PRAGMA max_page_count = {limit}")

    large = [
        StoredEvent(STREAM, version, "TimeCalled.1", b'"%s"' % (b"x" * 4094))
        for version in range(1, 9)
    ]
    pages(8)
    for _ in range(3):
        with pytest.raises(OperationalError, match="full"):
            file.insert_events(large, key="d:k", receipt=Receipt("digest"))
    assert (file.max_notification_id(), file.receipt_by_keys_or_none("d:k")) == (0, None)
    pages(10_000)
    assert file.insert_events(large, key="d:k", receipt=Receipt("digest")) == [*range(1, 9)]


# --- the queue -----------------------------------------------------------------------------------


def test_the_holder_of_the_turn_may_enter_again_and_others_wait(tmp_path: Path) -> None:
    queue, entered = durable.WriteQueue(tmp_path / "a.lock"), threading.Event()

    def enter() -> None:
        with queue.hold_write_lock():
            entered.set()

    other = threading.Thread(target=enter)
    with queue.hold_write_lock():
        with queue.hold_write_lock():
            other.start()
        assert not entered.wait(0.2)
    other.join()
    assert entered.is_set()
    queue.close()
