"""A Windows 10 of one test: a prefix of Wine, with the one library that Debian's Wine lacks."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import dev

STUB: Final = Path(__file__).parent / "process_prng.c"
MISSING: Final = "NO WINE: install wine and wine64, clang-16 and lld-16"


def why_none() -> str:
    """What is missing; root gets it from the distribution."""
    dev.install("wine", lambda: shutil.which("wine"), ("wine", "wine64"))
    dev.install("clang", dev.compiler, ("clang-16", "lld-16"))
    return "" if shutil.which("wine") and dev.compiler() else MISSING


class Prefix:
    """A prefix in a folder. ``inside``: words before its commands, as those of a namespace.

    Its own server makes the sockets of all its programs, so each of them runs there.
    """

    def __init__(self, folder: Path, *inside: str) -> None:
        self.folder, self.wine = folder, (*inside, "wine")
        self.env = {**os.environ, "WINEPREFIX": str(folder), "WINEDEBUG": "-all"}
        self.env |= {"WINEDLLOVERRIDES": "mscoree,mshtml=", "DISPLAY": ""}
        self.run("wineboot", "-u")
        self.run("reg", "add", r"HKCU\Software\Wine", "/v", "Version", "/d", "win10", "/f")
        system = folder / "drive_c" / "windows" / "system32"
        shutil.copy(_random_bytes(folder), system / "bcryptprimitives.dll")

    @property
    def local(self) -> Path:
        """%LOCALAPPDATA%."""
        (found,) = self.folder.glob("drive_c/users/*/AppData/Local")
        return found

    def run(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run a program to its end; its output is a pipe, and its input stays open."""
        with subprocess.Popen(
            [*self.wine, *words],
            cwd=cwd,
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as started:
            assert started.stdout
            said = started.stdout.read().decode(errors="replace")
        return subprocess.CompletedProcess(words, started.returncode, said)

    def kill(self) -> None:
        """End all its programs at once, as a power cut would."""
        mine = f"WINEPREFIX={self.folder}\0".encode()
        for one in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended, or is of somebody else
                if mine in (one / "environ").read_bytes():
                    os.kill(int(one.name), signal.SIGKILL)


def _random_bytes(folder: Path) -> Path:
    """The library of one function, built against a stand-in of the one that it calls."""
    link = ("lld-link-16", "/dll", "/noentry", "/nodefaultlib", "/machine:x64")
    compile_one = ("clang-16", "--target=x86_64-pc-windows-msvc", "-O1", "-c", STUB)
    for command in (
        (*compile_one, "-DADVAPI", "-o", "advapi32.obj"),
        (*link, "/out:advapi32.dll", "advapi32.obj"),
        (*compile_one, "-o", "prng.obj"),
        (*link, "/out:bcryptprimitives.dll", "prng.obj", "advapi32.lib"),
    ):
        subprocess.run(command, cwd=folder, check=True)
    return folder / "bcryptprimitives.dll"


@contextmanager
def windows(*inside: str) -> Iterator[Prefix]:
    """A prefix, whose programs end with it; ``inside``: as of ``Prefix``."""
    with tempfile.TemporaryDirectory(prefix="wine", ignore_cleanup_errors=True) as folder:
        prefix = Prefix(Path(folder, "prefix"), *inside)
        try:
            yield prefix
        finally:
            prefix.kill()
