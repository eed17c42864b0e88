"""Backups that are kept in a folder, and the trial whether the newest could be restored."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.backups.places import backup_name, backups_by_moment, moments_to_keep
from api.cli.main import main
from api.server.data_folder import Files
from tests.support.places import ROOT

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)  # a Tuesday


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a table and the names of its players."""
    found = tmp_path_factory.mktemp("house") / "data"
    code, _, said = guinote(found, "import", ROOT / "tests" / "records" / "mano-a-mano.guinote")
    assert code == 0, said
    return found


@pytest.fixture
def data(house: Path, tmp_path: Path) -> Path:
    return shutil.copytree(house, tmp_path / "data")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "backups"
    found.mkdir()
    return found


def guinote(data: Path, *words: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, ["--data", str(data), *map(str, words)], catch_exceptions=False)
    return done.exit_code, done.stdout, done.stderr


def test_of_each_day_and_week_the_newest_is_kept() -> None:
    hours = [NOON - timedelta(hours=6 * n) for n in range(4 * 40)]
    kept = sorted(moments_to_keep(hours, daily=3, weekly=3), reverse=True)
    assert [f"{moment:%a %d %H}" for moment in kept] == [
        *("Tue 24 12", "Mon 23 18", "Sun 22 18"),  # the days; the first two are weeks as well
        "Sun 15 18",
    ]


@pytest.mark.parametrize(("daily", "weekly"), [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_the_newest_is_always_kept(daily: int, weekly: int) -> None:
    assert moments_to_keep([NOON, NOON - timedelta(minutes=1)], daily, weekly) == {NOON}
    assert moments_to_keep([], daily, weekly) == set()


def test_days_without_a_backup_take_no_place() -> None:
    rare = [NOON - timedelta(days=30 * n) for n in range(5)]
    assert moments_to_keep(rare, daily=3, weekly=0) == set(rare[:3])


def test_a_folder_keeps_the_new_backup_and_what_it_should(data: Path, folder: Path) -> None:
    days = [datetime.now(UTC) - timedelta(days=n) for n in range(1, 5)]
    others = [folder / "notes", folder / "2026.guinote", folder / "club.guinote"]
    for path in [*(folder / backup_name(day) for day in days), *others]:
        path.touch()
    code, _, said = guinote(data, "backup", "--daily", 3, folder)
    assert code == 0
    assert said.count("deleted: ") == 2
    newest, *older = reversed(backups_by_moment(folder))
    assert older == [day.replace(microsecond=0) for day in days[:2]]
    assert newest > days[0]
    assert all(path.exists() for path in others)
    assert guinote(data, "trial-restore", folder)[0] == 0


def test_nothing_is_deleted_unless_it_is_said_what_to_keep(data: Path, folder: Path) -> None:
    (folder / backup_name(NOON)).touch()
    assert guinote(data, "backup", folder)[0] == 0
    assert len(backups_by_moment(folder)) == 2
    code, _, said = guinote(data, "backup", "--daily", 1, folder / "one-file")
    assert (code, "is no folder" in said) == (2, True)


def test_a_backup_that_fails_deletes_none(tmp_path: Path, folder: Path) -> None:
    for n in range(3):
        (folder / backup_name(NOON - timedelta(days=n))).touch()
    assert guinote(tmp_path / "nothing", "backup", "--daily", 1, folder)[0] == 1
    assert len(backups_by_moment(folder)) == 3


def test_a_trial_says_what_it_restored_and_leaves_nothing(
    data: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guinote(data, "backup", folder)
    before = {path: path.stat().st_mtime_ns for path in data.iterdir()}
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(room))
    code, out, said = guinote(data, "trial-restore", "--days", 1, folder)
    (newest,) = backups_by_moment(folder).values()
    assert code == 0, said
    tried = json.loads(out)
    assert tried["position"] > 0
    assert tried == {"backup": str(newest), "position": tried["position"], "differences": 0}
    assert f"{newest} can be restored" in said
    assert os.listdir(room) == []
    assert {path: path.stat().st_mtime_ns for path in data.iterdir()} == before


def test_a_trial_of_a_torn_backup_fails(data: Path, folder: Path) -> None:
    guinote(data, "backup", folder)
    (newest,) = backups_by_moment(folder).values()
    newest.write_bytes(newest.read_bytes()[:-100])
    code, _, said = guinote(data, "trial-restore", folder)
    assert (code, "cannot be restored" in said) == (1, True)


def test_a_trial_fails_if_the_names_do_not_open(data: Path, folder: Path) -> None:
    guinote(data, "backup", folder)
    Files(data).master_key_file.rename(data / "elsewhere")
    code, out, _ = guinote(data, "trial-restore", folder)
    assert (code, '"names_unreadable"' in out) == (1, True)


def test_a_trial_fails_if_what_was_backed_up_was_altered(data: Path, folder: Path) -> None:
    with closing(sqlite3.connect(Files(data).persons)) as names:
        names.execute("UPDATE persons SET sealed = zeroblob(40)")
        names.commit()
    guinote(data, "backup", folder)
    code, out, _ = guinote(data, "trial-restore", folder)
    assert (code, '"name_altered"' in out) == (1, True)


def test_a_trial_fails_if_no_backup_is_there_or_only_an_old_one(data: Path, folder: Path) -> None:
    code, _, said = guinote(data, "trial-restore", folder)
    assert (code, f"no backup in {folder}" in said) == (1, True)
    (folder / backup_name(NOON - timedelta(days=3650))).touch()
    code, _, said = guinote(data, "trial-restore", "--days", 2, folder)
    assert (code, "the newest backup is of 2016-11-26 12:00 UTC" in said) == (1, True)
