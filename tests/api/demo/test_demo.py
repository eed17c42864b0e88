"""The demonstration: recorded with all checks, once in a folder; served apart and thrown away."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from api.cli.main import main
from api.demo.content import NAMES, SEASON, Demo
from api.http.languages import say
from tests.support.browser.pages import PHONE, READ, no_violations, visiting
from tests.support.demonstrated import demonstrate
from tests.support.places import ROOT
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served, free_port, is_taken
from tests.support.waiting import wait_for


@pytest.fixture(scope="module")
def filled(shared_table: HttpTable) -> HttpTable:
    strict = shared_table.post("/api/v1/settings", {"four_eyes": "required"}, 0)
    assert strict.status_code == 200, "the sides of the demonstration are two principals"
    demonstrate(shared_table)
    return shared_table


def test_the_season_is_played_and_signed(filled: HttpTable) -> None:
    services = filled.app.extensions["guinote"]()
    assert services.referee.seasons.season(SEASON).opened is not None
    found = filled.get("/api/v1/encuentros?limit=200").json["items"]
    of_season = [one for one in found if one["decided"]]
    assert len(of_season) == 4 * 2 * 3
    stages = {
        services.referee.encuentros.encuentro(UUID(one["id"])).result.official for one in of_season
    }
    assert None not in stages
    assert {name for one in of_season for name in one["names"].values()} <= set(NAMES)


def test_the_tournament_is_in_its_second_round(filled: HttpTable) -> None:
    (one,) = filled.get("/api/v1/tournaments").json["items"]
    view = filled.get(f"/api/v1/tournaments/{one['id']}").json
    done = [[meeting["winner"] for meeting in each["meetings"]] for each in view["rounds"]]
    assert [len(each) - each.count(None) for each in done] == [4, 1]
    assert sum(row["points"] for row in view["standings"]) == 2 * 5
    assert (view["stage"], view["pending"]) == ("running", [])


def test_the_hand_is_disputed_and_its_renuncio_proved(filled: HttpTable) -> None:
    (one,) = [
        one
        for one in filled.get("/api/v1/encuentros?limit=200").json["items"]
        if not one["decided"] and one["date"] == ""
    ]
    where = f"/api/v1/encuentros/{one['id']}"
    (case,) = filled.get(f"{where}/cases").json["items"]
    (line,) = case["lines"]
    verdicts = filled.get(f"{where}/partidas/1/evidence").json["acts"]
    (found,) = [each for each in verdicts if each["verdict"] == "unlawful"]
    assert (found["line"], found["seat"], case["stage"]) == (line, "B1", "open")


@pytest.mark.parametrize(("zone", "first"), [("Madrid", "2026-07-03"), ("London", "2026-07-02")])
def test_its_evening_of_today_is_of_the_day_that_it_is_in_the_club(
    table: HttpTable, zone: str, first: str
) -> None:
    table.post("/api/v1/settings", {"time_zone": f"Europe/{zone}"}, 0)
    services = table.app.extensions["guinote"]()
    at_night = datetime(2026, 7, 2, 22, 30, tzinfo=UTC)
    Demo(services.referee, services.persons, at_night, "es").fill()
    state = services.referee.seasons.season(SEASON)
    assert state.opened is not None
    begun = date.fromisoformat(first) - timedelta(weeks=5)
    assert (state.opened.since, state.calendar[0].date) == (begun.isoformat(), first)


def test_it_is_an_honest_log_on_the_command_line_too(tmp_path: Path) -> None:
    where = ["--data", str(tmp_path)]
    for lang in ("ca", "es"):
        done = CliRunner().invoke(main, [*where, "demo", "--lang", lang])
        assert done.exit_code == (lang == "es"), done.output
    assert CliRunner().invoke(main, [*where, "verify"]).exit_code == 0


def test_a_new_house_leads_to_the_command_of_a_made_up_club_on_a_phone(
    browser, served: Served
) -> None:
    for lang in READ:
        with visiting(browser, served, f"/?lang={lang}", signed_in=True, **PHONE) as page:
            page.get_by_role("link", name=say("demo.title", lang)).click()
            usual = "guinote demonstration"
            command = usual if lang == "es" else f"{usual} --lang {lang}"
            expect(page.locator("code")).to_have_text(command)
            no_violations(page)


def test_the_made_up_club_is_served_apart_and_thrown_away(tmp_path: Path) -> None:
    port, real = free_port(), tmp_path / "real"
    own = {"GUINOTE_DATA": str(real), "GUINOTE_LOG": "postgresql://nowhere/x"}
    served = subprocess.Popen(
        [sys.executable, "-m", "api.cli", "demonstration", "--bind", f"127.0.0.1:{port}"],
        cwd=ROOT,
        env={**os.environ, **own, "TMPDIR": str(tmp_path)},
        stderr=subprocess.PIPE,
    )
    try:
        wait_for(lambda: "Liga de los jueves" in page_at(port), "the made-up club", OSError)
        assert len(list(tmp_path.glob("guinote-demonstration-*"))) == 1
        served.send_signal(signal.SIGTERM)
        _, said = served.communicate(timeout=60)
        assert b"first admin (works once): http://127.0.0.1" in said
    finally:
        served.kill()
    assert list(tmp_path.glob("guinote-demonstration-*")) == []
    assert not real.exists()
    assert not is_taken(port)


def page_at(port: int) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    with closing(connection):
        connection.request("GET", "/")
        return connection.getresponse().read().decode()
