"""Views over a log that is not the one they followed, or of another program."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from projections.audit_trail import AuditTrailProjection
from referee.application import Referee
from tests.support.servers.one_log import new_referee
from tests.support.servers.read_side import Side, Tally, begin, record_much, referee, side

__all__ = ["referee", "side"]  # fixtures


@pytest.fixture
def address(tmp_path: Path) -> Path:
    """A file: what is tested is the same for any log."""
    return tmp_path / "log.db"


def test_an_older_copy_of_the_log_put_back_is_noticed_and_the_views_are_rebuilt(
    tmp_path: Path, referee: Referee, side: Callable[..., Side]
) -> None:
    copy = tmp_path / "copy.db"
    with closing(sqlite3.connect(tmp_path / "log.db")) as a, closing(sqlite3.connect(copy)) as b:
        a.backup(b)
    record_much(referee, 3)
    one = side()
    one.catch_up()
    one.close()
    referee.close()
    for path in tmp_path.glob("log.db*"):
        path.unlink()
    copy.rename(tmp_path / "log.db")
    shorter = side()
    shorter.catch_up()
    assert shorter.views.position() == shorter.log.last_position() > 0
    fresh = side("fresh.db")
    fresh.catch_up()
    assert shorter.views.dump() == fresh.views.dump()
    restored = new_referee(tmp_path / "log.db", first_salt=10_000)
    record_much(restored, 5)  # longer than before, with other events
    longer, again = side(), side("again.db")
    longer.catch_up()
    again.catch_up()
    assert longer.views.dump() == again.views.dump()
    restored.close()


def test_a_longer_log_with_other_events_at_the_same_positions_is_noticed(
    tmp_path: Path, referee: Referee, side: Callable[..., Side]
) -> None:
    one = side()
    one.catch_up()
    one.close()
    referee.close()
    for path in tmp_path.glob("log.db*"):
        path.unlink()
    other = begin(tmp_path / "log.db", first_salt=10_000)
    record_much(other, 3)
    two, fresh = side(), side("fresh.db")
    two.catch_up()
    fresh.catch_up()
    assert two.views.dump() == fresh.views.dump()
    other.close()


def test_views_of_another_version_of_the_program_are_rebuilt(
    referee: Referee, side: Callable[..., Side]
) -> None:
    old = side("views.db", Tally())
    old.catch_up()
    new = side("views.db", AuditTrailProjection())
    assert not new.views.has_rows_of_this_version()
    assert new.catch_up() == new.log.last_position()
    assert new.views.has_rows_of_this_version()
    with new.views.reading() as cursor:
        tables = cursor.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    assert {name for (name,) in tables} == {"followed", "built", "audit_amended"}
