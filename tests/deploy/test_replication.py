"""Copies while the house runs: Litestream beside SQLite, a standby of PostgreSQL."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from api.server.wiring import Files
from tests.support.places import ROOT
from tests.support.servers.one_log import new_log
from tests.support.servers.own_postgres import Server, found
from tests.support.waiting import wait_for

LITESTREAM = ROOT / "deploy" / "litestream.yml"
NO_LITESTREAM = "NO LITESTREAM: its file was read, and not run; install litestream"
PRIMARY = ROOT / "deploy" / "postgresql" / "primary.conf"
STANDBY_PORT = 5433


def test_litestream_copies_each_database_that_a_backup_has_and_no_key() -> None:
    read: dict[str, Any] = yaml.safe_load(LITESTREAM.read_text())
    where = Files(Path("/var/lib/guinote"))
    kept = [str(one) for one in (where.log, where.persons, where.keys)]
    assert [one["path"] for one in read["dbs"]] == kept
    assert all(one["replica"]["sync-interval"] == "1s" for one in read["dbs"])
    assert len({one["replica"]["url"] for one in read["dbs"]}) == len(kept)
    assert read["snapshot"]["retention"] == "168h"


def test_litestream_reads_its_file() -> None:
    program = shutil.which("litestream")
    if program is None:
        pytest.skip(NO_LITESTREAM)
    said = subprocess.check_output([program, "databases", "-config", LITESTREAM], text=True)
    assert said.count("/var/lib/guinote/") == 3


@pytest.fixture
def primary() -> Iterator[Server]:
    """A server that waits for a standby, as the page says; the standby is at another port."""
    binaries = found()
    if binaries is None:
        pytest.skip("NO POSTGRESQL: no standby was tried; install its server")
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        server = Server(binaries, Path(name))
        server.start()
        with psycopg.connect(server.address(), autocommit=True) as db:
            db.execute("CREATE ROLE replicator LOGIN REPLICATION")
            db.execute("SELECT pg_create_physical_replication_slot('standby_a')")
        source = f"host={name} user=replicator application_name=standby_a"
        options = ("--write-recovery-conf", "--slot=standby_a", "--checkpoint=fast")
        server.run("pg_basebackup", *options, "--pgdata", standby(server), f"--dbname={source}")
        port = f"-p {STANDBY_PORT}"
        server.run("pg_ctl", "-D", standby(server), "-o", port, "-l", f"{name}/log2", "-w", "start")
        with (server.data / "postgresql.conf").open("a") as conf:
            conf.write("\n" + PRIMARY.read_text())
        server.run("pg_ctl", "-D", server.data, "-l", server.folder / "log", "-w", "restart")
        yield server
        for folder in (standby(server), server.data):
            if (folder / "postmaster.pid").exists():
                server.run("pg_ctl", "-D", folder, "-m", "immediate", "-w", "stop")


def standby(server: Server) -> Path:
    return server.folder / "standby"


def test_a_standby_has_what_was_acknowledged_when_the_primary_is_gone(primary: Server) -> None:
    with psycopg.connect(primary.address(), autocommit=True) as db:
        states = "SELECT sync_state FROM pg_stat_replication WHERE application_name = 'standby_a'"
        wait_for(
            lambda: db.execute(states).fetchall() == [("quorum",)], "a standby that is waited for"
        )
    with closing(new_log(primary.address())) as referee:
        last = referee.log.position()
    primary.stop("immediate")
    primary.run("pg_ctl", "-D", standby(primary), "-w", "promote")
    there = f"{primary.address()}&port={STANDBY_PORT}"
    with psycopg.connect(there) as db:
        counted = db.execute("SELECT count(*), max(position) FROM stored_events").fetchone()
    assert counted == (last, last)
    assert last > 0
