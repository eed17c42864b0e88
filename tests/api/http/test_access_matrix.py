"""Every role at every route: exactly what the tables of docs/operating/access.md allow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from api.server import wiring
from referee.events import AccessAct, AccessRevoked, DevicePaired, Role, RoleGranted
from referee.log.streams import WriteMetadata
from tests.support.places import ROOT
from tests.support.servers.http_table import HttpTable
from tests.support.servers.kept_apps import kept_table

PAGE = ROOT / "docs" / "operating" / "access.md"
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]*) \| `([^`]+)` \| ([^|]*) \|$", re.MULTILINE)
VALUES = {
    "week": "2026-11-23",
    **dict.fromkeys(("n", "c", "number", "line"), "1"),
    **dict.fromkeys(("holder", "offer", "sign_in", "token_id"), "0" * 16),
    **dict.fromkeys(("person_id", "partner_id", "pair_id"), "0" * 32),
    "webhook_id": "w" + "0" * 16,
    "lang": "es",
    "name": "20260101T000000Z.guinote",
    "task": "resultado",
    "profile_id": "club",
    "one_id": "club",
    "other_id": "guinyot",
    "seat": "A1",
    "pair": "1",
    "what": "parejas",
    "meeting": "main-1-0-1-2",
}


class Route(NamedTuple):
    rule: str
    method: str
    permission: str
    note: str


class Who(NamedTuple):
    """A caller: their role, and whether the table they are bound to is the one in the request."""

    name: str
    role: Role | None
    bound: str = ""
    is_device: bool = False


EVERYBODY = (
    Who("stranger", None),
    Who("revoked", None),
    *(Who(role, role) for role in ("admin", "director", "arbiter", "spectator")),
    Who("arbiter of a table", "arbiter", "here"),
    Who("device of an arbiter", "arbiter", "", is_device=True),
    *(
        Who(f"{role} {place}", role, place, is_device=True)
        for place in ("here", "there")
        for role in ("arbiter", "scorer", "spectator")
    ),
)
GRANT = re.compile(r"^\| `(\w+)`( of one table)? \| (account|device) \|(.*)\|$", re.MULTILINE)
ROLES: tuple[Role, ...] = ("admin", "director", "arbiter", "scorer", "spectator")


@cache
def routes() -> list[Route]:
    return [Route(*found) for found in ROW.findall(PAGE.read_text("utf-8"))]


@cache
def permissions() -> dict[str, set[str]]:
    """Permissions of each role, as the page has them."""
    text = PAGE.read_text("utf-8")
    lines = text[text.index("## Roles") : text.index("## Grants")].splitlines()
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
    head, _, *body = rows
    found: dict[str, set[str]] = {role: set() for role in head[1:]}
    for permission, *cells in body:
        for role, cell in zip(head[1:], cells, strict=True):
            if cell == "yes":
                found[role].add(permission)
    return found


class Site:
    """Two tables, and a client for everybody."""

    def __init__(self, table: HttpTable) -> None:
        self.table = table
        self.here, there = (self.table.encuentro().rpartition("/")[2] for _ in range(2))
        self.there = there
        self.table.partida(f"/api/v1/encuentros/{self.here}")
        self.clients = {who.name: self._client(who) for who in EVERYBODY}

    def _client(self, who: Who):
        client = self.table.app.test_client()
        site = self.table.app.extensions["guinote"]()
        meta = WriteMetadata("owner", "console", site.clock())
        if who.name == "stranger":
            return client
        holder = site.keys.new_holder_id()
        encuentro = {"": "", "here": self.here, "there": self.there}[who.bound]
        act: AccessAct = RoleGranted(holder, who.role or "admin", encuentro)
        if who.is_device:
            act = DevicePaired(holder, who.role or "admin", encuentro)
        site.referee.roles.record(act, meta)
        client.set_cookie(
            "guinote", site.keys.give_token("device" if who.is_device else "session", holder)
        )
        if who.name == "revoked":
            site.referee.roles.record(AccessRevoked(holder), meta)
        return client

    def decide(self) -> None:
        act = {"kind": "result", "winner": "A", "how": "concession"}
        partida = f"/api/v1/encuentros/{self.here}/partidas/1"
        answer = self.table.record(partida, 0, act)
        assert answer.status_code == 200, answer.text

    def status(self, who: Who, route: Route) -> int:
        """Status of the answer; 401 for a page that redirects to the sign-in form."""
        path = re.sub(r"<(\w+)>", lambda found: VALUES.get(found[1], self.here), route.rule)
        ours = {"Sec-Fetch-Site": "same-origin"}
        answer = self.clients[who.name].open(path, method=route.method, headers=ours)
        is_sent_away = answer.status_code == 302 and "/entrar" in answer.headers["Location"]
        return 401 if is_sent_away else int(answer.status_code)


@pytest.fixture(scope="module", params=["running", "decided"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    with kept_table(tmp_path_factory.mktemp(request.param)) as table:
        made = Site(table)
        if request.param == "decided":
            made.decide()
        yield request.param, made


def expected(who: Who, route: Route, state: str) -> str:
    """``open``, ``sign in`` or ``forbidden``, as the page says."""
    is_open = route.permission == "open" or "open unless hidden" in route.note
    if is_open or ("open when decided" in route.note and state == "decided"):
        return "open"
    if who.role is None:
        return "sign in"
    if route.permission not in permissions()[who.role]:
        return "forbidden"
    if who.is_device and "accounts only" in route.note:
        return "forbidden"
    if not who.bound or "own table only" in route.note:
        return "open"
    return "open" if who.bound == "here" and "<encuentro_id>" in route.rule else "forbidden"


def refused_as(status: int) -> str:
    return {401: "sign in", 403: "forbidden"}.get(status, "open")


def asked_routes(state: str = "running") -> Iterator[Route]:
    """Routes to ask at; once the partida is decided, those whose answer may depend on it."""
    for route in routes():
        if state == "decided" and "<encuentro_id>" not in route.rule:
            continue
        is_stream = route.rule.endswith("/stream")
        leaves = route.rule in ("/salir", "/static/<filename>")
        leaves = leaves or route.rule == "/cuenta/salida"
        own_token = route.rule.startswith("/api/v1/sign-ins/own")
        leaves = leaves or (own_token and route.method != "GET")
        by_secret = ("/entrar", "/alta", "/p", "/cuenta", "/cuenta/correo", "/contrasena")
        enters = route.method == "POST" and route.rule in by_secret
        again = ("/cuenta/segundo", "/cuenta/entradas")  # 403 without the password
        enters = enters or (route.method == "POST" and route.rule.startswith(again))
        if not (is_stream or leaves or enters):  # tests of their own
            yield route


@pytest.mark.parametrize("who", EVERYBODY, ids=lambda who: who.name)
def test_everybody_may_do_what_the_page_says_and_no_more(site, who: Who) -> None:
    state, made = site
    wrong = []
    for route in asked_routes(state):
        status = made.status(who, route)
        assert status < 500, (route, status)
        if refused_as(status) != expected(who, route, state):
            wrong.append((route.method, route.rule, status, expected(who, route, state)))
    assert wrong == []


@cache
def grants() -> dict[tuple[str, bool, str, str], set[str]]:
    """Where each role is granted, by who grants it, whether they are bound, and to what."""
    found = {}
    for role, bound, to, cells in GRANT.findall(PAGE.read_text("utf-8")):
        for granted, cell in zip(ROLES, cells.split("|"), strict=True):
            found[role, bool(bound), to, granted] = set(filter(None, cell.strip().split(", ")))
    return found


def is_granted(who: Who, to: str, role: Role, table: str) -> bool:
    """Whether the page says that somebody grants a role; ``table``: empty, ``here`` or ``there``."""
    if who.role is None or who.is_device:
        return False
    where = grants().get((who.role, bool(who.bound), to, role), set())
    if not table:
        return "club" in where
    return "table" in where or ("own table" in where and table == who.bound)


@pytest.mark.parametrize("site", ["running"], indirect=True)
@pytest.mark.parametrize("who", EVERYBODY, ids=lambda who: who.name)
def test_everybody_grants_what_the_page_says_and_no_more(site, who: Who) -> None:
    _, made = site
    wrong = []
    for to, path in (("account", "invitaciones"), ("device", "codigos")):
        for role in ROLES:
            for table, encuentro in (("", ""), ("here", made.here), ("there", made.there)):
                form = {"role": role, "encuentro": encuentro}
                ours = {"Sec-Fetch-Site": "same-origin"}
                answer = made.clients[who.name].post(f"/casa/{path}", data=form, headers=ours)
                if (answer.status_code == 200) != is_granted(who, to, role, table):
                    wrong.append((to, role, table, answer.status_code))
    assert wrong == []
    assert sum(map(bool, grants().values())) > 12


def test_no_route_is_left_out(tmp_path: Path) -> None:
    app = wiring.app(tmp_path, with_projector=False)
    there = {
        (re.sub(r"<(?:[^:<>]*:)?(\w+)>", r"<\1>", rule.rule), method)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert {(route.rule, route.method) for route in routes()} == there


def test_it_is_thousands_of_requests() -> None:
    asked = sum(len(list(asked_routes(state))) for state in ("running", "decided"))
    assert len(EVERYBODY) * asked > 2_000
