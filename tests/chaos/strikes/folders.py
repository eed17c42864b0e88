"""Files of a data folder that are gone or damaged when a computer starts, and a full disk there."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path

from tests.chaos.houses import OneComputer, start_again
from tests.support.faults.small_disks import fill
from tests.support.servers.served import Served
from tests.support.waiting import LONGEST_S, wait_for

_PAGE, _PLACE = 8192, 40_960


def accounts_missing(house: OneComputer) -> None:
    """The accounts are gone: it is refused in words, nothing is made, and then they are back."""
    with _without(house, "access.sqlite"):
        assert _refused(house.computer)
        assert not (house.computer.folder / "access.sqlite").exists()


def key_missing(house: OneComputer) -> None:
    """The master key of the names is gone, and then it is back."""
    with _without(house, "persons.key"):
        assert _refused(house.computer)
        assert not (house.computer.folder / "persons.key").exists()


def log_page_damaged(house: OneComputer) -> str:
    """A page of the log is damaged when it starts: it is said, or refused; then it is as it was."""
    computer = house.computer
    _end(computer)
    log = computer.folder / "log.sqlite"
    with closing(sqlite3.connect(log)) as db:  # the journal would hide the page
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    was = log.read_bytes()[_PLACE : _PLACE + _PAGE]
    assert len(was) == _PAGE, "too few acts for a page to damage"
    _write(log, b"\xa5" * _PAGE)
    began = time.monotonic()
    try:
        computer.spawn()
        how = wait_for(lambda: _how_it_is_told(computer), "words of the damage", OSError)
        said = time.monotonic() - began
    finally:
        _end(computer)
        _write(log, was)
        computer.start()
    return f"{how} after {said:.1f} s"


def _how_it_is_told(computer: Served) -> str:
    """How a computer tells of a damaged log: by its end or in its readiness; empty: not yet."""
    assert isinstance(computer.process, subprocess.Popen)
    if (code := computer.process.poll()) is not None:
        assert code == os.EX_DATAERR, code
        return "refused"
    part = computer.ask("GET", "/readyz")[1].get("parts", {}).get("log", {})
    return "said by readiness" if part.get("status") == "failed" else ""


def _write(log: Path, page: bytes) -> None:
    with log.open("r+b") as file:
        file.seek(_PLACE)
        file.write(page)


def started_on_a_full_disk(house: OneComputer) -> str:
    """It starts where nothing can be written: pages are served; then there is room, and it starts."""
    computer, disk = house.computer, house.disk
    assert disk is not None
    _end(computer)
    filler = fill(disk.place)
    began = time.monotonic()
    computer.spawn()
    wait_for(lambda: _status(computer, "/reglas") == HTTPStatus.OK, "a page", OSError)
    served = time.monotonic() - began
    _end(computer)
    filler.unlink()
    start_again(computer)
    return f"a page after {served:.1f} s"


@contextmanager
def _without(house: OneComputer, name: str) -> Iterator[None]:
    """Every process ends; a file is away meanwhile, with its journal."""
    computer = house.computer
    _end(computer)
    files = sorted(computer.folder.glob(f"{name}*"))
    for file in files:
        file.rename(house.folder / f"away-{file.name}")
    yield
    for file in files:
        file.unlink(missing_ok=True)
        (house.folder / f"away-{file.name}").rename(file)
    computer.start()


def _refused(computer: Served) -> bool:
    """Whether it ends by itself, with a code that says what is missing."""
    computer.spawn()
    assert computer.process is not None
    return computer.process.wait(LONGEST_S) in (os.EX_CONFIG, os.EX_NOINPUT)


def _end(computer: Served) -> None:
    every = [Path(f"/proc/{pid}") for pid in computer.children()]
    computer.kill_all()
    wait_for(lambda: not any(one.exists() for one in every), "the end of every process")


def _status(computer: Served, path: str) -> int:
    """Status of a page; 0 while nothing answers."""
    try:
        connection = computer.connection()
        connection.request("GET", path)
        status = connection.getresponse().status
        connection.close()
    except OSError:
        return 0
    return status
