"""The security log: it grows, keeps its order, and forgets what is too old."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from eventsourcing.persistence import PersistenceError

from referee.access import security_log
from referee.access.security_log import RETENTION_S, SECURITY_LAYOUT, SecurityLog
from referee.log.ports import Address
from referee.store.databases import open_database
from tests.referee.access.clock import SetClock

MOMENT = 1_790_000_000.0


@pytest.fixture
def clock() -> SetClock:
    return SetClock(MOMENT)


@pytest.fixture
def security(address: Address, clock: SetClock) -> Iterator[SecurityLog]:
    with closing(SecurityLog(address, clock=clock)) as log:
        yield log


def test_entries_are_read_newest_first_by_pages_and_by_kind(security: SecurityLog) -> None:
    for number in range(5):
        security.note("sign_in", by=f"holder{number}", address="10.0.0.7")
        security.note("revoked", by="owner", about=f"holder{number}")
    newest = security.latest_entries(3)
    assert [(one.kind, one.by or one.about) for one in newest] == [
        ("revoked", "owner"),
        ("sign_in", "holder4"),
        ("revoked", "owner"),
    ]
    older = security.latest_entries(2, before=newest[-1].number, kind="sign_in")
    assert [one.by for one in older] == ["holder3", "holder2"]


def test_a_collector_reads_on_from_the_last_entry_that_it_has(
    security: SecurityLog, clock: SetClock
) -> None:
    security.note("sign_in", by="early")
    clock.now += 60
    for by in ("second", "third"):
        security.note("sign_in", by=by)
    assert [one.by for one in security.entries_after(0, since=MOMENT + 1, limit=9)] == [
        "second",
        "third",
    ]
    assert [one.by for one in security.entries_after(2, limit=9)] == ["third"]


def test_an_entry_is_a_line_of_json_for_a_collector_and_for_the_logger(
    security: SecurityLog, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "guinote.security"):
        security.note("granted", by="owner", about="ana", address="::1", detail="arbiter")
    (record,) = caplog.records
    assert json.loads(record.getMessage()) == {
        "number": 1,
        "at": "2026-09-21T14:13:20.000+00:00",
        "kind": "granted",
        "by": "owner",
        "about": "ana",
        "address": "::1",
        "detail": "arbiter",
    }
    assert record.getMessage() == security.latest_entries(1)[0].json_line()


def test_an_entry_of_more_than_a_year_ago_is_gone(tmp_path: Path, clock: SetClock) -> None:
    file = tmp_path / "security.sqlite"
    with closing(SecurityLog(file, clock=clock)) as log:
        log.note("sign_in", by="long-ago")
        clock.now += RETENTION_S + 1
        log.note("sign_in", by="today")
    with closing(SecurityLog(file, clock=clock)) as log:
        assert [one.by for one in log.latest_entries(9)] == ["today"]
    assert b"long-ago" not in b"".join(one.read_bytes() for one in tmp_path.glob("security.*"))


def test_a_flood_of_failures_drives_out_no_other_entry(
    address: Address, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security_log, "MOST_FAILURES_KEPT", 3)
    with closing(SecurityLog(address, clock=clock)) as log:
        log.note("sign_in", by="the thief")
        for number in range(9):
            log.note("sign_in_failed", address=f"10.0.0.{number}")
    with closing(SecurityLog(address, clock=clock)) as log:
        kept = log.latest_entries(99)
    assert [one.address or one.by for one in kept] == [
        "10.0.0.8",
        "10.0.0.7",
        "10.0.0.6",
        "the thief",
    ]


def test_an_entry_is_never_changed(address: Address, security: SecurityLog) -> None:
    security.note("sign_in", by="ana")
    with (
        closing(open_database(address, SECURITY_LAYOUT)) as database,
        pytest.raises(PersistenceError, match="never changed"),
        database.transaction() as db,
    ):
        db.execute("UPDATE entry SET by = 'blas'")
    assert security.latest_entries(1)[0].by == "ana"


def test_no_number_is_used_twice(address: Address, clock: SetClock) -> None:
    for _ in range(3):
        with closing(SecurityLog(address, clock=clock)) as log:
            log.note("sign_in", by="ana")
            clock.now += RETENTION_S + 1
    with closing(SecurityLog(address, clock=clock)) as log:
        assert [one.number for one in log.latest_entries(9)] == [3]


def test_only_its_owner_may_read_the_file(tmp_path: Path, clock: SetClock) -> None:
    SecurityLog(tmp_path / "security.sqlite", clock=clock).close()
    assert (tmp_path / "security.sqlite").stat().st_mode & 0o777 == 0o600
