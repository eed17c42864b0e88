"""Which kind a fault of a store is, and how often it is said."""

from __future__ import annotations

import errno
import logging
import sqlite3
import threading
from pathlib import Path

import pytest
from eventsourcing.persistence import OperationalError

from referee.log.faults import (
    QUIET_S,
    FaultLog,
    StoreFault,
    error_in_one_line,
    repeat_in_thread,
    store_fault_or_none,
)
from tests.support.waiting import LONGEST_S


def error_of(path: Path, *statements: str) -> sqlite3.Error:
    """What SQLite raises for the last of these statements."""
    with pytest.raises(sqlite3.Error) as raised:  # noqa: PT012 - the earlier ones prepare it
        db = sqlite3.connect(path, isolation_level=None)
        for one in statements:
            db.execute(one)
    return raised.value


def test_sqlite_says_which_fault_it_is(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.write_bytes(b"no database at all" * 100)
    many = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) INSERT INTO a"
    full = ("CREATE TABLE a (b)", "PRAGMA max_page_count = 3", f"{many} SELECT i FROM n")
    assert store_fault_or_none(error_of(tmp_path / "full", *full)) is StoreFault.FULL
    assert (
        store_fault_or_none(error_of(foreign, "SELECT 1 FROM sqlite_schema")) is StoreFault.DAMAGED
    )
    assert (
        store_fault_or_none(error_of(tmp_path / "none" / "a", "CREATE TABLE a (b)"))
        is StoreFault.LOST
    )
    only_read = ("PRAGMA query_only = ON", "CREATE TABLE a (b)")
    assert store_fault_or_none(error_of(tmp_path / "read", *only_read)) is StoreFault.READ_ONLY


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        (errno.ENOSPC, StoreFault.FULL),
        (errno.EROFS, StoreFault.READ_ONLY),
        (errno.EIO, StoreFault.LOST),
        (errno.EACCES, StoreFault.FORBIDDEN),
        (errno.ENOENT, StoreFault.MISSING),
        (errno.EPIPE, None),
    ],
)
def test_the_system_says_which_fault_it_is(code: int, fault: StoreFault | None) -> None:
    assert store_fault_or_none(OSError(code, "it")) is fault


def test_a_fault_is_found_below_the_error_that_was_raised_from_it() -> None:
    raised = OperationalError("the library's own words")
    raised.__cause__ = OSError(errno.ENOSPC, "No space left on device")
    assert store_fault_or_none(raised) is StoreFault.FULL
    assert error_in_one_line(raised) == "OSError: [Errno 28] No space left on device"
    assert store_fault_or_none(OperationalError("nothing below")) is None


def test_a_defect_of_the_program_is_no_fault_of_a_store(tmp_path: Path) -> None:
    assert store_fault_or_none(error_of(tmp_path / "a", "SELECT 1 FROM nowhere")) is None


def test_a_fault_that_repeats_is_one_line_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    log = FaultLog(logging.getLogger("faults"), lambda: now[0])
    for _ in range(100):
        log.note("not stored", OSError(errno.ENOSPC, "full"))
    log.note("not stored", OSError(errno.EIO, "gone"))
    now[0] = QUIET_S
    log.note("not stored", OSError(errno.ENOSPC, "full"))
    assert caplog.messages == [
        "not stored: OSError: [Errno 28] full",
        "not stored: OSError: [Errno 5] gone",
        "not stored: OSError: [Errno 28] full (99 more since the last line)",
    ]


def test_what_is_repeated_goes_on_after_a_fault_and_says_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done = threading.Event()
    answers = iter([lambda: 1 / 0, done.set])
    repeat_in_thread(
        "counting", lambda: next(answers, done.wait)(), 0.001, logging.getLogger("faults")
    )
    assert done.wait(LONGEST_S)
    assert "counting, which is tried again: ZeroDivisionError" in caplog.text
