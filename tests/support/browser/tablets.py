"""Tablets in a real browser with a real server: the steps of an arbiter and the faults they meet.

Each test compares the log at the end."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.support.browser.in_browser import described
from tests.support.browser.pages import (
    TABLET,
    WORKER_WAITS,
    address,
    connect,
    cut_off,
    kept_offline,
    sign_in,
)
from tests.support.outbox import ENCUENTROS, OPENED, STALE, Club, Outbox, played, short
from tests.support.servers.served import Served

__all__ = ["ENCUENTROS", "OPENED", "STALE", "Club", "Tablet", "played", "short", "tablet"]

INSECURE = socket.gethostname().lower()
"""A name of this computer, which a browser does not trust without HTTPS, as on the network of a club."""
BY_NAME = f"--host-resolver-rules=MAP {INSECURE} 127.0.0.1"
_WATCHED_NETWORK = """(() => {
  const real = window.fetch;
  window.sent = [];
  window.fetch = async (...asked) => {
    const isWrite = asked[1]?.method === "POST";
    if (isWrite) window.sent.push([asked[1].headers["Idempotency-Key"], asked[1].headers["If-Match"], asked[1].body]);
    return real(...asked);
  };
})()"""
_OPEN = """async (encuentro) => {
  const { openTable } = await import(`${document.documentElement.dataset.prefix ?? ""}/static/tablet/outbox/table.js`);
  window.table = await openTable(encuentro);
  window.table.subscribe(() => {});
}"""


class Tablet(Outbox):
    """A page of the tablet with a table open, driven through its outbox."""

    def __init__(self, context: BrowserContext, base: str, encuentro: str) -> None:
        self.context, self.base, self.encuentro = context, base, encuentro
        context.add_init_script(WORKER_WAITS)
        context.add_init_script(_WATCHED_NETWORK)
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

    def do(self, script: str, given: Any = None) -> Any:
        """Something of the outbox."""
        return self.page.evaluate(script, given)

    def wait_for(self, script: str, given: Any = None) -> None:
        self.page.wait_for_function(script, arg=given)

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
    browser: Browser,
    served: Served,
    encuentro: str,
    *,
    host: str = "127.0.0.1",
    code: str = "",
    **settings: Any,
) -> Iterator[Tablet]:
    """A tablet whose arbiter signed in, or one that was paired with a code."""
    context = browser.new_context(**{"locale": "es-ES", **TABLET, **settings})
    if code:
        context.request.post(address(served, "/p"), form={"code": code}, max_redirects=0)
    else:
        sign_in_at(context, served, host)
    found = Tablet(context, f"http://{host}:{served.port}{served.prefix}", encuentro)
    with described(context):
        yield found.open()
        assert found.faults == [], found.faults
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
