"""The wheel of this checkout, and an environment that has it and nothing else of the checkout."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.support.places import ROOT

NO_UV = "NO UV: no wheel was built and installed; run the tests by dev.py test"
INSTALL = """
{uv} venv -q --no-cache --python {python} {folder}
{uv} pip install -q --compile-bytecode --no-cache --offline --no-deps --python {folder}/bin/python {wheel}
echo {dependencies} >$(echo {folder}/lib/*/site-packages)/dependencies.pth
"""
"""Shell: an environment with a wheel; its dependencies are those of the tests.

What those install beside them, such as a path to the checkout, is not read.
"""


def uv() -> str | None:
    """The program that builds and installs: that of dev.py, or of the machine."""
    ours = ROOT / ".boot" / "bin" / "uv"
    return str(ours) if ours.exists() else shutil.which("uv")


def built(folder: Path, source: Path = ROOT) -> Path:
    """A new wheel; a network is asked only if the builder was never here."""
    command = [str(uv()), "build", "-q", "--wheel", "--out-dir", str(folder), str(source)]
    if subprocess.run([*command, "--offline"], capture_output=True).returncode:
        subprocess.run(command, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """The interpreter of a new environment with the wheel."""
    script = INSTALL.format(
        uv=uv(),
        python=sys.executable,
        folder=folder,
        wheel=wheel,
        dependencies=sysconfig.get_path("purelib"),
    )
    subprocess.run(["sh", "-ec", script], check=True)
    return folder / "bin" / "python"
