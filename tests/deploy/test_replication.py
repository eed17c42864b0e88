"""Copies while the house runs: Litestream beside SQLite, a standby of PostgreSQL."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from api.server.data_folder import Files
from tests.support.kit.replicated import STANDBY_PORT, promote, replicated
from tests.support.places import ROOT
from tests.support.servers.one_log import new_log
from tests.support.servers.own_postgres import Server, found

LITESTREAM = ROOT / "deploy" / "litestream.yml"
NO_LITESTREAM = "NO LITESTREAM: its file was read, and not run; install litestream"


def test_litestream_copies_each_database_that_a_backup_has_and_no_key() -> None:
    read: dict[str, Any] = yaml.safe_load(LITESTREAM.read_text())
    where = Files(Path("/var/lib/guinote"))
    kept = [str(one) for one in (where.log, where.persons, where.accounts)]
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
    if found() is None:
        pytest.skip("NO POSTGRESQL: no standby was tried; install its server")
    with replicated() as server:
        yield server


def test_a_standby_has_what_was_acknowledged_when_the_primary_is_gone(primary: Server) -> None:
    with closing(new_log(primary.address())) as referee:
        last = referee.position()
    primary.stop("immediate")
    promote(primary)
    there = f"{primary.address()}&port={STANDBY_PORT}"
    with psycopg.connect(there) as db:
        counted = db.execute("SELECT count(*), max(position) FROM stored_events").fetchone()
    assert counted == (last, last)
    assert last > 0
