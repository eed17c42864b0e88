"""A tournament from entry to champion through HTTP: a real gunicorn, one result after another.

After each result the table is read, as soon as it holds that result. Who wins follows from the
strength, with some luck. Printed: how long a result takes, how long its table, how long a round.

    python -m benchmarks.club.tournament [--pairs 512] [--rounds 9] [--formats swiss knock_out]
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import tempfile
import time
import uuid
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.server.acts import Server

AT_ONCE = 64
TOURNAMENTS = "/api/v1/tournaments"


class Director:
    """A client that runs one tournament, and how long everything took."""

    def __init__(self, server: Server, token: str) -> None:
        self.http = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        self.token = token
        self.path, self.version, self.position = "", 0, 0
        self.took: dict[str, list[float]] = defaultdict(list)
        self.bytes = 0

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        text = None
        if method == "POST":
            headers |= {"Idempotency-Key": str(uuid.uuid4()), "If-Match": f'"{self.version}"'}
            headers["Content-Type"] = "application/json"
            text = json.dumps(body or {})
        else:
            headers["Guinote-Position"] = str(self.position)
        self.http.request(method, path, text, headers)
        answer = self.http.getresponse()
        content = answer.read()
        if answer.status not in (200, 201):
            raise SystemExit(f"{method} {path}: {answer.status} {content.decode()[:500]}")
        self.bytes = len(content)
        return json.loads(content)

    def timed(self, what: str, method: str, path: str, body: Any = None) -> Any:
        began = time.perf_counter()
        found = self.ask(method, path, body)
        self.took[what].append(time.perf_counter() - began)
        return found

    def do(self, what: str, name: str, body: Any = None) -> None:
        result = self.timed(name, "POST", f"{self.path}/{what}", body)
        self.version, self.position = result["version"], result["position"]

    def view(self, name: str = "read") -> Any:
        return self.timed(name, "GET", self.path)

    def open(self, plan: dict[str, Any], pairs: int) -> None:
        body = {"name": "Bench", "profile": {"id": "club"}, "plan": plan}
        opened = self.ask("POST", TOURNAMENTS, body)
        self.path = f"{TOURNAMENTS}/{opened['id']}"
        self.version = opened["version"]
        for start in range(0, pairs, AT_ONCE):
            numbers = range(start, min(start + AT_ONCE, pairs))
            entering = [
                {"players": [{"name": f"A{n}"}, {"name": f"B{n}"}], "strength": pairs - n}
                for n in numbers
            ]
            self.do("pairs", "64 entries", {"pairs": entering})
        self.do("draw", "commitment", {"heads": pairs // 8})
        self.do("lots", "draw")

    def play(self, chance: random.Random) -> None:
        """Every meeting that is open, and the table after each result."""
        waiting, result = self.open_meetings(), dict[str, str]()
        while waiting:
            for one in waiting:
                winner = self.winner(one["pairs"], chance)
                cotos = [2, chance.randint(0, 1)]
                body = {
                    "winner": winner,
                    "cotos": cotos if winner == one["pairs"][0] else cotos[::-1],
                }
                began = time.perf_counter()
                self.do(f"meetings/{one['id']}/result", "result", body)
                table = self.timed("table read", "GET", f"{self.path}/standings")
                self.took["result and its table"].append(time.perf_counter() - began)
                assert table["version"] == self.version, table["version"]
                result[one["id"]] = winner
            waiting = self.open_meetings()
        rounds = self.view()["rounds"]
        won = {one["id"]: one["winner"] for drawn in rounds for one in drawn["meetings"]}
        assert result.items() <= won.items()

    def open_meetings(self) -> list[dict[str, Any]]:
        rounds = self.view()["rounds"]
        return [one for drawn in rounds for one in drawn["meetings"] if one["winner"] is None]

    @staticmethod
    def winner(pairs: list[str], chance: random.Random) -> str:
        return min(pairs, key=lambda pair: int(pair) + chance.gauss(0, 100))


def run(server: Server, token: str, plan: dict[str, Any], pairs: int) -> None:
    director, chance = Director(server, token), random.Random(7)
    began, worked = time.perf_counter(), server.cpu_s()
    director.open(plan, pairs)
    if plan["format"] == "swiss":
        for _ in range(plan["rounds"]):
            director.do("rounds", "pairing of a round")
            director.play(chance)
    else:
        director.play(chance)
    view = director.view()
    size = director.bytes
    director.do("closing", "closing")
    spent = time.perf_counter() - began
    meetings = sum(len(drawn["meetings"]) for drawn in view["rounds"])
    print(
        f"{plan['format']}, {pairs} pairs: {meetings} results in {spent:.0f} s, champion"
        f" {view['champion']}, a view of {size // 1024} KB;"
        f" the server worked {1000 * (server.cpu_s() - worked) / meetings:.0f} ms a result"
    )
    print(f"{'':24}{'times':>7}{'median ms':>12}{'p99 ms':>10}{'most ms':>10}")
    for what, times in director.took.items():
        found = sorted(1000 * one for one in times)
        row = (found[len(found) // 2], found[int(len(found) * 0.99)], found[-1])
        print(f"{what:24}{len(found):>7}{row[0]:>12.1f}{row[1]:>10.1f}{row[2]:>10.1f}")


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--pairs", type=int, default=512)
    asked.add_argument("--rounds", type=int, default=9)
    asked.add_argument("--formats", nargs="+", default=["swiss", "knock_out"])
    args = asked.parse_args()
    plans = {
        "swiss": {"format": "swiss", "rounds": args.rounds},
        "knock_out": {"format": "knock_out", "has_consolation": True, "has_third_place": True},
        "round_robin": {"format": "round_robin"},
    }
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        server = Server("api.server.wiring:app()", folder)
        try:
            token = (folder / "data" / "owner.token").read_text().strip()
            for name in args.formats:
                run(server, token, plans[name], args.pairs)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
