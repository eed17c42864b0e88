"""What is installed with the program: the lock of a house, by its hashes, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.test_container import stages
from tests.support.kit import own_wheel
from tests.support.places import ROOT

LOCK = ROOT / "deploy" / "requirements.lock"
NO_CACHE = "NO WHEELS: uv has none of the lock on this machine, so no installation was tried"
NAMES = (
    "import importlib.metadata as m; print(*(f'{d.name}=={d.version}' for d in m.distributions()))"
)


def pins(file: Path) -> dict[str, str]:
    """Each line of a lock with its hashes, by the name of the package."""
    found = re.split(r"\n(?=\S)", file.read_text("utf-8").strip())
    return {one.partition("==")[0]: one for one in found}


def install(lock: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """What the container file and the pages do, of what this machine has installed before."""
    uv = own_wheel.uv()
    if uv is None:
        pytest.skip(own_wheel.NO_UV)
    subprocess.run([uv, "venv", "-q", "--python", sys.executable, folder], check=True)
    command = [uv, "pip", "install", "-q", "--offline", "--python", folder / "bin" / "python"]
    return subprocess.run(
        [*command, "--require-hashes", "-r", lock], capture_output=True, text=True, check=False
    )


def test_the_lock_of_a_house_is_a_part_of_that_of_the_checks() -> None:
    house, every = pins(LOCK), pins(ROOT / "requirements.lock")
    assert {name: every[name] for name in house} == house
    assert all(one.count("--hash=sha256:") for one in house.values())
    assert not {"pytest", "playwright", "mypy"} & set(house)


def test_a_house_has_the_wheels_of_the_lock_and_no_others(tmp_path: Path) -> None:
    done = install(LOCK, tmp_path / "house")
    if done.returncode and ("offline" in done.stderr or "network" in done.stderr):
        pytest.skip(NO_CACHE)
    assert done.returncode == 0, done.stderr
    asked = [tmp_path / "house" / "bin" / "python", "-c", NAMES]
    names = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    there = dict(one.lower().replace("_", "-").split("==") for one in names)
    wanted = {name: re.split(r"[ \\]", one)[0].split("==")[1] for name, one in pins(LOCK).items()}
    assert there == wanted
    changed = tmp_path / "changed.lock"
    text = LOCK.read_text("utf-8")
    changed.write_text(re.sub(r"sha256:.", lambda it: f"sha256:{'01'[it[0][-1] == '0']}", text))
    refused = install(changed, tmp_path / "other")
    assert refused.returncode != 0
    assert "hash" in refused.stderr.lower(), refused.stderr


def test_every_way_to_install_compares_with_the_lock() -> None:
    (build,) = [rest for word, rest in stages()[0] if word == "RUN"]
    page = (ROOT / "docs" / "operating" / "deploy.md").read_text("utf-8")
    lines = [line for line in page.splitlines() if "pip install" in line and "venv" in line]
    for commands in (build, "\n".join(lines)):
        assert "--require-hashes" in commands
        for one in re.split(r"&&|\n", commands):
            if "pip install" in one and "'uv" not in one:
                assert "--require-hashes" in one or "--no-deps" in one, one
