"""A club that is removed comes back for a time, and then a note alone is left of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.server.clubs import departure
from api.server.clubs.birth import ClubExists, make_club
from api.server.clubs.departure import (
    GRACE,
    clubs_removed,
    delete_expired_clubs,
    remove_club,
    restore_club,
)
from api.server.clubs.folder import ClubsFolder
from api.server.house import house_facts
from api.server.signer import notary_of_house
from referee.audit.checkpoint import read_key, verify_checkpoint
from referee.audit.publication import Published
from tests.support.installation import Installation
from tests.support.outbox import OPENED, Club
from tests.support.waiting import wait_for

NOW = datetime(2026, 11, 28, 18, tzinfo=UTC)
KEPT = "20261127T040000Z.guinote"


@pytest.fixture
def clubs(tmp_path: Path) -> ClubsFolder:
    """An installation with a club that is signed and has a host of its own; nothing is served."""
    found = ClubsFolder(tmp_path)
    make_club(found, "penya")
    found.assign_host("penya", "penya.example")
    found.backup_folder("penya").mkdir(parents=True)
    (found.backup_folder("penya") / KEPT).write_text("of the club of before")
    where = found.files("penya")
    published = Published(where.log, where.folder)
    with (
        closing(published),
        closing(
            notary_of_house(where, found.notary_folder("penya"), None, published, is_new=False)
        ) as notary,
    ):
        notary.sign_and_publish(None)
    return found


def command(folder: ClubsFolder, *words: str, code: int = 0) -> list[dict[str, Any]]:
    done = CliRunner().invoke(main, ["clubs", "--folder", str(folder.path), *words])
    assert done.exit_code == code, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_removed_club_comes_back_as_it_was(clubs: ClubsFolder) -> None:
    before = house_facts(clubs.files("penya"))
    key = (clubs.notary_folder("penya") / "notary.key").read_bytes()
    (gone,) = command(clubs, "remove", "penya", "--by", "Pilar")
    assert (gone["by"], gone["house"], gone["events"]) == ("Pilar", before.house, before.events)
    assert (clubs.names(), clubs.club_of_host_and_path("penya.example")) == ([], None)
    assert command(clubs, "list") == [gone]
    make_club(clubs, "penya")
    assert not clubs.backup_folder("penya").exists(), "another club does not see them"
    command(clubs, "restore", "penya", code=1)
    shutil.rmtree(clubs.data_folder("penya"))
    command(clubs, "restore", "penya")
    assert house_facts(clubs.files("penya")) == before
    assert (clubs.notary_folder("penya") / "notary.key").read_bytes() == key
    assert clubs.club_of_host_and_path("penya.example") == "penya"
    assert clubs.may_enter("penya")
    assert (clubs.backup_folder("penya") / KEPT).exists()
    assert list(clubs.folder_of_removed_clubs.iterdir()) == []


def test_after_its_time_a_note_alone_is_left_with_what_was_signed(clubs: ClubsFolder) -> None:
    before = house_facts(clubs.files("penya"))
    remove_club(clubs, "penya", "Pilar", NOW)
    assert delete_expired_clubs(clubs, NOW + GRACE - timedelta(seconds=1)) == []
    over = NOW + GRACE
    assert [one.club for one in delete_expired_clubs(clubs, over)] == ["penya"]
    assert delete_expired_clubs(clubs, over + GRACE) == []
    assert list(clubs.backup_folder_of_removed_clubs.iterdir()) == []
    (note,) = clubs.folder_of_removed_clubs.iterdir()
    (gone,) = clubs_removed(clubs)
    assert (note.suffix, gone.deleted, gone.by) == (".json", over, "Pilar")
    signed = verify_checkpoint(gone.went.checkpoint, read_key(gone.went.key))
    assert (signed.size, signed.root.hex()) == (gone.went.events, gone.went.root)
    assert gone.went.house == before.house
    with pytest.raises(departure.NotRemoved):
        restore_club(clubs, "penya")
    make_club(clubs, "penya")
    assert house_facts(clubs.files("penya")).house != before.house


def test_a_club_that_was_shut_comes_back_shut_and_a_damaged_one_goes_too(
    clubs: ClubsFolder,
) -> None:
    clubs.shut("penya")
    (clubs.data_folder("penya") / "log.sqlite").write_bytes(b"no database" * 100)
    assert remove_club(clubs, "penya", "Pilar", NOW).went.fault
    restore_club(clubs, "penya")
    assert (clubs.has("penya"), clubs.may_enter("penya")) == (True, False)


class Killed(BaseException):
    """What ends a process between two steps."""


STEPS = ((Path, "mkdir"), (Path, "rename"), (Path, "rmdir"), (Path, "unlink"), (shutil, "rmtree"))


def kill_after(steps: int, patch: pytest.MonkeyPatch) -> None:
    """Have the process end before the step that follows so many steps."""
    left = iter(range(steps))

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*given: Any, **more: Any) -> Any:
            if next(left, None) is None:
                raise Killed
            return real(*given, **more)

        return step

    for where, name in STEPS:
        patch.setattr(where, name, counted(getattr(where, name)))


def kill_before_each_step(work: Callable[[], Any], clubs: ClubsFolder) -> Iterator[int]:
    """Kill a work before its first step, before its second, and so on to its end."""
    for steps in range(30):
        with pytest.MonkeyPatch.context() as patch:
            kill_after(steps, patch)
            try:
                work()
            except Killed:
                pass
            else:
                assert steps > 3
                return
        if clubs.has("penya"):
            assert delete_expired_clubs(clubs, NOW + 2 * GRACE) == []
        yield steps


def state_of(clubs: ClubsFolder) -> tuple[Any, ...]:
    """What a removal takes away and a return brings back."""
    return (
        house_facts(clubs.files("penya")),
        (clubs.notary_folder("penya") / "notary.key").read_bytes(),
        (clubs.backup_folder("penya") / KEPT).exists(),
        clubs.club_of_host_and_path("penya.example"),
        clubs.may_enter("penya"),
        list(clubs.folder_of_removed_clubs.glob("*.json")),
    )


def test_a_removal_that_was_killed_goes_on_when_it_is_run_again(clubs: ClubsFolder) -> None:
    before = state_of(clubs)
    for _ in kill_before_each_step(lambda: remove_club(clubs, "penya", "Pilar", NOW), clubs):
        if clubs.has("penya"):
            remove_club(clubs, "penya", "Pilar", NOW + timedelta(hours=1))
        (about,) = clubs_removed(clubs)
        assert (about.was_shut, about.hosts) == (False, ("penya.example",))
        restore_club(clubs, "penya")
        assert state_of(clubs) == before


def test_a_return_that_was_killed_goes_on_and_nobody_gets_the_name_meanwhile(
    clubs: ClubsFolder,
) -> None:
    before = state_of(clubs)
    remove_club(clubs, "penya", "Pilar", NOW)
    for steps in kill_before_each_step(lambda: restore_club(clubs, "penya"), clubs):
        if steps:
            with pytest.raises(ClubExists):
                make_club(clubs, "penya")
        restore_club(clubs, "penya")
        assert state_of(clubs) == before
        remove_club(clubs, "penya", "Pilar", NOW)


def test_a_note_that_cannot_be_read_stops_neither_the_list_nor_what_is_due(
    clubs: ClubsFolder, caplog: pytest.LogCaptureFixture
) -> None:
    make_club(clubs, "sota")
    remove_club(clubs, "penya", "Pilar", NOW)
    (clubs.folder_of_removed_clubs / "a@1.json").write_bytes(b"\xff{")
    (clubs.folder_of_removed_clubs / "b@1.json").write_text("{}")
    assert [one["club"] for one in command(clubs, "list")] == ["sota", "penya"]
    assert [one.club for one in delete_expired_clubs(clubs, NOW + GRACE)] == ["penya"]
    assert "a@1.json is left out" in caplog.text


def test_the_daily_work_deletes_what_is_over(clubs: ClubsFolder) -> None:
    make_club(clubs, "sota")
    remove_club(clubs, "penya", "Pilar", datetime.now(UTC) - GRACE)
    remove_club(clubs, "sota", "Pilar", datetime.now(UTC))
    server = Installation(clubs.path, GUINOTE_WORKERS="1")
    server.start()
    try:
        wait_for(lambda: clubs_removed(clubs)[0].deleted, "the earlier one is deleted")
        left = ["sota@"]
        wait_for(
            lambda: (
                [one.name[:5] for one in clubs.folder_of_removed_clubs.iterdir() if one.is_dir()]
                == left
            ),
            "its folder is gone",
        )
    finally:
        server.kill_all()


def test_no_process_writes_to_a_removed_club_and_the_others_go_on(tmp_path: Path) -> None:
    server = Installation(tmp_path, "penya", "sota", GUINOTE_WORKERS="2")
    server.start()
    try:
        club, other = (Club(server.club(name)) for name in ("penya", "sota"))
        table, events = club.encuentro(), house_facts(server.clubs.files("penya")).events
        (gone,) = command(server.clubs, "remove", "penya")
        assert gone["events"] == events
        assert server.club("penya").page("/api/v1/encuentros")[0] == 421
        command(server.clubs, "restore", "penya")
        club.record(table, *OPENED)
        command(server.clubs, "remove", "penya")
        make_club(server.clubs, "penya")
        new = Club(server.club("penya"))
        assert new.answer("GET", f"/api/v1/encuentros/{table}/entries")[0] == 404
        other.record(other.encuentro(), *OPENED)
    finally:
        server.kill_all()
