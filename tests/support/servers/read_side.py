"""A read side for the log of ``one_log``, and a view that detects skipped events."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.projection import FoldedBatch, Projection
from projections.runner.runner import Runner
from projections.runner.views import Views
from referee.aggregates.commands import Record, Undo
from referee.application import Referee
from referee.events import ResultEntered, TimeCalled
from referee.log.ports import Address
from tests.support.servers.one_log import LATE, META, PARTIDA, new_log

IN_A_FILE = pytest.mark.parametrize("address", ["sqlite"], indirect=True)
"""For what is the same whatever store the log is in."""


class Tally(Projection):
    """A view that counts events in memory and detects skipped and repeated ones."""

    name = "tally"
    version = 1
    tables: Mapping[str, str] = {
        "tally": "CREATE TABLE tally (stream TEXT PRIMARY KEY, events INTEGER) WITHOUT ROWID"
    }
    indexes: Sequence[str] = ("CREATE INDEX tally_events ON tally (events)",)

    def __init__(self) -> None:
        self.kept: dict[str, int] = {}
        self.broken = 0

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        for logged in batch.events:
            stream = logged.recorded.originator_id.hex
            if stream not in self.kept:
                found = cursor.execute("SELECT events FROM tally WHERE stream = ?", (stream,))
                self.kept[stream] = (found.fetchone() or (0,))[0]
            self.kept[stream] += 1
            assert self.kept[stream] == logged.recorded.originator_version, "skipped or doubled"
        rows = [(stream, count) for stream, count in self.kept.items()]
        cursor.executemany("INSERT OR REPLACE INTO tally VALUES (?, ?)", rows)
        if self.broken:
            self.broken -= 1
            raise OSError("the disk is full")

    def clear_cache(self) -> None:
        self.kept = {}


def assert_rebuilt_like_live(log: LogReader, views: Views, path: Path) -> None:
    """Views rebuilt from a log in another file have every row of those that followed it."""
    live, again = views.dump(), Views(path, every_projection())
    Runner(log, again).rebuild(batch=11)
    assert again.dump() == live
    again.close()


def begin(address: Address, first_salt: int = 1) -> Referee:
    """A new log with an act in it."""
    referee = new_log(address, first_salt)
    referee.encuentros.record_partida_acts(PARTIDA, [LATE], META)
    return referee


class Side:
    """A read side with its own connections, as another process has it."""

    def __init__(
        self,
        address: Address,
        path: Path,
        *projections: Projection,
        batch: int = 500,
        interval_s: float = 0.01,
    ) -> None:
        self.log = LogReader(address)
        self.tally = Tally()
        self.views = Views(path, projections or (*every_projection(), self.tally))
        self.follower = Runner(self.log, self.views, batch=batch, interval_s=interval_s)

    def catch_up(self) -> int:
        total = 0
        while moved := self.follower.apply_next_batch():
            total += moved
        return total

    def close(self) -> None:
        self.views.close()
        self.log.close()


def record_much(referee: Referee, times: int = 20) -> None:
    for n in range(times):
        referee.encuentros.record_partida_acts(PARTIDA, [LATE, Record(TimeCalled())], META)
        if n % 5 == 0:
            referee.encuentros.record_partida_acts(PARTIDA, [Record(ResultEntered("A"))], META)
            referee.encuentros.record_partida_acts(PARTIDA, [Undo()], META)


@pytest.fixture
def referee(address: Address) -> Iterator[Referee]:
    opened = begin(address)
    yield opened
    opened.close()


@pytest.fixture
def side(address: Address, tmp_path: Path, referee: Referee) -> Iterator[Callable[..., Side]]:
    opened: list[Side] = []

    def make(name: str = "views.db", *projections: Projection, **settings: Any) -> Side:
        opened.append(Side(address, tmp_path / name, *projections, **settings))
        return opened[-1]

    yield make
    for one in opened:
        one.close()
