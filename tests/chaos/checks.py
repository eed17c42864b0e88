"""What must be true after each fault, whatever it was."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from uuid import UUID

import psycopg
from click.testing import CliRunner

from api.cli.main import main
from api.monitoring.operators import TOKEN_VARIABLE
from referee.events import IncidentNoted
from referee.kinds import partida_id
from referee.log.mapper import CODEC
from tests.chaos.houses import ChaosHouse
from tests.chaos.writers import Writer
from tests.support.places import ROOT
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

CAUGHT_UP_S = 5.0
_EVERY_ROW = """SELECT position, originator_id, originator_version, topic, state
    FROM stored_events ORDER BY position"""


def assert_whole(house: ChaosHouse, writers: Sequence[Writer], *, within_s: float) -> float:
    """Assert it of resting writers; the seconds until every computer's views were caught up."""
    began = time.monotonic()
    for computer in house.computers:
        wait_for(lambda at=computer: lag(at) == 0, "views caught up", OSError, at_most_s=within_s)
    took = time.monotonic() - began
    positions = [row[0] for row in rows(house)]
    assert positions == list(range(1, len(positions) + 1)), "a gap in the log"
    for writer, numbers in zip(writers, recorded(house, writers), strict=True):
        assert not writer.wrong, writer.wrong
        assert numbers == list(range(1, writer.acknowledged + 1)), "lost or doubled"
    for computer in house.computers:
        _assert_verified(computer)
    return took


def recorded(house: ChaosHouse, writers: Sequence[Writer]) -> list[list[int]]:
    """The numbers of the acts of each writer that are in the log, in its order."""
    found: dict[UUID, list[int]] = {partida_id(one.encuentro, 1): [] for one in writers}
    for _, stream, version, name, state in rows(house):
        if UUID(stream) in found:
            act = CODEC.decode_row(UUID(stream), version, name, bytes(state))
            if isinstance(act.event, IncidentNoted):
                found[UUID(stream)].append(act.line)
    return list(found.values())


def rows(house: ChaosHouse) -> list[tuple[int, str, int, str, bytes]]:
    """Every row of the log, whatever release may read it."""
    is_file = isinstance(house.log, Path)
    with closing(sqlite3.connect(house.log) if is_file else psycopg.connect(house.log)) as log:
        return log.execute(_EVERY_ROW).fetchall()


def lag(computer: Served) -> int:
    """Events that the views of a computer lack; 0.1.0 reports nothing else."""
    watching = {"Authorization": f"Bearer {computer.settings[TOKEN_VARIABLE]}"}
    _, report = computer.ask("GET", "/readyz", None, watching)
    return int(report["parts"]["views"]["behind"] if "parts" in report else report["behind"])


def _assert_verified(computer: Served) -> None:
    """Assert that the program of a computer finds nothing in its house."""
    if computer.root == ROOT:
        output_of(computer, "verify")
        return
    kept, words = _settings(computer), ("--data", str(computer.folder), "verify")
    env = {**os.environ, **kept, "PYTHONPATH": str(computer.root)}
    command = [sys.executable, "-m", "api.cli", *words]
    subprocess.run(command, cwd=computer.root, env=env, check=True, capture_output=True)


def output_of(computer: Served, *words: str) -> str:
    """What a command of this program prints in the house of a computer; it has to succeed."""
    given = ("--data", str(computer.folder), *words)
    done = CliRunner().invoke(main, given, env=_settings(computer))
    assert done.exit_code == 0, done.output
    return done.output


def _settings(computer: Served) -> dict[str, str]:
    assert not [name for name in os.environ if name.startswith("GUINOTE_LOG")]
    return {name: value for name, value in computer.settings.items() if name.startswith("GUINOTE_")}
