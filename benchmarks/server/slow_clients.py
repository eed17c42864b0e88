"""Honest clients while one address holds many connections and sends one byte each three seconds.

A server with two workers is asked by an honest client at another address and at the same one, while
the slow connections begin requests, bodies or handshakes, and never end them.

    python -m benchmarks.server.slow_clients [--connections 500] [--seconds 12] [--old REVISION]
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import os
import socket
import ssl
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from api.server.certificates import Certificates, write_certificate_files
from api.server.wiring import now
from benchmarks.older import programs
from benchmarks.server.acts import Server

PERIOD_S = 3.0
TIMEOUT_S = 10.0
HEAD = b"POST /entrar HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n"
KINDS = {"no slow clients": b"", "heads": HEAD, "bodies": HEAD + b"\r\n"}
HANDSHAKE = b"\x16\x03\x01\x02\x00"


class Slow:
    """Connections of one address, each with a byte every three seconds; lost ones are replaced."""

    def __init__(self, port: int, count: int, begun: bytes, tls: ssl.SSLContext | None) -> None:
        self._port, self._begun, self._tls = port, begun, tls
        self._is_over = threading.Event()
        self._open = [self._connected() for _ in range(count if begun else 0)]
        self._thread = threading.Thread(target=self._drip)
        self._thread.start()

    def _connected(self) -> socket.socket | None:
        with contextlib.suppress(OSError):
            one = socket.create_connection(("127.0.0.1", self._port), timeout=2)
            if self._tls is not None:
                one = self._tls.wrap_socket(one, server_hostname="127.0.0.1")
            one.sendall(self._begun)
            return one
        return None

    def _drip(self) -> None:
        while not self._is_over.wait(PERIOD_S):
            for place, one in enumerate(self._open):
                try:
                    if one is not None:
                        one.sendall(b"a")
                        continue
                except OSError:
                    one.close()
                self._open[place] = self._connected()

    def close(self) -> None:
        self._is_over.set()
        self._thread.join()
        for one in filter(None, self._open):
            one.close()


def asked(port: int, source: str, tls: ssl.SSLContext | None) -> float:
    """Seconds of an honest request over a connection of its own; the timeout if it failed."""
    began, address = time.monotonic(), (source, 0)
    kind = http.client.HTTPConnection if tls is None else http.client.HTTPSConnection
    more = {} if tls is None else {"context": tls}
    honest = kind("127.0.0.1", port, timeout=TIMEOUT_S, source_address=address, **more)
    try:
        honest.request("GET", "/reglas")
        honest.getresponse().read()
    except (OSError, http.client.HTTPException):
        return TIMEOUT_S
    finally:
        honest.close()
    return time.monotonic() - began


def measured(port: int, kind: bytes, tls: ssl.SSLContext | None, given: argparse.Namespace) -> str:
    slow = Slow(port, given.connections, kind, None if kind == HANDSHAKE else tls)
    end, waits = time.monotonic() + given.seconds, {"127.0.0.2": [], "127.0.0.1": []}
    try:
        while time.monotonic() < end:
            for source, found in waits.items():
                found.append(asked(port, source, tls))
            time.sleep(0.1)
    finally:
        slow.close()
    cells = []
    for found in waits.values():
        found.sort()
        lost = sum(one >= TIMEOUT_S for one in found)
        cells.append(f"{found[len(found) // 2]:8.3f} {found[-1]:8.3f} {lost:4}/{len(found)}")
    return " |".join(cells)


@contextlib.contextmanager
def server(folder: Path, root: Path, tls: Certificates | None) -> Iterator[int]:
    names = ("GUINOTE_TLS_CERT", "GUINOTE_TLS_KEY")
    values = ("", "") if tls is None else (str(tls.certificate), str(tls.key))
    os.environ.update(zip(names, values, strict=True))
    one = SlowServer("api.server.wiring:app()", folder, root)
    try:
        yield one.port
    finally:
        one.process.kill()
        one.process.wait()


class SlowServer(Server):
    """A server that is waited for by its port, over TLS too."""

    def _wait(self) -> None:
        for _ in range(600):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port)).close()
                time.sleep(3)
                return
            time.sleep(0.05)
        raise SystemExit("a server did not start")


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--connections", type=int, default=500)
    given.add_argument("--seconds", type=float, default=12)
    given.add_argument("--old", help="revision to be measured beside")
    given = given.parse_args()
    print(f"{'':34}{'another address: p50, max s, lost':>30} | the same address")
    with tempfile.TemporaryDirectory() as where, programs(given.old) as roots:
        made = write_certificate_files(Path(where) / "tls", ("127.0.0.1", "localhost"), now())
        trusted = ssl.create_default_context(cafile=made.root)
        for name, root in roots.items():
            for scheme, tls in (("http", None), ("https", made)):
                folder = Path(where) / name / scheme
                folder.mkdir(parents=True)
                kinds = KINDS if tls is None else {**KINDS, "handshakes": HANDSHAKE}
                with server(folder, root, tls) as port:
                    for kind, begun in kinds.items():
                        row = measured(port, begun, trusted if tls else None, given)
                        print(f"{name:10.10}{scheme:7}{kind:17}{row}", flush=True)


if __name__ == "__main__":
    main()
