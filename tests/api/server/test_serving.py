"""The processes of a server: a worker and a projector may die."""

from __future__ import annotations

import itertools
import os
import signal
import sqlite3
from contextlib import closing

import pytest

from referee.release import release_as_number
from tests.support.servers.served import Served, command_of
from tests.support.waiting import wait_for


@pytest.fixture
def served(tmp_path):
    found = Served(tmp_path / "data", is_forked=True)
    found.start()
    yield found
    found.kill_all()


def test_a_worker_that_died_is_replaced(served):
    wait_for(lambda: len(served.workers()) == 2, "two workers")  # the first answers already
    dead = served.workers()[0]
    os.kill(dead, signal.SIGKILL)
    wait_for(lambda: dead not in served.workers() and len(served.workers()) == 2, "another worker")
    assert served.ask("GET", "/healthz")[0] == 200


def wrote(served: Served, key: str) -> int:
    """Status of a read that waits for a write that was just made."""
    headers = {"Authorization": f"Bearer {served.token}", "Idempotency-Key": key}
    asked = {"profile": {"id": "club"}, "players": 4}
    _, opened = served.ask("POST", "/api/v1/encuentros", asked, headers)
    path = f"/api/v1/encuentros/{opened['id']}?wait={opened['position']}"
    return served.ask("GET", path, None, headers)[0]


def test_a_worker_takes_over_from_a_projector_that_died(served):
    assert wrote(served, "first-key") == 200
    assert len(served.projectors()) == 1
    keys = map(str, itertools.count())

    def is_taken_over() -> bool:
        served.kill_projector()  # it is started again a few times, and only then replaced
        return wrote(served, f"another-key-{next(keys)}") == 200 and not served.projectors()

    wait_for(is_taken_over, "a worker that updates the views")


def is_running(pid: int) -> bool:
    return command_of(pid) != b""


def test_all_ends_with_a_server_that_is_killed_and_another_has_its_address(tmp_path):
    signing = {"GUINOTE_SIGNING": "on", "GUINOTE_NOTARY": str(tmp_path / "notary")}
    served = Served(tmp_path / "data", **signing)
    served.start()
    wait_for(lambda: len(served.children()) == 4, "two workers, the projector, the notary")
    board = served.connection()
    board.request("GET", "/api/v1/public/sala/stream")
    assert board.getresponse().status == 200  # an open stream, which a worker waits for
    its_own = served.children()
    assert served.process is not None
    os.kill(served.process.pid, signal.SIGKILL)
    served.process.wait()
    wait_for(lambda: not any(map(is_running, its_own)), "the end of all")
    board.close()
    served.is_forked = True
    served.start()
    assert served.ask("GET", "/healthz")[0] == 200
    served.kill_all()


def test_a_server_ends_when_a_later_release_has_written_what_it_cannot_read(tmp_path):
    """As on the older of two computers over one log, during an upgrade."""
    served = Served(tmp_path / "data", is_forked=True)
    served.start()
    try:
        assert wrote(served, "first-key") == 200
        with closing(sqlite3.connect(tmp_path / "data" / "log.sqlite")) as later:
            later.execute(
                "INSERT INTO stored_events SELECT NULL, originator_id, originator_version + 99,"
                " 'CardPlayed.9', state FROM stored_events WHERE position = 1"
            )
            later.execute(f"PRAGMA user_version = {release_as_number('12.3.4')}")
            later.commit()
        wait_for(lambda: served.process.poll() is not None, "the end of the server")
    finally:
        served.kill_all()
