"""A log that lost acts which something beside it still knows does not open without a word."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.server import wiring
from api.server.data_folder import Files
from api.server.faults.start_check import check_stores_or_exit
from api.server.house import house_facts
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from referee.events import TimeZoneChosen
from tests.support.damaged_files import emptied
from tests.support.servers.one_log import META
from tests.support.servers.served import Served
from tests.support.waiting import wait_for


def opened(served: Served) -> int:
    """Status of the answer to a new table."""
    headers = {
        "Authorization": f"Bearer {served.token}",
        "Idempotency-Key": f"key-{random.random()}",
    }
    asked = {"profile": {"id": "club"}, "players": 4}
    return served.ask("POST", "/api/v1/encuentros", asked, headers)[0]


def run(folder: Path, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["--data", str(folder), *words], catch_exceptions=False)
    return done.exit_code, done.output


def refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line with which a start ends."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        check_stores_or_exit(Files(folder))
    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == os.EX_CONFIG
    return line


@pytest.fixture
def lost(tmp_path: Path) -> tuple[Served, int, int]:
    """A house whose log is without its journal after kill -9: events that are left, and that were.

    It has no notary.
    """
    served = Served(tmp_path / "data", is_forked=True)
    served.start()
    try:
        assert {opened(served) for _ in range(3)} == {201}
        with closing(LogReader(served.folder / "log.sqlite")) as log:
            known = log.last_position()
        views = Files(served.folder)
        wait_for(lambda: house_facts(views).viewed == known, "the views of the log")
    finally:
        kill(served)
    (served.folder / "log.sqlite-wal").unlink()
    kept = house_facts(views).events
    assert 0 < kept < known
    return served, kept, known


def kill(served: Served) -> None:
    """Kill every process at once, and wait until the last has let its files go."""
    every = [Path(f"/proc/{pid}") for pid in served.children()]
    served.kill_all()
    wait_for(lambda: not any(one.exists() for one in every), "the end of every process")


def test_a_log_without_its_journal_is_refused_until_somebody_says_so(
    lost: tuple[Served, int, int], capsys: pytest.CaptureFixture[str]
) -> None:
    served, kept, known = lost
    line = refused(served.folder, capsys)
    told = (f"Acts {kept + 1} to {known} are missing", "-wal", "backup", "tablets", "--restored")
    assert [word for word in told if word not in line] == []
    assert house_facts(Files(served.folder)).last_at in line
    served.spawn()
    assert served.process is not None
    served.process.wait(30)  # it has ended by itself, and has changed nothing
    assert refused(served.folder, capsys) == line
    assert run(served.folder, "rebuild")[0] == 0  # views that are read anew still know
    assert refused(served.folder, capsys).endswith("guinote house --restored")
    assert run(served.folder, "house")[0] == 1
    code, said = run(served.folder, "house", "--restored")
    assert (code, json.loads(said)["given_up"]) == (0, known)
    assert run(served.folder, "verify")[0] == 0
    assert '"kind":"restored"' in run(served.folder, "security")[1]
    served.start()
    try:
        assert opened(served) == 201
    finally:
        served.kill_all()


def test_the_journal_put_back_is_all_that_is_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    served = Served(tmp_path / "data", is_forked=True)
    served.start()
    try:
        assert opened(served) == 201
        where = Files(served.folder)
        wait_for(lambda: house_facts(where).viewed == house_facts(where).events, "the views")
    finally:
        kill(served)
    journal = served.folder / "log.sqlite-wal"
    journal.rename(tmp_path / "journal")
    assert "are missing" in refused(served.folder, capsys)
    for left in served.folder.glob("log.sqlite-*"):
        left.unlink()
    shutil.copy(tmp_path / "journal", journal)
    check_stores_or_exit(where)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("damage", [Path.unlink, emptied])
def test_accounts_that_are_gone_are_missed_before_anything_is_made(
    tmp_path: Path, damage: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data"
    check_stores_or_exit(wiring.files_of_folder(folder))
    accounts = folder / "access.sqlite"
    damage(accounts)
    there = {one: one.stat().st_size for one in folder.iterdir()}
    line = refused(folder, capsys)
    assert [word for word in (str(accounts), "give-up", "restore") if word not in line] == []
    code, said = run(folder, "access", "invite", "--role", "admin")
    assert (code, str(accounts) in said) == (os.EX_CONFIG, True)
    assert {one: one.stat().st_size for one in there} == there
    assert accounts.exists() == (accounts in there)
    assert run(folder, "access", "give-up")[0] == 0
    assert run(folder, "access", "give-up")[0] == 1
    check_stores_or_exit(Files(folder))
    assert run(folder, "access", "invite", "--role", "admin")[0] == 0


def test_a_log_that_lost_acts_and_went_on_is_told_too(
    lost: tuple[Served, int, int], capsys: pytest.CaptureFixture[str]
) -> None:
    served, kept, known = lost
    where = Files(served.folder)
    with closing(wiring.open_referee_of_any_house(where)) as referee:
        for number in range(known - kept + 3):
            zone = ("Europe/Paris", "Atlantic/Canary")[number % 2]
            referee.settings.record_settings_acts([TimeZoneChosen(zone)], META)
    assert house_facts(where).events > known
    line = refused(served.folder, capsys)
    assert f"another event is at {known} now" in line
    follow_by_itself(where)
    assert f"another event is at {known} now" in refused(served.folder, capsys)
    assert run(served.folder, "house", "--restored")[0] == 0
    assert run(served.folder, "verify")[0] == 0
    check_stores_or_exit(where)


def follow_by_itself(where: Files) -> Any:
    """What a projector does that was started alone: it reads the log that is there."""
    with closing(LogReader(where.log)) as log, closing(wiring.open_views(where)) as views:
        while Runner(log, views).apply_next_batch():
            pass
        assert views.position() == log.last_position()
