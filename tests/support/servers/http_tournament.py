"""A tournament over HTTP, for the tests: directed as its owner directs it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.support.servers.http_table import HttpTable, Response

TOURNAMENTS = "/api/v1/tournaments"
MOST_AT_ONCE = 64


class HttpTournament:
    """A tournament, its version, and what is done to it."""

    def __init__(self, table: HttpTable, pairs: int = 8, **plan: Any) -> None:
        self.table = table
        body = {
            "name": "Torneo de San Roque",
            "place": "Casino",
            "date": "2026-11-21",
            "profile": {"id": "club"},
            "plan": plan,
        }
        opened = table.post(TOURNAMENTS, body)
        assert opened.status_code == 201, opened.text
        self.path = str(opened.headers["Location"])
        self.version = opened.json["version"]
        for start in range(1, pairs + 1, MOST_AT_ONCE):
            numbers = range(start, min(start + MOST_AT_ONCE, pairs + 1))
            self.do("pairs", {"pairs": [pair(number) for number in numbers]})

    def ask(self, what: str, body: Any = None, **more: Any) -> Response:
        return self.table.post(f"{self.path}/{what}", body, self.version, **more)

    def do(self, what: str, body: Any = None) -> Any:
        answer = self.ask(what, body)
        assert answer.status_code in (200, 201), answer.text
        self.version = answer.json["version"]
        return answer.json

    def view(self) -> Any:
        found = self.table.get(self.path)
        assert found.status_code == 200, found.text
        self.version = found.json["version"]
        return found.json

    def draw(self, seeded: int | None = None) -> None:
        pairs = len(self.view()["pairs"])
        self.do("draw", {"heads": pairs if seeded is None else seeded})
        self.do("lots")

    def open(self) -> list[Any]:
        """Meetings that are to be played."""
        rounds = self.view()["rounds"]
        return [one for drawn in rounds for one in drawn["meetings"] if one["winner"] is None]

    def win(self, meeting: Any, winner: str, **more: Any) -> None:
        cotos = [2, 1] if winner == meeting["pairs"][0] else [1, 2]
        self.do(f"meetings/{meeting['id']}/result", {"winner": winner, "cotos": cotos, **more})

    def play_open(self, wins: Callable[[Any], str] | None = None) -> None:
        """Play open meetings until none is left; by default the lower number wins."""
        while waiting := self.open():
            for one in waiting:
                self.win(one, wins(one) if wins else min(one["pairs"], key=int))

    def rounds(self, number: int) -> None:
        """So many rounds, drawn and played."""
        for _ in range(number):
            self.do("rounds")
            self.play_open()


def pair(number: int) -> dict[str, Any]:
    """A pair that enters, the stronger the lower its number."""
    return {
        "players": [{"name": f"Ana {number}"}, {"name": f"Blas {number}"}],
        "strength": 1000 - number,
    }


def decide(table: HttpTable, encuentro: str, side: str) -> None:
    """Partidas conceded to one side until the encuentro is decided."""
    while table.get(encuentro).json["decided"] is None:
        partida = table.partida(encuentro)
        act = {"kind": "result", "winner": side, "how": "concession"}
        assert table.record(partida, 0, act).status_code == 200


class Desk:
    """The desk of a tournament, whose forms are filled in and sent as a browser does."""

    def __init__(self, table: HttpTable, pairs: int = 4, **plan: Any) -> None:
        self.table = table
        self.run = HttpTournament(table, pairs, **(plan or {"format": "knock_out"}))
        self.path = self.run.path.replace("/api/v1/tournaments", "/torneos") + "/direccion"

    def get(self, more: str = "") -> Response:
        return self.table.get(f"{self.path}{more}")

    def send(self, more: str = "", **typed: Any) -> Response:
        version = {"version": str(self.run.view()["version"])}
        form = {"key": self.table.key().replace("-", "x") + "x" * 16, **version, **typed}
        return self.post(more, form)

    def post(self, more: str, form: dict[str, Any]) -> Response:
        path, owner = f"{self.path}{more}", self.table.owner()
        answer = self.table.client.post(path, data=form, headers=owner)
        if waits := re.search(r"wait=(\d+)", answer.headers.get("Location", "")):
            self.table.position = max(self.table.position, int(waits[1]))
        return answer

    def names(self) -> list[list[str]]:
        return [one["players"] for one in self.run.view()["pairs"]]


def wrong(answer: Response) -> str:
    found = re.search(r'<div class="wrong".*?</div>', answer.text, re.DOTALL)
    assert found, answer.text
    return re.sub(r"<[^>]+>", " ", found[0]).strip()
