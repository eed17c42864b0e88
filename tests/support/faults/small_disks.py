"""Small disks in memory that can be filled; the right to mount is needed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.waiting import wait_for

SIZE = "12m"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, check=False).returncode:
        pytest.skip("no right to mount a disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def remount(disk: Path, how: str) -> None:
    """Let the disk take writes (``rw``), or none (``ro``)."""
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


def fill(disk: Path) -> Path:
    """A file that takes the last byte of a disk."""
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return filler


def first_refused(write: Any) -> tuple[int, str]:
    """Status and code of the first write that is refused: what the journal has room for is not."""

    def refused() -> tuple[int, str] | None:
        status, said = write()
        return None if status == 201 else (status, said["code"])

    return wait_for(refused, "a write that is refused")
