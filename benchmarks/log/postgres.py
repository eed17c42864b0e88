"""Acts in either store, in turns of one run: a second, and what each costs the processor.

``python -m benchmarks.log.postgres [ROUNDS]`` starts a PostgreSQL of its own and prints a table.
Both stores lie on the same disk and pay the same flush; the server's processor time is counted.
"""

from __future__ import annotations

import os
import secrets
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from uuid import uuid4

from benchmarks.log.store import commands, meta
from referee.application import Referee
from referee.events import EncuentroOpened, FrozenProfile
from referee.kinds import partida_id
from referee.log.ports import Address
from referee.log.stores import create_tables
from tests.support.servers.own_postgres import Server, running

PARTIDAS = 8
ACTS = 100
WRITERS = 8
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
ALONE = ("acts a second", "CPU ms an act", "CPU ms an act, of the server")


def server_cpu_s(server: Server) -> float:
    """Seconds of processor that the server and all its backends have had."""
    total = 0.0
    for n, pid in enumerate(server.pids()):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += sum(map(int, fields[11 : 15 if n == 0 else 13])) * TICK_S
    return total


def opened(address: Address) -> Referee:
    create_tables(address)
    return Referee(address, salt=secrets.token_bytes, new_id=uuid4)


def partida(referee: Referee):
    one = referee.encuentros.open(EncuentroOpened(FrozenProfile("club", "1", "h", {})), meta()).id
    referee.encuentros.start_partida(one, meta())
    return partida_id(one, 1)


def played(referee: Referee, stream) -> list[float]:
    """Milliseconds of each act of a partida."""
    times = []
    for n, act in enumerate(commands()[:ACTS]):
        start = time.perf_counter()
        referee.encuentros.record_partida_acts(stream, [act], meta(f"{stream}{n}"), n)
        times.append((time.perf_counter() - start) * 1000)
    return times


def alone(address: Address, server: Server) -> dict[str, float]:
    """One writer: rate and cost."""
    referee = opened(address)
    streams = [partida(referee) for _ in range(PARTIDAS + 1)]
    played(referee, streams.pop())  # statements are prepared, pages are warm
    start, mine, its = time.perf_counter(), time.process_time(), server_cpu_s(server)
    for stream in streams:
        played(referee, stream)
    acts = PARTIDAS * ACTS
    figures = (
        acts / (time.perf_counter() - start),
        (time.process_time() - mine) * 1000 / acts,
        (server_cpu_s(server) - its) * 1000 / acts,
    )
    referee.close()
    return dict(zip(ALONE, figures, strict=True))


def crowd(address: Address) -> dict[str, float]:
    """Eight writers, each at a table of its own."""
    referee, times = opened(address), []
    streams = [partida(referee) for _ in range(WRITERS)]
    threads = [
        threading.Thread(target=lambda s=stream: times.extend(played(referee, s)))
        for stream in streams
    ]
    start = time.perf_counter()
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    took = time.perf_counter() - start
    referee.close()
    times.sort()
    return {
        f"{WRITERS} writers, acts a second": len(times) / took,
        f"{WRITERS} writers, p50 of an act, ms": times[len(times) // 2],
        f"{WRITERS} writers, p99 of an act, ms": times[len(times) * 99 // 100],
    }


def main(rounds: int = 5) -> None:
    """Print the table: the median, with the lowest and the highest round."""
    found: dict[tuple[str, str], list[float]] = {}
    with running() as server, tempfile.TemporaryDirectory() as folder:
        for n in range(rounds):
            for store in ("SQLite", "PostgreSQL"):

                def new(what: str, store=store, n=n) -> Address:
                    is_file = store == "SQLite"
                    return Path(folder) / f"{what}{n}.db" if is_file else server.new_address()

                for what, figure in {**alone(new("a"), server), **crowd(new("c"))}.items():
                    found.setdefault((what, store), []).append(figure)
    for (what, store), figures in sorted(found.items()):
        low, middle, high = min(figures), statistics.median(figures), max(figures)
        sys.stdout.write(f"{what:<36}{store:<12}{middle:>10,.2f} [{low:,.2f}-{high:,.2f}]\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
