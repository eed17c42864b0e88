"""Two computers before one PostgreSQL: how soon a board at one shows an act made at the other.

Two gunicorns, each with a data folder, views and a projector of its own, over one log. Acts are
made at the first, one after another, and a board of the table is open at each of them. A delay
begins with the answer to an act and ends when the board has been sent the view that it changed.

    python -m benchmarks.server.two_computers [--acts 300]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from benchmarks.server.acts import Server, Tablet
from benchmarks.server.live import Boards, encuentro_of
from tests.support.servers import own_postgres

PAUSE_S = 0.15
"""A board is sent ten views a second at most; acts of people at a table come more slowly."""
PATIENCE_S = 5.0


def shown(board: Boards, written: float) -> float:
    """Milliseconds from an answer until the board had a view; it is waited for."""
    (times,) = board.came.values()
    while not times:
        if time.perf_counter() > written + PATIENCE_S:
            raise SystemExit("a board did not show an act")
        time.sleep(0.0005)
    return (times[0] - written) * 1000


def measured(tablet: Tablet, boards: dict[str, Boards], acts: int) -> dict[str, list[float]]:
    """Delays of each board. The pinta is turned and taken back in turn, so that views change."""
    delays: dict[str, list[float]] = {name: [] for name in boards}
    pinta = tablet.queue[1]
    tablet.call(tablet.path, {"acts": [tablet.queue[0]]}, 0)
    for number in range(acts):
        time.sleep(PAUSE_S)
        for board in boards.values():
            for times in board.came.values():
                times.clear()
        if number % 2:
            tablet.call(tablet.path.replace("/acts", "/undo"), {}, number + 1)
        else:
            tablet.call(tablet.path, {"acts": [pinta]}, number + 1)
        written = time.perf_counter()
        for name, board in boards.items():
            delays[name].append(shown(board, written))
    return delays


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--acts", type=int, default=300)
    acts = asked.parse_args().acts
    with own_postgres.running() as database, tempfile.TemporaryDirectory() as where:
        os.environ["GUINOTE_LOG"] = database.new_address()
        os.environ["GUINOTE_PERSONS_SECRET"] = os.urandom(32).hex()
        servers: list[Server] = []
        boards: dict[str, Boards] = {}
        try:
            for name in ("same", "other"):
                servers.append(Server("api.server.wiring:app()", Path(where, name)))
            token = Path(where, "same", "data", "owner.token").read_text("utf-8").strip()
            tablet = Tablet(servers[0].port, 0, token)
            tablet.sit_down()
            time.sleep(2)  # both have read the log
            path = f"/api/v1/public/encuentros/{encuentro_of(tablet)}/stream"
            for name, server in zip(("same", "other"), servers, strict=True):
                boards[name] = Boards(server.port, [path])
            show(measured(tablet, boards, acts))
        finally:
            for board in boards.values():
                board.close()
            for server in servers:
                server.stop()


def show(delays: dict[str, list[float]]) -> None:
    print(f"load {os.getloadavg()[0]:.1f}")
    for name, found in delays.items():
        found.sort()
        p50, p99 = found[len(found) // 2], found[int(len(found) * 0.99)]
        print(
            f"{name} computer: p50 {p50:.0f}, p99 {p99:.0f}, most {found[-1]:.0f} ms, {len(found)}"
        )


if __name__ == "__main__":
    main()
