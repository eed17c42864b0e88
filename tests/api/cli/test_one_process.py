"""A house in one process, as on Windows: requests, views and the notary are its threads."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.http.test_live_served import listen, may_listen
from tests.support.places import ROOT
from tests.support.servers.club_tables import Club, deal
from tests.support.servers.served import Served, is_taken
from tests.support.waiting import LONGEST_S, wait_for

SERVE = ("api.cli", "serve", "--one-process")
STREAMS = 3
BODY_LIMIT = 256 * 1024


def house(folder: Path) -> Served:
    served = Served(folder, GUINOTE_STREAMS=str(STREAMS), GUINOTE_THREADS="1")
    served.command = SERVE
    return served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    one = house(tmp_path / "data")
    one.start()
    try:
        yield one
    finally:
        one.kill_all()


def status_of(served: Served, body: bytes, **headers: str) -> int:
    connection = served.connection()
    try:
        connection.request("POST", "/api/v1/encuentros", body, headers)
        return int(connection.getresponse().status)
    finally:
        connection.close()


def test_what_was_recorded_is_there_after_kill_9(served: Served) -> None:
    club = Club(served)
    table = club.table("Pilar", "Joaquín", "Blanca", "Fermín")
    partida = club.partida(table, *deal("A1"))
    before = club.read(partida)
    assert served.children() == []
    wait_for((served.folder / "log.checkpoint").exists, "a signature of the notary")
    served.kill_all()
    served.start()
    assert club.read(partida) == before
    club.act(partida, {"kind": "card", "seat": "B1", "card": "AC"})
    assert club.read(partida)["version"] == before["version"] + 1


def test_streams_take_no_thread_from_requests_and_end_with_the_server(served: Served) -> None:
    listening = [listen(served) for _ in range(STREAMS + 2)]
    assert [status for status, _ in listening] == [200] * STREAMS + [503] * 2
    club = Club(served)
    club.table("Pilar", "Joaquín", "Blanca", "Fermín")  # a request beside them is answered
    first = listening[0][1].answer  # type: ignore[attr-defined]  # of ``listen``
    lines = iter(first.readline, b"")
    assert next(line for line in lines if b"Pilar" in line).startswith(b"data: ")
    listening[1][1].answer.close()  # type: ignore[attr-defined]  # as above
    listening[1][1].close()
    wait_for(lambda: may_listen(served), "the place of who has left")
    assert served.process is not None
    served.process.send_signal(signal.SIGTERM)
    assert served.process.wait(60) == 0
    for _, one in listening:
        one.close()


def test_a_body_that_is_too_large_is_refused_in_words(served: Served) -> None:
    asked = {"Authorization": f"Bearer {served.token}", "Idempotency-Key": "a-key-of-a-test"}
    asked |= {"Content-Type": "application/json"}
    assert status_of(served, b" " * (BODY_LIMIT + 1), **asked) == 413
    asked |= {"Content-Length": str(9 * BODY_LIMIT)}
    lines = ["POST /api/v1/encuentros HTTP/1.1", "Host: localhost"]
    lines += [f"{name}: {value}" for name, value in asked.items()]
    with socket.create_connection(("127.0.0.1", served.port), LONGEST_S) as sender:
        sender.sendall("\r\n".join([*lines, "", ""]).encode())  # it is refused by its head
        assert sender.recv(12) == b"HTTP/1.1 413"
    assert served.ask("GET", "/readyz")[0] == 200


def test_the_program_alone_opens_the_browser_and_a_second_start_only_shows_the_first(
    tmp_path: Path,
) -> None:
    pages = tmp_path / "pages"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {pages}\n')
    browser.chmod(0o700)
    served = house(tmp_path / "data")
    served.settings |= {"BROWSER": str(browser), "GUINOTE_ONE_PROCESS": "1"}
    served.command = ("api.cli",)
    try:
        served.start()
        wait_for(lambda: pages.exists() and pages.read_text(), "the browser")
        opened = pages.read_text()
        assert opened.startswith(f"http://127.0.0.1:{served.port}/alta#")  # of the first admin
        env = os.environ | served.settings
        env |= {"GUINOTE_DATA": str(served.folder), "GUINOTE_BIND": f"127.0.0.1:{served.port}"}
        second = subprocess.run([sys.executable, "-m", "api.cli"], cwd=ROOT, env=env)
        assert second.returncode == 0
        assert pages.read_text() == f"{opened}http://127.0.0.1:{served.port}/\n"
        assert served.ask("GET", "/livez")[0] == 200
    finally:
        served.kill_all()
    assert not is_taken(served.port)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--tls", "a.pem", "b.pem"), "a.pem cannot be read"),
        (("--bind", "127.0.0.1:{port}"), "{port}"),
    ],
)
def test_what_one_process_cannot_do_is_said_in_a_line(
    served: Served, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    given = [word.format(port=served.port) for word in words]
    command = [sys.executable, "-m", "api.cli", "--data", str(tmp_path / "other"), *SERVE[1:]]
    done = subprocess.run(
        [*command, "--no-notary", *given], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert said.format(port=served.port) in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
