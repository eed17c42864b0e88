"""Data of an earlier version and of each release: they open, read the same, and go on."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tarfile
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import pytest

from tests.api.cli.test_cli import guinote, lines
from tests.api.server.release_house import renew
from tests.support.browser.pages import site
from tests.support.places import ROOT
from tests.support.servers.accounts import PASSWORD, owner
from tests.support.servers.kept_apps import kept_table
from tests.support.waiting import wait_for


class Holds(NamedTuple):
    """What is in an archive: events, rows of its views, names at its tables and in all."""

    events: int
    rows: int
    seated: int
    persons: int


FOLDER = ROOT / "tests" / "golden" / "data"
ARCHIVES = {
    "2026-11-22.tar.xz": Holds(1482, 527, 104, 20),
    "0.1.0.tar.xz": Holds(263, 125, 36, 73),
    "0.2.0.tar.xz": Holds(352, 156, 44, 82),
}
RELEASES = [name for name in ARCHIVES if not name.startswith("20")]


def unpacked(name: str, folder: Path) -> Path:
    """Files of an earlier version: ``data``, ``club.backup`` and ``notary``."""
    with tarfile.open(FOLDER / name) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # since 3.11.4
        archive.extractall(folder)
    return folder


@pytest.fixture(params=ARCHIVES)
def earlier(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return unpacked(request.param, tmp_path)


@pytest.fixture
def holds(request: pytest.FixtureRequest) -> Holds:
    """What is in the archive of the test."""
    return ARCHIVES[request.node.callspec.params["earlier"]]


@pytest.fixture(params=RELEASES)
def released(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The same of a release."""
    return unpacked(request.param, tmp_path)


def printed(data: Path, *words: str) -> list[dict]:
    """The lines that a command prints."""
    code, out, err = guinote(*words, data=data)
    assert code == 0, err
    return lines(out)


Rows: TypeAlias = dict[str, list[dict[str, Any]]]


def view_rows(data: Path) -> Rows:
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


GONE = {"deal_score": ("total", "counted")}
"""Columns that nobody read: the view of the partida, which is compared, says both."""


def tables_as_then(now: Rows) -> Rows:
    """The tables of now as they were: public views and findings were in the rows of the official ones.

    The points of each deal were a table too.
    """
    findings: dict[object, list[object]] = defaultdict(list)
    for one in now["finding"]:
        row = {key: one[key] for key in ("line", "rule", "seat", "known_at", "facts")}
        findings[one["partida"]].append(row)
    for table in ("partida", "encuentro"):
        public = {one["id"]: one["public"] for one in now[f"board_{table}"]}
        for one in now[table]:
            one["public"] = public[one["id"]]
    for one in now["partida"]:
        one["official"] |= {"findings": findings[one["id"]]}
    scores = [
        {"partida": one["id"], "deal": deal["number"], "side": side, **score}
        for one in now["partida"]
        for deal in one["official"]["deals"]
        for side, score in deal["scores"].items()
    ]
    return {**now, "deal_score": scores}


def as_then(name: str, row: dict[str, object]) -> dict[str, object]:
    """A row of a table with its columns of now and of then.

    The moment of an edition of rules was stored as its day in UTC.
    """
    return {**row, "day": str(row["at"])[:10]} if name == "club_rules" else row


def value(stored: object) -> object:
    """A stored value; JSON as what it says."""
    if isinstance(stored, str) and stored.startswith(("{", "[")):
        return json.loads(stored)
    return stored


def shows(now: object, then: object) -> bool:
    """Whether all that was shown then is shown now; more may be shown now."""
    if isinstance(then, dict) and isinstance(now, dict):
        return all(key in now and shows(now[key], then[key]) for key in then)
    if isinstance(then, list) and isinstance(now, list):
        return len(now) == len(then) and all(map(shows, now, then))
    return now == then


def audit(earlier: Path, log: Path) -> dict:
    """Sum of an audit by the key and the checkpoint of that time."""
    proof = ("--key", str(earlier / "data" / "log.vkey"))
    checkpoint = ("--checkpoint", str(earlier / "notary" / "checkpoints"))
    return printed(earlier / "data", "audit", "verify", *proof, *checkpoint, str(log))[-1]


