"""Readiness: what it says of each part is true, and asking it is cheap."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from api.monitoring.readiness import MOST_BEHIND, PartData, Readiness
from referee.log.durable import WriteQueue, lock_path
from referee.people.persons import KeyFile
from tests.support.servers.http_table import HttpTable
from tests.support.waiting import wait_for

PARTS = {"disk", "log", "names", "accounts", "security", "views", "notary", "clock", "webhooks"}
STORES = ("log", "persons", "access", "security")


def of(table: HttpTable, **settings: float) -> Readiness:
    """Reports that are never given twice, unless said."""
    services = table.app.extensions["guinote"]
    return Readiness(services, services.files.folder, **{"fresh_s": 0.0, **settings})


def folder_of(table: HttpTable) -> Path:
    return Path(table.app.extensions["guinote"].files.folder)


def journals(table: HttpTable) -> dict[str, tuple[int, int]]:
    """Size and time of the journal of each store."""
    found = {}
    for name in STORES:
        about = (folder_of(table) / f"{name}.sqlite-wal").stat()
        found[name] = about.st_size, about.st_mtime_ns
    return found


def test_each_store_is_written_and_nothing_in_it_changes(table: HttpTable) -> None:
    table.get(table.encuentro())  # the views have it, too
    services = table.app.extensions["guinote"]()
    readiness = of(table)
    assert readiness.report().is_ready  # every file is open now
    before, position = journals(table), services.referee.position()
    states = services.reads.dump()
    assert set(readiness.report()) == PARTS
    after = journals(table)
    assert [name for name in STORES if after[name] == before[name]] == []
    assert services.referee.position() == position
    assert services.reads.dump() == states


def moved(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).rename(folder / f"{name}.away")


def replaced(name: str) -> Callable[[Path], None]:
    """An equal file in the place of one: what is written to the open one would be lost."""

    def replace(folder: Path) -> None:
        shutil.copy(folder / name, folder / "other")
        (folder / "other").replace(folder / name)

    return replace


def with_another_key(folder: Path) -> None:
    (folder / "persons.key").unlink()
    KeyFile(folder / "persons.key").read_or_make(os.urandom)


def signed_later(folder: Path) -> None:
    """A checkpoint of a log that had more events than this one."""
    note = f"club.example/mesas\n1000\n{'A' * 43}=\n\n— club.example/mesas AAAA\n"
    (folder / "log.checkpoint").write_text(note, "utf-8")


@pytest.mark.parametrize(
    "part, fault, damage",
    [
        ("log", "FileMoved", moved("log.sqlite")),
        ("log", "FileMoved", replaced("log.sqlite")),
        ("names", "FileMoved", moved("persons.sqlite")),
        ("names", "FileMoved", replaced("persons.sqlite")),
        ("names", "KeyMissing", moved("persons.key")),
        ("names", "WrongKey", with_another_key),
        ("accounts", "FileMoved", moved("access.sqlite")),
        ("security", "FileMoved", moved("security.sqlite")),
        ("notary", "the log has", signed_later),
    ],
)
def test_a_part_that_is_lost_is_named(
    table: HttpTable, part: str, fault: str, damage: Callable[[Path], None]
) -> None:
    table.encuentro()
    readiness = of(table)
    assert readiness.report().is_ready
    damage(folder_of(table))
    report = readiness.report()
    assert not report.is_ready
    assert [name for name, one in report.items() if one.status == "failed"] == [part]
    assert report[part].fault.startswith(fault)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, of 32 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(folder)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_no_disk_to_write_to(small_disk: Path) -> None:
    table = HttpTable(small_disk / "data")
    table.encuentro()
    readiness = of(table)
    assert readiness.report().is_ready
    filler = small_disk / "filler"
    with filler.open("wb", buffering=0) as file, pytest.raises(OSError):
        file.writelines(itertools.repeat(bytes(4096)))
    report = readiness.report()
    failed = {name for name, one in report.items() if one.status == "failed"}
    assert failed == {"disk", "log", "names", "accounts", "security"}
    filler.unlink()
    assert readiness.report().is_ready
    table.close()


def test_a_copy_in_memory_that_can_be_written_is_not_ready(table: HttpTable) -> None:
    table.encuentro()
    services = replace(table.app.extensions["guinote"](), no_writes="read_only")
    report = Readiness(lambda: services, folder_of(table)).report()
    assert not report.is_ready
    assert report["writing"] == PartData(status="failed", fault="read_only")


def test_many_who_ask_at_once_are_given_one_check(table: HttpTable) -> None:
    table.encuentro()
    readiness = of(table, fresh_s=60.0)
    of(table).report()  # every file is open now
    frame = 4096 + 24
    before = journals(table)["log"][0]
    with ThreadPoolExecutor(16) as askers:
        reports = list(askers.map(lambda _: readiness.report(), range(200)))
    assert journals(table)["log"][0] - before == frame
    assert all(one is reports[0] for one in reports)


def test_who_waits_for_a_check_that_hangs_is_told_soon(table: HttpTable) -> None:
    table.encuentro()
    readiness = of(table, patience_s=0.01)
    queue = WriteQueue(lock_path(folder_of(table) / "log.sqlite"))
    first: list[Any] = []
    with queue.hold_write_lock():
        asker = threading.Thread(target=lambda: first.append(readiness.report()))
        asker.start()
        wait_for(lambda: readiness._turn.locked(), "the first check")
        assert readiness.report() == {"check": PartData(status="failed", fault="too slow")}
    asker.join()
    assert first[0].is_ready
    queue.close()


def test_the_parts_are_for_operators_and_the_status_is_for_everybody(table: HttpTable) -> None:
    assert table.client.get("/readyz").json["parts"].keys() == PARTS
    for headers in ({"X-Forwarded-For": "127.0.0.1"}, {"Host": "club.example"}):
        answer = table.client.get("/readyz", headers=headers)
        assert (answer.status_code, answer.json) == (200, {"status": "ready"})
    (folder_of(table) / "persons.key").unlink()
    table.app.extensions["readiness"] = of(table)
    answer = table.client.get("/readyz")
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    assert answer.json["parts"]["names"]["fault"].startswith("KeyMissing")
    answer = table.client.get("/readyz", headers={"Via": "1.1 cache"})
    assert answer.status_code == 503
    assert "parts" not in answer.json
    assert table.client.get("/livez").json == {"status": "ok"}


def test_views_far_behind_are_late_by_the_age_of_what_they_lack(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.encuentro()
    services = table.app.extensions["guinote"]()
    monkeypatch.setattr(type(services.reads), "position", lambda _: 0)
    part = of(table).report()["views"]
    assert part.status == "ok"
    assert part.behind == services.referee.position()
    monkeypatch.setattr(type(services.reads), "position", lambda _: -MOST_BEHIND)
    report = of(table).report()
    assert report["views"].status == "failed"
    assert report.view_lag > MOST_BEHIND
