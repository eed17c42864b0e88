"""A club with the content of the demonstration."""

from __future__ import annotations

from api.demo.filling import Demo
from tests.support.days import leave_midnight
from tests.support.servers.http_table import HttpTable
from tests.support.waiting import wait_for


def demonstrate(table: HttpTable, *, is_league_public: bool = False) -> None:
    """Fill an empty club, and wait until its pages show all of it."""
    leave_midnight()  # its evening of today is read as that of today
    services = table.app.extensions["guinote"]()
    Demo(services.referee, services.persons, services.clock(), "es").fill()
    if is_league_public:
        version = table.get("/api/v1/settings").json["version"]
        said = table.post("/api/v1/settings", {"league_audience": "everybody"}, version)
        assert said.status_code == 200, said.text
    last = services.referee.log.position()
    wait_for(lambda: services.reads.position() >= last, "views that have followed")
