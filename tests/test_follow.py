"""The read side follows the log: exactly once, in any batches, from any moment."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from projections.audit import Audit, trail
from projections.every import every_view
from projections.follow import Follower, leading
from projections.log import Logged, LogReader
from projections.views import History, View, Views
from referee.application import Referee
from referee.commands import Amend, Record, Undo
from referee.events import (
    Change,
    IncidentNoted,
    LogAmended,
    ResultEntered,
    TimeCalled,
)
from tests.one_log import (
    LATE,
    META,
    PARTIDA,
    new_log,
    new_referee,
)

ROOT = Path(__file__).parent.parent


class Tally:
    """A view that counts events in memory and would tell of one that was skipped or doubled."""

    name = "tally"
    version = 1
    tables: Mapping[str, str] = {
        "tally": "CREATE TABLE tally (stream TEXT PRIMARY KEY, events INTEGER) WITHOUT ROWID"
    }
    indexes: Sequence[str] = ("CREATE INDEX tally_events ON tally (events)",)

    def __init__(self) -> None:
        self.kept: dict[str, int] = {}
        self.broken = 0

    def attach(self, history: History) -> None:
        """Nothing earlier is needed."""

    def apply(self, batch: Sequence[Logged], cursor: sqlite3.Cursor) -> None:
        for logged in batch:
            stream = logged.recorded.originator_id.hex
            if stream not in self.kept:
                found = cursor.execute("SELECT events FROM tally WHERE stream = ?", (stream,))
                self.kept[stream] = (found.fetchone() or (0,))[0]
            self.kept[stream] += 1
            assert self.kept[stream] == logged.recorded.originator_version, "skipped or doubled"
        rows = [(stream, count) for stream, count in self.kept.items()]
        cursor.executemany("INSERT OR REPLACE INTO tally VALUES (?, ?)", rows)
        if self.broken:
            self.broken -= 1
            raise OSError("the disk is full")

    def forget(self) -> None:
        self.kept = {}


def begin(path: Path, first_salt: int = 1) -> Referee:
    """A new log with an act in it."""
    referee = new_log(path, first_salt)
    referee.record(PARTIDA, [LATE], META)
    return referee


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    opened = begin(tmp_path / "log.db")
    yield opened
    opened.close()


class Side:
    """A read side with its own connections, as another process has it."""

    def __init__(
        self, folder: Path, name: str = "views.db", *views: View, batch: int = 500
    ) -> None:
        self.log = LogReader(folder / "log.db")
        self.tally = Tally()
        self.views = Views(folder / name, views or (*every_view(), self.tally))
        self.follower = Follower(self.log, self.views, batch=batch, interval_s=0.01)

    def catch_up(self) -> int:
        total = 0
        while moved := self.follower.catch_up():
            total += moved
        return total

    def close(self) -> None:
        self.views.close()
        self.log.close()


@pytest.fixture
def side(tmp_path: Path, referee: Referee) -> Iterator[Callable[..., Side]]:
    opened: list[Side] = []

    def make(name: str = "views.db", *views: View, batch: int = 500) -> Side:
        opened.append(Side(tmp_path, name, *views, batch=batch))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def record_much(referee: Referee, times: int = 20) -> None:
    for n in range(times):
        referee.record(PARTIDA, [LATE, Record(TimeCalled())], META)
        if n % 5 == 0:
            referee.record(PARTIDA, [Record(ResultEntered("A"))], META)
            referee.record(PARTIDA, [Undo()], META)


# --- exactly once --------------------------------------------------------------------------------


def test_every_event_is_applied_once_and_then_there_is_nothing_new(
    referee: Referee, side: Callable[..., Side]
) -> None:
    one = side()
    assert one.catch_up() == one.log.last() == one.views.position()
    assert one.follower.catch_up() == 0
    answer = referee.record(PARTIDA, [LATE], META)
    assert one.follower.catch_up() == 1
    assert one.views.position() == answer.position


def test_whatever_the_batches_and_the_restarts_a_rebuild_gives_the_same_bytes(
    referee: Referee, side: Callable[..., Side]
) -> None:
    record_much(referee)
    whole = side("whole.db")
    whole.catch_up()
    for batch in (1, 2, 7, 500):
        live = side(f"live{batch}.db", batch=batch)
        while live.follower.catch_up():
            live.close()
            live = side(f"live{batch}.db", batch=batch)
        assert live.views.dump() == whole.views.dump()
        live.follower.rebuild()
        assert live.views.dump() == whole.views.dump()
    assert whole.views.dump().count(b"audit_event") == whole.log.last()


def test_a_batch_that_fails_leaves_rows_and_position_where_they_were(
    referee: Referee, side: Callable[..., Side]
) -> None:
    one = side(batch=2)
    one.follower.catch_up()
    before, position = one.views.dump(), one.views.position()
    one.tally.broken = 1
    with pytest.raises(OSError, match="full"):
        one.follower.catch_up()
    assert (one.views.dump(), one.views.position()) == (before, position)
    one.catch_up()
    assert one.views.position() == one.log.last()


def test_two_followers_without_a_leader_apply_nothing_twice(
    referee: Referee, side: Callable[..., Side]
) -> None:
    sides = [side(batch=3), side(batch=2)]
    stop = threading.Event()
    errors: list[Exception] = []

    def follow(one: Side) -> None:
        try:
            while not stop.is_set():
                one.follower.catch_up()
        except Exception as e:  # noqa: BLE001 - it is asserted that there is none
            errors.append(e)
        finally:
            one.views.close()

    threads = [threading.Thread(target=follow, args=(one,)) for one in sides]
    for thread in threads:
        thread.start()
    try:
        record_much(referee)
        assert sides[0].views.wait(side("watch.db").log.last(), 10)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert not errors
    rebuilt = side("rebuilt.db")
    rebuilt.catch_up()
    assert sides[0].views.dump() == rebuilt.views.dump()


def test_a_rebuild_tells_how_far_it_is(referee: Referee, side: Callable[..., Side]) -> None:
    one = side(batch=2)
    heard: list[tuple[int, int]] = []
    last = one.log.last()
    assert one.follower.rebuild(lambda done, position: heard.append((done, position))) == last
    assert heard[-1] == (last, last)
    assert len(heard) == (last + 1) // 2


def test_readers_see_the_old_rows_until_a_rebuild_ends(
    referee: Referee, side: Callable[..., Side]
) -> None:
    one = side(batch=2)
    one.catch_up()
    before, seen = one.views.dump(), []
    other = side()

    def look(done: int, position: int) -> None:
        seen.append(other.views.dump() == before)

    one.follower.rebuild(look)
    assert seen
    assert all(seen)


# --- another log, other views --------------------------------------------------------------------


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
    assert shorter.views.position() == shorter.log.last() > 0
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
    new = side("views.db", Audit())
    assert not new.views.is_current()
    assert new.catch_up() == new.log.last()
    assert new.views.is_current()
    with new.views.reading() as cursor:
        tables = cursor.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    assert {name for (name,) in tables} == {"followed", "audit_event", "audit_amended"}


# --- for ever ------------------------------------------------------------------------------------


def test_one_follows_the_others_stand_by_and_take_over(
    referee: Referee, side: Callable[..., Side]
) -> None:
    first, second = side(), side()
    with second.follower.running():
        with first.follower.running():
            assert first.views.wait(referee.record(PARTIDA, [LATE], META).position, 5)
            assert first.follower.is_leading + second.follower.is_leading == 1
            record_much(referee, 5)
        answer = referee.record(PARTIDA, [LATE], META)
        assert second.views.wait(answer.position, 5)
        assert second.follower.is_leading
    rebuilt = side("rebuilt.db")
    rebuilt.catch_up()
    assert second.views.dump() == rebuilt.views.dump()


def test_a_written_act_can_be_read_at_once(referee: Referee, side: Callable[..., Side]) -> None:
    one = side()
    referee.on_commit.append(one.follower.wake)
    with one.follower.running():
        one.views.wait(one.log.last(), 5)
        waited = []
        for _ in range(20):
            position = referee.record(PARTIDA, [LATE], META).position
            start = time.perf_counter()
            assert one.views.wait(position, 5)
            waited.append(time.perf_counter() - start)
    assert sorted(waited)[10] < 0.05
    assert not one.views.wait(position + 1, 0.01)


def test_commits_of_another_process_are_seen_without_being_told(
    referee: Referee, side: Callable[..., Side]
) -> None:
    one = side()
    with one.follower.running():
        assert one.views.wait(one.log.last(), 5)
        assert one.views.wait(referee.record(PARTIDA, [LATE], META).position, 5)


def test_following_survives_an_error(
    referee: Referee, side: Callable[..., Side], caplog: pytest.LogCaptureFixture
) -> None:
    one = side()
    one.tally.broken = 1
    with one.follower.running():
        assert one.views.wait(one.log.last(), 10)
    assert "tried again" in caplog.text


def test_standing_by_ends_when_it_is_told_to(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    with (
        leading(tmp_path / "v.db", threading.Event()) as first,
        leading(tmp_path / "v.db", stop) as second,
    ):
        assert first
        assert not second


def test_the_projector_runs_as_a_process_and_ends_when_told(
    tmp_path: Path, referee: Referee, side: Callable[..., Side]
) -> None:
    arguments = ["-m", "projections", str(tmp_path / "log.db"), str(tmp_path / "apart.db")]
    process = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, *arguments], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    try:
        reader = side("apart.db", *every_view())
        for _ in range(3):
            assert reader.views.wait(referee.record(PARTIDA, [LATE], META).position, 20)
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0


# --- the audit trail -----------------------------------------------------------------------------


def test_the_trail_says_who_what_when_and_what_amended_it(
    referee: Referee, side: Callable[..., Side]
) -> None:
    referee.record(PARTIDA, [Record(ResultEntered("A"))], META)
    replaced = Change(2, "replace", ResultEntered("B"))
    inserted = Change(1, "insert", IncidentNoted("talk", "B1"))
    referee.record(PARTIDA, [Amend((replaced, inserted))], META)
    referee.record(PARTIDA, [Amend((Change(2, "replace", ResultEntered("A")),))], META)
    one = side(batch=1)
    one.catch_up()
    with one.views.reading() as cursor:
        entries = trail(cursor, PARTIDA)
        page = trail(cursor, PARTIDA, after=1, limit=2)
    assert page == entries[1:3]
    history = referee.history(PARTIDA)
    assert [(e.version, e.line, e.at, e.by, e.device) for e in entries] == [
        (r.originator_version, r.line, r.at, r.by, r.device) for r in history
    ]
    amended = {e.line: e.amended_by for e in entries if e.amended_by}
    assert amended == {2: (3, 4)}
    change = next(e for e in entries if e.name == "LogAmended.1")
    assert msgspec.json.decode(change.fact, type=LogAmended).changes == (replaced, inserted)
