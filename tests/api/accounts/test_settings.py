"""The settings of the club: chosen at the first start, on the page, over HTTP and by command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from api.cli.main import main
from api.http.languages import say
from referee.release import RELEASE
from tests.api.accounts.test_entering import OURS, PASSWORD, joined, offered, owner
from tests.support.servers.http_table import HttpTable

SETTINGS = "/api/v1/settings"


def law(table: HttpTable) -> tuple[str, bool]:
    held = table.get(SETTINGS).json
    return held["four_eyes"], held["chosen"]


def test_the_first_admin_chooses_for_a_new_club(table: HttpTable) -> None:
    assert law(table) == ("noted", False)
    form = table.app.test_client().get("/alta").text
    assert 'value="required" required checked' in form
    first = opened_by_form(table, four_eyes="required")
    assert law(table) == ("required", True)
    assert say("settings.not_chosen", "es") not in first.get("/casa").text
    assert "four_eyes" not in first.get("/alta").text
    opened_by_form(table, name="Luis", four_eyes="noted")
    assert law(table) == ("required", True), "only the first is asked"


def opened_by_form(table: HttpTable, name: str = "Pilar", role: str = "admin", **form: str) -> Any:
    secret = offered(owner(table), "invitaciones", role=role)
    client = table.app.test_client()
    sent = {"invitation": secret, "name": name, "password": PASSWORD, **form}
    assert client.post("/alta", data=sent).status_code == 303
    return client


def test_an_account_that_is_no_admin_chooses_nothing(table: HttpTable) -> None:
    opened_by_form(table, role="arbiter", four_eyes="noted")
    opened_by_form(table, name="Luis", four_eyes="everything")
    assert law(table) == ("noted", False)


def test_a_club_of_before_is_asked_until_it_chooses(table: HttpTable) -> None:
    admin = joined(table, "Pilar", role="admin")  # a form without the choice, as of before
    director = joined(table, "Luis", role="director")
    notice = say("settings.not_chosen", "es")
    for path in ("/", "/casa", "/casa/ajustes"):
        assert notice in admin.get(path).text
    for path in ("/", "/casa"):
        assert notice not in director.get(path).text
    assert director.get("/casa/ajustes").status_code == 403
    form = {"key": "k" * 16, "version": "0", "four_eyes": "noted"}
    assert admin.post("/casa/ajustes", data=form, headers=OURS).status_code == 303
    assert law(table) == ("noted", True)
    for path in ("/", "/casa", "/casa/ajustes"):
        assert notice not in admin.get(path).text


def test_an_admin_sees_which_release_runs(table: HttpTable) -> None:
    admin = joined(table, "Pilar", role="admin")
    assert say("settings.release", "es", release=RELEASE) in admin.get("/casa/ajustes").text


def test_a_choice_can_be_changed_and_every_change_is_on_the_log(table: HttpTable) -> None:
    admin = joined(table, "Pilar", role="admin")
    form = {"version": "0", "four_eyes": "required"}
    for _ in "12":  # sent twice, chosen once
        sent = {**form, "key": "k" * 16}
        assert admin.post("/casa/ajustes", data=sent, headers=OURS).status_code == 303
    stale = admin.post("/casa/ajustes", data={**form, "key": "l" * 16}, headers=OURS)
    assert (stale.status_code, 'role="alert"' in stale.text) == (412, True)
    nonsense = {**form, "key": "m" * 16, "version": "1", "four_eyes": "x"}
    assert admin.post("/casa/ajustes", data=nonsense, headers=OURS).status_code == 400
    assert table.post(SETTINGS, {"four_eyes": "noted"}, 1).status_code == 200
    assert table.post(SETTINGS, {"four_eyes": "noted"}, 1).status_code == 412
    services = table.app.extensions["guinote"]()
    changed = [
        one for one in services.security.latest_entries(limit=50) if one.kind == "settings_changed"
    ]
    assert [one.detail for one in changed] == ["four_eyes noted", "four_eyes required"]


def test_a_command_shows_and_changes_it(tmp_path: Path, table: HttpTable) -> None:
    def said(*more: str) -> Any:
        done = CliRunner().invoke(main, ["--data", str(tmp_path / "data"), "settings", *more])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    usual = {
        "version": 0,
        "four_eyes": "noted",
        "chosen": False,
        "time_zone": "Europe/Madrid",
        "league_audience": "club",
        "puzzle_audience": "nobody",
        "deal_luck": "hidden",
        "record_audience": "everybody",
        "study_consent": "none",
    }
    brand = {"club_colour": "", "has_club_name": False, "has_club_logo": False}
    assert said() == {**usual, **brand}
    chosen = {**usual, "version": 1, "four_eyes": "required", "chosen": True}
    assert said("--four-eyes", "required") == {**chosen, **brand}
    assert table.get(SETTINGS).json == chosen
    assert law(table) == ("required", True), "every process reads it from the log"
    assert said("--time-zone", "Africa/Ceuta")["time_zone"] == "Africa/Ceuta"
    assert table.get(SETTINGS).json["time_zone"] == "Africa/Ceuta"
    assert said("--league-audience", "everybody")["league_audience"] == "everybody"
    assert table.get(SETTINGS).json["league_audience"] == "everybody"
    unknown = ["--data", str(tmp_path / "data"), "settings", "--time-zone", "Teruel"]
    assert CliRunner().invoke(main, unknown).exit_code == 2


def test_the_first_admin_chooses_the_time_zone_too(table: HttpTable) -> None:
    form = table.app.test_client().get("/alta").text
    assert '<option value="Europe/Madrid" selected>' in form
    opened_by_form(table, four_eyes="noted", time_zone="Atlantic/Canary")
    assert table.get(SETTINGS).json == {
        "version": 2,
        "four_eyes": "noted",
        "chosen": True,
        "time_zone": "Atlantic/Canary",
        "league_audience": "club",
        "puzzle_audience": "nobody",
        "deal_luck": "hidden",
        "record_audience": "everybody",
        "study_consent": "none",
    }


def test_of_both_settings_what_changes_is_on_the_log(table: HttpTable) -> None:
    admin = joined(table, "Pilar", role="admin")
    not_chosen = say("settings.time_zone_not_chosen", "es", place="Madrid (Europe/Madrid)")
    assert not_chosen in admin.get("/casa/ajustes").text
    form = {"four_eyes": "noted", "time_zone": "Europe/Madrid"}
    for number, zone in enumerate(("Europe/Madrid", "Atlantic/Canary", "Atlantic/Canary")):
        now = str(table.get(SETTINGS).json["version"])
        sent = {**form, "time_zone": zone, "key": f"{number:016}", "version": now}
        assert admin.post("/casa/ajustes", data=sent, headers=OURS).status_code == 303
    page = admin.get("/casa/ajustes").text
    assert '<option value="Atlantic/Canary" selected>' in page
    assert not_chosen not in page
    wrong = {**form, "time_zone": "Europe/Teruel", "key": "w" * 16, "version": "5"}
    assert admin.post("/casa/ajustes", data=wrong, headers=OURS).status_code == 400
    for body in ({}, {"time_zone": "Europe/Teruel"}):
        assert table.post(SETTINGS, body, 5).status_code == 422
    services = table.app.extensions["guinote"]()
    changed = [one.detail for one in services.security.latest_entries(limit=50)]
    both = ["four_eyes noted", "time_zone Europe/Madrid"]
    saved_again = ["four_eyes noted", "time_zone Atlantic/Canary"]
    found = [
        one for one in reversed(changed) if one.partition(" ")[0] in ("four_eyes", "time_zone")
    ]
    assert found == [*both, "time_zone Atlantic/Canary", *saved_again]


SEASONS = ("/temporadas/", "/api/v1/seasons")


def status_for_a_visitor(table: HttpTable) -> list[int]:
    return [table.app.test_client().get(path).status_code for path in SEASONS]


def test_everybody_finds_the_league_only_of_a_club_that_says_so(table: HttpTable) -> None:
    assert status_for_a_visitor(table) == [302, 401], "as before this setting"
    assert table.post(SETTINGS, {"league_audience": "everybody"}, 0).status_code == 200
    assert status_for_a_visitor(table) == [200, 200]
    spectator = table.signed_in("spectator")
    assert table.app.test_client().get("/temporadas/", headers=spectator).status_code == 200
    assert table.post(SETTINGS, {"league_audience": "nobody"}, 1).status_code == 422
    admin = joined(table, "Pilar", role="admin")
    form = {"key": "k" * 16, "version": "1", "league_audience": "club"}
    assert admin.post("/casa/ajustes", data=form, headers=OURS).status_code == 303
    assert status_for_a_visitor(table) == [302, 401]
    wrong = {**form, "key": "m" * 16, "version": "2", "league_audience": "nobody"}
    assert admin.post("/casa/ajustes", data=wrong, headers=OURS).status_code == 400


def test_the_first_admin_is_asked_who_sees_the_league(table: HttpTable) -> None:
    assert 'value="club" required checked' in table.app.test_client().get("/alta").text
    opened_by_form(table, league_audience="everybody")
    assert table.get(SETTINGS).json["league_audience"] == "everybody"
