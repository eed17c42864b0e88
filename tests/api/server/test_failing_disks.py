"""A house on a disk that fails: what is refused, what is shown all the same, what heals."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from api.server.data_folder import Files
from api.server.faults.start_check import check_stores_or_exit
from tests.support.faults.faulty_libc import FaultyLibc, why_none
from tests.support.faults.small_disks import disk, fill, first_refused, remount
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

__all__ = ["disk"]  # a fixture

CREATED = 201


class House:
    """A house on a disk, with a table."""

    def __init__(self, folder: Path, libc: FaultyLibc | None = None) -> None:
        given = libc.settings if libc else {}
        self.served = Served(folder, is_forked=libc is None, **given)
        self.served.start()
        _, self.opened = self.write()
        assert self.is_shown()  # the views have it, which are written too

    @property
    def who(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.served.token}"}

    def write(self) -> tuple[int, dict[str, Any]]:
        """Status and content of the answer to another table."""
        headers = {**self.who, "Idempotency-Key": f"key-{random.random()}"}
        asked = {"profile": {"id": "club"}, "players": 4}
        return self.served.ask("POST", "/api/v1/encuentros", asked, headers)

    def is_shown(self) -> bool:
        """Whether the table and the boards are."""
        return self.answers() == {200}

    def answers(self) -> set[int]:
        """Statuses of the answers for the table and the boards."""
        table = f"/api/v1/encuentros/{self.opened['id']}"
        asked = (table, "/api/v1/public/sala")
        return {self.served.ask("GET", path, None, self.who)[0] for path in asked}

    def records_again(self) -> None:
        wait_for(lambda: self.write()[0] == CREATED, "a write that is recorded", OSError)


def test_a_disk_that_is_full_refuses_writes_in_words_shows_all_and_heals(disk: Path) -> None:
    house = House(disk / "data")
    try:
        filler = fill(disk)
        assert first_refused(house.write) == (507, "disk_full")
        assert house.is_shown()
        filler.unlink()
        house.records_again()
    finally:
        house.served.kill_all()


def test_a_device_that_fails_is_answered_503_in_words_and_heals(tmp_path: Path) -> None:
    if missing := why_none():
        pytest.skip(f"no device can fail here: {missing}")
    libc = FaultyLibc(tmp_path)
    house = House(tmp_path / "data", libc)
    try:
        libc.tell(fails=True)
        assert first_refused(house.write) == (503, "unavailable")
        assert house.answers() <= {200, 503}
        assert house.served.ask("GET", "/readyz")[0] == 503
        libc.tell()
        house.records_again()
        assert house.is_shown()
    finally:
        house.served.kill_all()


def close_stores(folder: Path) -> None:
    """Leave no file beside a store: SQLite has to make them again before it can read."""
    for file in folder.glob("*.sqlite"):
        with closing(sqlite3.connect(file)) as db:
            db.execute("SELECT 1 FROM sqlite_schema").fetchone()
    assert not [*folder.glob("*-shm")]


def take_every_name(disk: Path) -> None:
    """No file can be made any more, though no byte is lacking."""
    remount(disk, f"rw,nr_inodes={sum(1 for _ in disk.rglob('*')) + 1}")


@pytest.mark.parametrize(
    ("how", "refused", "word"),
    [
        (fill, (507, "disk_full"), "make room on the disk"),
        (take_every_name, (507, "disk_full"), "make room on the disk"),
        (lambda disk: remount(disk, "ro"), (503, "read_only"), "mount the disk for writing"),
    ],
    ids=["full", "no_file_can_be_made", "read_only"],
)
def test_a_start_on_a_disk_that_takes_no_writes_shows_what_is_there_and_heals(
    disk: Path,
    how: Callable[[Path], object],
    refused: tuple[int, str],
    word: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    house = House(disk / "data")
    assert house.served.process is not None
    every = [Path(f"/proc/{pid}") for pid in house.served.children()]
    house.served.process.terminate()
    house.served.process.wait()
    wait_for(lambda: not any(one.exists() for one in every), "the end of every process")
    close_stores(disk / "data")
    how(disk)
    capsys.readouterr()
    check_stores_or_exit(Files(disk / "data"))
    (line,) = capsys.readouterr().err.splitlines()
    assert word in line
    assert "until then it can be read" in line
    house.served.start()
    try:
        assert house.is_shown()
        status, said = house.write()
        assert (status, said["code"]) == refused
        remount(disk, "rw,nr_inodes=0")
        (disk / "filler").unlink(missing_ok=True)
        house.records_again()
    finally:
        house.served.kill_all()


def test_views_that_are_damaged_while_serving_are_made_again(tmp_path: Path) -> None:
    house = House(tmp_path / "data")
    views = tmp_path / "data" / "views.sqlite"
    try:
        with views.open("r+b") as file:
            file.write(b"\xa5" * views.stat().st_size)
        aside = "views.sqlite.aside-*Z"
        shown = (house.write, house.is_shown)  # each change has the pages read again
        wait_for(lambda: [ask() for ask in shown] and [*views.parent.glob(aside)], "another file")
        assert house.is_shown()
    finally:
        house.served.kill_all()
