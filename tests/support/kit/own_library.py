"""The distribution ``guinote-law`` of this checkout, in an environment with nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

from tests.support.kit import own_wheel
from tests.support.places import ROOT

ADDRESS = "Homepage=https://guinote.example.org/law"
NEEDED = ("msgspec",)
OTHER = "LIBRARY_PYTHON"


def built(folder: Path) -> Path:
    """The wheel, made as ``dev.py library`` does; a network is asked only if the builder is new."""
    build = ROOT / "deploy" / "library" / "build.py"
    command = [sys.executable, build, str(own_wheel.uv()), folder, ADDRESS]
    offline = {**os.environ, "UV_OFFLINE": "1"}
    if subprocess.run(command, env=offline, capture_output=True).returncode:
        subprocess.run(command, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path, *more: str) -> Path:
    """The interpreter of a new environment with the wheel and what it needs, without a network.

    ``more``: packages of an extra.
    Another Python is asked for by its version in ``LIBRARY_PYTHON`` (``make pythons``): what it
    needs is then fetched.
    """
    uv, python, other = str(own_wheel.uv()), folder / "bin" / "python", os.environ.get(OTHER)
    made = [uv, "venv", "-q", "--no-cache", "--python", other or sys.executable, folder]
    subprocess.run(made, check=True)
    pip = [uv, "pip", "install", "-q", "--python", python]
    if other:
        subprocess.run([*pip, *NEEDED, *more], check=True)
    else:
        _copy_installed((*NEEDED, *more), next(folder.glob("lib/*/site-packages")))
    alone = ["--no-cache", "--offline", "--no-deps", "--compile-bytecode", wheel]
    subprocess.run([*pip, *alone], check=True)
    return python


def _copy_installed(names: tuple[str, ...], site: Path) -> None:
    """Put packages into an environment, as they are installed here."""
    for name in names:
        for file in distribution(name).files or ():
            copy = site / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file.locate(), copy)
