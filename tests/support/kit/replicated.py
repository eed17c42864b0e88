"""A PostgreSQL with a synchronous standby at another port of the same folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.support.places import ROOT
from tests.support.servers.own_postgres import Server, started
from tests.support.waiting import wait_for

PRIMARY = ROOT / "deploy" / "postgresql" / "primary.conf"
STANDBY_PORT = 5433
_AT_ONCE = "wal_retrieve_retry_interval=100ms"
"""A standby asks a primary that was started again every five seconds, if it is not told."""


@contextmanager
def replicated(*listens_at: str, disks: Sequence[Path] = ()) -> Iterator[Server]:
    """A server that waits for its standby, as the page of ``deploy/`` says.

    ``listens_at``: addresses of this computer where both are asked, besides their sockets.
    ``disks``: empty folders for the files of the two, if each shall have a disk of its own.
    """
    with started(in_memory=True, disk=disks[0] if disks else None) as server:
        try:
            _listen(server, listens_at)
            if disks:
                server.put(standby(server), disks[1])
            _add_standby(server)
            yield server
        finally:
            for folder in (standby(server), server.data):
                if (folder / "postmaster.pid").exists():
                    server.run("pg_ctl", "-D", folder, "-m", "immediate", "-w", "stop")


def _listen(server: Server, addresses: Sequence[str]) -> None:
    """Let it take connections of a network at its next start."""
    with (server.data / "postgresql.conf").open("a") as conf:
        conf.write(f"\nlisten_addresses = '{','.join(addresses)}'\n")
    with (server.data / "pg_hba.conf").open("a") as rules:
        rules.writelines(f"host all all {one}/30 trust\n" for one in addresses)


def _add_standby(server: Server) -> None:
    with psycopg.connect(server.address(), autocommit=True) as db:
        db.execute("CREATE ROLE replicator LOGIN REPLICATION")
        db.execute("SELECT pg_create_physical_replication_slot('standby_a')")
    source = f"host={server.folder} user=replicator application_name=standby_a"
    how = ("--write-recovery-conf", "--slot=standby_a", "--checkpoint=fast")
    server.run("pg_basebackup", *how, "--pgdata", standby(server), f"--dbname={source}")
    start_standby(server)
    with (server.data / "postgresql.conf").open("a") as conf:
        conf.write("\n" + PRIMARY.read_text())
    server.run("pg_ctl", "-D", server.data, "-l", server.folder / "log", "-w", "restart")
    await_standby(server)


def start_standby(server: Server) -> None:
    """Start the standby, which does not run."""
    (standby(server) / "postmaster.pid").unlink(missing_ok=True)
    log, options = server.folder / "log2", f"-p {STANDBY_PORT} -c {_AT_ONCE}"
    server.run("pg_ctl", "-D", standby(server), "-o", options, "-l", log, "-w", "start")


def standby(server: Server) -> Path:
    """Its data folder."""
    return server.folder / "standby"


def await_standby(server: Server) -> None:
    """Wait until commits wait for the standby."""
    states = "SELECT sync_state FROM pg_stat_replication WHERE application_name = 'standby_a'"
    with psycopg.connect(server.address(), autocommit=True) as db:
        wait_for(lambda: db.execute(states).fetchall() == [("quorum",)], "a standby that is in use")


def promote(server: Server) -> None:
    """Let the standby take over; the primary has ended."""
    server.run("pg_ctl", "-D", standby(server), "-w", "promote")
