"""The projector as a process: it waits for a database, and ends in a line if a store is none."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from projections.runner.views import read_house_note
from referee.application import Referee
from tests.support.places import ROOT
from tests.support.servers.one_log import LATE, META, PARTIDA, new_log
from tests.support.servers.own_postgres import Server
from tests.support.waiting import wait_for


def projector(log: object, views: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "projections", str(log), str(views)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )


def recorded(log: str) -> int:
    """Position of the latest event of a log, which is made."""
    made: Referee
    with closing(new_log(log)) as made:
        made.encuentros.record_partida_acts(PARTIDA, [LATE], META)
        return made.position()


def test_it_waits_in_a_line_for_a_database_that_does_not_answer_yet(
    postgres: Server, tmp_path: Path
) -> None:
    address, views = postgres.new_address(), tmp_path / "views.sqlite"
    last = recorded(address)
    away = Path(tempfile.mkdtemp()) / "s"  # the path of a socket has 107 bytes at most
    process = projector(address.replace(str(postgres.folder), str(away)), views)
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        assert "it is tried again" in line
        away.symlink_to(postgres.folder)
        wait_for(lambda: read_house_note(views).position == last, "the views of the log")
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=60)[1] == ""
        assert process.returncode == 0
    finally:
        process.kill()
        shutil.rmtree(away.parent)


def test_a_store_that_is_none_ends_it_in_a_line_with_the_code_of_every_command(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log.sqlite"
    log.write_bytes(b"no database at all" * 100)
    said = projector(log, tmp_path / "views.sqlite")
    _, line = said.communicate(timeout=60)
    assert (said.returncode, line.count("\n"), str(log) in line) == (os.EX_DATAERR, 1, True)


def test_a_database_that_is_not_there_is_named_as_such(postgres: Server, tmp_path: Path) -> None:
    other = postgres.address().replace("/postgres?", "/nowhere?")
    said = projector(other, tmp_path / "views.sqlite")
    assert said.stderr is not None
    line = said.stderr.readline()
    said.kill()
    said.communicate()
    assert 'database "nowhere" does not exist' in line
