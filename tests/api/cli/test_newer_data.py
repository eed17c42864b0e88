"""The program over data of a later release: one line that says what to do, and nothing changed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from referee.release import RELEASE, release_as_number
from tests.api.cli.test_cli import guinote
from tests.support.places import ROOT
from tests.support.servers.served import free_port

LATER = "12.3.4"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A house with a name in it."""
    assert guinote("persons", "add", "Ana", data=tmp_path / "house")[0] == 0
    assert guinote("access", "list", data=tmp_path / "house")[0] == 0
    return tmp_path / "house"


def of_a_later_release(file: Path, mark: str) -> None:
    with closing(sqlite3.connect(file)) as later:
        later.execute(f"PRAGMA {mark} = {release_as_number(LATER)}")


def bytes_of(folder: Path) -> dict[str, str]:
    return {
        one.name: hashlib.sha256(one.read_bytes()).hexdigest()
        for one in folder.glob("*.sqlite")
        if one.name != "security.sqlite"
    }


def run(folder: Path, *words: str) -> tuple[int, str]:
    """Exit code of a command in a process of its own, and what it wrote to stderr."""
    env = {**os.environ, "GUINOTE_DATA": str(folder), "GUINOTE_BIND": f"127.0.0.1:{free_port()}"}
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stderr


def assert_refused(code: int, said: str) -> None:
    assert code == os.EX_CONFIG, said
    (line,) = [one for one in said.splitlines() if one != "rebuild"]  # the label of its bar
    assert f"guinote {LATER}" in line
    assert f"this is guinote {RELEASE}" in line
    assert "install that release" in line


@pytest.mark.parametrize(
    "words",
    [("serve",), ("verify",), ("rebuild",), ("export", "0" * 32)],
)
def test_a_command_over_a_log_of_a_later_release_is_one_line(
    folder: Path, words: tuple[str, ...]
) -> None:
    of_a_later_release(folder / "log.sqlite", "user_version")
    before = bytes_of(folder)
    assert_refused(*run(folder, "api.cli", *words))
    assert bytes_of(folder) == before


@pytest.mark.parametrize("store", ["persons", "access"])
def test_names_and_accounts_of_a_later_release_are_not_opened(folder: Path, store: str) -> None:
    of_a_later_release(folder / f"{store}.sqlite", "application_id")
    before = bytes_of(folder)
    assert_refused(*run(folder, "api.cli", "serve"))
    assert bytes_of(folder) == before


def test_the_projector_over_a_log_of_a_later_release_is_one_line(folder: Path) -> None:
    of_a_later_release(folder / "log.sqlite", "user_version")
    assert_refused(*run(folder, "projections"))


def test_gunicorn_over_a_log_of_a_later_release_is_one_line(folder: Path) -> None:
    of_a_later_release(folder / "log.sqlite", "user_version")
    settings = ("-c", "python:api.server.gunicorn_conf")
    code, said = run(folder, "gunicorn", *settings, "api.server.wiring:app()")
    assert_refused(code, "\n".join(one for one in said.splitlines() if "[INFO]" not in one))


def changed(backup: Path, **facts: object) -> Path:
    """A backup whose manifest says something else."""
    other = backup.with_name("later.backup")
    with zipfile.ZipFile(backup) as source, zipfile.ZipFile(other, "w") as target:
        for name in source.namelist():
            body = source.read(name)
            if name == "manifest.json":
                body = json.dumps({**json.loads(body), **facts}).encode()
            target.writestr(name, body)
    return other


def test_a_backup_of_a_later_release_is_not_restored(folder: Path, tmp_path: Path) -> None:
    copy, goal = tmp_path / "club.backup", tmp_path / "goal"
    assert guinote("backup", str(copy), data=folder)[0] == 0
    goal.mkdir()
    shutil.copy(folder / "persons.key", goal)
    other_form = changed(copy, format=99, release=LATER, houses=["one"])
    code, _, said = guinote("restore", str(other_form), data=goal)
    assert_refused(code, said.splitlines()[-1])
    of_a_later_release(folder / "log.sqlite", "user_version")
    assert not list(goal.glob("log*"))
    assert guinote("restore", str(copy), data=goal)[0] == 0
