"""Connections to a log in PostgreSQL: loss, reconnection, notification of commits."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from eventsourcing.persistence import OperationalError

from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from referee.log.postgres.connections import MOST_VARIABLE, PostgresLogDatastore
from referee.log.postgres.recorder import PostgresLogRecorder
from referee.log.stores import create_tables, is_there, open_log, open_rows
from tests.referee.log.postgres_log import address, admin, log, rows
from tests.support.servers.one_log import LATE, META, PARTIDA, new_log, new_referee
from tests.support.servers.own_postgres import Server
from tests.support.waiting import wait_for

__all__ = ["address", "admin", "log"]  # fixtures


def end_connections(admin: psycopg.Connection) -> None:
    """End the connections of the program, and wait until their processes are gone."""
    ours = "SELECT pid FROM pg_stat_activity WHERE application_name = 'guinote'"
    ended = [pid for (pid,) in admin.execute(ours).fetchall()]
    assert ended
    admin.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s::int[]) AS pid", (ended,))
    left = "SELECT pid FROM pg_stat_activity WHERE pid = ANY(%s)"
    wait_for(lambda: not admin.execute(left, (ended,)).fetchall(), "the end of the connections")


# --- connections ---------------------------------------------------------------------------------


def test_no_process_has_more_connections_than_the_setting_says(
    address: str, admin: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MOST_VARIABLE, "3")
    ours = "FROM pg_stat_activity WHERE application_name = 'guinote'"
    asked = f"SELECT count(*) {ours} AND pid <> ALL(%s::int[])"
    others = [pid for (pid,) in admin.execute(f"SELECT pid {ours}").fetchall()]  # they are ending
    barrier, seen = threading.Barrier(8), []

    def read(found: PostgresLogDatastore) -> None:
        barrier.wait()
        for _ in range(10):
            found.query_rows("SELECT pg_sleep(0.01)", ())
            seen.extend(found.query_rows(asked, (others,)))

    with closing(PostgresLogDatastore(address)) as found:
        threads = [threading.Thread(target=read, args=(found,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert max(count for (count,) in seen) == 3


@pytest.mark.parametrize("given", ["", "1", "-3", "many", "2.5"])
def test_a_setting_that_is_no_number_of_connections_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv(MOST_VARIABLE, given)
    with pytest.raises(SystemExit, match=f"{MOST_VARIABLE}: a number, at least 2"):
        open_log(address)


def test_a_connection_that_was_ended_meanwhile_fails_nobody(
    address: str, log: PostgresLogRecorder, admin: psycopg.Connection
) -> None:
    log.insert_events(rows(1))
    end_connections(admin)
    assert log.insert_events(rows(2)) == [2]


def test_a_connection_that_broke_in_a_write_is_not_used_again(
    log: PostgresLogRecorder, admin: psycopg.Connection
) -> None:
    def broken() -> None:
        with log.datastore.connection() as c:
            admin.execute("SELECT pg_terminate_backend(%s)", (c.info.backend_pid,))
            c.execute("SELECT 1")

    with pytest.raises(OperationalError):
        broken()
    assert log.insert_events(rows(1)) == [1]


def test_of_several_hosts_the_one_that_answers_is_taken(
    address: str, postgres: Server, tmp_path: Path
) -> None:
    several = address.replace(f"host={postgres.folder}", f"host={tmp_path},{postgres.folder}")
    assert several != address
    with closing(open_log(several)) as log:
        assert log.insert_events(rows(1)) == [1]


def test_a_database_that_is_not_there_is_an_error_of_the_library(tmp_path: Path) -> None:
    nowhere = f"postgresql://club@/club?host={tmp_path}"
    for ask in (open_log, create_tables, is_there):
        with pytest.raises(OperationalError):
            ask(nowhere)


# --- following -----------------------------------------------------------------------------------


def test_a_commit_of_another_process_is_notified(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.log.postgres.rows.POLL_S", 3_600.0)
    referee = new_log(address)
    follower = Runner(LogReader(address), Views(tmp_path / "views.db", every_projection()))
    with (
        follower.follow_in_thread(),
        closing(Views(tmp_path / "views.db", every_projection())) as views,
    ):
        assert views.wait(referee.position(), 20)
        for _ in range(5):
            position = referee.encuentros.record_partida_acts(PARTIDA, [LATE], META).position
            assert views.wait(position, 20)
    referee.close()


def test_what_no_word_came_of_is_seen_within_moments(address: str) -> None:
    """As behind a proxy that drops notifications."""
    bell = threading.Event()
    with closing(open_log(address)) as log, closing(open_rows(address)) as reader:
        before = reader.last_write_marker()
        with reader._datastore.connection() as c:
            c.execute("UNLISTEN *")
        log.insert_events(rows(1))
        wait_for(
            lambda: reader.wait_for_write_or_bell(before, bell, 0.01),
            "the row of the other process",
        )
        assert [row[0] for row in reader.read_from(1, 10)] == [1]


def test_a_reader_cannot_write_and_comes_back_after_its_connection_was_lost(
    address: str, admin: psycopg.Connection
) -> None:
    with closing(new_referee_of(address)), closing(open_rows(address)) as reader:
        with pytest.raises(Exception, match="read-only"):
            reader._datastore.query_rows("DELETE FROM stored_events RETURNING 1", ())
        last = reader.last_position()
        end_connections(admin)
        assert reader.last_position() == last > 0


def new_referee_of(address: str):
    new_log(address).close()
    return new_referee(address)
