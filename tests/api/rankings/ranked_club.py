"""A club that publishes, for the tests: its players, results, consents, and its signed file."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.api.roads.road_desk import RoadForms
from tests.support.proofs.signing import sign
from tests.support.servers.every_write import sent
from tests.support.servers.http_table import ENCUENTROS, HttpTable, Response

SEATS = ("A1", "B1", "A2", "B2")
KEYS = itertools.count(1)


class RankedClub:
    """A house in a folder of its own, with the hands of its admin and of its players."""

    def __init__(self, table: HttpTable, folder: Path) -> None:
        self.table, self.folder = table, folder
        self.people: dict[str, str] = {}
        self.addresses: dict[str, str] = {}

    def enrol(self, *names: str) -> None:
        for name in names:
            answer = sent(self.table, "/api/v1/players", {"name": name})
            self.people[name] = answer.json["players"][0]

    def play(self, day: str, a: tuple[str, str], b: tuple[str, str], winner: str = "A") -> str:
        """An encuentro of two pairs with its official result."""
        names = dict(zip(SEATS, (a[0], b[0], a[1], b[1]), strict=True))
        seats = {seat: {"person": self.people[name]} for seat, name in names.items()}
        body = {"profile": {"id": "club"}, "players": 4, "seats": seats, "date": day}
        where = str(sent(self.table, ENCUENTROS, body).headers["Location"])
        score = {"A": 2, "B": 0} if winner == "A" else {"A": 0, "B": 2}
        sent(self.table, f"{where}/result/scores", {"score": score, "by": {"name": "Juez"}}, where)
        return where

    def publish(self, choice: str = "published") -> None:
        sent(self.table, "/api/v1/publication", {"choice": choice})

    def sign(self) -> None:
        sign(self.folder, f"{self.folder.name}.example/mesas")

    def ask(self) -> Response:
        """The answer with the publication, to somebody without an account."""
        return self.table.client.get("/api/v1/publication")

    def file(self) -> str:
        """The publication, signed."""
        self.sign()
        answer = self.ask()
        assert answer.status_code == 200, answer.text
        return str(answer.text)

    @property
    def published(self) -> Any:
        return json.loads(self.file())

    # --- at a player's own address -----------------------------------------------------------

    def address(self, name: str) -> str:
        """The private address of a player, as the organiser gives it to them."""
        page = self.table.get(f"/jugadores/{self.people[name]}/direccion?lang=es").text
        found = re.search(r"/yo/([\w-]{38})", page)
        assert found, page
        return f"/yo/{found[1]}"

    def page(self, name: str) -> str:
        found = self.table.client.get(f"{self.address(name)}?lang=es")
        assert found.status_code == 200, found.text
        return str(found.text)

    def tell(self, who: str, kind: str, **fields: str) -> Response:
        """A form of a player's own page, sent without an account."""
        sent_form = {"kind": kind, "key": f"{next(KEYS):016}", **fields}
        return self.table.client.post(f"{self.address(who)}?lang=es", data=sent_form)

    def agree(self, *names: str, as_: Mapping[str, str] | None = None) -> None:
        for name in names:
            answer = self.tell(name, "agree", name=(as_ or {}).get(name, name))
            assert answer.status_code == 303, answer.text

    def codes(self, name: str) -> list[str]:
        """The codes that a player's page shows."""
        return re.findall(r'readonly value="([\w-]{64})"', self.page(name))

    def joints(self, name: str) -> list[str]:
        forms = RoadForms(self.page(name)).forms
        return [one["joint"] for one in forms if one.get("kind") == "part"]
