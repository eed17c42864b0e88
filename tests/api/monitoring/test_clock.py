"""A clock that is behind the log: said to officials on every page, and to whoever watches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from api.monitoring.readiness import Readiness
from tests.support.servers.http_table import HttpTable

SAID = "El reloj del ordenador del club va atrasado"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[HttpTable]:
    with closing(HttpTable(tmp_path)) as found:
        found.partida()
        yield found


def set_back(table: HttpTable, by: timedelta) -> None:
    """The clock of the computer is set back, as one without a battery starts."""
    services = table.app.extensions["guinote"]
    here = services()
    services._services = replace(here, clock=lambda: here.clock() - by)


def page(table: HttpTable, path: str, *, is_official: bool) -> str:
    headers = table.owner() if is_official else {}
    return str(table.app.test_client().get(path, headers=headers).text)


def test_a_clock_that_is_years_behind_is_said_where_officials_look(table: HttpTable) -> None:
    set_back(table, timedelta(days=3 * 365))
    for path in ("/", "/jornadas/", "/casa"):
        assert SAID in page(table, path, is_official=True), path
    assert SAID not in page(table, "/", is_official=False)
    services = table.app.extensions["guinote"]
    report = Readiness(services, services.files.folder).report()
    assert report.is_ready, "play goes on"
    assert report["clock"]["status"] == "late"
    assert report["clock"]["fault"].endswith("s behind the newest act")


def test_acts_under_the_wrong_clock_do_not_make_it_right(table: HttpTable) -> None:
    set_back(table, timedelta(days=3 * 365))
    table.partida()
    assert SAID in page(table, "/", is_official=True)
    table.close()  # and so it is after the next start
    set_back(table, timedelta(days=3 * 365))
    assert SAID in page(table, "/", is_official=True)


def test_computers_of_a_house_may_differ_by_a_minute(table: HttpTable) -> None:
    set_back(table, timedelta(minutes=1))
    assert SAID not in page(table, "/", is_official=True)
