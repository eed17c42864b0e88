"""A league over HTTP, for the tests: run as its organiser runs it."""

from __future__ import annotations

from typing import Any

from tests.support.servers.http_table import HttpTable, Response

LEAGUES = "/api/v1/leagues"
DAYS = [f"2026-{month:02}-{day:02}" for month in range(1, 11) for day in (3, 10, 17, 24)]


def show_leagues_to(table: HttpTable, audience: str) -> None:
    """Choose who sees the leagues of a club: ``everybody``, or the ``club`` alone."""
    version = table.get("/api/v1/settings").json["version"]
    answer = table.post("/api/v1/settings", {"league_audience": audience}, version)
    assert answer.status_code == 200, answer.text


class HttpLeague:
    """A league, its version, and what is done to it."""

    def __init__(self, table: HttpTable, *teams: str, **more: Any) -> None:
        self.table = table
        opened = table.post(LEAGUES, {"name": "Liga de bares", **more})
        assert opened.status_code == 201, opened.text
        self.path = str(opened.headers["Location"])
        self.id = self.path.rpartition("/")[2]
        self.version = opened.json["version"]
        if teams:
            self.do(*({"kind": "team_enter", "name": name, "venue": name} for name in teams))

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

    def schedule(self, **more: Any) -> None:
        self.do({"kind": "matches_schedule", "days": DAYS, **more})

    def view(self) -> Any:
        found = self.table.get(self.path)
        assert found.status_code == 200, found.text
        return found.json

    def standings(self, division: int = 1) -> list[Any]:
        return self.view()["divisions"][division - 1]["standings"]

    def match(self, home: str, away: str) -> str:
        """Id of the match of two teams, at home with the first of them."""
        found = [one for each in self.view()["divisions"] for one in each["matches"]]
        return next(one["match"] for one in found if (one["home"], one["away"]) == (home, away))


def report(match: str, won: int, lost: int, **more: Any) -> dict[str, Any]:
    """The act that tells how many partidas the home team won and lost."""
    winners = ["home"] * won + ["away"] * lost
    told = [{"winner": one} for one in winners]
    return {"kind": "match_report", "match": match, "partidas": told, **more}
