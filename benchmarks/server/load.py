r"""Tables and boards on web processes: rate, errors, waits, delay to the boards, processor shares.

Each table records an act each ``--every`` seconds, whether the one before was answered or not, and
each board follows a table by a stream. Waits count from the moment at which an act was due, and the
delay of a board from the moment at which the latest act of its table was sent; many acts change
nothing on a board. The tables begin at different places of their partidas.

Without ``--address`` a server of its own is started over a new SQLite file, or with
``--postgresql`` as many web computers' worth of processes as ``--computers`` says, over a new
PostgreSQL with a synchronous standby. A server that is running is named with its address, the
owner's token, and the ids of its processes, whose descendants are told apart by their commands:

    python -m benchmarks.server.load --tables 200 --boards 200 --seconds 60
    python -m benchmarks.server.load --tables 100 --boards 100 --postgresql --computers 2
    python -m benchmarks.server.load --address 10.0.0.1:8000=TOKEN --address 10.0.0.2:8000=TOKEN \
        --process 4711 --process 4712 --process 4713
"""

from __future__ import annotations

import argparse
import heapq
import http.client
import json
import os
import selectors
import socket
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.server.acts import Server
from benchmarks.tables import partida
from tests.support.kit.replicated import replicated

POOL = 60
WORKERS = 32
"""Threads that send the acts: as many can wait for an answer at the same time."""
WARM_S = 5.0
TICKS = os.sysconf("SC_CLK_TCK")
SOURCES = 200
"""Loopback addresses that boards come from, since each address has a share of the streams."""
_PARTS = (("projections", "projector"), ("notary", "notary"), ("postgres", "postgres"))


class WebAddress(NamedTuple):
    """A web process: where it listens, and the owner's token."""

    host: str
    port: int
    token: str


class NotAccepted(Exception):  # noqa: N818 - it says what the act is
    """An answer that is no success."""


class LoadTable:
    """A table that records partidas act by act, over a kept connection."""

    def __init__(self, address: WebAddress, number: int, pool: Sequence[list[object]]) -> None:
        self._address, self._pool, self._number = address, pool, number
        self._http = http.client.HTTPConnection(address.host, address.port, timeout=30)
        self._acts: list[object] = []
        self._path, self._version = "", 0
        self.encuentro, self.sent_at = "", 0.0

    def sit_down(self, ahead: float = 0) -> None:
        """Open an encuentro, and its first partida. ``ahead``: part of it recorded at once."""
        profile = {"profile": {"id": "club"}, "players": 4, "deck": 40}
        opened = self._post("/api/v1/encuentros", profile)
        self.encuentro = str(opened["id"])
        base = f"/api/v1/encuentros/{self.encuentro}"
        self._post(f"{base}/partidas", None, int(str(opened["version"])))
        self._path = f"{base}/partidas/1/acts"
        self._number += 7
        acts = self._pool[self._number % len(self._pool)]
        done = int(ahead * len(acts))
        if done:
            self._post(self._path, {"acts": acts[:done]}, 0)
        self._version, self._acts = done, list(acts[done:])

    def act(self) -> bool:
        """Record the next act; whether the partida goes on."""
        self.sent_at = time.perf_counter()
        self._post(self._path, {"acts": [self._acts.pop(0)]}, self._version)
        self._version += 1
        return bool(self._acts)

    def _post(self, path: str, body: object, version: int | None = None) -> dict[str, object]:
        headers = {
            "Authorization": f"Bearer {self._address.token}",
            "Idempotency-Key": str(uuid.uuid4()),
        }
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        if body is not None:
            headers["Content-Type"] = "application/json"
        text = None if body is None else json.dumps(body)
        try:
            status, content = self._answer(path, text, headers)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            self._http.close()  # kept too long; the same key makes the second attempt harmless
            status, content = self._answer(path, text, headers)
        if status not in (200, 201):
            raise NotAccepted(f"{status} {content[:200]!r}")
        found: dict[str, object] = json.loads(content)
        return found

    def _answer(self, path: str, text: str | None, headers: dict[str, str]) -> tuple[int, bytes]:
        self._http.request("POST", path, text, headers)
        answer = self._http.getresponse()
        return answer.status, answer.read()


@dataclass
class BoardStream:
    """A stream that follows the acts of a table. ``seen_at``: when its last act shown was sent."""

    stream: socket.socket
    table: LoadTable
    seen_at: float = 0.0


