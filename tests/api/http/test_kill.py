"""gunicorn killed with -9 under load neither loses nor repeats an acknowledged write."""

from __future__ import annotations

import random
import threading
import time
import uuid

import pytest

from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from referee.events import IncidentNoted
from referee.kinds import partida_id
from tests.support.servers.long_runs import IS_LONG
from tests.support.servers.served import Served

WRITERS = 6
LOAD_S = 60 if IS_LONG else 6


class Writer(threading.Thread):
    """A tablet that sends each act until it is acknowledged, always under the same key."""

    def __init__(self, served: Served, stop: threading.Event) -> None:
        super().__init__()
        self.served, self.stop = served, stop
        self.acknowledged = 0
        self.replayed = 0
        self.wrong: list[object] = []
        self.headers = {"Authorization": f"Bearer {served.token}"}
        opened = self.post("/api/v1/encuentros", {"profile": {"id": "club"}, "players": 4})
        self.encuentro = str(opened["id"])
        self.post(f"/api/v1/encuentros/{self.encuentro}/partidas", None, opened["version"])

    def post(self, path: str, body: object, version: object = None) -> dict:
        headers = {**self.headers, "Idempotency-Key": str(uuid.uuid4())}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        while True:
            try:
                status, answer = self.served.ask("POST", path, body, headers)
            except OSError:
                time.sleep(0.02)
                continue
            if status in (200, 201):
                return answer
            if status not in (503, 500):
                self.wrong.append((status, answer))
                return answer
            time.sleep(0.02)

    def run(self) -> None:
        path = f"/api/v1/encuentros/{self.encuentro}/partidas/1/acts"
        act = {"acts": [{"kind": "incident", "incident": "late", "seat": "A1"}]}
        while not self.stop.is_set() and not self.wrong:
            answer = self.post(path, act, self.acknowledged)
            if not self.wrong:
                self.acknowledged += 1
                if answer["version"] != self.acknowledged:
                    self.wrong.append(answer)


@pytest.fixture
def served(tmp_path):
    found = Served(tmp_path / "data")
    found.start()
    yield found
    found.kill_all()


def test_kill_9_under_load_loses_nothing_and_doubles_nothing(served, tmp_path):
    stop, chance = threading.Event(), random.Random(101)
    writers = [Writer(served, stop) for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    end, kills = time.monotonic() + LOAD_S, 0
    while time.monotonic() < end or not all(one.acknowledged > 20 for one in writers):
        time.sleep(chance.uniform(0.2, 0.8))
        kills += 1
        if kills == 2:
            served.kill_projector()
        elif kills % 4:
            served.kill_worker()
        else:
            served.kill_all()
            served.start()
    stop.set()
    for writer in writers:
        writer.join(60)
    assert [writer.wrong for writer in writers] == [[]] * WRITERS
    assert all(writer.acknowledged > 20 for writer in writers)
    served.kill_all()
    log = LogReader(served.folder / "log.sqlite")
    for writer in writers:
        history = log.history(partida_id(uuid.UUID(writer.encuentro), 1), 2**40)
        lines = [r.line for r in history if isinstance(r.event, IncidentNoted)]
        assert lines == list(range(1, writer.acknowledged + 1))
        assert [r.originator_version for r in history] == list(range(1, len(history) + 1))
    _rebuilt_as_live(served, log, tmp_path)
    served.start()


def _rebuilt_as_live(served: Served, log: LogReader, tmp_path) -> None:
    dumps = []
    for path in (served.folder / "views.sqlite", tmp_path / "again.sqlite"):
        views = Views(path, every_projection())
        follower = Runner(log, views)
        while follower.apply_next_batch():
            pass
        dumps.append(views.dump())
        views.close()
    assert dumps[0] == dumps[1]
