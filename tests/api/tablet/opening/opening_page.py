"""Opening a table by taps and keys, in a browser or in node, and what the server has of it."""

from __future__ import annotations

from typing import Any

from tests.support.outbox import ENCUENTROS
from tests.support.outbox import Club as AnyClub
from tests.support.waiting import wait_for

NEW = "#/nueva"
SEATS = {2: ("A1", "B1"), 3: ("A1", "B1", "C1"), 4: ("A1", "B1", "A2", "B2")}
_SHOWN = """() => Object.fromEntries([...document.querySelectorAll("[data-place]")].map((one) =>
  [one.dataset.place, one.querySelector(".stool:not(.free) .name")?.textContent ?? ""]))"""


class Club(AnyClub):
    """A club over HTTP, beside the tablet."""

    def tables(self) -> list[dict[str, Any]]:
        return list(self.ask("GET", f"{ENCUENTROS}?limit=200")["items"])

    def persons(self) -> list[dict[str, Any]]:
        return list(self.ask("GET", "/api/v1/persons?limit=200")["items"])

    def table(self, *names: str, partidas: int = 1, **more: Any) -> str:
        """Id of a table with these players, begun unless it shall not be, which the views have."""
        seats = {seat: {"name": name} for seat, name in zip(SEATS[len(names)], names, strict=True)}
        body = {"profile": {"id": "club"}, "players": len(names), "seats": seats, **more}
        opened = self.ask("POST", ENCUENTROS, body)
        for _ in range(partidas):
            self.ask("POST", f"{ENCUENTROS}/{opened['id']}/partidas", {}, opened["version"])
        self.ask("GET", f"{ENCUENTROS}/{opened['id']}")
        return str(opened["id"])

    def end(self, encuentro: str, winner: str = "A") -> None:
        """End a table by a ruling, which the views have."""
        path = f"{ENCUENTROS}/{encuentro}"
        ruling = {"winner": winner, "because": "Se acabó."}
        self.ask("POST", f"{path}/rulings", ruling, self.view(encuentro)["version"])
        self.ask("GET", path)

    def view(self, encuentro: str) -> dict[str, Any]:
        """A table that has begun, once the read side has it."""
        path = f"{ENCUENTROS}/{encuentro}"
        return wait_for(
            lambda: (view := self.ask("GET", path))["partidas"] and view, "a begun partida"
        )

    def seated(self, encuentro: str) -> dict[str, str]:
        """Name at each seat."""
        view = self.view(encuentro)
        return {seat: view["names"][person] for seat, person in view["seats"].items()}


def typed(page: Any, *names: str) -> None:
    """Names by the keyboard, one after another."""
    field = page.locator("#name")
    for name in names:
        field.fill(name)
        field.press("Enter")
    if field.count():
        wait_for(lambda: not field.count() or field.input_value() == "", "the name is taken")


def shown(page: Any) -> dict[str, str]:
    """Who sits where, as the page shows it."""
    found: dict[str, str] = page.evaluate(_SHOWN)
    return {seat: name for seat, name in found.items() if name}


def opened(page: Any) -> str:
    """Id of the table that is open after the tap on the button.

    Where the same four sit at a table already, the page says so, and opens another by a second tap.
    """
    button, told = page.locator(".open .main"), page.locator(".open .note a")
    is_told = told.is_visible()
    button.click()
    if not is_told:
        wait_for(lambda: "/mesa/" in page.url or told.is_visible(), "a table, or that there is one")
        if told.is_visible():
            button.click()
    page.wait_for_url("**/arbitro/#/mesa/*")
    return str(page.url.rpartition("/")[2])
