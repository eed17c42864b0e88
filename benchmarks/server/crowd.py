"""Taps of one tablet while 500 bodies stop half-way and 500 live streams are asked for.

The server has its default settings. Slow bodies come from one address, streams from 50 others; who
gets no stream is refused and asks again every five seconds, as a page does.

    python -m benchmarks.server.crowd [--slow 500] [--streams 500] [--seconds 20]
"""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.server.acts import Server, Tablet
from benchmarks.server.slow_clients import HEAD, Slow

AFRESH_S = 5.0
PERIOD_S = 0.05
PATH = b"/api/v1/public/sala/stream"
STREAM = b"GET " + PATH + b" HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"


class Streams:
    """Streams from several addresses; what is refused or ended is asked for again."""

    def __init__(self, port: int, count: int) -> None:
        self._port, self._open = port, {}
        self._numbers = range(count)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._keep)
        self._thread.start()

    def _begin(self, number: int) -> None:
        with contextlib.suppress(OSError):
            source = (f"127.0.1.{1 + number % 50}", 0)
            one = socket.create_connection(("127.0.0.1", self._port), 5, source)
            one.sendall(STREAM)
            if b" 200 " in one.recv(64):
                one.setblocking(False)
                self._open[number] = one
            else:
                one.close()

    def _keep(self) -> None:
        while not self._is_over.is_set():
            for number in self._numbers:
                if number not in self._open and not self._is_over.is_set():
                    self._begin(number)
            self._is_over.wait(AFRESH_S)

    @property
    def count(self) -> int:
        return len(self._open)

    def close(self) -> None:
        self._is_over.set()
        self._thread.join()
        for one in self._open.values():
            one.close()


def taps(port: int, token: str, seconds: float) -> list[float]:
    """Milliseconds of each act, about twenty a second."""
    tablet, found = Tablet(port, 1, token), []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not tablet.queue:
            tablet.sit_down()
        began = time.perf_counter()
        tablet.act()
        found.append((time.perf_counter() - began) * 1000)
        time.sleep(PERIOD_S)
    return sorted(found)


def row(name: str, found: list[float]) -> str:
    at = [found[len(found) * part // 100] for part in (50, 95, 99)]
    cells = "".join(f"{one:9.1f}" for one in (*at, found[-1]))
    return f"{name:44}{len(found):6}{cells}"


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--slow", type=int, default=500)
    asked.add_argument("--streams", type=int, default=500)
    asked.add_argument("--seconds", type=float, default=20)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as where:
        server = Server("api.server.wiring:app()", Path(where))
        token = (Path(where) / "data" / "owner.token").read_text().strip()
        try:
            print(f"load {os.getloadavg()[0]:.0f}; milliseconds of a tap: p50, p95, p99, slowest")
            print(row("alone", taps(server.port, token, given.seconds)), flush=True)
            slow = Slow(server.port, given.slow, HEAD + b"\r\n", None)
            streams = Streams(server.port, given.streams)
            try:
                time.sleep(AFRESH_S)
                found = taps(server.port, token, given.seconds)
                name = f"{given.slow} slow bodies, {streams.count} streams of {given.streams}"
                print(row(name, found), flush=True)
            finally:
                slow.close()
                streams.close()
        finally:
            server.process.kill()  # what is open now would be answered, one after another
            server.process.wait()


if __name__ == "__main__":
    main()
