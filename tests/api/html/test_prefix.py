"""A house below a prefix: every page of the demonstration leads only inside, and is otherwise the page of a house alone."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from tests.support.days import leave_midnight
from tests.support.demonstrated import demonstrated
from tests.support.html import Html
from tests.support.servers.http_table import HttpTable

PREFIX, HOST = "/mi-penya", "http://localhost"
MOST_OF_A_ROUTE = 3
"""Pages of one route that are read; others differ in their ids."""
ATTRIBUTES = ("href", "src", "action", "formaction", "data-src", "data-view", "data-cases")
OUTSIDE = re.compile(rf"localhost/(?!{PREFIX[1:]}/).{{0,40}}")
UNLIKE = re.compile(
    r'name="(?:key|new|waiting)" value="[^"]*"'  # of this form alone
    r'|<svg[^>]* class="segno">.*?</svg>'  # a QR code, of a whole address
    r"|(?m:^DTSTAMP:.*$)"
)
BEGUN = (
    "/",
    "/api/docs",
    "/api/openapi.json",
    "/arbitro/",
    "/arbitro/manifest.webmanifest",
    "/sala/",
)
WITHOUT_A_PAGE = re.compile(r"/salir$|/stream$|/changes$")


class Fault(NamedTuple):
    """What is wrong on a page."""

    page: str
    what: str


class Walk:
    """The way of a reader through all pages, each asked with the prefix and without it."""

    def __init__(self, app: Flask, headers: dict[str, str]) -> None:
        self.app, self.headers = app, headers
        self.known, self.read = set[str](), Counter[str]()
        self.faults: list[Fault] = []

    def go(self, *begun: str) -> None:
        """Read what is linked, and note what is wrong."""
        waiting = deque(begun)
        while waiting:
            if (path := waiting.popleft()) in self.known:
                continue
            self.known.add(path)
            route = self.route(path, "GET")
            if route is None:
                self.faults.append(Fault(path, "leads nowhere"))
            elif self.read[route] < MOST_OF_A_ROUTE and not WITHOUT_A_PAGE.search(route):
                self.read[route] += 1
                waiting.extend(self.linked(path))

    def route(self, path: str, method: str) -> str | None:
        """The route that answers, if there is one."""
        places = self.app.url_map.bind("localhost")
        try:
            found, _ = places.match(urlsplit(path).path, method, return_rule=True)
        except RequestRedirect as led:
            return self.route(led.new_url, method)
        except HTTPException:
            return None
        return str(found.rule)

    def ask(self, prefix: str, path: str) -> Any:
        client = self.app.test_client(use_cookies=False)
        return client.get(path, headers=self.headers, base_url=HOST + prefix)

    def linked(self, path: str) -> Iterator[str]:
        """Addresses on a page, without the prefix that each of them has."""
        answer, plain = self.ask(PREFIX, path), self.ask("", path.replace(PREFIX, ""))
        if answer.status_code != plain.status_code or answer.status_code >= 400:
            self.faults.append(Fault(path, f"{answer.status_code}, without: {plain.status_code}"))
            return
        if where := answer.headers.get("Location"):
            yield from self.inside(path, where)
        if answer.mimetype.startswith("text/"):
            self.compare(path, answer.text, plain.text)
        if answer.mimetype == "text/html":
            yield from self.links(path, Html(answer.text))

    def compare(self, path: str, text: str, plain: str) -> None:
        """Note what differs from the same page of a house alone, but for the prefix."""
        whole, alone = (
            text.replace("\r\n ", ""),
            plain.replace("\r\n ", ""),
        )  # long lines of a calendar
        if left_out := OUTSIDE.search(whole):
            self.faults.append(Fault(path, left_out[0]))
        bare = whole.replace(f' data-prefix="{PREFIX}"', "").replace(PREFIX, "")
        if UNLIKE.sub("", bare) != UNLIKE.sub("", alone):
            self.faults.append(Fault(path, "is another page than that of a house alone"))

    def links(self, path: str, page: Html) -> Iterator[str]:
        """Where links, files and forms of a page lead; each form is taken."""
        for name in ATTRIBUTES:
            for one in page.all(f"[{name}]"):
                found = [*self.inside(path, one.attributes[name] or "")]
                if one.tag == "form" and one.attributes.get("method") == "post":
                    missing = [at for at in found if self.route(at, "POST") is None]
                    self.faults += [Fault(path, f"no form for {at}") for at in missing]
                elif not is_for_others(one):
                    yield from found

    def inside(self, path: str, target: str) -> Iterator[str]:
        whole = urljoin(f"{HOST}{PREFIX}{path}", target).partition("#")[0]
        if whole.startswith(f"{HOST}{PREFIX}/") and PREFIX * 2 not in whole:
            yield whole.removeprefix(HOST + PREFIX)
        elif whole.startswith(HOST):
            self.faults.append(Fault(path, f"leads out: {target}"))


def is_for_others(one: Any) -> bool:
    """Whether a link is shown on another page only, as those of the verifier in a proof."""
    return bool(one.parent and one.parent.attributes.get("id") == "leading-on")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    leave_midnight()
    made = demonstrated(tmp_path_factory.mktemp("prefix"), is_league_public=True)
    yield made
    made.close()


@pytest.mark.parametrize(("who", "routes"), [("visitor", 70), ("arbiter", 95), ("admin", 130)])
def test_every_page_below_a_prefix_leads_only_inside(
    table: HttpTable, who: Any, routes: int
) -> None:
    walk = Walk(table.app, {} if who == "visitor" else table.signed_in(who))
    walk.go(*BEGUN)
    assert walk.faults == []
    assert len(walk.read) >= routes
