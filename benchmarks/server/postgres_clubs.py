r"""Clubs in PostgreSQL: connections of an installation, and waits of acts.

Every club is asked for a page, then ``--playing`` of them record an act each two seconds. It starts
a PostgreSQL of its own and an installation of two workers over it.

    python -m benchmarks.server.postgres_clubs [--clubs 100] [--playing 20] [--connections 20]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from http import HTTPStatus
from pathlib import Path

import psycopg

from api.server.clubs.birth import make_club
from api.server.clubs.folder import ClubsFolder
from api.server.clubs.schema import CONNECTIONS_VARIABLE
from api.server.data_folder import CLUBS_LOG_VARIABLE
from benchmarks.server.clubs import Table, play, quantiles
from tests.support.installation import Installation
from tests.support.servers import own_postgres

EVERY_S = 2.0
OURS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'guinote'"


class Watch(threading.Thread):
    """The connections that there are, looked at ten times a second."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self._address, self._over, self.counts = address, threading.Event(), list[int]()

    def run(self) -> None:
        with psycopg.connect(self._address, autocommit=True, application_name="watch") as c:
            while not self._over.wait(0.1):
                self.counts.append(c.execute(OURS).fetchone()[0])

    def most(self) -> int:
        """Most connections since this was asked last."""
        found, self.counts = max(self.counts), []
        return found

    def end(self) -> None:
        self._over.set()
        self.join()


def tables_of(server: Installation, names: list[str]) -> list[Table]:
    """A table in each of these clubs."""
    return [
        Table(server.port, number, server.club(name).token, f"{name}.localhost")
        for number, name in enumerate(names)
    ]


def take_more(database: own_postgres.Server, connections: int) -> None:
    """Have the server take so many connections."""
    database.stop()
    with (database.data / "postgresql.conf").open("a") as conf:
        conf.write(f"\nmax_connections = {connections}\n")
    database.start()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clubs", type=int, default=100)
    parser.add_argument("--playing", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--connections", type=int, default=20, help="of a process, at most")
    asked = parser.parse_args()
    with own_postgres.running() as database, tempfile.TemporaryDirectory() as made:
        address = f"postgresql://club@/postgres?host={database.folder}"
        take_more(database, 5 * asked.connections)
        os.environ |= {CLUBS_LOG_VARIABLE: address, CONNECTIONS_VARIABLE: str(asked.connections)}
        folder = ClubsFolder(Path(made))
        for number in range(asked.clubs):
            make_club(folder, f"club-{number}")
        server = Installation(folder.path, GUINOTE_WORKERS="2")
        server.start()
        watch = Watch(address)
        watch.start()
        try:
            for name in folder.names():
                status, text = server.club(name).page("/")
                assert status == HTTPStatus.OK, (name, status, text)
            print(f"{asked.clubs} clubs asked for a page: {watch.most()} connections at most")
            tables = tables_of(server, folder.names()[: asked.playing])
            waits = play(tables, EVERY_S, asked.seconds)
            print(f"{asked.playing} of them playing: {watch.most()} connections at most")
            print(f"waits of acts: {quantiles(waits)}")
            time.sleep(75)
            watch.most()
            time.sleep(2)
            print(f"a minute after the last request: {watch.most()} connections")
        finally:
            watch.end()
            server.kill_all()


if __name__ == "__main__":
    main()
