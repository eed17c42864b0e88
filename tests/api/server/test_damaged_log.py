"""A damaged page of the log is said from the first moment, whoever reads it or not."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from api.server import wiring
from api.server.data_folder import Files
from api.server.faults.log_check import CHECKED, LogCheck
from api.server.faults.start_check import check_stores_or_exit
from referee.events import EncuentroOpened
from tests.support.servers.one_log import META, PROFILE
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

TABLES = 30


def with_events(folder: Path) -> Files:
    """A house whose log has pages enough, of many tables."""
    where = wiring.files_of_folder(folder)
    check_stores_or_exit(where)
    with closing(wiring.open_referee(where)) as referee:
        for _ in range(TABLES * 3):
            referee.encuentros.open(EncuentroOpened(PROFILE), META)
    return where


def damage(log: Path) -> None:
    """Overwrite a page inside a log with events of a table alone, as a disk does."""
    with closing(sqlite3.connect(log)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        asked = "SELECT pageno FROM dbstat WHERE name = 'stored_events' AND pagetype = 'leaf'"
        pages = [page for (page,) in db.execute(asked)]
        (size,) = db.execute("PRAGMA page_size").fetchone()
    assert len(pages) > 3
    with log.open("r+b") as file:
        file.seek((pages[len(pages) // 2] - 1) * size)
        file.write(b"\xa5" * size)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = Served(tmp_path / "data", is_forked=True)
    found.start()
    asked = {"profile": {"id": "club"}, "players": 4}
    for number in range(TABLES):
        headers = {"Authorization": f"Bearer {found.token}", "Idempotency-Key": f"key-{number:09}"}
        assert found.ask("POST", "/api/v1/encuentros", asked, headers)[0] == 201
    assert found.ask("GET", "/api/v1/public/sala")[0] == 200
    every = [Path(f"/proc/{pid}") for pid in found.children()]
    found.kill_all()
    wait_for(lambda: not any(one.exists() for one in every), "the end of every process")
    damage(found.folder / "log.sqlite")
    found.start()
    try:
        yield found
    finally:
        found.kill_all()


def text_of(served: Served, path: str) -> str:
    connection = served.connection()
    connection.request(
        "GET", path, headers={"Authorization": f"Bearer {served.token}", "Accept-Language": "es"}
    )
    with closing(connection):
        return connection.getresponse().read().decode()


def says(served: Served, path: str, words: str) -> bool:
    return words in text_of(served, path)


def test_a_damaged_page_is_said_everywhere_though_nobody_has_read_it(served: Served) -> None:
    def is_told() -> dict[str, Any] | None:
        part = served.ask("GET", "/readyz")[1].get("parts", {}).get("log", {})
        return part if part.get("status") == "failed" else None

    assert wait_for(is_told, "a readiness that says it")["fault"].startswith("damaged: ")
    for path, words in (
        ("/readyz", '"unavailable"'),
        ("/metrics", "guinote_log_damaged 1.0"),
        ("/", "El registro del club está dañado"),
    ):
        wait_for(partial(says, served, path, words), words)  # either worker may answer
    assert served.ask("GET", "/healthz")[0] == 200
    with closing(wiring.open_security_log(Files(served.folder))) as security:
        noted = wait_for(
            lambda: security.latest_entries(9, kind="damaged"), "an entry of the damage"
        )
    assert [one.about for one in noted] == ["log"]
    assert json.loads((served.folder / CHECKED).read_bytes())["fault"]


def test_a_day_later_and_at_each_start_the_whole_log_is_read_by_one_worker(tmp_path: Path) -> None:
    where, told, now = with_events(tmp_path / "data"), list[str](), [1_000.0]
    one, other = (
        LogCheck([where.log], where.folder, lambda: now[0], told.append) for _ in range(2)
    )
    assert (one.check(), other.damage_in_last_check()) == ("", "")
    damage(Path(where.log))
    one._check_if_due(now[0])  # read since the start, and a moment ago
    assert one.damage_in_last_check() == ""
    now[0] += 86_401
    other._check_if_due(0.0)
    assert (one.damage_in_last_check(), told) == (
        other.damage_in_last_check(),
        [one.damage_in_last_check()],
    )
    assert one.check() == told[0]
    assert len(told) == 1, "known already"
    one._check_if_due(now[0] + 1)  # another start
    assert len(told) == 1


def test_a_request_that_meets_damage_has_the_log_read_at_once(tmp_path: Path) -> None:
    where, told = with_events(tmp_path / "data"), list[str]()
    one = LogCheck([where.log], where.folder, time.time, told.append)
    one.start(time.time())
    wait_for(lambda: (where.folder / CHECKED).exists(), "the check at the start")
    damage(Path(where.log))
    one.request_early_check()
    wait_for(lambda: told, "damage that was found")
