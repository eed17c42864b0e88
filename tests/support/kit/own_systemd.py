"""The systemd of this machine, booted beside it over a copy of its files that is thrown away."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.kit import own_wheel
from tests.support.places import ROOT
from tests.support.waiting import wait_for

NO_SYSTEMD = "NO SYSTEMD: the units of the kit were not run; install systemd, and be root"
BOOT = Path(__file__).with_name("boot.sh")
CGROUPS = [Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified")]
"""Where the one tree of control groups is, on a machine of today and on an older one."""
NAMESPACES = ("--mount", "--pid", "--uts", "--ipc", "--net")


def program() -> str | None:
    """The program that is the first process of a machine."""
    return shutil.which("systemd", path="/usr/lib/systemd:/lib/systemd")


def may_boot() -> bool:
    """Whether this user has the means; whether it may boot is seen when it is tried."""
    programs = ("unshare", "nsenter", "systemctl", "systemd-sysusers")
    has_all = all(map(shutil.which, programs)) and program() and own_wheel.uv() and _groups()
    return bool(has_all) and os.geteuid() == 0


def _groups() -> Path | None:
    """The tree of control groups."""
    return next((one for one in CGROUPS if (one / "cgroup.controllers").exists()), None)


class Machine:
    """A booted machine: commands run in it as root."""

    def __init__(self, pid: int) -> None:
        inside = ("sh", "-c", 'unset TMPDIR; cd /opt/checkout && exec "$@"', "sh")
        self._enter = ["nsenter", f"--target={pid}", *NAMESPACES, *inside]

    def run(self, *command: str, check: bool = True) -> str:
        """Run a command; what it printed. Without ``check``: also if it fails."""
        done = subprocess.run(
            [*self._enter, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0 or not check, f"{command}: {done.stdout}"
        return done.stdout

    def is_so(self, *command: str) -> bool:
        """Whether a command succeeds."""
        done = subprocess.run([*self._enter, *command], capture_output=True, timeout=120)
        return done.returncode == 0

    def show(self, unit: str, name: str) -> str:
        """A property of a unit."""
        return self.run("systemctl", "show", unit, f"--property={name}", "--value").strip()


def _is_removed(group: Path) -> bool:
    """Whether a control group is gone, with those in it; it goes when its processes have ended."""
    for folder in sorted((one for one in group.rglob("*") if one.is_dir()), reverse=True):
        with suppress(OSError):
            folder.rmdir()
    with suppress(OSError):
        group.rmdir()
    return not group.exists()


@contextmanager
def booted(folder: Path, wheel: Path) -> Iterator[Machine | None]:
    """A machine on which the wheel is installed; None where none can be booted."""
    group = Path(str(_groups())) / f"guinote-{os.getpid()}"
    enter = f"mkdir -p {group}; echo $$ >{group}/cgroup.procs"
    spaces = (*NAMESPACES, "--cgroup", "--fork", "--kill-child=KILL")
    packages, prefix = sysconfig.get_path("purelib"), sys.base_prefix
    given = (folder, ROOT, wheel, own_wheel.uv(), prefix, packages, program())
    words = ["sh", "-c", f'set -e; {enter}; exec unshare "$@"', "sh", *spaces, "sh", BOOT, *given]
    with (folder / "console").open("wb") as console:
        process = subprocess.Popen(
            [str(word) for word in words],
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=subprocess.STDOUT,
        )
    try:
        yield _started(process, wheel)
    finally:
        process.kill()
        process.wait()
        wait_for(lambda: _is_removed(group), "the end of all its processes")


def _started(process: subprocess.Popen[bytes], wheel: Path) -> Machine | None:
    """The machine once it is there, with the wheel installed.

    Nothing of the kit is in what is booted: if that fails, this machine lacks the means.
    """
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")

    def first() -> Machine | None:
        """The machine if it is there, or nothing if there will be none."""
        if process.poll() is not None:
            return None
        machine = Machine(int(children.read_text().split()[0]))
        if not machine.is_so("systemctl", "is-active", "basic.target"):
            raise LookupError
        return machine

    try:
        machine = wait_for(lambda: [first()], "a booted machine", LookupError, OSError)[0]
    except AssertionError:
        return None
    if machine is not None:
        script = own_wheel.INSTALL.format(
            uv="/opt/uv/uv",
            python=f"/opt/python/bin/{Path(sys.executable).resolve().name}",
            folder="/opt/guinote",
            wheel=f"/opt/wheel/{wheel.name}",
            dependencies="/opt/dependencies",
        )
        machine.run("sh", "-ec", script)
    return machine
