"""Writes are worked on one at a time, in the order in which they came, without waiting for bodies."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import pytest

from api.http.bodies import MAX_BYTES
from api.server.write_queue import RequestQueue

ACTS = "/api/v1/encuentros/x/partidas/1/acts"
PATIENCE_S = 10


class SlowBody(io.BytesIO):
    """A body that comes when it is let go."""

    def __init__(self, body: bytes) -> None:
        super().__init__(body)
        self.asked, self.comes = threading.Event(), threading.Event()

    def read(self, size: int | None = -1) -> bytes:
        self.asked.set()
        assert self.comes.wait(PATIENCE_S)
        return super().read(size)


class BrokenBody(io.BytesIO):
    """A body whose line broke."""

    def read(self, size: int | None = -1) -> bytes:
        raise OSError(size)


class Room:
    """An application that notes who is in it, and holds them until they may leave."""

    def __init__(self) -> None:
        self.inside: list[str] = []
        self.most = 0
        self.came: list[str] = []
        self.may_leave = threading.Event()
        self.served = RequestQueue(self.answer)

    def answer(self, environ: dict[str, Any], _: Callable[..., Any]) -> Iterable[bytes]:
        name = environ["name"]
        self.inside.append(name)
        self.came.append(name)
        self.most = max(self.most, len(self.inside))
        assert self.may_leave.wait(PATIENCE_S)
        self.inside.remove(name)
        with suppress(OSError):
            return [environ["wsgi.input"].read()]
        return []

    def enter(self, name: str, **more: Any) -> tuple[threading.Thread, list[bytes]]:
        body = more.pop("body", io.BytesIO(b"{}"))
        environ = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": ACTS,
            "CONTENT_LENGTH": "2",
            "wsgi.input": body,
            "name": name,
            **more,
        }
        found: list[bytes] = []
        thread = threading.Thread(
            target=lambda: found.extend(self.served(environ, lambda *_: None)), daemon=True
        )
        thread.start()
        return thread, found

    def wait_for(self, *names: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while sorted(self.inside) != sorted(names):
            assert time.monotonic() < end, self.inside
            time.sleep(0.001)


@pytest.fixture
def room():
    found = Room()
    yield found
    found.may_leave.set()


def test_writes_go_in_one_at_a_time_in_the_order_of_arrival(room):
    names = [str(number) for number in range(6)]
    threads = []
    for name in names:
        threads.append(room.enter(name))
        time.sleep(0.05)
    room.wait_for("0")
    room.may_leave.set()
    for thread, _ in threads:
        thread.join(PATIENCE_S)
    assert (room.came, room.most) == (names, 1)
    assert [found for _, found in threads] == [[b"{}"]] * len(names)


def test_a_slow_body_makes_nobody_wait(room):
    slow = SlowBody(b"{}")
    late, _ = room.enter("slow", body=slow)
    assert slow.asked.wait(PATIENCE_S)
    room.enter("quick")
    room.wait_for("quick")
    slow.comes.set()
    room.may_leave.set()
    late.join(PATIENCE_S)
    assert room.came == ["quick", "slow"]


@pytest.mark.parametrize(
    "asked",
    [
        {"REQUEST_METHOD": "GET"},
        {"PATH_INFO": "/entrar"},
        {"CONTENT_LENGTH": str(MAX_BYTES + 1)},
        {"CONTENT_LENGTH": "²"},
        {"CONTENT_LENGTH": ""},
        {"body": BrokenBody()},
    ],
    ids=["a read", "a page", "too large", "no number", "no length", "a broken line"],
)
def test_what_is_no_whole_write_does_not_wait_for_one(room, asked):
    room.enter("write")
    room.wait_for("write")
    room.enter("other", **asked)
    room.wait_for("write", "other")
