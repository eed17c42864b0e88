"""Data of a later release: refused in words that name both, at the start and at a write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import StoredEvent

from referee.log import stores
from referee.log.mapper import CODEC, UnknownName
from referee.log.ports import Address, NewerData, NoTables
from referee.log.sqlite.schema import SCHEMA_VERSION
from referee.release import RELEASE, release_as_number

STREAM = UUID("6f1c2a54-0d7a-4a51-9a0a-4b7f5c1f3e11")
OLD, NEW = "TimeCalled.1", "AddressRenewed.2"
LATER = "12.3.4"
REFUSED = rf"{LATER}.*{RELEASE}.*install that release"


@pytest.fixture
def recorder(address: Address) -> Iterator[Any]:
    """A log in either store."""
    stores.create_tables(address)
    with closing(stores.open_log(address)) as opened:
        yield opened


def event(version: int, name: str) -> list[StoredEvent]:
    return [StoredEvent(STREAM, version, name, b"{}")]


def version_of(address: Address, change: int | None = None) -> int:
    """Version of a log, after a change by another program if one is given."""
    if stores.is_postgres(address):
        from referee.log.postgres.connections import connect as connect_to_server

        with closing(connect_to_server(str(address))) as c:
            if change is not None:
                c.execute("UPDATE log_head SET version = %s", (change,))
            return c.execute("SELECT version FROM log_head").fetchone()[0]
    with closing(sqlite3.connect(address, isolation_level=None)) as file:
        if change is not None:
            file.execute(f"PRAGMA user_version = {change}")
        return file.execute("PRAGMA user_version").fetchone()[0]


def test_a_log_can_be_read_by_an_earlier_release_until_the_first_event_that_it_cannot_read(
    recorder: Any, address: Address
) -> None:
    recorder.insert_events(event(1, OLD))
    assert version_of(address) == SCHEMA_VERSION
    recorder.insert_events(event(2, NEW))
    assert version_of(address) == release_as_number("0.2.0")
    recorder.insert_events(event(3, OLD))
    stores.create_tables(address)
    assert version_of(address) == release_as_number("0.2.0"), "it is never taken back"
    with closing(stores.open_log(address)) as again:
        assert again.max_notification_id() == 3


def test_a_log_of_a_later_release_is_not_opened(recorder: Any, address: Address) -> None:
    recorder.insert_events(event(1, OLD))
    version_of(address, release_as_number(LATER))

    def read() -> None:
        with closing(stores.open_log(address)) as opened:
            opened.max_notification_id()

    def audit() -> None:
        with closing(stores.open_for_audit(address)) as opened:
            opened.tree()

    for ask in (lambda: stores.create_tables(address), read, audit):
        with pytest.raises(NewerData, match=REFUSED):
            ask()
    assert version_of(address) == release_as_number(LATER)


def test_a_program_that_runs_writes_nothing_after_a_later_release_did(
    recorder: Any, address: Address
) -> None:
    recorder.insert_events(event(1, OLD))
    version_of(address, release_as_number(LATER))
    with pytest.raises(NewerData, match=REFUSED):
        recorder.insert_events(event(2, OLD))
    version_of(address, SCHEMA_VERSION)
    assert recorder.max_notification_id() == 1
    assert recorder.insert_events(event(2, OLD)) == [2], "and left no gap"


def test_a_number_that_no_release_wrote_is_no_version_of_a_log(
    recorder: Any, address: Address
) -> None:
    version_of(address, 3)
    with pytest.raises(NoTables, match="version 3"):
        stores.create_tables(address)


def test_a_copy_of_a_log_has_its_version(postgres: Any, tmp_path: Path) -> None:
    address, copy = postgres.new_address(), tmp_path / "copy.sqlite"
    stores.create_tables(address)
    with closing(stores.open_log(address)) as recorder:
        recorder.insert_events(event(1, NEW))
    stores.copy_log_to_file(address, copy, lambda _: None)
    assert version_of(copy) == release_as_number("0.2.0")
    other = postgres.new_address()
    stores.replace_log_by_file(copy, other)
    assert version_of(other) == release_as_number("0.2.0")


def test_an_event_of_a_name_that_nobody_wrote_names_the_release_that_does_not_know_it() -> None:
    with pytest.raises(UnknownName, match=rf"'CardPlayed.9' .* guinote {RELEASE}"):
        CODEC.decode_row(STREAM, 1, "CardPlayed.9", b"{}")
