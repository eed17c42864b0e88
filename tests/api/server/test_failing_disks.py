"""A house on a disk that fails: what ends the start, what is served all the same, what heals.

The disks are real ones in memory, so these tests need the right to mount them.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers.served import Served
from tests.support.waiting import wait_for

DISK = "12m"


def _mounted(folder: Path) -> bool:
    asked = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)]
    return shutil.which("mount") is not None and subprocess.run(asked, check=False).returncode == 0


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if not _mounted(folder):
        pytest.skip("no right to mount a disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """A file that takes the last byte of a disk."""
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return filler


class Club:
    """A house on a disk, with a table at which acts are recorded."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.served = Served(folder, is_forked=True, **settings)
        self.served.start()
        asked = {"profile": {"id": "club"}, "players": 4, "seats": []}
        asked.pop("seats")
        _, self.opened = self.write("/api/v1/encuentros", asked)
        self.table = f"/api/v1/encuentros/{self.opened['id']}"

    def write(self, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, Any]]:
        key = {"Idempotency-Key": f"key-{random.random()}", **self.who, **headers}
        return self.served.ask("POST", path, {} if body is None else body, key)

    @property
    def who(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.served.token}"}

    def read(self, path: str) -> tuple[int, dict[str, Any]]:
        return self.served.ask("GET", path, None, self.who)

    def open_another(self) -> tuple[int, str]:
        status, said = self.write("/api/v1/encuentros", {"profile": {"id": "club"}, "players": 4})
        return status, said.get("code", "")


def until_full(club: Club) -> tuple[int, str]:
    """What writes are answered once the disk is full."""

    def refused() -> tuple[int, str] | None:
        answer = club.open_another()
        return None if answer[0] == 201 else answer

    return wait_for(refused, "a write that is refused")


def test_a_disk_that_is_full_refuses_writes_in_words_shows_all_and_heals(disk: Path) -> None:
    club = Club(disk / "data")
    try:
        assert club.read(club.table)[0] == 200
        filler = fill(disk)
        assert until_full(club) == (507, "disk_full")
        assert club.read(club.table)[0] == 200
        assert club.read("/api/v1/public/sala")[0] == 200
        filler.unlink()
        wait_for(lambda: club.open_another()[0] == 201, "a write that is recorded again")
    finally:
        club.served.kill_all()


@pytest.mark.parametrize("how", ["full", "read_only"])
def test_a_start_on_a_disk_that_takes_no_writes_shows_what_is_there_and_heals(
    disk: Path, how: str
) -> None:
    club = Club(disk / "data")
    club.served.process.terminate()
    club.served.process.wait()
    filler = fill(disk) if how == "full" else disk
    if how == "read_only":
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    club.served.start()
    try:
        assert club.read(club.table)[1]["id"] == club.opened["id"]
        code = {"full": (507, "disk_full"), "read_only": (503, "read_only")}[how]
        assert club.open_another() == code
        if how == "full":
            filler.unlink()
        else:
            subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        wait_for(lambda: club.open_another()[0] == 201, "a worker over the disk itself", OSError)
    finally:
        club.served.kill_all()
