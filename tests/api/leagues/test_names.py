"""Names typed for a league: nobody becomes another person because a name is typed again."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.api.leagues.test_captains import CaptainPhone
from tests.api.leagues.test_desk import DeskForms, LeagueDesk
from tests.support.servers.http_league import HttpLeague
from tests.support.servers.http_table import HttpTable


@pytest.fixture
def desk(table: HttpTable) -> LeagueDesk:
    league = HttpLeague(table, "Bar Ana", "Bar Blas", "Casino", "Peña")
    league.schedule(time="21:30")
    return LeagueDesk(league)


def persons(desk: LeagueDesk) -> list[str]:
    return [one["name"] for one in desk.table.get("/api/v1/persons").json["items"]]


def register(desk: LeagueDesk, names: str, team: str = "1", **more: Any) -> Any:
    typed = {"names": names, "since": "2026-01-01", **more}
    return desk.send(f"/equipos/{team}", "player_register", **typed)


def listed(desk: LeagueDesk, team: int = 0) -> list[str]:
    view = desk.league.view()
    return [view["names"][one["person"]] for one in view["teams"][team]["players"]]


def test_a_list_that_is_pasted_twice_adds_only_who_is_new(desk: LeagueDesk) -> None:
    assert register(desk, "Ana Ruiz\nEva Gil\nana  ruíz").status_code == 303
    assert register(desk, "Ana Ruiz\nEva Gil\nLuis Mur").status_code == 303
    assert listed(desk) == ["Ana Ruiz", "Eva Gil", "Luis Mur"]
    again = register(desk, "Ana Ruiz\nEva Gil")
    assert again.status_code == 409
    assert "ya está inscrito" in again.text
    assert len(persons(desk)) == 3


def test_a_name_of_one_player_of_the_club_or_of_another_team_means_that_player(
    desk: LeagueDesk,
) -> None:
    desk.table.post("/api/v1/players", {"name": "Íñigo Peña"})
    register(desk, "inigo pena")
    register(desk, "Celia Mur", team="2")
    register(desk, "celia mur", team="3")
    assert sorted(persons(desk)) == ["Celia Mur", "Íñigo Peña"]


def test_a_name_that_several_may_have_is_asked_for_and_nothing_typed_is_lost(
    desk: LeagueDesk,
) -> None:
    for nickname in ("Toño", "Rubio"):
        desk.table.post("/api/v1/players", {"name": "Antonio García", "nickname": nickname})
    desk.table.get("/api/v1/players")
    asked = register(desk, "Antonio Garcia\nEva Gil")
    assert asked.status_code == 422
    assert "Antonio Garcia\nEva Gil</textarea>" in asked.text
    field, tono = re.findall(r'name="(is [^"]+)" value="(\w+)" required> [^<]*Toño', asked.text)[0]
    form = DeskForms(asked.text).of("player_register")
    sent = {**form, "names": "Antonio Garcia\nEva Gil", field: tono}
    assert desk.post(sent).status_code == 303
    assert len(persons(desk)) == 3
    assert desk.league.view()["teams"][0]["players"][0]["person"] == tono


def test_pairs_typed_match_after_match_are_the_same_persons_for_desk_and_captain(
    desk: LeagueDesk,
) -> None:
    register(desk, "Ana Ruiz")
    typed = {"player_1_1": "ana ruiz", "player_1_2": "Eva Gil"}
    for away in ("2", "3"):
        sent = desk.send(f"/encuentros/{desk.league.match('1', away)}", "lineup", team="1", **typed)
        assert sent.status_code == 303, sent.text
    phone = CaptainPhone(desk.league, "1")
    assert phone.send("lineup", desk.league.match("1", "4"), **typed).status_code == 303
    assert sorted(persons(desk)) == ["Ana Ruiz", "Eva Gil"]


def test_the_desk_asks_who_is_meant_in_a_pair_and_a_captain_is_shown_no_names_of_others(
    desk: LeagueDesk,
) -> None:
    for nickname in ("Toño", "Rubio"):
        desk.table.post("/api/v1/players", {"name": "Antonio García", "nickname": nickname})
    desk.table.get("/api/v1/players")
    typed = {"player_1_1": "Antonio García", "player_1_2": "Eva Gil"}
    match = desk.league.match("1", "2")
    phone = CaptainPhone(desk.league, "1")
    for away in ("2", "3"):
        told = phone.send("lineup", desk.league.match("1", away), **typed)
        assert told.status_code == 303
    assert len(persons(desk)) == 4, "both of the club, and one whom the captain meant twice"
    asked = desk.send(f"/encuentros/{match}", "lineup", team="1", player_1_1="Toño")
    assert asked.status_code == 422
    assert "Antonio García (Toño)" in asked.text
    assert 'value="Toño"' in asked.text
