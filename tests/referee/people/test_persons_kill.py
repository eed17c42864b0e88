"""A kill at any step of encryption or erasure: nothing is lost, and nothing erased is left."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from referee.people.persons import Persons
from tests.support.places import ROOT
from tests.support.servers.sealed_names import NAME, everything, forms, held, plain_file, traces

KILLS = 14
OLD = {f"{n:032x}": f"{NAME} {n}" for n in range(25)}


def child(folder: Path, erased: str, deadly: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.referee.people.kill_persons",
            folder / "p.db",
            erased,
            str(deadly),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def moments(steps: int) -> list[int]:
    """Steps to die at: spread over the whole, and the last ones, where files are written."""
    return sorted({*(1 + steps * n // KILLS for n in range(KILLS)), *range(steps - 3, steps + 1)})


def killed(source: Path, folder: Path, erased: str, deadly: int) -> bool:
    """Whether the child died; it worked on a copy of these files."""
    shutil.copytree(source, folder)
    done = child(folder, erased, deadly)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0


def steps_of(source: Path, folder: Path, erased: str) -> int:
    shutil.copytree(source, folder)
    return int(child(folder, erased, 0).stdout.split()[-1])


def test_sealing_an_older_file_may_be_cut_off_anywhere(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    plain_file(old / "p.db", OLD)
    died = 0
    for deadly in moments(steps_of(old, tmp_path / "whole", "")):
        folder = tmp_path / str(deadly)
        died += killed(old, folder, "", deadly)
        with closing(Persons(folder / "p.db", random=secrets.token_bytes)) as persons:
            assert {one: persons.name(one) for one in persons.person_ids()} == OLD
            assert traces(folder, forms(NAME)) == []
    assert died >= KILLS


def test_erasing_may_be_cut_off_anywhere(tmp_path: Path) -> None:
    known = tmp_path / "known"
    known.mkdir()
    with closing(Persons(known / "p.db", random=secrets.token_bytes)) as persons:
        ids = [persons.add_person(f"{NAME} {n}") for n in range(25)]
    one = ids[7]
    blobs = held(known / "p.db", one)
    died = unerased = 0
    for deadly in moments(steps_of(known, tmp_path / "whole", one)):
        folder = tmp_path / str(deadly)
        died += killed(known, folder, one, deadly)
        with closing(Persons(folder / "p.db", random=secrets.token_bytes)) as persons:
            if persons.name(one) is None:
                assert traces(folder, blobs) == []
            else:
                unerased += 1
                assert persons.erase(one)
                assert traces(folder, blobs) == []
            assert [persons.name(other) for other in ids if other != one] == [
                f"{NAME} {n}" for n in range(25) if n != 7
            ]
        assert everything(folder)
    assert died >= KILLS
    assert 0 < unerased < died


@pytest.mark.parametrize("leftover", ["p.key", "p.db"])
def test_a_first_start_that_was_cut_off_is_begun_again(tmp_path: Path, leftover: str) -> None:
    """The key may exist before the file of names, and the file before its tables."""
    with closing(Persons(tmp_path / "p.db", random=secrets.token_bytes)):
        pass
    for path in tmp_path.iterdir():
        if path.name != leftover:
            path.unlink()
    if leftover == "p.db":
        (tmp_path / "p.db").write_bytes(b"")
    with closing(Persons(tmp_path / "p.db", random=secrets.token_bytes)) as persons:
        assert persons.name(persons.add_person(NAME)) == NAME
