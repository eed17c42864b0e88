"""The repechage of a knock-out, from the form that opens it to the page of its draw."""

from __future__ import annotations

import re

import msgspec

from referee.aggregates.tournament.lots import RevealedLots, lots_differences
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk, HttpTournament


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def played_once(table: HttpTable, how: str) -> Desk:
    desk = Desk(table, 12, format="knock_out", repechage=how)
    desk.run.draw()
    assert "Repesca" not in words(desk.get().text)
    for one in desk.run.open():
        desk.run.win(one, min(one["pairs"], key=int))
    return desk


def test_the_desk_draws_who_plays_again_and_everybody_can_verify_it(table: HttpTable) -> None:
    desk = played_once(table, "ties")
    home = desk.path.removesuffix("/direccion")
    file = f"{desk.run.path}/repechage"
    assert table.get(file).status_code == 404
    assert "Quién dirá la palabra" in words(desk.get().text)
    assert desk.send(do="commit_repechage", word_from="La rifa").status_code == 303
    hung = table.get(file).json
    assert hung["draw"]["pairs"] == ["12", "9", "8", "11", "10", "7"]  # by the ties, from the top
    assert hung["commitment"] in desk.get().text
    assert hung["commitment"] in table.get(f"{home}/sorteo").text
    assert desk.send(do="draw_repechage").status_code == 409  # the word is missing
    assert desk.send(do="draw_repechage", word="4711").status_code == 303
    made = table.get(file).json
    assert not lots_differences(msgspec.convert(made, RevealedLots), hung["commitment"])
    again = [one["pairs"] for one in desk.run.open() if one["id"].startswith("repechage")]
    order = made["outcome"]["order"]
    assert again == [order[:2], order[2:4]]
    assert "Repesca" in words(table.get(f"{home}/rondas/2").text)
    assert words(table.get(f"{home}/cuadro?cuadro=repechage").text).count("Repesca") > 1
    assert f"Ana {order[0]}" in words(table.get(f"{home}/sorteo").text).partition("Repesca")[2]
    desk.run.play_open()
    assert desk.run.view()["champion"] == "1"
    assert desk.send(do="close").status_code == 303


def test_places_are_drawn_by_lot_over_http(table: HttpTable) -> None:
    run = played_once(table, "lots").run
    refused = run.ask("repechage/lots", {})
    assert (refused.status_code, refused.json["reason"]) == (409, "not-committed")
    committed = run.do("repechage", {})
    assert run.view()["repechage"]["commitment"] == committed["commitment"]
    run.do("repechage/lots", {})
    view = run.view()
    second = {pair for tie in view["bracket"] if tie["round"] == 2 for pair in tie["pairs"]}
    assert second == {*map(str, range(1, 7)), *view["repechage"]["order"][:2]}
    assert {one["round"] for one in run.open()} == {2}


def test_a_form_opens_it_and_not_with_a_consolation(table: HttpTable) -> None:
    form = {
        "key": "k" * 32,
        "name": "Copa",
        "profile": "club",
        "format": "knock_out",
        "repechage": "lots",
    }
    both = table.client.post(
        "/torneos/nuevo", data={**form, "has_consolation": "yes"}, headers=table.owner()
    )
    assert both.status_code == 409
    assert "Con consolación no hay repesca" in both.text
    assert 'value="lots" selected' in both.text
    opened = table.client.post("/torneos/nuevo", data=form, headers=table.owner())
    path = opened.headers["Location"].partition("/direccion")[0].replace("/torneos", "")
    plan = table.get(f"/api/v1/tournaments{path}?wait=5").json["plan"]
    assert plan["repechage"] == "lots"
    swiss = {**form, "key": "j" * 32, "format": "swiss", "rounds": "3"}
    assert table.client.post("/torneos/nuevo", data=swiss, headers=table.owner()).status_code == 303


def test_a_draw_in_which_all_play_keeps_bars_apart_and_is_verified(table: HttpTable) -> None:
    run = HttpTournament(table, 7, format="knock_out", repechage="lots")
    run.do("draw", {"apart": [["1", "2", "3"], ["4", "5"]]})
    run.do("lots", {})
    file = table.get(f"{run.path}/draw").json
    assert (file["version"], file["draw"]["kind"]) == ("guinote-draw-3", "all_play")
    assert not lots_differences(msgspec.convert(file, RevealedLots))
    met = [set(one["pairs"]) for one in run.open() if one["round"] == 1]
    assert len(met) == 3
    assert not [two for two in met if two <= {"1", "2", "3"} or two <= {"4", "5"}]
