"""Random changes of bytes and rows: a change that is not found did not alter any event."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.audit.auditor import audit_log_from_start
from tests.referee.audit.logs.tampering import opened, recompute, rows
from tests.support.proofs.signed_log import SignedLog
from tests.support.servers.long_runs import RUNS


def recorded(path: Path) -> list[tuple[Any, ...]]:
    with opened(path) as log:
        return rows(log)


def assert_found_or_harmless(signed: SignedLog, copy: Path) -> None:
    found = audit_log_from_start(copy, signed.kept())
    if not found.wrong:
        assert [row[:4] for row in recorded(copy)] == [row[:4] for row in recorded(signed.log)]


@settings(max_examples=100 * RUNS)
@given(st.integers(0, 2**32))
def test_bytes_of_the_file(honest, tmp_path_factory, seed):
    chance = random.Random(seed)
    copy = tmp_path_factory.mktemp("bytes") / "log.sqlite"
    body = bytearray(honest.log.read_bytes())
    for _ in range(chance.choice([1, 1, 2, 8])):
        at = chance.randrange(100, len(body))
        body[at] = chance.randrange(256)
    copy.write_bytes(body)
    assert_found_or_harmless(honest, copy)


COLUMNS = {
    "stored_events": ["position", "originator_id", "originator_version", "topic", "state"],
    "leaves": ["idx", "stream", "version", "leaf"],
    "tree": ["one", "size", "frontier"],
    "receipts": ["key", "digest", "result"],
}
VALUES = st.sampled_from(
    [None, 0, -1, 2, 7, 10**12, 2**62, 1.5, "", "x", "0" * 32, b"", b"{}", bytes(32), b"\xff"]
)


@settings(max_examples=50 * RUNS)
@given(st.data())
def test_values_of_rows(honest, tmp_path_factory, data):
    copy = Path(shutil.copy(honest.log, tmp_path_factory.mktemp("rows") / "log.sqlite"))
    table = data.draw(st.sampled_from(sorted(COLUMNS)))
    with opened(copy) as log:
        count = log.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
        row = data.draw(st.integers(0, count - 1))
        key = next(iter(COLUMNS[table]))
        chosen = f"{key} = (SELECT {key} FROM {table} ORDER BY {key} LIMIT 1 OFFSET {row})"
        column = data.draw(st.sampled_from(COLUMNS[table]))
        value = data.draw(VALUES)
        statement = data.draw(
            st.sampled_from(
                [
                    f"UPDATE {table} SET {column} = ? WHERE {chosen}",
                    f"DELETE FROM {table} WHERE {chosen}",
                ]
            )
        )
        try:
            log.execute(statement, (value,) if "?" in statement else ())
        except (sqlite3.Error, OverflowError):
            return
    assert_found_or_harmless(honest, copy)


@settings(max_examples=20 * RUNS)
@given(st.data())
def test_any_event_changed_with_the_whole_tree_anew(honest, tmp_path_factory, data):
    """Only checkpoints kept outside can find it, and they always do."""
    copy = Path(shutil.copy(honest.log, tmp_path_factory.mktemp("anew") / "log.sqlite"))
    every = recorded(copy)
    *_, body, position = data.draw(st.sampled_from(every))
    at = data.draw(st.sampled_from([n for n, c in enumerate(body) if chr(c).isalnum()]))
    other = data.draw(st.sampled_from(b"abcXYZ0129"))
    changed = bytes(body[:at] + bytes([other]) + body[at + 1 :])
    with opened(copy) as log:
        log.execute("UPDATE stored_events SET state = ? WHERE position = ?", (changed, position))
        try:
            recompute(log)
        except ValueError:
            pass  # it is no JSON any more
    found = audit_log_from_start(copy, honest.kept())
    assert bool(found.wrong) == (changed != body)


def test_rows_are_distinguished(honest: SignedLog) -> None:
    with closing(sqlite3.connect(honest.log)) as log:
        assert len(recorded(honest.log)) == log.execute("SELECT size FROM tree").fetchone()[0]
