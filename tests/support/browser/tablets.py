"""Tablets in a real browser with a real server: the steps of an arbiter and the faults they meet.

Each test compares the log at the end."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from playwright.sync_api import Browser, BrowserContext, Page

from tests.support.browser.in_browser import described
from tests.support.browser.pages import (
    TABLET,
    WORKER_WAITS,
    connect,
    cut_off,
    kept_offline,
    sign_in,
)
from tests.support.servers.http_table import NAMES, SEATS
from tests.support.servers.served import Served

INSECURE = socket.gethostname().lower()
"""A name of this computer, which a browser does not trust without HTTPS, as on the network of a club."""
BY_NAME = f"--host-resolver-rules=MAP {INSECURE} 127.0.0.1"
STALE = 412
ENCUENTROS = "/api/v1/encuentros"
_FLAKY_NETWORK = """(() => {
  const real = window.fetch;
  window.lost = 0;
  window.sent = [];
  window.fetch = async (...asked) => {
    const isWrite = asked[1]?.method === "POST";
    if (isWrite) window.sent.push([asked[1].headers["Idempotency-Key"], asked[1].headers["If-Match"], asked[1].body]);
    const answer = await real(...asked);
    if (isWrite && window.lost > 0) {
      window.lost -= 1;
      throw new TypeError("the answer was lost on the way");
    }
    return answer;
  };
})()"""
_OPEN = """async (encuentro) => {
  const { openTable } = await import("/static/tablet/outbox/table.js");
  window.table = await openTable(encuentro);
  window.table.subscribe(() => {});
}"""


class Club:
    """A client of the server that is not a tablet; what it reads has its own last write in it."""

    def __init__(self, served: Served) -> None:
        self.served, self.token = served, served.token
        self._position = 0
        self._keys = itertools.count(1)

    def ask(self, method: str, path: str, body: Any = None, version: int | None = None) -> Any:
        """Send a request that must succeed."""
        status, answer = self.answer(method, path, body, version)
        assert status < 400, answer
        return answer

    def answer(
        self, method: str, path: str, body: Any = None, version: int | None = None
    ) -> tuple[int, Any]:
        """Send a request; returns any answer."""
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Idempotency-Key": f"club-{uuid4().hex}",
        }
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        if method == "GET":
            headers["Guinote-Position"] = str(self._position)
        status, answer = self.served.ask(method, path, body, headers)
        self._position = max(self._position, answer.get("position", 0))
        return status, answer

    def encuentro(self, partidas: int = 1, players: int = 4) -> str:
        """Id of a new encuentro with its players seated, and so many partidas begun."""
        seats = {seat: {"name": NAMES[seat]} for seat in SEATS[players]}
        body = {"profile": {"id": "club"}, "players": players, "seats": seats}
        found = str(self.ask("POST", ENCUENTROS, body)["id"])
        for number in range(partidas):
            self.ask("POST", f"{ENCUENTROS}/{found}/partidas", {}, 2 + number)
        return found

    def record(self, encuentro: str, *acts: dict[str, Any], number: int = 1) -> None:
        """Record acts as another device, at the current version."""
        path, status = f"{ENCUENTROS}/{encuentro}/partidas/{number}/acts", STALE
        while status == STALE:
            version = self.partidas(encuentro)[number - 1]["version"]
            status, answer = self.answer("POST", path, {"acts": list(acts)}, version)
        assert status < 400, answer

    def partidas(self, encuentro: str) -> list[dict[str, Any]]:
        """Everything that is recorded."""
        return list(self.ask("GET", f"{ENCUENTROS}/{encuentro}/entries")["partidas"])

    def log(self, encuentro: str, number: int = 1) -> list[str]:
        """What is recorded of a partida, in short."""
        return [short(one["act"]) for one in self.partidas(encuentro)[number - 1]["entries"]]


def short(act: dict[str, Any]) -> str:
    """An act in short: ``A1 3O``, ``-4`` for the withdrawal of line 4, a text, or its kind.

    >>> short({"kind": "card", "seat": "A1", "card": "3O"})
    'A1 3O'
    """
    match act:
        case {"kind": "card", "seat": seat, "card": card}:
            return f"{seat} {card}"
        case {"kind": "amend", "changes": [{"how": "withdraw", "line": line}]}:
            return f"-{line}"
        case _:
            return str(act.get("text") or act["kind"])


def played(*plays: str) -> list[dict[str, Any]]:
    """Acts of playing: ``"A1 3O"``."""
    return [{"kind": "card", "seat": seat, "card": card} for seat, card in map(str.split, plays)]


OPENED = [{"kind": "deal", "dealer": "B2"}, {"kind": "pinta", "card": "RO"}]


class Tablet:
    """A page of the tablet with a table open, driven through its outbox."""

    def __init__(self, context: BrowserContext, base: str, encuentro: str) -> None:
        self.context, self.base, self.encuentro = context, base, encuentro
        context.add_init_script(WORKER_WAITS)
        context.add_init_script(_FLAKY_NETWORK)
        self.page: Page = context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def open(self) -> Tablet:
        """The table comes up, with or without network."""
        self.page.goto(f"{self.base}/arbitro/#/mesa/{self.encuentro}")
        return self.look()

    def reload(self) -> Tablet:
        """The page is loaded again."""
        self.page.reload()
        return self.look()

    def look(self) -> Tablet:
        """The outbox of the page."""
        self.page.wait_for_selector("button.sync")
        self.page.wait_for_selector("main section.table", state="attached")
        self.page.evaluate(_OPEN, self.encuentro)
        return self

    def keep_offline(self) -> Tablet:
        """The worker of the page is there."""
        kept_offline(self.page)
        return self

    def record(self, *acts: dict[str, Any], number: int = 1) -> None:
        """Record acts one by one; they are stored when this returns."""
        for act in acts:
            self.page.evaluate("([n, act]) => table.record(n, [act])", [number, act])

    def do(self, script: str, given: Any = None) -> Any:
        """Something of the outbox."""
        return self.page.evaluate(script, given)

    def status(self) -> str:
        """The state in the bar."""
        return str(self.do("table.state().status"))

    def shown(self, number: int = 1) -> list[str]:
        """The partida on the tablet, in short; `?` after acts that the server does not have yet."""
        entries = self.do("(n) => table.state().partidas[n - 1].entries", number)
        return [short(one["act"]) + ("?" if one["queued"] else "") for one in entries]

    def aside(self) -> list[str]:
        """Acts that were set aside, in short."""
        commands = self.do("table.state().aside")
        return [short(act) for one in commands for act in one["acts"]]

    def wait(self, *statuses: str) -> str:
        """Wait until the state is one of these."""
        self.page.wait_for_function(
            "(statuses) => statuses.includes(table.state().status)", arg=list(statuses)
        )
        return self.status()

    def sent(self) -> Tablet:
        """Wait until the server has everything."""
        self.wait("sent", "insecure")
        return self

    def choose(self, choice: str) -> None:
        """A choice in the panel."""
        self.page.locator(f"dialog [data-choice={choice}]").click()

    def network(self, *, is_on: bool) -> None:
        """Switch the network off or on."""
        if is_on:
            connect(self.page)
        else:
            cut_off(self.page)


@contextmanager
def tablet(
    browser: Browser, served: Served, encuentro: str, *, host: str = "127.0.0.1", **settings: Any
) -> Iterator[Tablet]:
    """A tablet whose arbiter signed in."""
    context = browser.new_context(**{"locale": "es-ES", **TABLET, **settings})
    sign_in_at(context, served, host)
    found = Tablet(context, f"http://{host}:{served.port}", encuentro)
    with described(context):
        yield found.open()
        assert found.faults == []
    context.close()


def sign_in_at(context: BrowserContext, served: Served, host: str) -> None:
    """The arbiter signs in, under the name that the server has for them."""
    if host == "127.0.0.1":
        sign_in(context, served)
        return
    page = context.new_page()
    page.goto(f"http://{host}:{served.port}/entrar")
    page.fill("[name=token]", served.token)
    page.locator("form.token button").click()
    page.wait_for_url(f"http://{host}:{served.port}/")
    page.close()
