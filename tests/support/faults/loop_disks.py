"""Disks of their own whose power can be cut: a file system on a loop device, which only root may have."""

from __future__ import annotations

import fcntl
import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.waiting import wait_for

KINDS: Final = {"ext4": ("-F", "-m", "0"), "xfs": ()}
"""Options of ``mkfs``."""
_SIZE: Final = 320 << 20
"""Bytes of a disk, which its file does not take at once; the least that xfs takes is 300 MB."""
_SHUTDOWN: Final = 0x8004587D
"""Control of ext4 and xfs that their own tests use to cut the power."""
_NO_FLUSH: Final = 2


class LoopDisk:
    """A mounted file system in a file. ``place``: where it is mounted."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.place, self._image = folder / "disk", folder / "image"
        self.place.mkdir(parents=True)
        with self._image.open("wb") as image:
            image.truncate(_SIZE)
        _run(f"mkfs.{kind}", "-q", *KINDS[kind], self._image)
        self.mount()

    def mount(self) -> None:
        """Mount it; what its journal holds is written first."""
        _run("mount", "-o", "loop", self._image, self.place)

    def unmount(self) -> None:
        """Unmount it, as soon as no process that was killed holds a file of it any more."""

        def is_unmounted() -> bool:
            words = ["umount", str(self.place)]
            return subprocess.run(words, capture_output=True, check=False).returncode == 0

        wait_for(is_unmounted, f"{self.place} unmounted")

    def cut(self) -> None:
        """Cut its power: what was not flushed is lost, and each access fails from now on."""
        place = os.open(self.place, os.O_RDONLY)
        try:
            fcntl.ioctl(place, _SHUTDOWN, struct.pack("I", _NO_FLUSH))
        finally:
            os.close(place)

    def close(self) -> None:
        """Unmount it whatever holds it; its device is given back with its last file."""
        words = ["umount", "--lazy", str(self.place)]
        subprocess.run(words, capture_output=True, check=False)
        self._image.unlink()


@contextmanager
def loop_disk(folder: Path, kind: str) -> Iterator[LoopDisk]:
    """A disk for as long as it is needed."""
    disk = LoopDisk(folder, kind)
    try:
        yield disk
    finally:
        disk.close()


def why_none(kind: str) -> str:
    """What is missing for such a disk; empty if nothing is."""
    if os.getuid() != 0:
        return "be root"
    if missing := [one for one in ("mount", f"mkfs.{kind}") if shutil.which(one) is None]:
        return f"install {' and '.join(missing)}"
    try:
        with tempfile.TemporaryDirectory() as name, loop_disk(Path(name), kind) as tried:
            tried.cut()
    except (subprocess.CalledProcessError, OSError) as error:
        return f"loop devices that can be mounted and cut ({error})"
    return ""


def _run(*words: object) -> None:
    subprocess.run([str(word) for word in words], check=True, capture_output=True)
