"""Pages of a tournament of 512 pairs: what each costs the server, and what is sent.

A Swiss tournament with two rounds played and a knock-out with one, over a real gunicorn; pages are
asked for one after another, packed. Processor time of the server: other work may have the machine.

    python -m benchmarks.club.tournament_pages [--pairs 512] [--times 20]
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.club.tournament import Director
from benchmarks.server.acts import Server

SWISS = ("", "/clasificacion", "/rondas/2", "/parejas", "/pareja/400", "/imprimir/ronda")
KNOCK_OUT = ("/cuadro", "/cuadro?parte=3", "/imprimir/cuadro", "/cruces.csv")


def results(director: Director, chance: random.Random) -> None:
    for one in director.open_meetings():
        winner = director.winner(one["pairs"], chance)
        body = {"winner": winner, "cotos": [2, 1] if winner == one["pairs"][0] else [1, 2]}
        director.do(f"meetings/{one['id']}/result", "result", body)


def ask(director: Director, path: str) -> int:
    director.http.request("GET", path, headers={"Accept-Encoding": "gzip"})
    answer = director.http.getresponse()
    content = answer.read()
    if answer.status != 200:
        raise SystemExit(f"{path}: {answer.status}")
    return len(content)


def measure(server: Server, director: Director, paths: tuple[str, ...], times: int) -> None:
    home = director.path.replace("/api/v1/tournaments", "/torneos")
    moment = director.path.replace("/api/v1/", "/api/v1/public/")
    every = {path or "/": home + path for path in paths} | {"its moment": moment}
    for name, path in every.items():
        size = ask(director, path)
        worked, began = server.cpu_s(), time.perf_counter()
        for _ in range(times):
            ask(director, path)
        cost, waited = server.cpu_s() - worked, time.perf_counter() - began
        print(f"| `{name}` | {1000 * cost / times:.0f} ms | {1000 * waited / times:.0f} ms"
              f" | {size / 1000:.1f} KB |")  # fmt: skip


def begun(server: Server, token: str, plan: dict[str, Any], pairs: int) -> Director:
    director = Director(server, token)
    director.open(plan, pairs)
    return director


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--pairs", type=int, default=512)
    asked.add_argument("--times", type=int, default=20)
    args = asked.parse_args()
    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        server = Server("api.server.wiring:app()", folder)
        try:
            token = (folder / "data" / "owner.token").read_text().strip()
            swiss = begun(server, token, {"format": "swiss", "rounds": 5}, args.pairs)
            for _ in range(2):
                swiss.do("rounds", "round")
                results(swiss, chance)
            swiss.do("rounds", "round")
            measure(server, swiss, SWISS, args.times)
            plan = {"format": "knock_out", "has_consolation": True}
            knock_out = begun(server, token, plan, args.pairs)
            results(knock_out, chance)
            measure(server, knock_out, KNOCK_OUT, args.times)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
