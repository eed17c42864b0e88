"""A ranking between clubs over HTTP, for the tests: run as its organiser runs it."""

from __future__ import annotations

import json
from typing import Any

from tests.support.servers.http_table import HttpTable, Response

RANKINGS = "/api/v1/rankings"


class HttpRanking:
    """A ranking, its version, and what is done to it."""

    def __init__(self, table: HttpTable, name: str = "Provincia") -> None:
        self.table = table
        opened = table.post(RANKINGS, {"name": name})
        assert opened.status_code == 201, opened.text
        self.path = str(opened.headers["Location"])
        self.id = self.path.rpartition("/")[2]
        self.home = f"/clasificaciones/{self.id}"
        self.version = opened.json["version"]

    def ask(self, *acts: dict[str, Any]) -> Response:
        return self.table.post(f"{self.path}/acts", {"acts": [*acts]}, self.version)

    def do(self, *acts: dict[str, Any]) -> Any:
        answer = self.ask(*acts)
        assert answer.status_code == 200, answer.text
        self.version = answer.json["version"]
        return answer.json

    def admit(self, name: str, file: str) -> str:
        """A club whose key was compared, with its first publication; returns its number."""
        key = json.loads(file)["key"]
        (club,) = self.do({"kind": "club_admit", "name": name, "key": key})["clubs"]
        self.take(club, file)
        return str(club)

    def take(self, club: str, file: str) -> Any:
        return self.do({"kind": "publication_take", "club": club, "file": file})

    def view(self) -> Any:
        found = self.table.get(self.path)
        assert found.status_code == 200, found.text
        return found.json

    def rows(self) -> dict[str, Any]:
        """Rows by the names of the person in their clubs."""
        every = self.view()["rows"]
        return {" + ".join(m["name"] or "…" for m in row["members"]): row for row in every}
