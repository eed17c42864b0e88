"""Rules of the club over HTTP: made, changed, retired, and named wherever a profile is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from referee.events import RulesStated
from referee.log.streams import WriteMetadata
from referee.rules.profile.options import EDITIONS, NEWEST
from referee.rules.profile.profile import PROFILE_IDS
from tests.support.servers.http_table import ENCUENTROS, HttpTable
from tests.support.servers.kept_apps import kept_table

RULES = "/api/v1/club/rules"
PENA = {"name": "Normas de la Peña", "base": "guinyot", "changes": {"min_malas": 25}}
PLAN = {"format": "round_robin"}


@pytest.fixture
def table(tmp_path) -> Iterator[HttpTable]:
    with kept_table(tmp_path) as found:
        yield found


def made(table: HttpTable, **more: Any) -> str:
    """Id of a new set of rules."""
    answer = table.post(RULES, {**PENA, **more})
    assert answer.status_code == 201, answer.text
    return str(answer.json["rules"])


def changed(table: HttpTable, rules: str, **more: Any) -> Any:
    return table.post(f"{RULES}/{rules}", {**PENA, **more}, version(table))


def version(table: HttpTable) -> str:
    return str(table.get(RULES).headers["ETag"].strip('"'))


def frozen(table: HttpTable, encuentro: str) -> Any:
    return table.get(encuentro).json["profile"]


def test_rules_are_made_from_a_profile_and_read_by_everybody(table: HttpTable) -> None:
    rules = made(table)
    seen = table.get(f"{RULES}/{rules}").json
    assert (seen["name"], seen["base"], seen["base_edition"]) == (PENA["name"], "guinyot", NEWEST)
    assert (seen["edition"], seen["changes"], seen["behind"]) == (1, {"min_malas": 25}, False)
    assert table.client.get(RULES).json["items"] == table.get(RULES).json["items"]


def test_the_name_of_rules_is_not_on_the_log(table: HttpTable, tmp_path) -> None:
    made(table)
    assert "Peña".encode() not in (tmp_path / "log.sqlite").read_bytes()
    assert b"Normas" not in (tmp_path / "log.sqlite").read_bytes()


def test_an_encuentro_freezes_the_rules_and_a_later_change_leaves_it_as_it_was(
    table: HttpTable,
) -> None:
    rules = made(table)
    where = str(table.post(ENCUENTROS, {"profile": {"id": rules}}).headers["Location"])
    before = frozen(table, where)
    assert (before["id"], before["edition"], before["base"]) == (rules, "1", "guinyot")
    assert before["options"]["min_malas"] == 25
    assert before["sources"]["min_malas"] == rules
    assert changed(table, rules, changes={"min_malas": 20}).status_code == 200
    assert frozen(table, where) == before
    later = str(table.post(ENCUENTROS, {"profile": {"id": rules}}).headers["Location"])
    assert frozen(table, later)["edition"] == "2"
    assert frozen(table, later)["options"]["min_malas"] == 20


def test_an_edition_is_of_the_day_that_it_was_in_the_club(table: HttpTable) -> None:
    services = table.app.extensions["guinote"]()
    at_night = WriteMetadata("owner", "console", datetime(2026, 7, 2, 22, 30, tzinfo=UTC))
    services.referee.rules.record_rules_act(
        RulesStated("night", services.persons.add_text("De noche"), "club", NEWEST), at_night
    )
    table.position = services.referee.position()
    days = []
    for zone in ("Europe/Madrid", "Atlantic/Canary"):
        version = table.get("/api/v1/settings").json["version"]
        table.post("/api/v1/settings", {"time_zone": zone}, version)
        days.append(table.get(f"{RULES}/night").json["day"])
    assert days == ["2026-07-03", "2026-07-02"]


def test_another_name_makes_no_other_edition(table: HttpTable) -> None:
    rules = made(table)
    assert changed(table, rules, name="Las nuestras").status_code == 200
    seen = table.get(f"{RULES}/{rules}").json
    assert (seen["name"], seen["edition"], len(seen["editions"])) == ("Las nuestras", 1, 1)


def test_what_nobody_could_play_by_is_refused_with_its_options(table: HttpTable) -> None:
    wrong = {"swap": False, "two_for_seven": True}
    answer = table.post(RULES, {**PENA, "changes": wrong})
    assert (answer.status_code, answer.json["code"]) == (422, "bad_profile")
    assert [one["options"] for one in answer.json["problems"]] == [["two_for_seven", "swap"]]
    assert table.get(RULES).json["items"] == []


def test_two_sets_do_not_have_one_name(table: HttpTable) -> None:
    rules = made(table)
    again = table.post(RULES, {**PENA, "name": "normas de la PENA"})
    assert again.json["codes"] == {"json": {"name": ["rules_name_taken"]}}
    assert changed(table, rules).status_code == 200
    assert table.post(f"{RULES}/{rules}/retirement", None, version(table)).status_code == 200
    assert table.post(RULES, PENA).status_code == 201


def test_retired_rules_are_not_offered_and_open_nothing_but_what_was_opened_stays(
    table: HttpTable,
) -> None:
    rules = made(table)
    where = str(table.post(ENCUENTROS, {"profile": {"id": rules}}).headers["Location"])
    assert table.get("/api/v1/profiles").json["items"][0]["name"] == PENA["name"]
    assert table.post(f"{RULES}/{rules}/retirement", None, version(table)).status_code == 200
    refused = table.post(ENCUENTROS, {"profile": {"id": rules}})
    assert (refused.status_code, refused.json["code"]) == (409, "rules-retired")
    assert [one["id"] for one in table.get("/api/v1/profiles").json["items"]] == [*PROFILE_IDS]
    assert frozen(table, where)["id"] == rules
    assert changed(table, rules).status_code == 200
    assert table.get("/api/v1/profiles").json["items"][0]["id"] == rules


def test_every_profile_of_the_list_has_a_name_in_the_language_of_the_reader(
    table: HttpTable,
) -> None:
    found = table.get("/api/v1/profiles", **{"Accept-Language": "fr"})
    assert found.json["items"][0]["name"] == "Règles communes"
    assert not {one["name"] for one in found.json["items"]} & {*PROFILE_IDS}


def test_a_table_changes_the_rules_of_the_club_for_itself_under_another_name(
    table: HttpTable,
) -> None:
    rules = made(table)
    own = {
        "id": rules,
        "changes": {"cotos_to_win": 1},
        "as": {"id": f"{rules}-mesa", "edition": "1"},
    }
    where = str(table.post(ENCUENTROS, {"profile": own}).headers["Location"])
    seen = frozen(table, where)
    assert (seen["id"], seen["base"]) == (f"{rules}-mesa", "guinyot")
    assert (seen["options"]["cotos_to_win"], seen["options"]["min_malas"]) == (1, 25)
    taken = {**own, "as": {"id": rules, "edition": "9"}}
    answer = table.post(ENCUENTROS, {"profile": taken})
    assert answer.json["codes"] == {"json": {"profile": {"as": ["profile_name_taken"]}}}


def test_a_season_has_rules_for_its_evenings_and_a_tournament_is_played_by_them(
    table: HttpTable,
) -> None:
    rules = made(table)
    season = table.post("/api/v1/seasons", {"name": "Liga", "rules": rules}).json["id"]
    assert table.get(f"/api/v1/seasons/{season}").json["rules"] == rules
    body = {"date": "2026-11-26", "season": season}
    evening = str(table.post("/api/v1/sessions", body).headers["Location"])
    assert table.get(evening).json["profile"] == {"id": rules, "edition": "1"}
    cup = table.post(
        "/api/v1/tournaments", {"name": "Copa", "profile": {"id": rules}, "plan": PLAN}
    )
    assert cup.status_code == 201
    seen = table.get(f"/api/v1/tournaments/{cup.json['id']}").json
    assert seen["profile"] == {"id": rules, "edition": "1"}


@pytest.mark.parametrize("season", [{}, {"name": "Liga"}])
def test_an_evening_without_rules_needs_a_season_that_has_them(
    table: HttpTable, season: dict[str, str]
) -> None:
    body = {"date": "2026-11-26"}
    if season:
        body["season"] = table.post("/api/v1/seasons", season).json["id"]
    answer = table.post("/api/v1/sessions", body)
    assert answer.json["codes"] == {"json": {"profile": ["required"]}}


def test_a_season_has_no_rules_that_there_are_not(table: HttpTable) -> None:
    answer = table.post("/api/v1/seasons", {"name": "Liga", "rules": "aaaa"})
    assert answer.json["codes"] == {"json": {"rules": ["no_such_profile"]}}


def test_rules_on_an_earlier_edition_of_their_base_say_so(table: HttpTable) -> None:
    rules = made(table, base_edition=EDITIONS[0])
    assert table.get(f"{RULES}/{rules}").json["behind"]
    assert changed(table, rules).status_code == 200
    seen = table.get(f"{RULES}/{rules}").json
    assert (seen["behind"], seen["edition"]) == (False, 2)
    assert [one["base_edition"] for one in seen["editions"]] == [NEWEST, EDITIONS[0]]


def test_rules_are_changed_at_the_version_that_was_read(table: HttpTable) -> None:
    rules = made(table)
    assert table.post(f"{RULES}/{rules}", PENA, 0).status_code == 412
    assert table.post(f"{RULES}/none", PENA, 1).status_code == 404
    assert table.post(f"{RULES}/none/retirement", None, 1).status_code == 404
    assert table.get(f"{RULES}/none").status_code == 404


def test_the_same_request_again_makes_no_second_set(table: HttpTable) -> None:
    first, again = (table.post(RULES, PENA, key="the-same-key") for _ in range(2))
    assert first.json["rules"] == again.json["rules"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(table.get(RULES).json["items"]) == 1
