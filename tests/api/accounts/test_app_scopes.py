"""Every operation with a token of every scope: what the page of access says, and no more."""

from __future__ import annotations

import re
from functools import cache

import pytest

from referee.aggregates.access import PERMISSIONS, SCOPES
from referee.events import Role, RoleGranted, Scope, TokenMade
from referee.log.streams import WriteMetadata
from tests.api.http.test_access_matrix import PAGE, VALUES, Route, asked_routes
from tests.support.servers.http_table import HttpTable
from tests.support.servers.kept_apps import kept_table

OURS = {"Sec-Fetch-Site": "same-origin"}
MAKERS: tuple[Role, ...] = ("admin", "arbiter")


@cache
def scopes() -> dict[str, set[str]]:
    """Permissions of each scope, as the page has them."""
    text = PAGE.read_text("utf-8")
    lines = text[text.index("## Tokens of apps") : text.index("## Routes")].splitlines()
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
    head, _, *body = rows
    found: dict[str, set[str]] = {scope: set() for scope in head[1:]}
    for permission, *cells in body:
        for scope, cell in zip(head[1:], cells, strict=True):
            if cell == "yes":
                found[scope].add(permission)
    return found


class Apps:
    """A table, and tokens of each scope of makers with each role: of the club, and of two tables."""

    def __init__(self, table: HttpTable) -> None:
        self.table = table
        self.here, self.there = (table.encuentro().rpartition("/")[2] for _ in range(2))
        table.partida(f"/api/v1/encuentros/{self.here}")

    def token(self, role: Role, scope: Scope, encuentro: str = "") -> str:
        here = self.table.app.extensions["guinote"]()
        maker, token = here.keys.new_holder_id(), here.keys.new_holder_id()
        meta = WriteMetadata("owner", "console", here.clock())
        here.referee.roles.record(RoleGranted(maker, "admin"), meta)
        act = TokenMade(token, (scope,), 30, encuentro)
        by_maker = WriteMetadata(maker, maker, here.clock())
        secret = str(here.admission.make_app_token(act, "App", "", by_maker))
        here.referee.roles.record(RoleGranted(maker, role), meta)
        return secret

    def status(self, token: str, route: Route) -> int:
        path = re.sub(r"<(\w+)>", lambda found: VALUES.get(found[1], self.here), route.rule)
        headers = {"Authorization": f"Bearer {token}", **OURS}
        answer = self.table.app.test_client().open(path, method=route.method, headers=headers)
        return int(answer.status_code)


@pytest.fixture(scope="module")
def apps(tmp_path_factory: pytest.TempPathFactory):
    with kept_table(tmp_path_factory.mktemp("apps")) as table:
        yield Apps(table)


def expected(route: Route, role: Role, scope: Scope, bound: str) -> str:
    """``open`` or ``forbidden``, as the page says."""
    if route.permission == "open" or "open unless hidden" in route.note:
        return "open"
    if not route.rule.startswith("/api/v1/"):
        return "forbidden"
    if route.permission not in scopes()[scope] & PERMISSIONS[role]:
        return "forbidden"
    if not bound or "own table only" in route.note:
        return "open"
    return "open" if bound == "here" and "<encuentro_id>" in route.rule else "forbidden"


@pytest.mark.parametrize("bound", ["", "here", "there"])
@pytest.mark.parametrize("role", MAKERS)
@pytest.mark.parametrize("scope", list(SCOPES))
def test_a_token_does_what_its_scope_and_the_role_of_its_maker_allow(
    apps: Apps, scope: Scope, role: Role, bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.http.access.guard.PACE._most", 10_000)
    token = apps.token(role, scope, {"": "", "here": apps.here, "there": apps.there}[bound])
    wrong = []
    for route in asked_routes():
        status = apps.status(token, route)
        assert status < 500, (route, status)
        is_refused = status in (401, 403)
        wanted = expected(route, role, scope, bound)
        if is_refused != (wanted == "forbidden"):
            wrong.append((route.method, route.rule, status, wanted))
        if is_refused and wanted == "forbidden" and status == 401:
            wrong.append((route.method, route.rule, status, "it is no wrong token"))
    assert wrong == []


def test_the_page_names_every_scope_and_every_permission() -> None:
    assert {scope: held - {"self"} for scope, held in scopes().items()} == {
        scope: set(held) for scope, held in SCOPES.items()
    }
    people = {"rulings:give", "appeals:decide", "access:manage", "persons:erase", "devices:pair"}
    assert not people & set().union(*scopes().values())
