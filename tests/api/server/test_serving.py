"""The processes of a server: connections spread over the workers, a projector that may die."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.servers.served import Served, command_of

CONNECTIONS = 16
PATIENCE_S = 20


@pytest.fixture
def served(tmp_path):
    found = Served(tmp_path / "data")
    found.start()
    yield found
    found.kill_all()


def opened_by(pid: int) -> list[str]:
    """What a process has open, as the kernel names it."""
    found = []
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            found.append(os.readlink(file))
    return found


def connections_of(pid: int) -> int:
    return sum(name.startswith("socket:") for name in opened_by(pid))


def ready_workers(served: Served) -> list[int]:
    """Both workers, once each of them has taken a connection."""
    end = time.monotonic() + PATIENCE_S
    while True:
        assert time.monotonic() < end
        workers = served.workers()
        with suppress(FileNotFoundError):  # one has ended
            if len(workers) == 2 and min(taken(served, workers, 2)) > 0:
                return workers
        time.sleep(0.05)


def taken(served: Served, workers: list[int], number: int) -> list[int]:
    """Of so many connections that are kept, how many each worker has taken."""
    before = [connections_of(pid) for pid in workers]
    kept = [served.connection() for _ in range(number)]
    for connection in kept:
        connection.request("GET", "/healthz")
        connection.getresponse().read()
    found = [connections_of(pid) - had for pid, had in zip(workers, before, strict=True)]
    for connection in kept:
        connection.close()
    return found


def test_connections_are_spread_over_the_workers(served):
    found = taken(served, ready_workers(served), CONNECTIONS)
    assert min(found) >= CONNECTIONS // 4, found


def test_a_worker_that_died_leaves_its_connections_to_nobody(served):
    (dead, other) = ready_workers(served)
    os.kill(dead, signal.SIGKILL)
    while dead in served.workers():
        time.sleep(0.01)
    assert other in ready_workers(served)
    test_connections_are_spread_over_the_workers(served)


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
