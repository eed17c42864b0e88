"""The wheel of this checkout, and an environment that has it and nothing else of the checkout."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.support.places import ROOT

NO_UV = "NO UV: no wheel was built and installed; run the tests by dev.py test"


def uv() -> str | None:
    """The program that builds and installs: that of dev.py, or of the machine."""
    ours = ROOT / ".boot" / "bin" / "uv"
    return str(ours) if ours.exists() else shutil.which("uv")


def built(folder: Path) -> Path:
    """A new wheel; a network is asked only if the builder was never here."""
    command = [str(uv()), "build", "-q", "--wheel", "--out-dir", str(folder), str(ROOT)]
    if subprocess.run([*command, "--offline"], capture_output=True).returncode:
        subprocess.run(command, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path, python: str = sys.executable) -> Path:
    """The interpreter of a new environment with the wheel; dependencies are those of the tests.

    What those install beside them, such as a path to the checkout, is not read.
    """
    program = str(uv())
    subprocess.run([program, "venv", "-q", "--python", python, str(folder)], check=True)
    made = folder / "bin" / "python"
    command = [program, "pip", "install", "-q", "--offline", "--no-deps", "--python", str(made)]
    subprocess.run([*command, str(wheel)], check=True)
    (packages,) = folder.glob("lib/*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return made
