"""Windows: one line says where the program runs, and nothing is imported that is not there.

There is no Windows here. The stand-in is a Python whose ``os.name`` and ``sys.platform`` are those
of Windows, and in which the modules that only POSIX has cannot be imported. It shows the order of
the imports and the words, not how Windows itself behaves.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.needs import NEEDED
from tests.support.places import ROOT

STAND_IN = """
import importlib.abc, os, sys
import hashlib, shutil, subprocess, tempfile  # the library has other forms of these on Windows

MISSING = {"fcntl", "resource", "pwd", "grp", "termios", "pty", "tty", "syslog"}

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
for name in (*MISSING, "pathlib"):
    sys.modules.pop(name, None)
os.name, sys.platform = "nt", "win32"
"""
CONSOLE_SCRIPT = "from api.cli.entry import run; run()"


@pytest.fixture
def windows(tmp_path: Path) -> dict[str, str]:
    """Variables with which Python takes itself for one on Windows."""
    (tmp_path / "sitecustomize.py").write_text(STAND_IN)
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}


def test_the_stand_in_has_no_module_that_windows_lacks(windows: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import referee.log.durable"],
        env=windows,
        capture_output=True,
        text=True,
    )
    assert "No module named 'fcntl'" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("-m", "api.cli", "serve"),
        ("-m", "api.cli", "--version"),
        ("-c", CONSOLE_SCRIPT),
        ("-m", "projections"),
        ("dev.py", "run"),
        ("dev.py", "test"),
    ],
    ids=" ".join,
)
def test_on_windows_the_program_says_in_one_line_where_it_runs(
    windows: dict[str, str], words: tuple[str, ...], tmp_path: Path
) -> None:
    env = {**windows, "GUINOTE_DATA": str(tmp_path / "data")}
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [NEEDED]
    assert not (tmp_path / "data").exists()


def test_the_law_is_a_library_there_too(windows: dict[str, str]) -> None:
    code = "from referee.rules import Hand; print(Hand.parse('AC'))"
    done = subprocess.run([sys.executable, "-c", code], env=windows, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "AC\n"), done.stderr


def test_the_readme_has_the_commands_for_windows() -> None:
    _, found, section = (ROOT / "README.md").read_text().partition("### On Windows\n")
    assert found
    commands = section.split("```")[1].splitlines()[1:]
    assert len(commands) == 3
    assert commands[0].startswith("> wsl --install")
    assert "python3 dev.py run" in commands[2]
