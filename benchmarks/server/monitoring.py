"""What a line in the log, the counting and the id of a request cost an act.

Two houses in one process, one of them without all that, record each act in turns; the time is that
of the processor, and of each pair of acts the difference is taken. Lines go to ``/dev/null`` or to
a file (``--lines``).

    python -m benchmarks.server.monitoring [--acts 6000] [--lines FILE]
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
import uuid
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from api.server import wiring
from benchmarks.tables import partida


class House:
    """An application over a folder, and a client that keys in acts."""

    def __init__(self, folder: Path, *, is_observed: bool) -> None:
        self.app = wiring.app(folder, with_projector=False)
        log = self.app.extensions["guinote"]().referee.log
        if not is_observed:
            self.app.wsgi_app = self.app.wsgi_app._app  # noqa: SLF001 - what is inside it
            log.on_commit.clear()
            log.set_waiting_context(nullcontext)
        self.client = self.app.test_client()
        self.token = (folder / "owner.token").read_text().strip()
        self.queue: list[Any] = []

    def post(self, path: str, body: Any, version: int | None = None) -> Any:
        """Write; the answer."""
        headers = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": str(uuid.uuid4())}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        answer = self.client.post(path, json=body, headers=headers)
        assert answer.status_code in (200, 201), answer.text
        return answer.json

    def sit_down(self, seed: int) -> None:
        """Begin a partida."""
        asked = {"profile": {"id": "club"}, "players": 4, "deck": 40}
        opened = self.post("/api/v1/encuentros", asked)
        base = f"/api/v1/encuentros/{opened['id']}/partidas"
        self.post(base, {}, opened["version"])
        self.path, self.version, self.queue = f"{base}/1/acts", 0, list(partida(seed))

    def cpu_of_an_act(self, seed: int) -> float:
        """Record the next act; milliseconds of the processor."""
        if not self.queue:
            self.sit_down(seed)
        act = self.queue.pop(0)
        began = time.process_time()
        self.post(self.path, {"acts": [act]}, self.version)
        spent = time.process_time() - began
        self.version += 1
        return spent * 1000


def main() -> None:
    """Measure, and print the medians and what the difference is of an act."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--acts", type=int, default=6000)
    asked.add_argument("--lines", default=os.devnull)
    args = asked.parse_args()
    os.dup2(os.open(args.lines, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 2)
    with tempfile.TemporaryDirectory() as where:
        houses = {
            name: House(Path(where) / name, is_observed=name == "with")
            for name in ("with", "without")
        }
        times: dict[str, list[float]] = {name: [] for name in houses}
        for turn in range(args.acts):
            for name, house in random.sample([*houses.items()], 2):
                times[name].append(house.cpu_of_an_act(turn))
    for name, found in times.items():
        print(f"{name:10} {statistics.median(found):.3f} ms of the processor an act")
    more = statistics.median(
        one - other for one, other in zip(times["with"], times["without"], strict=True)
    )
    print(f"difference {more:.3f} ms: {more / statistics.median(times['without']):.1%} of an act")


if __name__ == "__main__":
    main()
