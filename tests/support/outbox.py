"""A table that is recorded through the outbox of the tablet, and a club that sees what arrives.

Each test compares the log at the end. The outbox runs in node against a real server; what only a
browser does (its database, two tabs, its pages) is in ``support.browser.tablets``.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from typing import Any, Self
from uuid import uuid4

from tests.support.javascript import HERE, NodePage
from tests.support.servers.cookies import cookie_of
from tests.support.servers.http_table import NAMES, SEATS
from tests.support.servers.served import Served

STALE = 412
ENCUENTROS = "/api/v1/encuentros"


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


class Outbox(ABC):
    """An open table, driven through its outbox."""

    encuentro: str

    @abstractmethod
    def do(self, script: str, given: Any = None) -> Any:
        """Something of the outbox, which scripts call ``table``."""

    @abstractmethod
    def wait_for(self, script: str, given: Any = None) -> None:
        """Wait until a script gives what is true."""

    @abstractmethod
    def network(self, *, is_on: bool) -> None:
        """Switch the network off or on."""

    @abstractmethod
    def reload(self) -> Self:
        """The page is loaded again."""

    def record(self, *acts: dict[str, Any], number: int = 1) -> None:
        """Record acts one by one; they are stored when this returns."""
        for act in acts:
            self.do("([n, act]) => table.record(n, [act])", [number, act])

    def amend(self, *changes: dict[str, Any], because: str = "") -> None:
        """Correct the first partida."""
        self.do("([changes, because]) => table.amend(1, changes, because)", [changes, because])

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
        self.wait_for("(statuses) => statuses.includes(table.state().status)", list(statuses))
        return self.status()

    def sent(self) -> Self:
        """Wait until the server has everything."""
        self.wait("sent", "insecure")
        return self


_NODE = (HERE / "node").as_uri()
_LOAD = f"""async ([encuentro, address, cookie, isNew]) => {{
  await import("{_NODE}/driven.mjs"); // it waits a tenth of the time
  const {{ forget, load, network, signIn, site }} = await import("{_NODE}/site.mjs");
  Object.assign(globalThis, {{ site, network }});
  site.address = address;
  if (isNew) {{
    Object.assign(site, {{ isOn: true, lost: 0, sent: [] }});
    forget();
    signIn(cookie);
  }}
  load("/arbitro/");
  const {{ openTable }} = await modules("/static/tablet/outbox/table.js");
  (await modules("/static/tablet/outbox/sending.js")).keepSending();
  globalThis.table = await openTable(encuentro);
  table.subscribe(() => {{}});
}}"""


class NodeTablet(Outbox):
    """The outbox of a tablet in node, whose arbiter signed in; it waits a tenth of the time.

    At first nothing is kept on it, nor lost on the way.
    """

    def __init__(self, node: NodePage, served: Served, encuentro: str) -> None:
        self.node, self.served, self.encuentro = node, served, encuentro
        self._load(is_new=True)

    def _load(self, *, is_new: bool) -> None:
        address = f"http://127.0.0.1:{self.served.port}"
        cookie = cookie_of(self.served) if is_new else ""
        self.do(_LOAD, [self.encuentro, address, cookie, is_new])

    def do(self, script: str, given: Any = None) -> Any:
        return self.node.evaluate(script, given)

    def wait_for(self, script: str, given: Any = None) -> None:
        try:
            self.node.wait_for(script, given)
        except AssertionError as error:
            raise AssertionError(f"{error}; there is: {self.do(_SEEN)}") from error

    def reload(self) -> Self:
        self._load(is_new=False)
        return self

    def network(self, *, is_on: bool) -> None:
        self.do("(isOn) => network(isOn)", is_on)

    def lose(self, answers: int) -> None:
        """The next answers to writes do not arrive."""
        self.do("(n) => { site.lost = n; }", answers)

    def undo(self) -> None:
        """Take back what the button of the table names."""
        self.do(_UNDO)

    def keys_sent(self) -> list[Any]:
        """Key, version and body of each write, in order."""
        return list(self.do("site.sent"))

    def conflict(self) -> dict[str, Any]:
        """What the arbiter chooses from.

        ``same``: ids of acts that both keyed alike; ``theirs``: acts that others recorded, in
        short; ``lost``: how many acts the server lost.
        """
        self.wait("conflict")
        self.wait_for("Boolean(table.state().queue[0]?.problem?.theirs)")
        found = dict(self.do(_CONFLICT))
        return {**found, "theirs": [short(act) for act in found["theirs"]]}

    def choose(self, how: str, **more: Any) -> None:
        """A choice of the arbiter; of a conflict, once there is something to choose from."""
        if self.wait("conflict", "refused") == "conflict":
            same = self.conflict()["same"]
            more = {"same": same, **more} if how == "both" else more
        assert self.do("(choice) => table.resolve(choice)", {"how": how, **more})


_SEEN = """() => {
  const { status, partidas, queue, since } = table.state();
  return JSON.stringify({ status, since, isOn: site.isOn, queue, partidas });
}"""
_UNDO = """async () => {
  const { latestLine } = await modules("/static/tablet/outbox/commands.js");
  const line = latestLine(table.state().partidas[0].entries);
  await table.amend(1, [{ line, how: "withdraw" }]);
}"""
_CONFLICT = """async () => {
  const { sameAs } = await modules("/static/tablet/outbox/resolving.js");
  const { queue } = table.state();
  const { theirs, lost } = queue[0].problem;
  const entries = theirs.record.partidas.flatMap((one) => one.entries.map(({ act }) => act));
  return { same: [...sameAs(queue, theirs).keys()], theirs: entries, lost: lost ?? 0 };
}"""
