"""The processes of a server: a worker and a projector may die."""

from __future__ import annotations

import os
import signal
import time

import pytest

from tests.support.servers.served import Served, command_of

PATIENCE_S = 20


@pytest.fixture
def served(tmp_path):
    found = Served(tmp_path / "data")
    found.start()
    yield found
    found.kill_all()


def test_a_worker_that_died_is_replaced(served):
    (dead, _) = served.workers()
    os.kill(dead, signal.SIGKILL)
    end = time.monotonic() + PATIENCE_S
    while dead in served.workers() or len(served.workers()) < 2:
        assert time.monotonic() < end
        time.sleep(0.05)
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
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:  # the workers stand by only after a while
        served.kill_projector()
        if wrote(served, f"key-{time.monotonic()}") == 200 and not served.projectors():
            return
    raise AssertionError("nobody took over")


def test_the_projector_ends_with_a_server_that_is_killed(served):
    (projector,) = served.projectors()
    assert served.process is not None
    os.kill(served.process.pid, signal.SIGKILL)
    served.process.wait()
    end = time.monotonic() + PATIENCE_S
    while b"projections" in command_of(projector):
        assert time.monotonic() < end
        time.sleep(0.05)
