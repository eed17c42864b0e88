"""The tree grows with the log: in the transaction of each write, by any writer, from any version."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent

from referee.log.merkle import Unreadable, leaf_hash_of_event, root_of_leaves
from referee.log.ports import NoTables
from referee.log.sqlite.recorder import SQLiteLogDatastore, SQLiteLogRecorder, create_tables
from referee.log.sqlite.rows import SQLiteRows
from tests.support.servers.one_log import new_log
from tests.support.servers.read_side import record_much

STREAM = UUID("6f1c2a54-0d7a-4a51-9a0a-4b7f5c1f3e11")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create_tables(tmp_path / "log.db")
    return tmp_path / "log.db"


@pytest.fixture
def recorder(path: Path) -> Iterator[SQLiteLogRecorder]:
    recorder = SQLiteLogRecorder(SQLiteLogDatastore(str(path)))
    yield recorder
    recorder.close()


def rows(*versions: int, stream: UUID = STREAM, state: bytes = b"{}") -> list[StoredEvent]:
    return [StoredEvent(stream, version, "TimeCalled.1", state) for version in versions]


def assert_tree_is_of_the_events(path: Path) -> int:
    """Leaf by leaf in the order of the log; the answer is how many there are."""
    with closing(SQLiteRows(path)) as log, log.hold_snapshot():
        events = [row[1:] for row in log.read_from(1, 10**6)]
        leaves = list(log.leaf_rows(0, 10**6))
        assert [leaf[0] for leaf in leaves] == list(range(len(events)))
        assert [leaf[1:3] for leaf in leaves] == [event[:2] for event in events]
        assert [leaf[3] for leaf in leaves] == [leaf_hash_of_event(*event) for event in events]
        assert log.tree().size == len(leaves)
        assert log.tree().root == root_of_leaves([leaf[3] for leaf in leaves])
    return len(leaves)


def test_a_write_and_its_leaves_are_one(recorder: SQLiteLogRecorder, path: Path) -> None:
    recorder.insert_events([*rows(1, 2), *rows(1, stream=UUID(int=7))])
    assert assert_tree_is_of_the_events(path) == 3
    with pytest.raises(IntegrityError):
        recorder.insert_events([*rows(3), *rows(1)])
    with pytest.raises(Unreadable):
        recorder.insert_events([*rows(3), *rows(4, state=b"{")])
    recorder.insert_events([])
    assert assert_tree_is_of_the_events(path) == 3
    with closing(SQLiteRows(path)) as log:
        assert list(log.leaf_indices_of_stream(STREAM)) == [0, 1]
        assert list(log.leaf_indices_of_stream(UUID(int=7))) == [2]


def test_many_writers_grow_one_tree(path: Path) -> None:
    def write(number: int) -> None:
        own = SQLiteLogRecorder(SQLiteLogDatastore(str(path)))
        for version in range(1, 16, 1 + number % 3):
            own.insert_events(rows(version, stream=UUID(int=number)))
        own.close()

    writers = [threading.Thread(target=write, args=(n,)) for n in range(6)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert assert_tree_is_of_the_events(path) == 2 * (15 + 8 + 5)


def test_a_log_without_a_tree_is_given_one(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with closing(new_log(path)) as referee:
        record_much(referee)
    with closing(SQLiteRows(path)) as log:
        was = log.tree()
    with closing(sqlite3.connect(path, isolation_level=None)) as older:
        older.executescript("DROP TABLE leaves; DROP TABLE tree; PRAGMA user_version = 1")
    with pytest.raises(NoTables, match="version 1"):
        SQLiteLogRecorder(SQLiteLogDatastore(str(path))).max_notification_id()
    create_tables(path)
    create_tables(path)
    assert assert_tree_is_of_the_events(path) == was.size > 50
    with closing(SQLiteRows(path)) as log:
        assert log.tree() == was


def test_what_is_read_in_a_moment_is_of_one_moment(recorder: SQLiteLogRecorder, path: Path) -> None:
    recorder.insert_events(rows(1))
    with closing(SQLiteRows(path)) as log:
        with log.hold_snapshot():
            assert log.tree().size == 1
            recorder.insert_events(rows(2))
            assert (log.tree().size, log.last_position()) == (1, 1)
        assert (log.tree().size, log.last_position()) == (2, 2)
