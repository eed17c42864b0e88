"""Bad data folders: served right, served in words, or refused in words with a way out.

The command tries a sample; ``BAD_FOLDERS=all`` tries every one.
"""

from __future__ import annotations

import os
import shutil
import time
from contextlib import closing, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.server import wiring
from api.server.data_folder import Files
from api.server.faults.exits import CODES
from api.server.faults.log_check import LogCheck
from api.server.faults.start_check import check_stores_or_exit
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import damage_of_views_file_or_empty
from referee.application import Referee
from referee.events import TimeZoneChosen
from tests.chaos.bad_folders import BadFolder, Bases, pairs, singles, somebody_else
from tests.support.servers.one_log import META

EVERY = [*singles(), *pairs()]
CHOSEN = EVERY if os.environ.get("BAD_FOLDERS") == "all" else EVERY[::5]
ZONES = ("Europe/Paris", "Atlantic/Canary")
WAYS_OUT = (
    *("restore", "give-up", "--restored", "put back", "put the", "move ", "start", "name "),
    "chown",
)


def house(folder: Path, choices: int) -> Files:
    """A house that has chosen its time zone so often."""
    where = wiring.files_of_folder(folder)
    check_stores_or_exit(where)
    with closing(wiring.open_referee(where)) as referee:
        record(referee, choices)
    return where


def record(referee: Referee, choices: int) -> None:
    for number in range(choices):
        referee.settings.record_settings_acts([TimeZoneChosen(ZONES[number % 2])], META)


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Bases:
    """A house that has gone on since it was copied, signed, and another one."""
    folder = tmp_path_factory.mktemp("bases")
    where = house(folder / "first", 50)
    assert run(where.folder, "notary", "--once", "--keys", str(folder / "keys"), "--origin", "a/b")
    shutil.copytree(where.folder, folder / "older")
    with closing(wiring.open_referee(where)) as referee:
        record(referee, 50)
        run(where.folder, "notary", "--once", "--keys", str(folder / "keys"))
        with closing(LogReader(where.log)) as log, closing(wiring.open_views(where)) as views:
            Runner(log, views).rebuild()
        last = referee.position()
        shutil.copytree(where.folder, folder / "now")  # while it is open: with its journal
    other = house(folder / "other", 5)
    run(other.folder, "verify")  # what it imports late is there before this is another user
    return Bases(folder / "now", folder / "older", other.folder, last)


def run(folder: Path, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["--data", str(folder), *words], catch_exceptions=False)
    return done.exit_code, done.output


@pytest.mark.parametrize("bad", CHOSEN, ids=lambda one: one.name.replace(" ", "-"))
def test_a_bad_folder_is_served_right_or_said_in_words(
    bases: Bases, bad: BadFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    with TemporaryDirectory() as place:  # pytest's own is closed to others than its user
        folder = Path(place) / "data"
        bad.make(bases, folder)
        with somebody_else(Path(place)) if bad.lacks_rights else nullcontext():
            served_right_or_said(bases, folder, capsys)


def served_right_or_said(bases: Bases, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = Files(folder)
    capsys.readouterr()
    try:
        check_stores_or_exit(where)
    except SystemExit as ended:
        (line,) = capsys.readouterr().err.splitlines()
        assert ended.code in CODES, line
        assert any(word in line for word in WAYS_OUT), line
        return
    said = capsys.readouterr().err
    code, out = run(folder, "verify")
    is_right = code == 0 and position(folder) >= bases.last
    if not (is_right or said):  # the check of all files in the background says it, or views mend
        stores = (where.log, where.accounts, where.security_log)
        found = LogCheck(stores, folder, time.time, str).check()
        assert found or damage_of_views_file_or_empty(where.views, wholly=True), out


def position(folder: Path) -> int:
    with closing(LogReader(folder / "log.sqlite")) as log:
        return log.last_position()
