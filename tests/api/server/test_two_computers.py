"""Two computers over one PostgreSQL: one notary signs, and every computer shows what it signed."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.servers.own_postgres import Server
from tests.support.servers.served import Served
from tests.support.waiting import wait_for


class Computers:
    """Two served computers of one house, each with a notary and a log of its stderr."""

    def __init__(self, folder: Path, address: str, stack: ExitStack) -> None:
        self.folder = folder
        self.secret = secrets.token_hex(32)
        self.address = address
        self.first, self.second = (self._started(name, stack) for name in ("first", "second"))

    def _started(self, name: str, stack: ExitStack) -> Served:
        served = Served(
            self.folder / name,
            is_forked=False,
            GUINOTE_LOG=self.address,
            GUINOTE_PERSONS_SECRET=self.secret,
            GUINOTE_SIGNING="on",
            GUINOTE_NOTARY=str(self.folder / f"{name}-keys"),
        )
        served.stderr = stack.enter_context((self.folder / f"{name}.log").open("wb"))
        served.start()
        stack.callback(served.kill_all)
        if name == "first":
            wait_for(lambda: shown(served, "checkpoint"), "the first checkpoint")
        return served


@pytest.fixture
def computers(tmp_path: Path, postgres: Server) -> Iterator[Computers]:
    with ExitStack() as stack:
        yield Computers(tmp_path, postgres.new_address(), stack)


def shown(served: Served, what: str) -> str:
    """What a computer shows of the notary: ``key`` or ``checkpoint``; empty if nothing yet."""
    connection = served.connection()
    try:
        connection.request("GET", f"/api/v1/log/{what}")
        answer = connection.getresponse()
        content = answer.read().decode()
        return content if answer.status == 200 else ""
    finally:
        connection.close()


def part(served: Served) -> dict[str, object]:
    found: dict[str, object] = served.ask("GET", "/readyz")[1]["parts"]["notary"]
    return found


def is_waiting(served: Served) -> dict[str, object]:
    """Its part, once a worker has found that its notary waits."""
    found = part(served)
    return found if "here" in found else {}


def test_what_one_computer_signs_is_shown_at_the_other_whose_notary_says_that_it_waits(
    computers: Computers,
) -> None:
    first, second = computers.first, computers.second
    assert shown(second, "checkpoint") == shown(first, "checkpoint") != ""
    assert shown(second, "key") == shown(first, "key")
    assert not list(first.folder.glob("log.*"))
    waiting = wait_for(lambda: is_waiting(second), "the second notary to say that it waits")
    assert (waiting["here"], waiting["status"]) == ("in_use", "ok")
    assert "here" not in part(first)
    assert not (computers.folder / "second-keys").exists()
    log = (computers.folder / "second.log").read_text("utf-8")
    assert log.count("the notary does not sign this log: in_use") == 1
    assert log.count("does not sign") == 1
    poster = second.connection()
    poster.request("GET", "/llave")
    page = poster.getresponse().read().decode()
    poster.close()
    assert shown(first, "key").strip() in page
