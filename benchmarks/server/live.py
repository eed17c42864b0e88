"""Boards that listen while acts are written: cost of streams, and delay of updates.

Three servers are loaded in turn with acts at as many tables as there are clients: one that has no
threads for streams, one that has them and nobody listens, and one with boards listening, half to
the hall and half to a table. Before that each board waits for changes at a table of its own.

    python -m benchmarks.server.live [--boards 64] [--clients 16] [--seconds 2] [--rounds 3]
"""

from __future__ import annotations

import argparse
import json
import os
import selectors
import socket
import statistics
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.server.acts import Server, Tablet, load
from benchmarks.tables import partida

HALL = "/api/v1/public/sala/stream"
CHANGES = 20


class Boards:
    """Streams of one server, read by one thread."""

    def __init__(self, port: int, paths: list[str]) -> None:
        self.refused = self.opened = 0
        self.came: dict[socket.socket, list[float]] = {}
        self._selector = selectors.DefaultSelector()
        self._is_over = False
        for path in paths:
            self._open(port, path)
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _open(self, port: int, path: str) -> None:
        source = (f"127.0.0.{2 + self.opened % 8}", 0)  # an address has a share of the streams
        self.opened += 1
        stream = socket.create_connection(("127.0.0.1", port), source_address=source)
        stream.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        if b" 200 " not in stream.recv(4096).split(b"\r\n")[0]:
            self.refused += 1
            return
        self.came[stream] = []
        self._selector.register(stream, selectors.EVENT_READ)

    def _read(self) -> None:
        while not self._is_over:
            for key, _ in self._selector.select(0.1):
                if b"event: view" in key.fileobj.recv(1 << 20):
                    self.came[key.fileobj].append(time.perf_counter())

    def close(self) -> None:
        self._is_over = True
        self._thread.join()
        for stream in self.came:
            stream.close()


def encuentro_of(tablet: Tablet) -> str:
    return tablet.path.split("/")[4]


def delays(tablet: Tablet, boards: Boards) -> list[float]:
    """Milliseconds from the answer to an act until each board has the view that it changed."""
    tablet.http.close()  # the connection had timed out; the next request opens a new one
    tablet.call(tablet.path, {"acts": [partida(1)[0]]}, 0)
    found: list[float] = []
    for change in range(CHANGES):
        time.sleep(0.5)
        for times in boards.came.values():
            times.clear()
        if change % 2:
            tablet.call(tablet.path.replace("/acts", "/undo"), {}, 2 * (change // 2) + 2)
        else:
            tablet.call(tablet.path, {"acts": [{"kind": "pinta", "card": "7O"}]}, change + 1)
        written = time.perf_counter()
        time.sleep(0.7)
        found += [(times[0] - written) * 1000 for times in boards.came.values() if times]
    return found


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--boards", type=int, default=64)
    asked.add_argument("--clients", type=int, default=16)
    asked.add_argument("--seconds", type=float, default=2)
    asked.add_argument("--rounds", type=int, default=3)
    args = asked.parse_args()
    kinds = {"no streams": "0", "streams, none open": "48", f"{args.boards} boards": "48"}
    servers, clients, found = {}, {}, {name: [] for name in kinds}
    with tempfile.TemporaryDirectory() as where:
        try:
            for n, (name, streams) in enumerate(kinds.items()):
                os.environ["GUINOTE_STREAMS"] = streams
                folder = Path(where, str(n))
                servers[name] = Server("api.server.wiring:app()", folder)
                clients[name] = [Tablet(servers[name].port, n) for n in range(args.clients + 1)]
                token = (folder / "data" / "owner.token").read_text().strip()
                for client in clients[name]:
                    client.token = token
                    client.sit_down()
            server = servers[name]
            probe = clients[name][-1]
            at_table = f"/api/v1/public/encuentros/{encuentro_of(probe)}/stream"
            boards = Boards(server.port, [HALL, at_table] * (args.boards // 2))
            before = server.cpu_s()
            time.sleep(5)
            idle = (server.cpu_s() - before) / 5
            seen = delays(probe, boards)
            for _ in range(args.rounds):
                for one in kinds:
                    found[one].append(load(servers[one], Tablet, clients[one][:-1], args.seconds))
            boards.close()
        finally:
            for one in servers.values():
                one.stop()
    show(found, {"open": len(boards.came), "refused": boards.refused, "idle CPU": idle}, seen)


def show(found: dict, about: dict, seen: list[float]) -> None:
    print(f"{'acts with':22}{'a second':>22}{'p50 ms':>20}{'p99 ms':>22}{'CPU ms an act':>20}")
    for name, rounds in found.items():
        row = f"{name:22}"
        for key in ("rate", "p50", "p99", "cpu"):
            values = sorted(one[key] for one in rounds)
            row += f"{statistics.median(values):>9.2f} [{values[0]:.1f}-{values[-1]:.1f}]"
        print(row)
    seen.sort()
    written = {"p50": seen[len(seen) // 2], "p95": seen[int(len(seen) * 0.95)], "most": seen[-1]}
    print("boards:", json.dumps({k: round(v, 4) for k, v in about.items()}))
    print("ms to a board:", json.dumps({k: round(v, 1) for k, v in written.items()}), len(seen))


if __name__ == "__main__":
    main()
