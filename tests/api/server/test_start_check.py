"""What keeps the service from starting is one line with file and remedy, and an exit code."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from api.server import wiring
from api.server.data_folder import LOG_VARIABLE, Files
from api.server.faults.exits import CODES
from api.server.faults.start_check import check_stores_or_exit
from tests.support.damaged_files import a_folder, header_overwritten, of_another_program
from tests.support.places import ROOT
from tests.support.servers.forked import GUNICORN
from tests.support.servers.served import free_port

PAGE = ROOT / "docs" / "operating" / "operations.md"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with every store."""
    folder = tmp_path_factory.mktemp("house") / "data"
    check_stores_or_exit(wiring.files_of_folder(folder))
    return folder


def _another_key(file: Path) -> None:
    file.write_text("ab" * 32)


CASES: tuple[tuple[str, Callable[[Path], None], int, str], ...] = (
    ("log.sqlite", header_overwritten, os.EX_DATAERR, "guinote verify"),
    ("log.sqlite", of_another_program, os.EX_DATAERR, "guinote restore"),
    ("log.sqlite", a_folder, os.EX_DATAERR, "guinote restore"),
    ("persons.key", Path.unlink, os.EX_CONFIG, "GUINOTE_PERSONS_KEY"),
    ("persons.key", _another_key, os.EX_CONFIG, "GUINOTE_PERSONS_KEY"),
    ("access.sqlite", header_overwritten, os.EX_DATAERR, "guinote restore"),
    ("access.sqlite", of_another_program, os.EX_DATAERR, "guinote restore"),
    ("security.sqlite", header_overwritten, os.EX_DATAERR, "move it away"),
)


@pytest.mark.parametrize(("name", "damage", "code", "remedy"), CASES)
def test_a_store_that_cannot_be_used_is_named_with_its_remedy(
    house: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    damage: Callable[[Path], None],
    code: int,
    remedy: str,
) -> None:
    where = Files(tmp_path / "data")
    shutil.copytree(house, where.folder)
    damage(where.folder / name)
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        check_stores_or_exit(where)
    (line,) = capsys.readouterr().err.splitlines()
    assert (ended.value.code, str(where.folder / name) in line, remedy in line) == (
        code,
        True,
        True,
    )


def test_a_file_in_the_place_of_the_folder_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(SystemExit) as ended:
        wiring.files_of_folder(tmp_path / "data")
    assert ended.value.code == os.EX_NOINPUT
    assert str(tmp_path / "data") in capsys.readouterr().err


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://club:hunter2@[::1/guinote",
        "postgresql://club:hunter2%@db/guinote",
        "postgresql://club:hunter2/@db/guinote",
        "mysql://club:hunter2@db/guinote",
        "/srv/hunter2.sqlite",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_and_not_repeated(
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(LOG_VARIABLE, address)
    with pytest.raises(SystemExit) as ended:
        wiring.files_of_folder(tmp_path / "data")
    line = capsys.readouterr().err
    assert ended.value.code == os.EX_CONFIG
    assert line.startswith(f"{LOG_VARIABLE}: no address of PostgreSQL")
    assert "hunter2" not in line
    assert list(tmp_path.iterdir()) == []


def test_sound_stores_pass_and_nothing_is_said(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check_stores_or_exit(Files(house))
    assert capsys.readouterr().err == ""


def test_gunicorn_ends_with_the_code_and_forks_no_worker(house: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(house, folder)
    header_overwritten(folder / "log.sqlite")
    settings = {"GUINOTE_DATA": str(folder), "GUINOTE_BIND": f"127.0.0.1:{free_port()}"}
    done = subprocess.run(
        [sys.executable, "-m", *GUNICORN],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (os.EX_DATAERR, 1), done.stderr


def test_the_page_has_every_code_and_no_other() -> None:
    told = {
        int(code) for code in re.findall(r"^\| (\d\d) `EX_", PAGE.read_text("utf-8"), re.MULTILINE)
    }
    assert told == CODES
