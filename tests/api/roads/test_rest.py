"""Roads over HTTP: qualifiers of this house, places, renunciations, a correction, the final."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.roads.http_road import ROADS, HttpRoad, holding, id_of, play_qualifier
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament


@pytest.fixture
def final(table: HttpTable) -> HttpTournament:
    return HttpTournament(table, 0, format="knock_out")


@pytest.fixture
def road(table: HttpTable, final: HttpTournament) -> HttpRoad:
    """Two places of a qualifier of four pairs, one of another."""
    made = HttpRoad(table, id_of(final), 6)
    for bar, places in (("p", 2), ("q", 1)):
        played = play_qualifier(table, bar)
        number = made.do(add(played, bar, places))["qualifiers"][0]
        made.do({"kind": "list_take", "qualifier": number})
    return made


def add(played: HttpTournament, bar: str, places: int) -> dict[str, Any]:
    named = {"name": f"Bar {bar}", "places": places}
    return {"kind": "qualifier_add", **named, "tournament": id_of(played)}


def entries(road: HttpRoad, qualifier: int) -> list[Any]:
    return road.view()["qualifiers"][qualifier - 1]["entries"]


def test_everybody_sees_the_road(road: HttpRoad) -> None:
    assert road.holding() == ["Ana p1", "Ana p2", "Ana q1"]
    seen = road.table.client.get(road.path).json
    assert holding(seen) == ["Ana p1", "Ana p2", "Ana q1"]
    assert (seen["places"], seen["filled"], seen["free"]) == (6, 3, 3)
    assert road.table.client.get(ROADS).json["items"][0]["filled"] == 3
    assert road.table.client.post(f"{road.path}/acts", json={}).status_code == 401


def test_the_next_moves_up_and_the_preview_says_so(road: HttpRoad) -> None:
    act = {"kind": "place_renounce", "entry": "1-2", "reason": "Trabaja ese día."}
    told = road.preview(act)
    assert [one["entry"] for one in told["lost"]] == ["1-2"]
    assert [one["entry"] for one in told["gained"]] == ["1-4"]  # lost to the winner
    road.do(act)
    seen = road.view()
    assert holding(seen) == holding(told["road"]) == ["Ana p1", "Ana p4", "Ana q1"]
    assert entries(road, 1)[1]["reason"] == "Trabaja ese día."
    assert road.ask(act).json["rule"] == "renounced-already"
    road.do({"kind": "place_reclaim", "entry": "1-2"})
    assert road.holding() == ["Ana p1", "Ana p2", "Ana q1"]


def test_pairs_enter_the_final_and_who_moves_up_takes_the_place_there(
    road: HttpRoad, final: HttpTournament
) -> None:
    road.do({"kind": "final_enter"})
    assert [one["players"][0] for one in final.view()["pairs"]] == ["Ana p1", "Ana p2", "Ana q1"]
    final.draw()
    road.do({"kind": "place_renounce", "entry": "1-1"})
    told = road.preview({"kind": "final_enter"})
    assert [one["pair"] for one in told["final"]] == ["1"]
    road.do({"kind": "final_enter"})
    pairs = {one["pair"]: one["players"][0] for one in final.view()["pairs"]}
    assert pairs == {"1": "Ana p4", "2": "Ana p2", "3": "Ana q1"}
    assert road.ask({"kind": "final_enter"}).json["rule"] == "final-current"


def invite(*players: Any) -> dict[str, Any]:
    return {"kind": "pair_invite", "players": [*players]}


def first_players(final: HttpTournament) -> dict[str, str]:
    """First player of each pair that plays the final, by its number."""
    pairs = final.view()["pairs"]
    return {one["pair"]: one["players"][0] for one in pairs if not one["is_withdrawn"]}


def test_a_player_who_comes_back_with_another_partner_has_the_same_number(
    road: HttpRoad, final: HttpTournament
) -> None:
    road.do({"kind": "final_enter"})
    final.draw()
    ana = {"person": entries(road, 1)[1]["players"][0]}
    road.do(*({"kind": "place_renounce", "entry": one} for one in ("1-1", "1-2")))
    road.do({"kind": "place_renounce", "entry": "1-4"}, invite(ana, {"name": "Eva"}))
    road.do({"kind": "final_enter"})
    assert first_players(final) == {"1": "Ana p3", "2": "Ana p2", "3": "Ana q1"}


def test_pairs_that_share_players_with_several_enter_the_final(
    road: HttpRoad, final: HttpTournament
) -> None:
    road.do({"kind": "final_enter"})
    one, two, three = (entries(road, 1)[0], entries(road, 1)[1], entries(road, 2)[0])
    road.do(*({"kind": "place_renounce", "entry": each} for each in ("1-1", "1-2", "2-1")))
    (a, b), (c, d), (e, _) = ([{"person": who} for who in x["players"]] for x in (one, two, three))
    road.do(*({"kind": "place_renounce", "entry": each} for each in ("1-3", "1-4", "2-4")))
    road.do(invite(a, c), invite(b, d), invite(e, {"name": "Eva"}), {"kind": "final_enter"})
    assert sorted(first_players(final).values()) == ["Ana p1", "Ana q1", "Ana q2", "Blas p1"]


def test_nobody_inherits_a_result_of_the_final(table: HttpTable) -> None:
    final = HttpTournament(table, 0, format="swiss", rounds=3)
    road, played = HttpRoad(table, id_of(final), 4), play_qualifier(table, "p", 6)
    road.do(add(played, "p", 4), {"kind": "list_take", "qualifier": "1"}, {"kind": "final_enter"})
    final.draw(0)
    final.do("rounds")
    meeting = final.view()["rounds"][0]["meetings"][0]
    gone, other = sorted(meeting["pairs"])
    final.win(meeting, gone)
    name, own = first_players(final)[gone], first_players(final)
    (entry,) = [
        one["entry"] for one in entries(road, 1) if road.view()["names"][one["players"][0]] == name
    ]
    told = road.preview({"kind": "place_renounce", "entry": entry})
    came = told["road"]["names"][told["gained"][0]["players"][0]]
    road.do({"kind": "place_renounce", "entry": entry}, {"kind": "final_enter"})
    assert first_players(final) == {**{at: own[at] for at in own if at != gone}, "5": came}
    points = {one["pair"]: one["points"] for one in final.view()["standings"]}
    assert points["5"] == 0 < points[gone]
    assert other in first_players(final)


def test_a_cruce_that_was_played_in_a_full_knock_out_has_nobody_else(
    road: HttpRoad, final: HttpTournament
) -> None:
    road.do(invite({"name": "Eva"}, {"name": "Iván"}), {"kind": "final_enter"})
    final.draw()
    final.win(next(one for one in final.open() if "2" in one["pairs"]), "2")
    road.do({"kind": "place_renounce", "entry": "1-1"})
    assert road.ask({"kind": "final_enter"}).json["rule"] == "bracket-full"
    road.do({"kind": "qualifier_change", "qualifier": "1", "name": "Bar p", "places": 1})
    road.do({"kind": "final_enter"})
    assert "2" not in first_players(final)


def test_a_place_that_nobody_takes_is_withdrawn_from_the_final(
    road: HttpRoad, final: HttpTournament
) -> None:
    guest = [{"name": "Eva"}, {"name": "Iván"}]
    road.do({"kind": "pair_invite", "players": guest}, {"kind": "final_enter"})
    assert len(final.view()["pairs"]) == 4
    road.do({"kind": "place_renounce", "entry": "0-1"}, {"kind": "final_enter"})
    assert ["Eva", "Iván"] not in [one["players"] for one in final.view()["pairs"]]


def test_what_cannot_be_is_refused_in_words(road: HttpRoad, final: HttpTournament) -> None:
    running = HttpTournament(road.table, 4, format="knock_out")
    road.do(add(running, "r", 1), {"kind": "qualifier_add", "name": "Otra", "places": 1})
    unknown = "00000000-0000-4000-8000-000000000000"
    for act, rule in (
        ({"kind": "list_take", "qualifier": "3"}, "qualifier-running"),
        ({"kind": "list_take", "qualifier": "4"}, "qualifier-elsewhere"),
        ({"kind": "list_take", "qualifier": "4", "file": "{}"}, "field-broken"),
        ({"kind": "list_take", "qualifier": "9"}, "qualifier-unknown"),
        ({"kind": "key_trust", "key": "no key"}, "field-broken"),
        ({"kind": "pair_invite", "players": [{"name": "Eva"}]}, "pairs-of"),
        ({"kind": "qualifier_add", "name": "X", "places": 1, "tournament": unknown}, "tournament-unknown"),
        ({"kind": "qualifier_add", "name": "X", "places": 9}, "places-full"),
        (add(final, "x", 1), "tournament-twice"),
    ):  # fmt: skip
        refused = road.ask(act)
        assert (refused.status_code, refused.json["code"]) == (409, "bad_road"), act
        assert refused.json["rule"] == rule, act
    no_final = road.table.post(ROADS, {"name": "X", "final": unknown, "places": 8})
    assert no_final.json["rule"] == "final-unknown"
