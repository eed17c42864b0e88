"""A real gunicorn in its own process group, for requests and kills."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import signal
import socket
import ssl
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from api.server.certificates import TLS_VARIABLES, Certificates
from tests.support.places import ROOT
from tests.support.servers.forked import GUNICORN, Forked, fork_server
from tests.support.waiting import wait_for


def free_port() -> int:
    """A port that is free, below those that systems give to connections and to port 0.

    One of theirs may be taken by any connection until the server listens.
    """
    while True:
        port = 10_000 + secrets.randbelow(20_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def is_taken(port: int) -> bool:
    """Whether something answers at a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def command_of(pid: int) -> bytes:
    """Command line of a process; empty when it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


class Served:
    """gunicorn over a data folder; it may be killed and started again on the same port.

    ``is_forked``: started from a process that has read the program, where its start is not tested.
    ``prefix``: the path below which it is asked.
    ``inside``: words before its command, as those that run it in a namespace; ``host`` is there.
    """

    def __init__(
        self,
        folder: Path,
        tls: Certificates | None = None,
        *,
        is_forked: bool = False,
        **settings: str,
    ) -> None:
        self.folder, self.port, self.root = folder, free_port(), ROOT
        self.host, self.inside, self.prefix = "127.0.0.1", tuple[str, ...](), ""
        self.is_forked = is_forked
        self.settings, self.trusted = settings, None
        if tls is not None:
            self.settings |= dict(
                zip(TLS_VARIABLES, map(str, (tls.certificate, tls.key)), strict=True)
            )
            self.trusted = ssl.create_default_context(cafile=tls.root)
        self.process: subprocess.Popen[bytes] | Forked | None = None
        self.command: tuple[str, ...] = GUNICORN
        self.stderr: int | IO[bytes] = subprocess.DEVNULL

    def start(self) -> None:
        """Start it, and wait until it answers; an error at once if it ends instead."""
        self.spawn()
        wait_for(self._answers, "an answer", OSError)

    def _answers(self) -> bool:
        assert self.process is not None
        if (code := self.process.poll()) is not None:
            raise AssertionError(f"the server ended with {code}")
        return self.ask("GET", "/healthz")[0] == 200

    def spawn(self) -> None:
        """Start it, whether it will answer or not."""
        env = {
            **os.environ,
            "GUINOTE_DATA": str(self.folder),
            "GUINOTE_BIND": f"{self.host}:{self.port}",
            **self.settings,
        }
        if self.is_forked and self.root == ROOT:
            self.process = fork_server().fork(env)
        else:
            self.process = subprocess.Popen(
                [*self.inside, sys.executable, "-m", *self.command],
                cwd=self.root,
                env=env,
                start_new_session=True,
                stderr=self.stderr,
            )

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Status and content of an answer; retried while the read side is not ready."""

        def answer() -> tuple[int, dict[str, Any]] | None:
            status, content = self._ask_once(method, path, body, headers)
            return None if content.get("code") == "not_yet" else (status, content)

        return wait_for(answer, f"an answer to {method} {path}")

    def _ask_once(
        self, method: str, path: str, body: Any, headers: dict[str, str] | None
    ) -> tuple[int, dict[str, Any]]:
        connection = self.connection()
        try:
            given = {"Accept-Language": "es", **(headers or {})}
            text = None
            if body is not None:
                text, given["Content-Type"] = json.dumps(body), "application/json"
            connection.request(method, self.prefix + path, text, given)
            answer = connection.getresponse()
            content = answer.read()
            return answer.status, json.loads(content) if content else {}
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def connection(self) -> http.client.HTTPConnection:
        """A connection; over TLS it checks the certificate."""
        if self.trusted is None:
            return http.client.HTTPConnection(self.host, self.port, timeout=10)
        return http.client.HTTPSConnection(self.host, self.port, timeout=10, context=self.trusted)

    @property
    def token(self) -> str:
        return (self.folder / "owner.token").read_text().strip()

    def children(self) -> list[int]:
        """The projector and the workers."""
        assert self.process is not None
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children")
        return [int(child) for child in children.read_text().split()] if children.exists() else []

    def projectors(self) -> list[int]:
        return [pid for pid in self.children() if b"projections" in command_of(pid)]

    def workers(self) -> list[int]:
        beside = self.projectors()
        return [pid for pid in self.children() if pid not in beside]

    def kill_worker(self) -> None:
        for child in self.workers()[:1]:
            os.kill(child, signal.SIGKILL)

    def kill_projector(self) -> None:
        for child in self.projectors():
            os.kill(child, signal.SIGKILL)

    def kill_all(self) -> None:
        assert self.process is not None
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
