"""Who enters a tournament: nobody plays for two, and not more pairs than can all meet."""

from __future__ import annotations

import re
from typing import Any

import pytest

from referee.aggregates.tournament.field import MOST_TOGETHER
from referee.events.tournament import RoundDrawn
from tests.support.records.tournament_play import Play
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk, HttpTournament, pair, wrong

PLAYERS = "/api/v1/players"


def players(table: HttpTable, *names: str) -> list[str]:
    return [table.post(PLAYERS, {"name": name}).json["players"][0] for name in names]


def merged(table: HttpTable, kept: str, gone: str) -> None:
    answer = table.post(f"{PLAYERS}/merges", {"kept": kept, "gone": gone})
    assert answer.status_code == 200, answer.text


def known(*persons: str) -> dict[str, Any]:
    return {"pairs": [{"players": [{"person": one} for one in persons]}]}


def alert(page: str) -> str:
    """What the page tells at once, without its tags."""
    told = r'<(div|p|section)[^>]*(?:role="alert"|"doubled").*?</\1>'
    found = re.search(told, page, re.DOTALL)
    assert found, page
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


def test_a_person_joined_from_two_entries_does_not_enter_twice(table: HttpTable) -> None:
    ana, anna, *others = players(table, "Ana", "Anna", "Blas", "Celia", "Eva")
    desk = Desk(table, 0, format="swiss", rounds=2)
    desk.run.do("pairs", known(anna, others[0]))
    merged(table, ana, anna)
    refused = desk.run.ask("pairs", known(ana, others[1]))
    assert (refused.status_code, refused.json["reason"]) == (409, "person-twice")
    desk.run.do("pairs", known(others[1], others[2]))
    changed = {"players": [{"person": ana}, {"person": others[2]}]}
    refused = desk.run.ask("pairs/2/substitution", changed)
    assert (refused.status_code, refused.json["reason"]) == (409, "person-twice")
    desk.run.do("pairs/1/substitution", {"players": [{"person": ana}, {"person": others[0]}]})
    assert "Hay quien juega en dos parejas" not in desk.get().text


def test_a_union_that_makes_a_person_play_for_two_is_told_before_and_after(
    table: HttpTable,
) -> None:
    ana, anna, blas, celia, eva = players(table, "Ana", "Anna", "Blas", "Celia", "Eva")
    desk = Desk(table, 0, format="swiss", rounds=2)
    desk.run.do("pairs", known(ana, blas))
    desk.run.do("pairs", known(anna, celia))
    before = table.get(f"/jugadores/{ana}/union/{anna}").text
    assert "Torneo de San Roque: parejas 1, 2" in alert(before)
    assert "Unir las dos" in before
    assert "Hay quien juega en dos parejas" not in desk.get().text
    merged(table, ana, anna)
    for page in (desk.get().text, desk.get("/parejas").text):
        assert "Hay quien juega en dos parejas" in alert(page)
        assert "Ana Pareja 1 Pareja 2" in alert(page)
    desk.run.do("pairs", {"pairs": [pair(9)]})
    desk.run.do("pairs/2/substitution", {"players": [{"person": eva}, {"person": celia}]})
    assert "Hay quien juega en dos parejas" not in desk.get().text


def test_a_union_and_the_page_of_a_player_count_tournaments(table: HttpTable) -> None:
    ana, anna, blas, celia, eva = players(table, "Ana", "Anna", "Blas", "Celia", "Eva")
    desk = Desk(table, 0, format="knock_out")
    desk.run.do("pairs", known(anna, blas))
    desk.run.do("pairs", known(celia, eva))
    seen = table.post(f"{PLAYERS}/merges/preview", {"kept": ana, "gone": anna}).json
    assert seen["tournaments"] == {"kept": 0, "gone": 1}
    merged(table, ana, anna)
    home = desk.path.removesuffix("/direccion")
    assert f'<a href="{home}">Torneo de San Roque</a>' in table.get(f"/jugador/{ana}").text
    desk.run.draw()
    desk.run.play_open()
    page = table.get(f"/jugador/{ana}").text
    assert "ganó 1 de 1" in page
    assert re.search(r"Puesto</span> 1<small>/2</small>", page)


