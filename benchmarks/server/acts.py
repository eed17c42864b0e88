"""An act over HTTP against a bare Flask route, with and without one durable commit.

Three servers (the same gunicorn settings) are loaded in turn, round after round, by clients that
keep their connection. Server CPU is read from /proc for all processes of a server. With ``--old`` a
revision of the program and a bare route with its settings are measured too.

    python -m benchmarks.server.acts [--clients 16] [--seconds 4] [--rounds 5] [--old REVISION]
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path

from benchmarks.older import programs
from benchmarks.tables import partida

ROOT = Path(__file__).resolve().parents[2]
POOL = [partida(seed) for seed in range(60)]
TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """A gunicorn server, and the CPU that it used."""

    def __init__(self, target: str, folder: Path, root: Path = ROOT) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        env = {
            **os.environ,
            "GUINOTE_BIND": f"127.0.0.1:{self.port}",
            "GUINOTE_DATA": str(folder / "data"),
            "BARE_DB": str(folder / "bare.sqlite"),
            "PYTHONPATH": str(root),
        }
        config = ("-c", "gunicorn.conf.py")
        if "wiring" not in target:
            config = ("-c", "benchmarks/server/bare_conf.py")
        command = [sys.executable, "-m", "gunicorn", *config, "--log-level", "warning", target]
        self.process = subprocess.Popen(command, cwd=root, env=env)
        self._wait()

    def _wait(self) -> None:
        for _ in range(1200):
            try:
                asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                asked.request("GET", "/healthz")
                asked.getresponse().read()
            except OSError:
                time.sleep(0.05)
            else:
                return
        self.stop()
        raise SystemExit("a server did not start")

    def cpu_s(self) -> float:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        total = 0
        for pid in (str(self.process.pid), *children.split()):
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        return total / TICKS

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


class Plain:
    """A client of the bare servers."""

    def __init__(self, port: int, _number: int, _token: str) -> None:
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.body = json.dumps({"acts": [{"kind": "card", "seat": "A1", "card": "3O"}]})

    def act(self) -> None:
        self.http.request("POST", "/", self.body, {"Content-Type": "application/json"})
        answer = self.http.getresponse()
        answer.read()
        assert answer.status == 200, answer.status


class Tablet:
    """A client that keys in partidas, act by act, at a table of its own."""

    def __init__(self, port: int, number: int, token: str = "", host: str = "") -> None:
        self.token, self.host = token, host or f"127.0.0.1:{port}"
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.seed = number * 1000
        self.queue: list[dict[str, object]] = []
        self.version = 0
        self.path = ""

    def call(
        self, path: str, body: object, tag: int | None = None, key: str = ""
    ) -> dict[str, object]:
        headers = {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {self.token}",
            "Idempotency-Key": key or str(uuid.uuid4()),
            "Host": self.host,
        }
        if tag is not None:
            headers["If-Match"] = f'"{tag}"'
        text = None if body is None else json.dumps(body)
        if text is None:
            del headers["Content-Type"]
        self.http.request("POST", path, text, headers)
        answer = self.http.getresponse()
        content = answer.read()
        assert answer.status in (200, 201), (answer.status, path, content[:500])
        return json.loads(content)

    def sit_down(self) -> None:
        opened = self.call(
            "/api/v1/encuentros", {"profile": {"id": "club"}, "players": 4, "deck": 40}
        )
        base = f"/api/v1/encuentros/{opened['id']}"
        self.call(f"{base}/partidas", None, int(str(opened["version"])))
        self.path, self.version = f"{base}/partidas/1/acts", 0
        self.seed += 1
        self.queue = list(POOL[self.seed % len(POOL)])

    def act(self) -> None:
        self.call(self.path, {"acts": [self.queue.pop(0)]}, self.version)
        self.version += 1


ROUTES: dict[str, tuple[str, type]] = {
    "bare": ("benchmarks.server.bare:bare()", Plain),
    "durable": ("benchmarks.server.bare:durable()", Plain),
    "act": ("api.server.wiring:app()", Tablet),
}


def in_threads(run: object, clients: list) -> None:
    threads = [threading.Thread(target=run, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def load(server: Server, kind: type, clients: list, seconds: float) -> dict[str, float]:
    """Load one server; rate, latencies and CPU of the acts alone."""
    times: list[float] = []
    errors: list[BaseException] = []
    lock = threading.Lock()
    for client in clients:
        client.http.close()  # kept connections end between rounds; the next request opens a new one
        if kind is Tablet and not client.queue:
            client.sit_down()
    start_cpu, start = server.cpu_s(), time.perf_counter()
    end = start + seconds

    def run(client: Plain | Tablet) -> None:
        mine = []
        try:
            while time.perf_counter() < end:
                if kind is Tablet and not client.queue:
                    client.sit_down()
                began = time.perf_counter()
                client.act()
                mine.append(time.perf_counter() - began)
        except (AssertionError, OSError, http.client.HTTPException) as error:
            errors.append(error)
        with lock:
            times.extend(mine)

    in_threads(run, clients)
    wall = time.perf_counter() - start
    if errors:
        raise errors[0]
    times.sort()
    return {
        "rate": len(times) / wall,
        "p50": times[len(times) // 2] * 1000,
        "p99": times[int(len(times) * 0.99)] * 1000,
        "cpu": (server.cpu_s() - start_cpu) / len(times) * 1000,
    }


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--clients", type=int, default=16)
    asked.add_argument("--seconds", type=float, default=4)
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--old", help="revision to be measured beside, whose paths are those of now")
    args = asked.parse_args()
    with tempfile.TemporaryDirectory() as where, programs(args.old) as roots:
        servers: dict[str, tuple[Server, type]] = {}
        tokens: dict[str, str] = {}
        try:
            for program, root in roots.items():
                is_now, folder = root == ROOT, Path(where) / program
                folder.mkdir()
                for route, (target, kind) in ROUTES.items():
                    name = route if is_now else f"{route} {program}"
                    servers[name] = (Server(target, folder, root), kind)
                    owner = folder / "data" / "owner.token"
                    tokens[name] = owner.read_text().strip() if kind is Tablet else ""
            found: dict[str, list[dict[str, float]]] = {name: [] for name in servers}
            clients = {
                name: [kind(server.port, n, tokens[name]) for n in range(args.clients)]
                for name, (server, kind) in servers.items()
            }
            for _ in range(args.rounds):
                for name, (server, kind) in random.sample([*servers.items()], len(servers)):
                    found[name].append(load(server, kind, clients[name], args.seconds))
        finally:
            for server, _ in servers.values():
                server.stop()
    for program, root in roots.items():
        suffix = "" if root == ROOT else f" {program}"
        show({route: found[route + suffix] for route in ROUTES}, program)


def show(found: dict[str, list[dict[str, float]]], program: str) -> None:
    print(f"{program:10}{'req/s':>20}{'p50 ms':>18}{'p99 ms':>18}{'CPU ms/req':>20}")
    median = {}
    for name, rounds in found.items():
        row = f"{name:10}"
        for key in ("rate", "p50", "p99", "cpu"):
            values = sorted(one[key] for one in rounds)
            median[name, key] = statistics.median(values)
            row += f"{median[name, key]:>9.2f} [{values[0]:.2f}-{values[-1]:.2f}]"
        print(row)
    print(f"rate act/durable: {median['act', 'rate'] / median['durable', 'rate']:.2f}")
    print(f"p99 act/bare:     {median['act', 'p99'] / median['bare', 'p99']:.2f}")


if __name__ == "__main__":
    main()
