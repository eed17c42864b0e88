"""A club with the content of the demonstration."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from api.demo.content import Demo
from tests.support.days import leave_midnight, today
from tests.support.servers.http_table import HttpTable
from tests.support.waiting import wait_for


def demonstrate(table: HttpTable, *, is_league_public: bool = False) -> None:
    """Fill an empty club, and wait until its pages show all of it."""
    leave_midnight()  # its evening of today is read as that of today
    services = table.app.extensions["guinote"]()
    Demo(services.referee, services.persons, services.clock(), "es").fill()
    if is_league_public:
        _publish(table)
    last = services.referee.position()
    wait_for(lambda: services.reads.position() >= last, "views that have followed")


def demonstrated(folder: Path, *, is_league_public: bool = False) -> HttpTable:
    """A club in an empty folder with this content: a copy of one that was filled before."""
    leave_midnight()
    shutil.copytree(_filled(today().isoformat()), folder, dirs_exist_ok=True)
    table = HttpTable(folder)
    if is_league_public:
        _publish(table)
    return table


@cache
def _filled(day: str) -> Path:
    """A folder that was filled on a day, made once by a process."""
    folder = Path(tempfile.mkdtemp(prefix=f"guinote-{day}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    table = HttpTable(folder)
    demonstrate(table)
    table.close()
    return folder


def _publish(table: HttpTable) -> None:
    """Everybody may see its league."""
    version = table.get("/api/v1/settings").json["version"]
    said = table.post("/api/v1/settings", {"league_audience": "everybody"}, version)
    assert said.status_code == 200, said.text
