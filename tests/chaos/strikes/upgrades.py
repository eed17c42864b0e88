"""Computers that get another release, one after another, while the others serve."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import psycopg

from api.server.side_processes import SIGNING_VARIABLE
from referee.log.names import SINCE
from referee.release import release_as_number
from tests.chaos.checks import lag
from tests.chaos.houses import UpgradedComputers
from tests.chaos.strikes.lasting import LASTS_S
from tests.support.places import ROOT
from tests.support.servers.served import Served

ENDS_S: Final = 30.0
_EXITS_OF_FIRST: Final = (1, 3)
"""Its gunicorn ends by one or the other, as the second worker fails before or after."""


def first_beside_this(house: UpgradedComputers) -> None:
    """0.1.0 at the second computer, and this release at the first, to which names belong."""
    _replaced(house.computers[0], {SIGNING_VARIABLE: "off"})  # a command signs below
    time.sleep(LASTS_S)


def first_left_behind(house: UpgradedComputers) -> str:
    """This release names a notary; 0.1.0 does not notice before it is started again."""
    first, second = house.computers
    _run(first, "notary", "--once", "--new-key")
    assert _version(house) == release_as_number(SINCE["NotaryNamed.1"])
    time.sleep(LASTS_S)
    behind = lag(second)
    second.kill_all()
    _assert_refused(second, _EXITS_OF_FIRST, "tables of version")
    _replaced(second)
    return f"the older did not show the last {behind} events"


def later_beside_this(house: UpgradedComputers) -> None:
    """A later release at the second computer."""
    _replaced(house.computers[1], root=house.later)
    time.sleep(LASTS_S)


def this_left_behind(house: UpgradedComputers) -> str:
    """The later release records what this one cannot read: it ends, and is replaced too."""
    first, second = house.computers
    _run(second, "settings", "--time-zone", "Europe/Madrid")
    began = time.monotonic()
    assert first.process is not None
    first.process.wait(ENDS_S)
    took = time.monotonic() - began
    _assert_refused(first, (os.EX_CONFIG,), "install that release")
    _replaced(first, root=house.later)
    return f"the older ended after {took:.1f} s"


def _version(house: UpgradedComputers) -> int:
    """The release that a program has to be to read the log, as a number."""
    with psycopg.connect(house.log) as c:
        found = c.execute("SELECT version FROM log_head").fetchone()
    assert found is not None
    return int(found[0])


def _run(computer: Served, *words: str) -> None:
    """Run a command of the program of a computer over its house."""
    env = {**os.environ, **computer.settings, "PYTHONPATH": str(computer.root)}
    command = [sys.executable, "-m", "api.cli", "--data", str(computer.folder), *words]
    subprocess.run(
        command, cwd=computer.root, env=env, check=True, capture_output=True, timeout=2 * ENDS_S
    )


def _replaced(
    computer: Served, settings: dict[str, str] | None = None, *, root: Path = ROOT
) -> None:
    """Stop a computer as its operator does, and start it with another program."""
    if computer.process is not None and computer.process.poll() is None:
        computer.process.terminate()
        computer.process.wait(ENDS_S)
    computer.root = root
    computer.settings |= settings or {}
    computer.start()


def _assert_refused(computer: Served, codes: tuple[int, ...], line: str) -> None:
    """Assert that a start ends with one of these codes, and with a line that says why."""
    with (computer.folder / "refused").open("w+b") as said:
        computer.stderr = said
        computer.spawn()
        assert computer.process is not None
        found = computer.process.wait(ENDS_S)
        said.seek(0)
        text = said.read().decode()
    computer.stderr = subprocess.DEVNULL
    assert found in codes, (found, text)
    assert line in text, text