def test_a_union_of_two_who_are_at_an_evening_is_told_before_and_after(table: HttpTable) -> None:
    ana, anna = players(table, "Ana", "Anna")
    body = {"date": "2026-11-20", "profile": {"id": "club"}}
    opened = table.post("/api/v1/sessions", body)
    path = opened.headers["Location"]
    came = {"players": [{"person": ana}, {"person": anna}]}
    table.post(f"{path}/arrivals", came, opened.json["version"])
    page = f"/jornadas/{path.rpartition('/')[2]}"
    assert "Está dos veces" not in table.get(page).text
    before = alert(table.get(f"/jugadores/{ana}/union/{anna}").text)
    assert "Jornada del 20 de noviembre de 2026" in before
    merged(table, ana, anna)
    assert "Está dos veces: Ana." in alert(table.get(page).text)
    left = f"{path}/departures"
    version = table.get(path).json["version"]
    answer = table.post(left, {"person": anna}, version)
    assert answer.status_code == 200, answer.text
    assert "Está dos veces" not in table.get(page).text


@pytest.mark.parametrize(
    ("plan", "most"),
    [
        ({"format": "round_robin"}, MOST_TOGETHER),
        ({"format": "groups", "groups": 2, "qualify": 1}, 2 * MOST_TOGETHER),
    ],
)
def test_more_pairs_than_can_all_meet_are_refused_with_the_bound(
    table: HttpTable, plan: dict[str, Any], most: int
) -> None:
    run = HttpTournament(table, most, **plan)
    refused = run.ask("pairs", {"pairs": [pair(most + 1)]})
    assert (refused.status_code, refused.json["reason"]) == (409, "too-many-to-meet")
    assert len(run.view()["pairs"]) == most
    run.do("pairs/1/withdrawal")
    run.do("pairs", {"pairs": [pair(most + 1)]})
    refused = run.ask("pairs/1/return")
    assert (refused.status_code, refused.json["reason"]) == (409, "too-many-to-meet")
    same = {"players": [{"name": "Eva"}, {"name": "Fermín"}]}
    assert run.do("pairs/2/substitution", same)


def test_the_bound_of_a_round_robin_is_said_where_it_is_opened_and_where_pairs_enter(
    table: HttpTable,
) -> None:
    assert (
        "Todos contra todos: hasta 40 parejas, que son 39 rondas."
        in table.get("/torneos/nuevo").text
    )
    desk = Desk(table, 0, format="round_robin")
    lines = "\n".join(f"Ana {n} / Blas {n}" for n in range(MOST_TOGETHER + 1))
    answer = desk.send("/parejas", do="enter", text=lines)
    assert answer.status_code == 409
    assert wrong(answer).startswith("Aquí caben 40 parejas como mucho, y serían 41:")
    assert desk.run.view()["pairs"] == []


def test_a_round_robin_of_before_with_more_pairs_is_decided_as_it_was() -> None:
    play = Play("round_robin", MOST_TOGETHER + 1)
    play.draw()
    play.do(RoundDrawn(0))
    assert len(play.open()) == MOST_TOGETHER // 2


def test_a_pair_that_comes_after_the_draw_of_a_knock_out_takes_a_bye_that_the_page_names(
    table: HttpTable,
) -> None:
    desk = Desk(table, 7)
    assert 'id="late"' not in desk.get("/parejas").text
    desk.run.draw(seeded=0)
    file = table.get(f"{desk.run.path}/draw").json
    first = desk.run.view()["draw"]["order"][0]
    names = " · ".join(f"{one} {first}" for one in ("Ana", "Blas"))
    late = re.search(r'id="late">(.*?)</p>', desk.get("/parejas").text)
    assert late is not None
    assert f"juega contra {names}" in late[1]
    assert desk.send("/parejas", do="enter", player=["Eva", "Luis"]).status_code == 303
    assert {first, "8"} in [set(one["pairs"]) for one in desk.run.open()]
    assert 'id="late"' not in desk.get("/parejas").text
    assert wrong(desk.send("/parejas", do="enter", player=["Pía", "Noé"])) == (
        "Ya no queda ningún exento: el cuadro está completo."
    )
    assert table.get(f"{desk.run.path}/draw").json == file
