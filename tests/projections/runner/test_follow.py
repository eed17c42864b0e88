"""The read side follows the log: exactly once, in any batches, from any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from projections.every import every_projection
from projections.runner.runner import GATHER_S, runner_lock
from referee.application import Referee
from referee.log.ports import Address
from tests.support.places import ROOT
from tests.support.servers.one_log import LATE, META, PARTIDA
from tests.support.servers.read_side import Side, record_much, referee, side
from tests.support.waiting import LONGEST_S

__all__ = ["referee", "side"]  # fixtures

NEVER_S = 3_600.0


class Pauses(threading.Event):
    """A stop event that is never set, and records the waiting times."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.taken.append(timeout)
        return False


def test_an_act_by_itself_is_followed_without_a_pause(
    referee: Referee, side: Callable[..., Side]
) -> None:
    one, stop = side(), Pauses()
    one.follower._apply_or_wait(stop)
    assert (one.views.position(), stop.taken) == (one.log.last_position(), [])
    referee.encuentros.record_partida_acts(PARTIDA, [LATE], META)
    one.follower._apply_or_wait(stop)  # the next one at once: more may come
    assert (one.views.position(), stop.taken) == (one.log.last_position(), [GATHER_S])
    stood, later = (
        one.log.last_position(),
        threading.Timer(0.5, lambda: referee.encuentros.record_partida_acts(PARTIDA, [LATE], META)),
    )
    later.start()
    while one.views.position() == stood:
        one.follower._apply_or_wait(stop)  # nothing for a while, and then that one
    later.join()
    assert stop.taken == [GATHER_S]


# --- exactly once --------------------------------------------------------------------------------


def test_every_event_is_applied_once_and_then_there_is_nothing_new(
    referee: Referee, side: Callable[..., Side]
) -> None:
    one = side()
    assert one.catch_up() == one.log.last_position() == one.views.position()
    assert one.follower.apply_next_batch() == 0
    answer = referee.encuentros.record_partida_acts(PARTIDA, [LATE], META)
    assert one.follower.apply_next_batch() == 1
    assert one.views.position() == answer.position


def test_whatever_the_batches_and_the_restarts_a_rebuild_gives_the_same_bytes(
    referee: Referee, side: Callable[..., Side]
) -> None:
    record_much(referee)
    whole = side("whole.db")
    whole.catch_up()
    for batch in (1, 2, 7, 500):
        live = side(f"live{batch}.db", batch=batch)
        while live.follower.apply_next_batch():
            live.close()
            live = side(f"live{batch}.db", batch=batch)
        assert live.views.dump() == whole.views.dump()
        live.follower.rebuild()
        assert live.views.dump() == whole.views.dump()
    with whole.views.reading() as cursor:
        read = cursor.execute("SELECT SUM(events) FROM tally").fetchone()
    assert read == (whole.log.last_position(),)


def test_a_batch_that_fails_leaves_rows_and_position_where_they_were(
    referee: Referee, side: Callable[..., Side]
) -> None:
    one = side(batch=2)
    one.follower.apply_next_batch()
    before, position = one.views.dump(), one.views.position()
    one.tally.broken = 1
    with pytest.raises(OSError, match="full"):
        one.follower.apply_next_batch()
    assert (one.views.dump(), one.views.position()) == (before, position)
    one.catch_up()
    assert one.views.position() == one.log.last_position()


def test_two_followers_without_a_leader_apply_nothing_twice(
    referee: Referee, side: Callable[..., Side]
) -> None:
    sides = [side(batch=3), side(batch=2)]
    stop = threading.Event()
    errors: list[Exception] = []

    def follow(one: Side) -> None:
        try:
            while not stop.is_set():
                one.follower.apply_next_batch()
        except Exception as e:
            errors.append(e)
        finally:
            one.views.close()

    threads = [threading.Thread(target=follow, args=(one,)) for one in sides]
    for thread in threads:
        thread.start()
    try:
        record_much(referee)
        assert sides[0].views.wait(side("watch.db").log.last_position(), 10)
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
    last = one.log.last_position()

    def report(done: int, position: int) -> None:
        heard.append((done, position))

    assert one.follower.rebuild(report, batch=2) == last
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

    one.follower.rebuild(look, batch=2)
    assert seen
    assert all(seen)


# --- running ------------------------------------------------------------------------------------


def test_one_follows_the_others_stand_by_and_take_over(
    referee: Referee, side: Callable[..., Side]
) -> None:
    first, second = side(), side()
    with second.follower.follow_in_thread():
        with first.follower.follow_in_thread():
            assert first.views.wait(
                referee.encuentros.record_partida_acts(PARTIDA, [LATE], META).position, 20
            )
            assert first.follower.is_leading + second.follower.is_leading == 1
            record_much(referee, 5)
        answer = referee.encuentros.record_partida_acts(PARTIDA, [LATE], META)
        assert second.views.wait(answer.position, 20)
        assert second.follower.is_leading
    rebuilt = side("rebuilt.db")
    rebuilt.catch_up()
    assert second.views.dump() == rebuilt.views.dump()


def test_a_follower_is_woken_by_a_commit(
    referee: Referee, side: Callable[..., Side], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.runner.runner.LONGEST_INTERVAL_S", NEVER_S)
    monkeypatch.setattr("referee.log.postgres.rows.POLL_S", NEVER_S)
    one = side(interval_s=NEVER_S)
    referee.on_commit.append(one.follower.wake)
    with one.follower.follow_in_thread():
        for _ in range(5):
            position = referee.encuentros.record_partida_acts(PARTIDA, [LATE], META).position
            assert one.views.wait(position, 20)
    assert not one.views.wait(position + 1, 0.01)


def test_commits_of_another_process_are_seen_without_a_notification(
    referee: Referee, side: Callable[..., Side]
) -> None:
    one = side()
    last = one.log.last_position()  # its one connection is the follower's from here on
    with one.follower.follow_in_thread():
        assert one.views.wait(last, 20)
        assert one.views.wait(
            referee.encuentros.record_partida_acts(PARTIDA, [LATE], META).position, 20
        )


def test_following_survives_an_error(
    referee: Referee, side: Callable[..., Side], caplog: pytest.LogCaptureFixture
) -> None:
    one = side()
    one.tally.broken = 1
    with one.follower.follow_in_thread():
        assert one.views.wait(one.log.last_position(), 10)
    assert "tried again" in caplog.text


def test_standing_by_ends_when_it_is_asked_to(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    with (
        runner_lock(tmp_path / "v.db", threading.Event()) as first,
        runner_lock(tmp_path / "v.db", stop) as second,
    ):
        assert first
        assert not second


def test_the_projector_runs_as_a_process_and_ends_when_asked_to(
    address: Address, tmp_path: Path, referee: Referee, side: Callable[..., Side]
) -> None:
    arguments = ["-m", "projections", str(address), str(tmp_path / "apart.db")]
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    try:
        reader = side("apart.db", *every_projection())
        for _ in range(3):
            assert reader.views.wait(
                referee.encuentros.record_partida_acts(PARTIDA, [LATE], META).position, 20
            )
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(LONGEST_S) == 0
