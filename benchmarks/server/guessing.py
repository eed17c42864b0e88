"""A burst of sign-ins: how many passwords are evaluated, and how long an honest client waits.

A stranger sends wrong passwords of one account at once, to a server with two workers. 403 is a
password that was evaluated, 429 one that was not, 503 one that found no turn.

    python -m benchmarks.server.guessing [--sign-ins 120] [--old REVISION]
"""

from __future__ import annotations

import argparse
import http.client
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from benchmarks.older import programs
from benchmarks.server.acts import Server
from tests.support.servers.accounts import CookieJar, opened

NAME = "Pilar"


class Asked:
    """A server, as a browser of the tests asks it."""

    def __init__(self, port: int) -> None:
        self._port = port

    def connection(self, source: str = "127.0.0.1") -> http.client.HTTPConnection:
        """A connection from an address of this computer."""
        return http.client.HTTPConnection("127.0.0.1", self._port, 60, (source, 0))


def burst(at: Asked, sign_ins: int) -> Counter[int]:
    """Statuses of wrong passwords that are sent at once."""

    def tried(number: int) -> int:
        return CookieJar().ask(at, "/entrar", name=NAME, password=f"no es la frase {number}")[0]  # type: ignore[arg-type]  # it asks for a connection alone

    with ThreadPoolExecutor(sign_ins) as pool:
        return Counter(pool.map(tried, range(sign_ins)))


def waits(at: Asked, is_over: threading.Event, found: list[float]) -> None:
    """Seconds that a client at another address waits for a page, again and again."""
    while not is_over.is_set():
        began = time.perf_counter()
        with closing(at.connection("127.0.0.2")) as connection:
            connection.request("GET", "/reglas")
            connection.getresponse().read()
        found.append(time.perf_counter() - began)


def measured(at: Asked, token: str, sign_ins: int) -> str:
    """One row: statuses, seconds of the burst, the longest wait of the honest client."""
    owner, is_over, found = CookieJar(), threading.Event(), list[float]()
    owner.ask(at, "/entrar", token=token)  # type: ignore[arg-type]  # as above
    opened(owner, at, NAME, role="arbiter")  # type: ignore[arg-type]  # as above
    honest = threading.Thread(target=waits, args=(at, is_over, found))
    honest.start()
    began = time.perf_counter()
    statuses = burst(at, sign_ins)
    took = time.perf_counter() - began
    is_over.set()
    honest.join()
    said = ", ".join(f"{many} of {status}" for status, many in sorted(statuses.items()))
    return f"{said}; {took:.1f} s; a page waits {max(found):.2f} s at most"


def main() -> None:
    """Print a row for the present program, and one for an older one."""
    given = argparse.ArgumentParser()
    given.add_argument("--sign-ins", type=int, default=120)
    given.add_argument("--old", help="revision to be measured beside")
    asked = given.parse_args()
    with tempfile.TemporaryDirectory() as where, programs(asked.old) as roots:
        for name, root in roots.items():
            folder = Path(where) / name
            folder.mkdir()
            server = Server("api.server.wiring:app()", folder, root)
            try:
                token = (folder / "data" / "owner.token").read_text("ascii").strip()
                print(f"{name:10}{measured(Asked(server.port), token, asked.sign_ins)}", flush=True)
            finally:
                server.stop()


if __name__ == "__main__":
    main()
