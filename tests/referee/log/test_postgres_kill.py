"""The database server is killed under load: no acknowledged act is lost or repeated."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import PersistenceError

from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from referee.application import Referee
from referee.events import EncuentroOpened
from referee.kinds import partida_id
from referee.log.stores import create_tables
from referee.log.streams import WriteMetadata
from tests.support.servers.one_log import LATE, META, NOW, PROFILE, assert_contiguous, new_referee
from tests.support.servers.own_postgres import Server, found, running
from tests.support.waiting import wait_for

WRITERS = 4
HEALED_S = 20
LOAD_S = 0.7


class Writer(threading.Thread):
    """A table that sends each act under one key until it is acknowledged."""

    def __init__(self, referee: Referee, stop: threading.Event) -> None:
        super().__init__()
        self.referee, self.stop = referee, stop
        encuentro = referee.encuentros.open(EncuentroOpened(PROFILE), META).id
        referee.encuentros.start_partida(encuentro, META)
        self.partida: UUID = partida_id(encuentro, 1)
        self.kept: list[int] = []
        self.errors = self.replayed = 0

    def run(self) -> None:
        while not self.stop.is_set():
            self.kept += self.recorded(WriteMetadata("owner", "tablet", NOW, uuid4().hex, "body"))

    def recorded(self, meta: WriteMetadata) -> tuple[int, ...]:
        while True:
            try:
                answer = self.referee.encuentros.record_partida_acts(self.partida, [LATE], meta)
            except PersistenceError:
                self.errors += 1
                time.sleep(0.02)
            else:
                self.replayed += answer.replayed
                return answer.lines


@pytest.fixture
def server(postgres: Server) -> Iterator[Server]:
    """A separate server, because it is killed."""
    assert found() is not None
    with running() as one:
        yield one


def healed(writers: list[Writer]) -> float:
    """Seconds until every writer had an act acknowledged again."""
    start, before = time.monotonic(), [len(writer.kept) for writer in writers]
    wait_for(
        lambda: all(len(w.kept) > kept + 1 for w, kept in zip(writers, before, strict=True)),
        "an act of every writer",
        at_most_s=HEALED_S,
    )
    return time.monotonic() - start


def test_a_server_killed_under_load_loses_nothing_acknowledged_and_doubles_nothing(
    server: Server, tmp_path: Path
) -> None:
    address = server.new_address()
    create_tables(address)
    referee, stop = new_referee(address), threading.Event()
    follower = Runner(LogReader(address), Views(tmp_path / "live.db", every_projection()))
    writers = [Writer(referee, stop) for _ in range(WRITERS)]
    took = []
    with follower.follow_in_thread():
        for writer in writers:
            writer.start()
        for end in (server.kill, server.stop, server.kill):
            time.sleep(LOAD_S)
            end()
            server.start()
            took.append(healed(writers))
        stop.set()
        for writer in writers:
            writer.join()
        with closing(Views(tmp_path / "live.db", every_projection())) as views:
            assert views.wait(referee.position(), 10)
    print("healed after", [round(one, 2) for one in took], "s")
    assert sum(writer.errors for writer in writers) > 0
    for writer in writers:
        assert writer.kept == list(
            range(1, referee.encuentros.partida_by_id(writer.partida).version + 1)
        )
        assert_contiguous(referee, writer.partida)
    referee.close()
    assert_positions_without_holes(address)
    assert_rebuilt_as_live(address, tmp_path)


def assert_positions_without_holes(address: str) -> None:
    with closing(LogReader(address)) as log:
        positions = [one.position for one in log.read_from(1, 10**6)]
    assert positions == list(range(1, len(positions) + 1))


def assert_rebuilt_as_live(address: str, folder: Path) -> None:
    dumps = []
    for name in ("live.db", "fresh.db"):
        with (
            closing(LogReader(address)) as log,
            closing(Views(folder / name, every_projection())) as views,
        ):
            follower = Runner(log, views)
            while follower.apply_next_batch():
                pass
            dumps.append(views.dump())
    assert dumps[0] == dumps[1]
