"""Events in the store: names, envelopes, older versions, and the file they are in."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, get_args
from uuid import UUID

import msgspec
import pytest
from eventsourcing.persistence import IntegrityError, OperationalError, StoredEvent

from referee import durable, events
from referee.durable import NotDurable, connect
from referee.events import CardPlayed, CountEntered, Event, LogAmended, RulingGiven, TimeCalled
from referee.persons import LONGEST_NAME, Persons, TooLong
from referee.sqlite import LogDatastore, LogPool, LogRecorder, NoTables, Receipt, create_tables
from referee.store import (
    CODEC,
    NAMES,
    Codec,
    EventMapper,
    NoTranscoder,
    Recorded,
    UnknownName,
    Unstorable,
    successor,
    timestamp,
)

STREAM = UUID("6f1c2a54-0d7a-4a51-9a0a-4b7f5c1f3e11")
SAMPLES = Path(__file__).parent / "golden" / "events"


def recorded(event: Event, version: int = 1, line: int = 1) -> Recorded:
    return Recorded(
        STREAM, version, line, "2026-11-21T20:15:00.000Z", "owner", "tablet", "s" * 22, event
    )


def every_event() -> set[type[Any]]:
    """Leaves of the union of events."""
    found: set[type[Any]] = set()
    waiting: list[Any] = [Event]
    while waiting:
        one = waiting.pop()
        if parts := get_args(one):
            waiting += parts
        else:
            found.add(one)
    return found


# --- names ---------------------------------------------------------------------------------------


def test_every_event_has_one_stored_name_and_it_is_our_own() -> None:
    assert set(NAMES.values()) == every_event()
    assert len(set(NAMES.values())) == len(NAMES)
    for name, cls in NAMES.items():
        assert name.rpartition(".")[0] == cls.__name__
        assert ":" not in name


def test_every_event_has_a_frozen_sample() -> None:
    assert {path.stem for path in SAMPLES.glob("*.json")} >= set(NAMES)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_a_frozen_sample_means_what_it_meant_and_is_written_as_it_was(path: Path) -> None:
    for sample in json.loads(path.read_text()):
        state = sample["state"].encode()
        found = CODEC.decode(STREAM, 5, path.stem, state)
        fields = msgspec.structs.fields(type(found.event))
        meaning = json.loads(
            msgspec.json.encode({f.name: getattr(found.event, f.name) for f in fields})
        )
        assert sample["means"] == {name: meaning.get(name) for name in sample["means"]}
        assert set(meaning) >= set(sample["means"])
        if path.stem in NAMES:
            assert CODEC.encode(found) == (path.stem, state)


def test_a_name_that_is_not_in_the_table_is_an_error_and_imports_nothing() -> None:
    for name in ("this:s", "referee.events:CardPlayed", "CardPlayed", "CardPlayed.9", ""):
        with pytest.raises(UnknownName):
            CODEC.decode(STREAM, 1, name, b"{}")


def test_a_body_with_more_than_the_event_has_is_an_error() -> None:
    _, state = CODEC.encode(recorded(CardPlayed("A1", "3O")))
    with pytest.raises(msgspec.ValidationError):
        CODEC.decode(STREAM, 1, "CardPlayed.1", state.replace(b'"card"', b'"cards"'))


# --- envelope ------------------------------------------------------------------------------------


def test_the_envelope_holds_who_when_where_and_the_fact_without_its_kind() -> None:
    name, state = CODEC.encode(recorded(CardPlayed("A1", "3O")))
    assert name == "CardPlayed.1"
    assert json.loads(state) == {
        "at": "2026-11-21T20:15:00.000Z",
        "by": "owner",
        "on": "tablet",
        "line": 1,
        "salt": "s" * 22,
        "fact": {"seat": "A1", "card": "3O"},
    }


def test_an_event_without_fields_is_an_empty_body() -> None:
    assert CODEC.body(TimeCalled()) == b"{}"


def test_equal_facts_are_equal_bytes_whatever_the_order_of_their_totals() -> None:
    one = CODEC.encode(recorded(CountEntered({"A": 1, "B": 2})))
    assert one == CODEC.encode(recorded(CountEntered({"B": 2, "A": 1})))


def test_the_mapper_of_the_library_gives_back_what_it_was_given() -> None:
    mapper = EventMapper(NoTranscoder())
    one = recorded(LogAmended((events.Change(1, "replace", CardPlayed("A1", "AO")),)))
    row = mapper.to_stored_event(one)
    assert row.topic == "LogAmended.1"
    assert mapper.to_domain_event(row) == one


def test_whole_numbers_beyond_what_json_keeps_are_refused() -> None:
    largest = recorded(CountEntered({"A": 2**53 - 1}))
    name, state = CODEC.encode(largest)
    assert CODEC.decode(STREAM, 1, name, state) == largest
    broken: Any = 1.5
    for total in (2**53, -(2**53), broken):
        with pytest.raises(Unstorable):
            CODEC.encode(recorded(CountEntered({"A": total})))


def test_a_float_in_a_row_is_refused() -> None:
    name, state = CODEC.encode(recorded(RulingGiven("points", "t" * 32, points=3)))
    with pytest.raises(msgspec.ValidationError):
        CODEC.decode(STREAM, 1, name, state.replace(b'"points":3', b'"points":3.5'))


def test_a_moment_is_stored_in_utc() -> None:
    madrid = timezone(timedelta(hours=1))
    assert timestamp(datetime(2026, 11, 21, 21, 15, tzinfo=madrid)) == "2026-11-21T20:15:00.000Z"
    assert timestamp(datetime(2026, 11, 21, 20, 15, tzinfo=UTC)) == "2026-11-21T20:15:00.000Z"


# --- older versions ------------------------------------------------------------------------------


def test_an_older_version_is_brought_to_the_present_one_step_by_step() -> None:
    """Made-up history: version -1 had the card as two fields, version 0 called the seat a chair."""

    def join_card(body: dict[str, Any]) -> dict[str, Any]:
        return {"chair": body["chair"], "card": body["rank"] + body["suit"]}

    def name_seat(body: dict[str, Any]) -> dict[str, Any]:
        return {"seat": body["chair"], "card": body["card"]}

    codec = Codec(NAMES, {"CardPlayed.-1": join_card, "CardPlayed.0": name_seat})
    for name, fact in (
        ("CardPlayed.-1", {"chair": "A1", "rank": "3", "suit": "O"}),
        ("CardPlayed.0", {"chair": "A1", "card": "3O"}),
    ):
        envelope = {"at": "t", "by": "b", "on": "d", "line": 7, "salt": "s", "fact": fact}
        found = codec.decode(STREAM, 9, name, json.dumps(envelope).encode())
        assert found == Recorded(STREAM, 9, 7, "t", "b", "d", "s", CardPlayed("A1", "3O"))
    assert successor("CardPlayed.0") == "CardPlayed.1"


def test_a_chain_of_upcasts_that_does_not_reach_the_present_is_an_error() -> None:
    codec = Codec(NAMES, {"CardPlayed.-2": lambda body: body})
    envelope = b'{"at":"t","by":"b","on":"d","line":7,"salt":"s","fact":{}}'
    with pytest.raises(UnknownName, match="CardPlayed.-1"):
        codec.decode(STREAM, 1, "CardPlayed.-2", envelope)


# --- the file ------------------------------------------------------------------------------------


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[LogRecorder]:
    create_tables(tmp_path / "log.db")
    datastore = LogDatastore(str(tmp_path / "log.db"))
    yield LogRecorder(datastore)
    datastore.close()


def rows(*versions: int, stream: UUID = STREAM) -> list[StoredEvent]:
    return [StoredEvent(stream, version, "TimeCalled.1", b"{}") for version in versions]


def test_positions_run_over_all_streams_and_are_never_used_again(recorder: LogRecorder) -> None:
    other = UUID(int=7)
    assert recorder.insert_events([*rows(1, 2), *rows(1, stream=other)]) == [1, 2, 3]
    with pytest.raises(IntegrityError):
        recorder.insert_events([*rows(2, stream=other), *rows(2)])
    assert recorder.max_notification_id() == 3
    with recorder.datastore.transaction(commit=True) as cursor:
        cursor.execute("DELETE FROM stored_events WHERE position = 3")
    assert recorder.insert_events(rows(1, stream=other)) == [4]
    assert [n.id for n in recorder.select_notifications(2, 10)] == [2, 4]
    assert [n.id for n in recorder.select_notifications(2, 10, inclusive_of_start=False)] == [4]
    assert [s.originator_version for s in recorder.select_events(STREAM, gt=1)] == [2]
    assert [s.originator_version for s in recorder.select_events(STREAM, desc=True, limit=1)] == [2]


def test_a_receipt_is_kept_with_its_events_or_neither_is(recorder: LogRecorder) -> None:
    recorder.insert_events(rows(1), key="d:k", receipt=Receipt("digest", 1, (1,)))
    assert recorder.receipt("d:k") == Receipt("digest", 1, (1,), (), 1)
    with pytest.raises(IntegrityError):
        recorder.insert_events(rows(2), key="d:k", receipt=Receipt("other", 2, (2,)))
    with pytest.raises(IntegrityError):
        recorder.insert_events(rows(1), key="d:l", receipt=Receipt("other", 2, (2,)))
    assert recorder.max_notification_id() == 1
    assert recorder.receipt("d:l") is None


def test_a_guard_refuses_a_write_when_a_stream_that_was_read_moved_on(
    recorder: LogRecorder,
) -> None:
    other = UUID(int=7)
    recorder.insert_events(rows(1), guards={other: 0})
    with pytest.raises(IntegrityError, match="moved on"):
        recorder.insert_events(rows(1, stream=other), guards={STREAM: 0})
    recorder.insert_events(rows(1, stream=other), guards={STREAM: 1})
    assert recorder.max_notification_id() == 2


def test_every_connection_is_durable_and_a_write_locks_at_once(recorder: LogRecorder) -> None:
    asked = {name: wanted for name, _, wanted in durable.SETTINGS}
    assert asked["synchronous"] == 2
    for is_writer in (True, False):
        with recorder.datastore.transaction(commit=is_writer) as cursor:
            for name, wanted in asked.items():
                cursor.execute(f"PRAGMA {name}")
                assert cursor.fetchone()[0] == wanted
    rival = sqlite3.connect(recorder.datastore.pool.db_name, timeout=0, isolation_level=None)
    with recorder.datastore.transaction(commit=True):
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            rival.execute("BEGIN IMMEDIATE")
    rival.close()


class Deaf(sqlite3.Connection):
    """A build of SQLite that does not listen to the setting it is given."""

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
        datastore = LogDatastore(str(tmp_path / name))
        with pytest.raises(NoTables):
            LogRecorder(datastore).max_notification_id()
        datastore.close()


def test_errors_of_sqlite_are_those_of_the_library(recorder: LogRecorder) -> None:
    with pytest.raises(OperationalError):
        with recorder.datastore.transaction(commit=True) as cursor:
            cursor.execute("INSERT INTO nowhere VALUES (1)")
    assert recorder.insert_events(rows(1)) == [1]


def test_a_connection_that_cannot_be_opened_fails_one_write_and_not_the_next(
    recorder: LogRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as broken:
        broken.setattr(LogPool, "_connect", full)
        for _ in range(3):
            with pytest.raises(OperationalError):
                recorder.insert_events(rows(1))
    assert recorder.insert_events(rows(1)) == [1]


def test_tables_of_a_later_program_are_left_alone(tmp_path: Path) -> None:
    create_tables(tmp_path / "log.db")
    create_tables(tmp_path / "log.db")
    with closing(sqlite3.connect(tmp_path / "log.db", isolation_level=None)) as later:
        later.execute("PRAGMA user_version = 2")
    with pytest.raises(NoTables, match="version 2"):
        create_tables(tmp_path / "log.db")


def test_many_processes_may_start_at_once_on_no_file(tmp_path: Path) -> None:
    code = "import sys; from referee.sqlite import create_tables; create_tables(sys.argv[1])"
    arguments = [sys.executable, "-c", code, str(tmp_path / "log.db")]
    root = Path(__file__).parent.parent
    starts = [subprocess.Popen(arguments, cwd=root) for _ in range(6)]  # noqa: S603 - our own code
    assert [start.wait() for start in starts] == [0] * 6
    datastore = LogDatastore(str(tmp_path / "log.db"))
    assert LogRecorder(datastore).max_notification_id() == 0
    datastore.close()


def test_a_store_opened_before_a_fork_does_not_write_after_it(
    recorder: LogRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(RuntimeError, match="fork"):
        recorder.insert_events(rows(1))


# --- names and texts -----------------------------------------------------------------------------


def test_what_is_erased_is_in_no_file_any_more(tmp_path: Path) -> None:
    numbers = iter(range(1, 100))
    persons = Persons(tmp_path / "p.db", random=lambda n: next(numbers).to_bytes(n, "big"))
    one, other = persons.add_person("Fulano de Tal"), persons.add_person("Mengana")
    text = persons.put_text("enseñó la sota " * 200)
    assert len({one, other, text}) == 3
    assert persons.name(one) == "Fulano de Tal"
    assert persons.erase(one)
    assert persons.erase(text)
    assert not persons.erase("0" * 32)
    assert (persons.name(one), persons.text(text)) == (None, None)
    assert persons.name(other) == "Mengana"
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Fulano" not in left
    assert "enseñó".encode() not in left
    persons.close()
    again = Persons(tmp_path / "p.db", random=lambda n: b"z" * n)
    assert again.name(other) == "Mengana"
    again.close()


def test_a_reader_of_the_old_bytes_is_told_of_and_a_later_sweep_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    persons = Persons(tmp_path / "p.db", random=lambda n: b"z" * n)
    monkeypatch.setattr(durable, "BUSY_TIMEOUT_MS", 10)
    persons._db.execute("PRAGMA busy_timeout = 10")
    one = persons.add_person("Fulano")
    reader = sqlite3.connect(tmp_path / "p.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM persons").fetchall()
    with pytest.raises(TimeoutError):
        persons.erase(one)
    assert persons.name(one) is None
    reader.close()
    assert persons.sweep()
    assert b"Fulano" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    persons.close()


def test_names_and_texts_have_bounds(tmp_path: Path) -> None:
    persons = Persons(tmp_path / "p.db", random=lambda n: b"z" * n)
    for name in ("", "x" * (LONGEST_NAME + 1)):
        with pytest.raises(TooLong):
            persons.add_person(name)
    persons.close()