def test_the_views_worked_out_again_are_those_of_that_time(earlier: Path, holds: Holds) -> None:
    data = earlier / "data"
    shown = view_rows(data)
    printed(data, "rebuild")
    again = tables_as_then(view_rows(data))
    for name, rows in shown.items():
        for now, then in zip(again[name], rows, strict=True):
            kept = {key: value for key, value in then.items() if key not in GONE.get(name, ())}
            assert shows(as_then(name, now), kept), (name, then, now)
    assert sum(map(len, shown.values())) == holds.rows


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
    assert names_in(restored) == names_in(data)


def names_in(data: Path) -> list[str]:
    """Every name of a person, unsealed."""
    return [one["name"] for one in printed(data, "persons", "list")]


def test_it_is_backed_up_and_restored_by_this_version(earlier: Path, holds: Holds) -> None:
    data, restored, copy = earlier / "data", earlier / "restored", earlier / "again.backup"
    printed(data, "rebuild")
    printed(data, "backup", str(copy))
    restored.mkdir()
    shutil.copy(data / "persons.key", restored)
    printed(restored, "restore", str(copy))
    assert view_rows(restored) == view_rows(data)
    assert names_in(restored) == names_in(data)
    assert len(names_in(restored)) == holds.persons
    assert audit(earlier, restored / "log.sqlite")["differences"] == 0


def test_it_is_served_and_carried_on(earlier: Path, holds: Holds) -> None:
    data = earlier / "data"
    with site(data) as served:
        owner = {"Authorization": f"Bearer {served.token}"}
        status, found = served.ask("GET", "/api/v1/encuentros", None, owner)
        assert status == 200
        names = [name for each in found["items"] for name in each["names"].values()]
        assert len(list(filter(None, names))) == holds.seated
        opened = {"profile": {"id": "club"}, "players": 4}
        asked = (opened, {**owner, "Idempotency-Key": "0" * 32})
        assert served.ask("POST", "/api/v1/encuentros", *asked)[0] == 201
    assert audit(earlier, data / "log.sqlite")["differences"] == 0
    signed = printed(data, "notary", "--keys", str(earlier / "notary"), "--once")
    assert signed[-1]["size"] > holds.events


def test_whoever_had_an_account_signs_in(released: Path) -> None:
    with kept_table(released / "data") as table:
        client = table.app.test_client()
        assert client.get("/casa").status_code == 302, "to sign in first"
        form = {"name": "Pilar", "password": PASSWORD}
        assert client.post("/entrar", data=form).status_code == 303
        wait_for(lambda: client.get("/casa").status_code == 200, "the views are written anew")


def stored(data: Path) -> tuple[list, list]:
    """Every row of the log, and every leaf over it."""
    with closing(sqlite3.connect(data / "log.sqlite")) as log:
        rows = log.execute("SELECT * FROM stored_events ORDER BY position").fetchall()
        return rows, log.execute("SELECT * FROM leaves ORDER BY idx").fetchall()


@pytest.mark.parametrize("released", ["0.1.0.tar.xz"], indirect=True)
def test_an_event_of_an_older_version_is_read_as_the_present_one_and_never_rewritten(
    released: Path,
) -> None:
    """The first upcast: 0.1.0 wrote ``AddressRenewed.1``, once for a table, twice for a pair."""
    data = released / "data"
    rows, leaves = stored(data)
    older = [row for row in rows if row[3] == "AddressRenewed.1"]
    evening = UUID(older[0][1])
    with kept_table(data) as table:
        seasons = table.app.extensions["guinote"]().referee.seasons
        renewed = seasons.session(evening).renewed
        assert {(bool(one.table), bool(one.pair)): n for one, n in renewed.items()} == {
            (True, False): 1,
            (False, True): 2,
        }
        cards, official = f"/jornadas/{evening}/tarjetas", owner(table)
        wait_for(lambda: official.get(cards).status_code == 200, "views of this release")
        for subject in renewed:
            renew(official, cards, str(subject))
        again = seasons.session(evening).renewed
        assert again == {one: n + 1 for one, n in renewed.items()}
    now, grown = stored(data)
    assert (now[: len(rows)], grown[: len(leaves)]) == (rows, leaves)
    assert [row[3] for row in now[len(rows) :]].count("AddressRenewed.2") == len(renewed)
    assert "AddressRenewed.1" not in {row[3] for row in now[len(rows) :]}
    assert printed(data, "verify") == []
    assert audit(released, data / "log.sqlite")["differences"] == 0