class LoadBoards:
    """Boards, read by one thread. ``delays``: seconds from an act sent until its board had it."""

    def __init__(self) -> None:
        self.delays: list[float] = []
        self.open = self.refused = 0
        self._selector = selectors.DefaultSelector()
        self._is_over = False
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def follow(self, address: WebAddress, table: LoadTable) -> None:
        """Open a board for the present encuentro of a table."""
        is_local = address.host.startswith("127.")
        source = (f"127.0.1.{1 + self.open % SOURCES}", 0) if is_local else None
        stream = socket.create_connection((address.host, address.port), 30, source_address=source)
        path = f"/api/v1/public/encuentros/{table.encuentro}/stream"
        stream.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        if b" 200 " not in stream.recv(4096).split(b"\r\n")[0]:
            self.refused += 1
            stream.close()
            return
        self.open += 1
        self._selector.register(stream, selectors.EVENT_READ, BoardStream(stream, table))

    def close(self) -> None:
        """End every stream."""
        self._is_over = True
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            key.data.stream.close()

    def _read(self) -> None:
        while not self._is_over:
            for key, _ in self._selector.select(0.1) if self._selector.get_map() else ():
                self._take(key.data, time.perf_counter())
            if not self._selector.get_map():
                time.sleep(0.05)

    def _take(self, board: BoardStream, now: float) -> None:
        try:
            text = board.stream.recv(1 << 20)
        except OSError:
            text = b""
        if not text:  # its life is over, as that of each stream some time
            self._selector.unregister(board.stream)
            board.stream.close()
            self.open -= 1
            return
        sent_at = board.table.sent_at
        if b"event: view" in text and sent_at != board.seen_at:
            board.seen_at = sent_at
            self.delays.append(now - sent_at)


