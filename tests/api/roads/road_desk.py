"""The desk of a road in the hands of its organiser: forms filled in and sent as a browser does."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser
from typing import Any

from tests.support.roads.http_road import HttpRoad
from tests.support.servers.http_table import HttpTable, Response


class RoadForms(HTMLParser):
    """The forms of a page: the fields that each sends by itself."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[dict[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append({})
        is_sent = tag in ("input", "select") and "name" in found and self.forms
        if is_sent and found.get("type") not in ("radio", "file"):
            self.forms[-1][found["name"]] = found.get("value", "")

    def of(self, kind: str, **fields: str) -> dict[str, str]:
        """The form of a kind with some values."""
        return next(
            one for one in self.forms if one.get("kind") == kind and fields.items() <= one.items()
        )


class RoadDesk:
    """The desk of a road."""

    def __init__(self, road: HttpRoad) -> None:
        self.table: HttpTable = road.table
        self.home = f"/caminos/{road.id}/direccion"

    def page(self, path: str = "") -> str:
        found = self.table.get(f"{path or self.home}?lang=es")
        assert found.status_code == 200, found.text
        return found.text

    def send(self, kind: str, which: dict[str, str] | None = None, **typed: Any) -> Response:
        """Fill in a form of the desk and send it."""
        return self.post({**RoadForms(self.page()).of(kind, **(which or {})), **typed})

    def upload(self, qualifier: str, text: str) -> Response:
        file = (io.BytesIO(text.encode()), "lista.json")
        return self.send("list_take", {"qualifier": qualifier}, file=file)

    def confirm(self, asked: Response) -> Response:
        """The form of a preview, sent; what it asks to be compared was."""
        assert asked.status_code == 200, asked.text
        (form,) = [one for one in RoadForms(asked.text).forms if "sure" in one]
        done = self.post(form)
        assert done.status_code == 303, done.text
        return done

    def post(self, form: dict[str, Any]) -> Response:
        answer = self.table.client.post(
            f"{self.home}?lang=es", data=form, headers=self.table.owner()
        )
        if waits := re.search(r"wait=(\d+)", answer.headers.get("Location", "")):
            self.table.position = max(self.table.position, int(waits[1]))
        return answer


def people_in(page: str, heading: str) -> list[str]:
    """Lines of the list under a heading of a preview, without their qualifiers."""
    found = re.search(rf"<h2>{heading}</h2><ul[^>]*>(.*?)</ul>", page)
    lines = re.findall(r"<li>(.*?)</li>", found[1]) if found else []
    return [line.partition(" (")[0] for line in lines]
