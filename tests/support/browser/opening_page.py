"""Opening a table by taps and keys in a browser, and what the server has of it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.browser.pages import TABLET, WORKER_WAITS, address, sign_in
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

ENCUENTROS = "/api/v1/encuentros"
NEW = "/arbitro/#/nueva"


class Club:
    """A club over HTTP, beside the tablet."""

    def __init__(self, served: Served) -> None:
        self.served, self._keys = served, 0

    def get(self, path: str) -> dict[str, Any]:
        status, answer = self.served.ask("GET", path, None, self._right())
        assert status == 200, answer
        return answer

    def post(self, path: str, body: Any, version: int | None = None) -> dict[str, Any]:
        self._keys += 1
        more = {} if version is None else {"If-Match": f'"{version}"'}
        key = {"Idempotency-Key": f"beside-{id(self)}-{self._keys}"}
        status, answer = self.served.ask("POST", path, body, self._right() | key | more)
        assert status < 300, answer
        return answer

    def _right(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.served.token}"}

    def tables(self) -> list[dict[str, Any]]:
        return list(self.get(f"{ENCUENTROS}?limit=200")["items"])

    def table(self, *names: str, partidas: int = 1, **more: Any) -> str:
        """Id of a table with these players, begun unless it shall not be, which the views have."""
        places = {2: ("A1", "B1"), 3: ("A1", "B1", "C1"), 4: ("A1", "B1", "A2", "B2")}[len(names)]
        seats = {seat: {"name": name} for seat, name in zip(places, names, strict=True)}
        body = {"profile": {"id": "club"}, "players": len(names), "seats": seats, **more}
        opened = last = self.post(ENCUENTROS, body)
        for _ in range(partidas):
            last = self.post(f"{ENCUENTROS}/{opened['id']}/partidas", {}, opened["version"])
        self.get(f"{ENCUENTROS}/{opened['id']}?wait={last['position']}")
        return str(opened["id"])

    def view(self, encuentro: str) -> dict[str, Any]:
        """A table that has begun, once the read side has it."""
        path = f"{ENCUENTROS}/{encuentro}"
        return wait_for(lambda: (view := self.get(path))["partidas"] and view, "a begun partida")

    def seated(self, encuentro: str) -> dict[str, str]:
        """Name at each seat."""
        view = self.view(encuentro)
        return {seat: view["names"][person] for seat, person in view["seats"].items()}


def on_tablet(browser: Browser, served: Served, **settings: Any) -> BrowserContext:
    """A browser that signed in."""
    context = browser.new_context(**{"locale": "es-ES", **TABLET, **settings})
    context.add_init_script(WORKER_WAITS)
    sign_in(context, served)
    return context


def at(page: Page, served: Served, path: str = NEW) -> Page:
    page.goto(address(served, path))
    return page


def typed(page: Page, *names: str) -> None:
    """Names by the keyboard, one after another."""
    for name in names:
        page.fill("#name", name)
        page.press("#name", "Enter")
    expect(page.locator("#name")).to_have_value("") if page.locator("#name").count() else None


def shown(page: Page) -> dict[str, str]:
    """Who sits where, as the page shows it."""
    found: dict[str, str] = page.eval_on_selector_all(
        "[data-place]",
        "all => Object.fromEntries(all.map(one =>"
        " [one.dataset.place, one.querySelector('.stool:not(.free) .name')?.textContent ?? '']))",
    )
    return {seat: name for seat, name in found.items() if name}


def opened(page: Page) -> str:
    """Id of the table that is open after the tap on the button.

    Where the same four sit at a table already, the page says so, and opens another by a second tap.
    """
    button, told = page.locator(".open .main"), page.locator(".open .note a")
    is_told = told.is_visible()
    button.click()
    while not is_told and "/mesa/" not in page.url:
        if told.is_visible():
            is_told = True
            button.click()
        page.wait_for_timeout(20)
    page.wait_for_url("**/arbitro/#/mesa/*")
    return page.url.rpartition("/")[2]
