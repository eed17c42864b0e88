"""Time of the store: loading a partida, and durable appends against bare SQLite, in one run.

``python -m benchmarks.log.store`` prints a table. Rates depend on the time of a disk flush, so
compare the ratio to the bare insert, which needs the same flush.
"""

from __future__ import annotations

import random
import secrets
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from referee.aggregates.commands import PartidaCommand, Record
from referee.application import Referee
from referee.events import (
    CardDrawn,
    CardPlayed,
    DealStarted,
    EncuentroOpened,
    FrozenProfile,
    PintaTurned,
)
from referee.kinds import PARTIDA as PARTIDA_KIND
from referee.kinds import partida_id
from referee.log.durable import connect
from referee.log.sqlite.recorder import create_tables
from referee.log.streams import WriteMetadata

SEED = 3
DRAWN = 16
ROUNDS = 60
APPENDS = 1500
ENCUENTRO = UUID(int=1)
PARTIDA = partida_id(ENCUENTRO, 1)
SEATS = ("A1", "B1", "A2", "B2")
DECK = [rank + suit for suit in "OCEB" for rank in "A3RSC76542"]


def commands() -> list[PartidaCommand]:
    """Acts of a partida of two deals: every card played, every draw seen to be made."""
    chance = random.Random(SEED)
    acts: list[PartidaCommand] = []
    for _ in range(2):
        cards = chance.sample(DECK, len(DECK))
        pinta = cards.pop()
        acts += [Record(DealStarted("A1")), Record(PintaTurned(pinta))]
        for n, card in enumerate([*cards, pinta]):
            acts.append(Record(CardPlayed(SEATS[n % 4], card)))
            if n % 4 == 3 and n < DRAWN:
                acts += [Record(CardDrawn(seat)) for seat in SEATS]
    return acts


def meta(key: str = "") -> WriteMetadata:
    """Metadata of a write."""
    return WriteMetadata("bench", "bench", datetime.now(UTC), key, "body")


def opened(path: Path) -> Referee:
    """A store with one partida."""
    create_tables(path)
    referee = Referee(path, salt=secrets.token_bytes, new_id=uuid4)
    profile = FrozenProfile("club", "2026", "hash", {"players": 4})
    referee.encuentros.open(EncuentroOpened(profile), meta(), ENCUENTRO)
    referee.encuentros.start_partida(ENCUENTRO, meta())
    for command in commands():
        referee.encuentros.record_partida_acts(PARTIDA, [command], meta())
    return referee


def median_ms(task: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Middle of the times of a task, in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        task()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def load_rows(referee: Referee) -> list[tuple[str, float]]:
    """Loads of one partida, from the store and when its state is kept."""
    number = len(referee.history(PARTIDA))

    def load() -> object:
        return PARTIDA_KIND.extend_stream_or_none(None, referee.history(PARTIDA))

    return [
        (f"read and decode {number} events, ms", median_ms(lambda: referee.history(PARTIDA))),
        (f"load a partida of {number} events, ms", median_ms(load)),
        (
            "load it again when its state is kept, ms",
            median_ms(lambda: referee.encuentros.partida_by_id(PARTIDA)),
        ),
    ]


def rate(task: Callable[[int], object], number: int = APPENDS) -> float:
    """Runs a second of a task."""
    start = time.perf_counter()
    for n in range(number):
        task(n)
    return number / (time.perf_counter() - start)


def bare_insert(folder: Path) -> Callable[[int], object]:
    """One durable insert into a table of four columns, by SQLite alone."""
    file = connect(folder / "bare.db")
    file.execute("CREATE TABLE e (o TEXT, v INTEGER, t TEXT, s BLOB, UNIQUE (o, v))")
    state = b"x" * 150

    def insert(n: int) -> None:
        file.execute("BEGIN IMMEDIATE")
        file.execute("INSERT INTO e VALUES (?, ?, ?, ?)", ("stream", n, "CardPlayed.1", state))
        file.execute("COMMIT")

    return insert


def append_rows(folder: Path, path: Path, referee: Referee) -> list[tuple[str, float]]:
    """Durable appends of one act, in turn with a bare insert so that both see the same disk."""
    encuentros = [
        referee.encuentros.open(EncuentroOpened(FrozenProfile("club", "1", "h", {})), meta()).id
        for _ in range(APPENDS // 100)
    ]
    for one in encuentros:
        referee.encuentros.start_partida(one, meta())
    acts = commands()[:100]

    def append(n: int) -> None:
        stream = partida_id(encuentros[n // 100], 1)
        referee.encuentros.record_partida_acts(stream, [acts[n % 100]], meta(str(n)), n % 100)

    log, views = LogReader(path), Views(folder / "views.db", every_projection())
    follower = Runner(log, views)
    bare, application = rate(bare_insert(folder)), rate(append)
    start, done = time.perf_counter(), follower.rebuild()
    rebuilt = done / (time.perf_counter() - start)
    views.close()
    log.close()
    return [
        ("bare durable inserts a second", bare),
        ("acts recorded a second, with decision and receipt", application),
        ("ratio", application / bare),
        ("events a second into every view, rebuilding", rebuilt),
    ]


def crowd_rows(referee: Referee, threads: int = 16) -> list[tuple[str, float]]:
    """Sixteen writers, each at a table of its own."""
    times: list[float] = []

    def writer() -> None:
        profile = FrozenProfile("club", "1", "h", {})
        one = referee.encuentros.open(EncuentroOpened(profile), meta()).id
        referee.encuentros.start_partida(one, meta())
        for n, act in enumerate(commands()[:60]):
            start = time.perf_counter()
            referee.encuentros.record_partida_acts(partida_id(one, 1), [act], meta(f"{one}{n}"), n)
            times.append((time.perf_counter() - start) * 1000)

    crowd = [threading.Thread(target=writer) for _ in range(threads)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    times.sort()
    return [
        (f"{threads} writers, p50 of an act, ms", times[len(times) // 2]),
        (f"{threads} writers, p99 of an act, ms", times[len(times) * 99 // 100]),
    ]


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        referee = opened(folder / "log.db")
        rows = load_rows(referee)
        rows += append_rows(folder, folder / "log.db", referee)
        rows += crowd_rows(referee)
        referee.close()
    for what, figure in rows:
        sys.stdout.write(f"{what:<52}{figure:>12,.2f}\n")


if __name__ == "__main__":
    main()