class TableLoad:
    """Acts at tables, each due at its time."""

    def __init__(self, tables: Sequence[LoadTable], every_s: float) -> None:
        self.waits: list[float] = []
        self.errors: Counter[str] = Counter()
        self._every_s, self._lock = every_s, threading.Lock()
        now = time.perf_counter()
        step = every_s / len(tables)
        self._due = [(now + number * step, number) for number in range(len(tables))]
        self._tables = tables
        self.finished: list[LoadTable] = []

    def run(self, seconds: float) -> None:
        """Send acts for so long."""
        end = time.perf_counter() + seconds
        threads = [threading.Thread(target=self._send, args=(end,)) for _ in range(WORKERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _send(self, end: float) -> None:
        while True:
            with self._lock:
                if not self._due or self._due[0][0] >= end:
                    return
                due, number = heapq.heappop(self._due)
            time.sleep(max(0.0, due - time.perf_counter()))
            wait, error = self._act(self._tables[number], due)
            with self._lock:
                if error:
                    self.errors[error] += 1
                else:
                    self.waits.append(wait)
                heapq.heappush(self._due, (due + self._every_s, number))

    def _act(self, table: LoadTable, due: float) -> tuple[float, str]:
        try:
            if not table.act():
                self.finished.append(table)
                table.sit_down()
        except (NotAccepted, OSError, http.client.HTTPException) as error:
            return 0.0, str(error) or type(error).__name__
        return time.perf_counter() - due, ""


# --- processor time ------------------------------------------------------------------------------


def processes(roots: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Processes and their descendants, each with its part: web, projector, notary, postgres."""
    for root in roots:
        try:
            command = Path(f"/proc/{root}/cmdline").read_bytes().decode("utf-8", "replace")
            children = Path(f"/proc/{root}/task/{root}/children").read_text().split()
        except OSError:
            continue
        yield root, next((part for word, part in _PARTS if word in command), "web")
        yield from processes([int(child) for child in children])


def cpu_s(roots: Sequence[int]) -> Counter[str]:
    """Seconds of the processor of each part, and of this program."""
    found: Counter[str] = Counter()
    for pid, part in processes(roots):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        found[part] += (int(fields[11]) + int(fields[12])) / TICKS
    found["load"] = time.process_time()
    return found


# --- the run -------------------------------------------------------------------------------------


class Served(NamedTuple):
    """What was started: where it listens, and its processes, to be measured."""

    addresses: list[WebAddress]
    roots: list[int]


@contextmanager
def served(boards: int, computers: int, *, is_postgres: bool) -> Iterator[Served]:
    """Servers of their own over one new house, each with a notary, of which one signs."""
    os.environ["GUINOTE_STREAMS"] = str(max(48, boards))
    os.environ["GUINOTE_SIGNING"] = "on"
    found = Served([], [])
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if is_postgres:
            database = stack.enter_context(replicated())
            os.environ["GUINOTE_LOG"] = database.new_address()
            os.environ["GUINOTE_PERSONS_SECRET"] = os.urandom(32).hex()
            found.roots.append(database.pids()[0])
        for number in range(computers):
            own = folder / str(number)
            own.mkdir()
            os.environ["GUINOTE_NOTARY"] = str(own / "keys")
            server = Server("api.server.wiring:app()", own)
            stack.callback(server.stop)
            token = (own / "data" / "owner.token").read_text().strip()
            found.addresses.append(WebAddress("127.0.0.1", server.port, token))
            found.roots.append(server.process.pid)
        yield found


def measure(
    addresses: Sequence[WebAddress], roots: Sequence[int], given: argparse.Namespace
) -> None:
    """Run the load, and print what came of it."""
    pool: list[list[object]] = [list(partida(seed)) for seed in range(POOL)]
    tables = [
        LoadTable(addresses[number % len(addresses)], number, pool)
        for number in range(given.tables)
    ]
    for number, table in enumerate(tables):
        table.sit_down(number / len(tables))
    boards = LoadBoards()
    try:
        for number in range(given.boards):
            # the board is at another computer than its table, if there is one
            boards.follow(addresses[(number + 1) % len(addresses)], tables[number % len(tables)])
        load = TableLoad(tables, given.every)
        load.run(WARM_S)
        load.waits.clear()
        boards.delays.clear()
        before, began = cpu_s(roots), time.perf_counter()
        load.run(given.seconds)
        took = time.perf_counter() - began
        spent = cpu_s(roots)
        time.sleep(1)
    finally:
        boards.close()
    spent.subtract(before)
    show(load, boards, took, spent)


def show(load: TableLoad, boards: LoadBoards, took: float, spent: Counter[str]) -> None:
    """Print the figures."""
    acts, machine = len(load.waits), os.getloadavg()[0]
    print(f"acts          {acts} in {took:.0f} s, {acts / took:.1f} a second; load {machine:.1f}")
    print(f"errors        {sum(load.errors.values())} {dict(load.errors.most_common(3))}")
    print(f"an act        {percentiles(load.waits)} ms")
    print(f"to a board    {percentiles(boards.delays)} ms, {len(boards.delays)} messages")
    print(f"boards        {boards.open} open, {boards.refused} refused")
    for part, seconds in sorted(spent.items()):
        print(
            f"{part:<14}{seconds / took * 100:.1f} % of a core,"
            f" {seconds / max(acts, 1) * 1000:.2f} ms an act"
        )


def percentiles(found: list[float]) -> str:
    """Median and 99th percentile in milliseconds."""
    ordered = sorted(found) or [0.0]
    p50, p99 = (ordered[int(len(ordered) * part)] * 1000 for part in (0.5, 0.99))
    return f"p50 {p50:.1f}, p99 {p99:.1f}, most {ordered[-1] * 1000:.1f}"


def address_of(text: str) -> WebAddress:
    """An address with its token: ``10.0.0.1:8000=TOKEN``."""
    where, _, token = text.partition("=")
    host, _, port = where.rpartition(":")
    return WebAddress(host, int(port), token)


def main() -> None:
    """Print the figures of a load."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tables", type=int, default=200)
    asked.add_argument("--boards", type=int, default=200)
    asked.add_argument("--seconds", type=float, default=60)
    asked.add_argument("--every", type=float, default=2.0, help="seconds from act to act")
    asked.add_argument("--address", action="append", type=address_of, default=[])
    asked.add_argument("--process", action="append", type=int, default=[])
    asked.add_argument(
        "--postgresql", action="store_true", help="with a standby, in place of SQLite"
    )
    asked.add_argument("--computers", type=int, default=1, help="web computers, over PostgreSQL")
    given = asked.parse_args()
    if given.computers != 1 and not given.postgresql:
        asked.error("--computers: a house in files is served by one (--postgresql)")
    if given.address:
        measure(given.address, given.process, given)
        return
    with served(given.boards, given.computers, is_postgres=given.postgresql) as found:
        measure(found.addresses, [*found.roots, *given.process], given)


if __name__ == "__main__":
    main()
