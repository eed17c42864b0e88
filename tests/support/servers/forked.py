"""Servers forked from one process that has read the program, so that a start takes no second.

The fork runs the real gunicorn, with its configuration, workers and projector. It only saves
importing the program, two to three seconds a start.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from email.utils import format_datetime
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from flask import Flask
from gunicorn import util
from gunicorn.app.wsgiapp import WSGIApplication
from gunicorn.workers import gthread as gthread
from setproctitle import setproctitle

import projections.process as projector
from api.server import application, side_processes, wiring
from tests.support.places import ROOT
from tests.support.servers.kept_apps import KeptApp
from tests.support.servers.passwords import hash_cheaply
from tests.support.waiting import has_input

GUNICORN = (
    "gunicorn",
    "-c",
    "gunicorn.conf.py",
    "--log-level",
    "critical",
    "api.server.wiring:app()",
)
MOMENT = "TESTS_MOMENT"
"""The moment that it always is in a forked server, if its environment names one; all seeds are alike then."""
WARMED = ("/", "/sala/", "/arbitro/", "/static/tablet/main.js")
"""Pages requested before the fork, to fill caches."""


class Forked:
    """A process that was forked: what the tests and the server use of ``subprocess.Popen``."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._watched = os.pidfd_open(pid)
        self._has_ended = False

    def poll(self) -> int | None:
        """None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended."""
        ended = self._ended(timeout)
        if ended is None:
            raise subprocess.TimeoutExpired("forked", timeout or 0)
        return ended

    def send_signal(self, number: int) -> None:
        """Signal it, if it runs."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._watched, number)

    def terminate(self) -> None:
        """Tell it to end."""
        self.send_signal(signal.SIGTERM)

    def _ended(self, timeout: float | None) -> int | None:
        if not self._has_ended:
            if not has_input(self._watched, timeout):
                return None
            self._has_ended = True
            os.close(self._watched)
        return 0


class ForkServer:
    """The process that others are forked from; it ends when its standard input does."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __spec__.name],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        atexit.register(self.close)

    def fork(self, environment: dict[str, str]) -> Forked:
        """A gunicorn with this environment."""
        asked, answered = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answered is not None
        asked.write(json.dumps(environment) + "\n")
        asked.flush()
        return Forked(int(answered.readline()))

    def close(self) -> None:
        """End it; what was forked goes on."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()


@cache
def fork_server() -> ForkServer:
    """The one of this process, started when it is first needed."""
    return ForkServer()


def _fork(run: Callable[[], Any]) -> int:
    """Process that runs this in a group of its own and ends."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        run()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0
    finally:
        os._exit(code)


def _prepared() -> None:
    """Prepare routes, schemas and templates once; a server sets its own services."""
    made: list[KeptApp] = []
    create_app = application.create_app

    def again(its_services: Any, its_owner: Any, unusable: Any) -> Flask:
        if not made:
            made.append(KeptApp(create_app, unusable))
        return made[0].use(its_services, its_owner)

    application.create_app = again
    with tempfile.TemporaryDirectory() as folder:
        app = wiring.app(folder, with_projector=False)
        for name in app.jinja_env.list_templates():
            if not name.startswith("lobby/"):  # of an application of its own
                app.jinja_env.get_template(name)
        token = (Path(folder) / "owner.token").read_text().strip()
        for path in WARMED:
            answer = app.test_client().get(path, headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code == 200, path
            assert "Content-Security-Policy" in answer.headers
        app.extensions["guinote"].close()
    gc.collect()
    gc.freeze()


def _serve(environment: dict[str, str]) -> None:
    """Be a gunicorn."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    silent = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(silent, number)
    os.environ.clear()
    os.environ.update(environment)
    random.seed()
    if MOMENT in environment:
        _stop_clock(datetime.fromisoformat(environment[MOMENT]))
    assert side_processes.subprocess is subprocess, "who starts the projector is elsewhere now"
    side_processes.subprocess = SimpleNamespace(
        Popen=_beside,
        PIPE=subprocess.PIPE,
        DEVNULL=subprocess.DEVNULL,
        TimeoutExpired=subprocess.TimeoutExpired,
    )
    sys.argv = list(GUNICORN)
    WSGIApplication("%(prog)s [OPTIONS] [APP_MODULE]").run()


def _stop_clock(moment: datetime) -> None:
    """Let it always be this moment for the services and in the answers, and each seed be the same."""
    wiring.now = lambda: moment  # type: ignore[assignment]  # of the same use
    wiring.secrets = SimpleNamespace(
        token_bytes=secrets.token_bytes, token_hex=lambda size: "5e" * size
    )
    util.http_date = lambda _=None: format_datetime(moment, usegmt=True)


PROJECTOR = "projections"


def _beside(command: list[str], *, stdin: int, stdout: int) -> Forked | subprocess.Popen[bytes]:
    """A projector forked in place of one that is started; what else is attached is started."""
    assert stdin == subprocess.PIPE
    if command[2] != PROJECTOR:
        return subprocess.Popen(command, stdin=stdin, stdout=stdout)
    its_end, our_end = os.pipe()

    def project() -> None:
        os.dup2(its_end, 0)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # the port, and the other end
        setproctitle(" ".join(command))
        projector.main(command[3:])

    forked = Forked(_fork(project))
    os.close(its_end)
    os.set_inheritable(our_end, False)
    return forked


def _main() -> None:
    """Fork a server for each line that comes."""
    _prepared()
    hash_cheaply()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        environment = json.loads(line)
        pid = _fork(lambda asked=environment: _serve(asked))
        with suppress(BrokenPipeError):
            print(pid, flush=True)


if __name__ == "__main__":
    _main()
