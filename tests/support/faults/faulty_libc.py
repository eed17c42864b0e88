"""A C library whose wall clock steps and whose disk fails while a server runs; a compiler is needed.

``python -m tests.support.faults.faulty_libc 2028-02-29T21:50Z COMMAND …`` runs a command, with all
that it starts, as if it were that moment: for tests, which must not depend on the day or the hour.

libfaketime does not do: it moves the monotonic clock as well, and where it is told not to, sleeping
fails with EINVAL.
"""

from __future__ import annotations

import mmap
import os
import shutil
import struct
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

SOURCE: Final = Path(__file__).with_suffix(".c")
_NUMBERS: Final = struct.Struct("3q")


def why_none() -> str:
    """What is missing for it; empty if nothing is."""
    return "" if shutil.which("cc") else "install a C compiler"


class FaultyLibc:
    """What the processes of a server are told. ``settings``: the environment they are started with."""

    def __init__(self, folder: Path) -> None:
        library, told = folder / "faulty_libc.so", folder / "told"
        words = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE)]
        subprocess.run(words, check=True)
        told.write_bytes(_NUMBERS.pack(0, 0, 0))
        with told.open("r+b") as file:
            self._told = mmap.mmap(file.fileno(), 0)
        self.settings = {"LD_PRELOAD": str(library), "FAULTY_LIBC": str(told)}

    def tell(self, *, ahead_s: int = 0, never_syncs: bool = False, fails: bool = False) -> None:
        """Let the wall clock be ahead, nothing be flushed, each access to the data folder fail."""
        self._told[:] = _NUMBERS.pack(ahead_s, never_syncs, fails)


def run_at(moment: datetime, command: list[str]) -> int:
    """Exit code of a command that is run at another moment."""
    with TemporaryDirectory() as folder:
        libc = FaultyLibc(Path(folder))
        libc.tell(ahead_s=round((moment - datetime.now(UTC)).total_seconds()))
        return subprocess.run(command, env={**os.environ, **libc.settings}, check=False).returncode


if __name__ == "__main__":
    sys.exit(run_at(datetime.fromisoformat(sys.argv[1]), sys.argv[2:]))
