"""One club is upgraded, backed up and restored while the others are served."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from api.backups.places import backups_by_moment
from api.backups.releases import read_last_opening_or_none
from api.cli.main import main
from api.server import wiring
from api.server.clubs.birth import make_club, name_club, remove_unfinished_clubs
from api.server.clubs.composition import ClubsProcess
from api.server.clubs.folder import ClubsFolder
from api.server.clubs.lobby import ClubsOfFolder
from api.server.clubs.notary import ClubNotary
from api.server.clubs.serving import maintain_club
from api.server.data_folder import SCHEMA_FILE
from api.server.house import house_facts
from projections.runner.views import BUILT_TABLE
from referee.audit.auditor import Auditor
from referee.release import RELEASE
from tests.support.installation import Installation
from tests.support.outbox import OPENED, Club
from tests.support.waiting import wait_for

NAMES = ("penya", "sota", "tute")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Installation]:
    found = Installation(tmp_path / "clubs", *NAMES, GUINOTE_WORKERS="2")
    found.start()
    yield found
    found.kill_all()


def run(*words: str, code: int = 0) -> tuple[list[dict[str, Any]], str]:
    """What a command prints, and what it says of errors."""
    done = CliRunner().invoke(main, words)
    assert done.exit_code == code, (done.output, done.exception)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def position(server: Installation, name: str) -> int:
    """Events that the views of a club have read."""
    with closing(wiring.open_views(server.clubs.files(name))) as views:
        return views.position()


def test_an_upgrade_stops_at_the_first_club_that_fails_and_goes_on_there(
    server: Installation,
) -> None:
    words = ("clubs", "--folder", str(server.clubs.path), "upgrade")
    club = Club(server.club("penya"))
    table = club.encuentro()
    with closing(sqlite3.connect(server.clubs.files("penya").views)) as views, views:
        views.execute(f"UPDATE {BUILT_TABLE} SET fingerprint = '' WHERE projection = 'board'")
    log = server.clubs.data_folder("sota") / "log.sqlite"
    whole = log.read_bytes()
    log.write_bytes(b"no database" * 400)
    lines, said = run(*words, code=1)
    assert [one["club"] for one in lines] == ["penya"]
    assert "Error: sota: " in said
    assert "The clubs after it are as they were" in said
    opened = read_last_opening_or_none(server.clubs.data_folder("penya"))
    assert opened is not None
    assert opened.release == RELEASE
    assert read_last_opening_or_none(server.clubs.data_folder("tute")) is None
    assert position(server, "penya") == house_facts(server.clubs.files("penya")).events
    club.record(table, *OPENED)
    log.write_bytes(whole)
    server.clubs.shut("tute")
    assert run(*words)[0] == [
        {"club": "sota", "release": RELEASE, "events": 1},
        {"club": "tute", "shut": True},
    ]
    server.clubs.reopen("tute")
    assert [one["club"] for one in run(*words)[0]] == ["tute"]


def test_one_club_is_backed_up_and_restored_while_the_others_record(
    server: Installation, tmp_path: Path
) -> None:
    club, other = (Club(server.club(name)) for name in NAMES[:2])
    data, copy = ("--data", str(server.clubs.data_folder("penya"))), str(tmp_path / "penya.guinote")
    table, theirs = club.encuentro(), other.encuentro()
    run(*data, "backup", copy)
    later = club.encuentro()
    server.clubs.shut("penya")
    wait_for(lambda: not server.who_has("penya"), "no file of it is open")
    before = house_facts(server.clubs.files("sota"))
    run(*data, "restore", "--force", copy)
    other.record(theirs, *OPENED)
    if house_facts(server.clubs.files("penya")).lost_event_count:  # it was signed meanwhile
        run(*data, "house", "--restored")
    server.clubs.reopen("penya")
    club = Club(server.club("penya"))  # one that has not read what is gone
    wait_for(lambda: club.answer("GET", "/api/v1/encuentros")[0] == 200, "it is open again")
    assert club.answer("GET", f"/api/v1/encuentros/{later}/entries")[0] == 404
    club.record(table, *OPENED)
    assert house_facts(server.clubs.files("sota")).events > before.events


def test_a_club_is_opened_without_a_write_from_its_birth_on(tmp_path: Path) -> None:
    clubs = ClubsFolder(tmp_path)
    make_club(clubs, "penya")

    def stores() -> dict[str, bytes]:
        return {one.name: one.read_bytes() for one in clubs.data_folder("penya").glob("*.sqlite*")}

    born = stores()
    with closing(ClubsProcess(clubs)) as process:
        for _ in range(2):
            with process.clubs.use_club("penya") as club:
                assert club.services().referee.position() == 1
            process.clubs.close()
            assert stores() == born


def test_a_club_whose_parts_know_no_house_is_settled_when_it_is_opened(tmp_path: Path) -> None:
    clubs = ClubsFolder(tmp_path)
    make_club(clubs, "penya")
    where = clubs.files("penya")
    with closing(sqlite3.connect(where.persons)) as names, names:
        names.execute("DELETE FROM house")
    where.views.unlink()
    with closing(ClubsProcess(clubs)) as process, process.clubs.use_club("penya") as club:
        club.services()
        assert house_facts(where).is_noted_in_every_part


def test_each_club_has_its_own_backup_of_the_day_and_is_restored_from_it_alone(
    tmp_path: Path,
) -> None:
    clubs = ClubsFolder(tmp_path)
    for name in NAMES[:2]:
        make_club(clubs, name)
    before = house_facts(clubs.files("penya"))
    with closing(ClubsProcess(clubs)) as process:
        for _ in range(2):
            for name in NAMES[:2]:
                with process.clubs.use_club(name) as club:
                    maintain_club(club)
    kept = {name: list(backups_by_moment(clubs.backup_folder(name)).values()) for name in NAMES[:2]}
    assert [len(of_club) for of_club in kept.values()] == [1, 1]
    for name in NAMES[:2]:
        name_club(clubs.files(name), "La sota")
    later = house_facts(clubs.files("sota"))
    restore = ("--data", str(clubs.data_folder("penya")), "restore", "--force")
    run(*restore, str(kept["sota"][0]), code=78)
    run(*restore, str(kept["penya"][0]))
    now = house_facts(clubs.files("penya"))
    assert (now.house, now.events) == (before.house, before.events)
    assert house_facts(clubs.files("sota")) == later


def test_a_server_keeps_the_backup_of_a_club_a_day_after_it_was_looked_after(
    tmp_path: Path,
) -> None:
    server = Installation(tmp_path, *NAMES[:2], GUINOTE_WORKERS="2")
    due = server.clubs.data_folder("sota") / "looked.daily"
    due.touch()
    os.utime(due, (1, 1))
    server.start()
    try:
        kept = server.clubs.backup_folder("sota")
        wait_for(lambda: kept.is_dir() and backups_by_moment(kept), "its backup of today")
        assert not server.clubs.backup_folder("penya").exists(), "it is due tomorrow"
    finally:
        server.kill_all()


def test_a_backup_that_cannot_be_kept_stops_no_other_club(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clubs = ClubsFolder(tmp_path)
    for name in NAMES[:2]:
        make_club(clubs, name)
    clubs.backup_folder("penya").parent.mkdir()
    clubs.backup_folder("penya").write_text("no folder")
    with closing(ClubsProcess(clubs)) as process:
        for name in NAMES[:2]:
            with process.clubs.use_club(name) as club:
                maintain_club(club)
    assert "penya: " in caplog.text
    assert len(backups_by_moment(clubs.backup_folder("sota"))) == 1


def test_a_leftover_that_cannot_be_removed_stops_no_other_work(tmp_path: Path) -> None:
    clubs = ClubsFolder(tmp_path)
    make_club(clubs, "penya")
    left, other = (tmp_path / f".new-{name}" for name in ("a", "b"))
    for one in (left, other):
        one.mkdir()
    (left / SCHEMA_FILE).write_text("club_of_no_setting")
    for one in (left, other):
        os.utime(one, (1, 1))
    remove_unfinished_clubs(clubs)
    assert (left.exists(), other.exists()) == (True, False)


def test_a_club_that_cannot_be_read_is_shown_beside_the_others(tmp_path: Path) -> None:
    clubs = ClubsFolder(tmp_path)
    for name in NAMES:
        make_club(clubs, name)
    (clubs.data_folder("sota") / SCHEMA_FILE).write_text("club_of_no_setting")
    facts = ClubsOfFolder(clubs, lambda _: None).facts_of_clubs(NAMES)
    assert [one.health for one in facts] == ["ok", "damaged", "ok"]


def test_why_a_club_is_not_signed_is_noted_until_it_is(tmp_path: Path) -> None:
    clubs, stop = ClubsFolder(tmp_path), threading.Event()
    make_club(clubs, "penya")
    where, key = clubs.files("penya"), clubs.notary_folder("penya") / "notary.key"
    notary = ClubNotary(clubs, every_s=0.0)
    assert list(notary.sign_and_yield_unsigned(["penya"], stop)) == []
    whole = key.read_bytes()
    key.write_bytes(b"no key")
    name_club(where, "La sota")
    with closing(Auditor(where.log, where.folder)) as auditor:
        assert list(notary.sign_and_yield_unsigned(["penya"], stop)) == ["penya"]
        assert auditor.notary_idle_reason() == "key_malformed"
        key.write_bytes(whole)
        assert list(notary.sign_and_yield_unsigned(["penya"], stop)) == []
        assert auditor.notary_idle_reason() == ""
        assert auditor.require_latest_checkpoint().size == house_facts(where).events
