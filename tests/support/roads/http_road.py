"""A road to a final over HTTP, for the tests: run as its organiser runs it."""

from __future__ import annotations

from typing import Any

from tests.support.servers.http_table import HttpTable, Response
from tests.support.servers.http_tournament import HttpTournament

ROADS = "/api/v1/roads"


class HttpRoad:
    """A road, its version, and what is done to it."""

    def __init__(self, table: HttpTable, final: str, places: int) -> None:
        self.table = table
        body = {"name": "Camino a la final", "final": final, "places": places}
        opened = table.post(ROADS, body)
        assert opened.status_code == 201, opened.text
        self.path = str(opened.headers["Location"])
        self.id = self.path.rpartition("/")[2]
        self.version = opened.json["version"]

    def ask(self, *acts: dict[str, Any]) -> Response:
        return self.table.post(f"{self.path}/acts", {"acts": [*acts]}, self.version)

    def do(self, *acts: dict[str, Any]) -> Any:
        answer = self.ask(*acts)
        assert answer.status_code == 200, answer.text
        self.version = answer.json["version"]
        return answer.json

    def preview(self, *acts: dict[str, Any]) -> Any:
        answer = self.table.post(f"{self.path}/acts/preview", {"acts": [*acts]})
        assert answer.status_code == 200, answer.text
        return answer.json

    def view(self) -> Any:
        found = self.table.get(self.path)
        assert found.status_code == 200, found.text
        self.version = found.json["version"]
        return found.json

    def holding(self) -> list[str]:
        """First players of the pairs with a place, in the order of the road."""
        return holding(self.view())


def holding(view: Any) -> list[str]:
    """First players of the pairs with a place on a road."""
    entries = view["invitations"] + [one for q in view["qualifiers"] for one in q["entries"]]
    with_place = [one for one in entries if one["standing"] in ("by_right", "moved_up")]
    return [view["names"][one["players"][0]] for one in with_place]


def id_of(tournament: HttpTournament) -> str:
    return tournament.path.rpartition("/")[2]


def play_qualifier(table: HttpTable, bar: str, pairs: int = 4) -> HttpTournament:
    """A knock-out that is over: the lower number won, the players are named by the bar."""
    played = HttpTournament(table, 0, format="knock_out")
    played.do("pairs", {"pairs": [named_pair(bar, number) for number in range(1, pairs + 1)]})
    played.draw()
    played.play_open()
    played.do("closing")
    return played


def named_pair(bar: str, number: int) -> dict[str, Any]:
    return {
        "players": [{"name": f"Ana {bar}{number}"}, {"name": f"Blas {bar}{number}"}],
        "strength": 100 - number,
    }
