"""Data of an earlier version: it opens, reads the same, and can be written to."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.api.cli.test_cli import guinote, lines
from tests.support.browser.pages import site
from tests.support.places import ROOT

ARCHIVES = sorted((ROOT / "tests" / "golden" / "data").glob("*.tar.xz"))


@pytest.fixture(params=ARCHIVES, ids=lambda path: path.name)
def earlier(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Files of an earlier version: ``data``, ``club.backup`` and ``notary``."""
    with tarfile.open(request.param) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


def printed(data: Path, *words: str) -> list[dict]:
    """The lines that a command prints."""
    code, out, err = guinote(*words, data=data)
    assert code == 0, err
    return lines(out)


def view_rows(data: Path) -> dict[str, list[dict[str, object]]]:
    """Rows of every table of the views, in the order of their keys; JSON as values."""
    with closing(sqlite3.connect(data / "views.sqlite")) as views:
        views.row_factory = sqlite3.Row
        tables = views.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        rows = {
            name: views.execute(f'SELECT * FROM "{name}"').fetchall()
            for (name,) in tables
            if name != "followed"
        }
    return {
        name: [{key: value(row[key]) for key in row.keys()} for row in rows[name]] for name in rows
    }


def value(stored: object) -> object:
    """A stored value; JSON as what it says."""
    if isinstance(stored, str) and stored.startswith(("{", "[")):
        return json.loads(stored)
    return stored


def holds(now: object, then: object) -> bool:
    """Whether all that was shown then is shown now; more may be shown now."""
    if isinstance(then, dict) and isinstance(now, dict):
        return all(key in now and holds(now[key], then[key]) for key in then)
    if isinstance(then, list) and isinstance(now, list):
        return len(now) == len(then) and all(map(holds, now, then))
    return now == then


def audit(earlier: Path, log: Path) -> dict:
    """Sum of an audit by the key and the checkpoint of that time."""
    proof = ("--key", str(earlier / "data" / "log.vkey"))
    checkpoint = ("--checkpoint", str(earlier / "notary" / "checkpoints"))
    return printed(earlier / "data", "audit", "verify", *proof, *checkpoint, str(log))[-1]


def test_the_views_worked_out_again_are_those_of_that_time(earlier: Path) -> None:
    data = earlier / "data"
    shown = view_rows(data)
    printed(data, "rebuild")
    again = view_rows(data)
    for name, rows in shown.items():
        for now, then in zip(again[name], rows, strict=True):
            assert holds(now, then), (name, then, now)
    assert sum(map(len, shown.values())) > 450


def test_its_log_verifies_with_the_key_and_the_checkpoint_of_that_time(earlier: Path) -> None:
    assert printed(earlier / "data", "verify") == []
    assert audit(earlier, earlier / "data" / "log.sqlite")["differences"] == 0
    assert audit(earlier, earlier / "club.backup")["differences"] == 0


def test_its_backup_is_restored(earlier: Path) -> None:
    data, restored = earlier / "data", earlier / "restored"
    restored.mkdir()
    shutil.copy(data / "persons.key", restored)
    printed(restored, "restore", str(earlier / "club.backup"))
    printed(data, "rebuild")
    assert view_rows(restored) == view_rows(data)
    assert printed(restored, "persons", "list") == printed(data, "persons", "list") != []


def test_it_is_served_and_carried_on(earlier: Path) -> None:
    data = earlier / "data"
    with site(data) as served:
        owner = {"Authorization": f"Bearer {served.token}"}
        status, found = served.ask("GET", "/api/v1/encuentros", None, owner)
        assert status == 200
        names = [name for each in found["items"] for name in each["names"].values()]
        assert len(names) > 40
        assert all(names)
        opened = {"profile": {"id": "club"}, "players": 4}
        asked = (opened, {**owner, "Idempotency-Key": "0" * 32})
        assert served.ask("POST", "/api/v1/encuentros", *asked)[0] == 201
    assert audit(earlier, data / "log.sqlite")["differences"] == 0
    signed = printed(data, "notary", "--keys", str(earlier / "notary"), "--once")
    assert signed[-1]["size"] > 1482
