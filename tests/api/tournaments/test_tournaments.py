"""Tournaments over HTTP: each format from entry to champion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from api.cli.draws import draw
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import TOURNAMENTS, HttpTournament, pair


def places(view: Any) -> list[tuple[int, str]]:
    return [(row["place"], row["pair"]) for row in view["standings"]]


# --- each format, whole --------------------------------------------------------------------------


def test_a_swiss_tournament_from_entry_to_champion(table: HttpTable) -> None:
    played = HttpTournament(table, 9, format="swiss", rounds=4)
    played.draw()
    played.rounds(4)
    view = played.view()
    assert view["champion"] == "1"
    assert [row["points"] for row in view["standings"]] == sorted(
        (row["points"] for row in view["standings"]), reverse=True
    )
    assert places(view)[0] == (1, "1")
    assert view["standings"][0]["points"] == 8
    met = [frozenset(one["pairs"]) for drawn in view["rounds"] for one in drawn["meetings"]]
    assert len(met) == len(set(met)) == 16
    byes = [drawn["bye"] for drawn in view["rounds"]]
    assert len(set(byes)) == 4
    assert "" not in byes
    played.do("closing")
    assert played.view()["stage"] == "over"


def test_a_round_robin_from_entry_to_champion(table: HttpTable) -> None:
    played = HttpTournament(table, 5, format="round_robin")
    played.draw()
    played.rounds(5)
    view = played.view()
    assert view["champion"] == "1"
    assert places(view) == [(n, str(n)) for n in range(1, 6)]
    assert [row["points"] for row in view["standings"]] == [8, 6, 4, 2, 0]
    assert all(row["by"] in ("first", "points") for row in view["standings"])


def test_a_knock_out_with_consolation_from_entry_to_champion(table: HttpTable) -> None:
    played = HttpTournament(
        table, 7, format="knock_out", has_consolation=True, has_third_place=True
    )
    played.draw()
    played.play_open()
    view = played.view()
    assert view["champion"] == "1"
    assert places(view) == [(1, "1"), (2, "2"), (3, "3"), (4, "4"), (5, "5"), (5, "6"), (5, "7")]
    brackets = {one["bracket"]: one for one in view["bracket"]}
    assert brackets["consolation"]["winner"] == "5"
    assert brackets["third"]["winner"] == "3"
    first = view["bracket"][0]
    assert (first["pairs"], first["winner"], first["meeting"]) == (["1", ""], "1", "")


def test_groups_and_the_knock_out_after_them(table: HttpTable) -> None:
    played = HttpTournament(table, 8, format="groups", groups=2, qualify=2)
    played.draw()
    played.rounds(3)
    assert [group["pairs"] for group in played.view()["groups"]] == [
        ["1", "4", "5", "8"],
        ["2", "3", "6", "7"],
    ]
    assert played.ask("rounds").json["reason"] == "rounds-over"
    played.do("knock-out")
    view = played.view()
    semifinals = [one["pairs"] for one in view["bracket"] if one["round"] == 1]
    assert sorted(map(sorted, semifinals)) == [["1", "3"], ["2", "4"]]
    played.play_open()
    view = played.view()
    assert view["champion"] == "1"
    assert places(view)[:2] == [(1, "1"), (2, "2")]
    assert {pair for place, pair in places(view) if place == 3} == {"3", "4"}
    assert {pair for place, pair in places(view) if place == 5} == {"5", "6", "7", "8"}


# --- the draw ------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", [{"format": "swiss", "rounds": 3}, {"format": "round_robin"}])
def test_the_table_alone_is_that_of_the_whole_view(table: HttpTable, plan) -> None:
    played = HttpTournament(table, 4, **plan)
    played.draw()
    played.rounds(2)
    alone = table.get(f"{played.path}/standings").json
    assert alone == {name: played.view()[name] for name in alone}
    assert [row["place"] for row in alone["standings"]] == [1, 2, 3, 4]


def test_anybody_can_verify_the_draw_from_the_file_of_the_service(
    table: HttpTable, tmp_path: Path
) -> None:
    played = HttpTournament(table, 12, format="groups", groups=3, qualify=1)
    for wrong in ("x" * 81, "a\u202eb"):
        assert played.ask("draw", {"word_from": wrong}).status_code == 422
    committed = played.do("draw", {"heads": 3, "word_from": "la rifa de esta noche"})
    file = f"{played.path}/draw"
    before = table.client.get(file).json
    assert before["commitment"] == committed["commitment"]
    assert "seed" not in before
    assert played.view()["draw"]["seed"] is None
    assert played.ask("lots").json["reason"] == "word-missing"
    assert played.ask("lots", {"word": "1" * 41}).status_code == 422
    played.do("lots", {"word": "4711"})
    kept = tmp_path / "made.json"
    kept.write_text(table.client.get(file).text, "utf-8")
    arguments = ["verify", str(kept), "--commitment", committed["commitment"]]
    answer = CliRunner().invoke(draw, arguments)
    assert answer.exit_code == 0, answer.output
    view = played.view()
    made = json.loads(kept.read_text("utf-8"))
    assert made["outcome"]["order"] == view["draw"]["order"]
    assert made["outcome"]["groups"] == [group["pairs"] for group in view["groups"]]
    assert made["draw"]["pairs"][:3] == ["1", "2", "3"]
    kept.write_text(kept.read_text("utf-8").replace("4711", "4712"), "utf-8")
    assert CliRunner().invoke(draw, ["verify", str(kept)]).exit_code == 1


def test_nobody_reads_the_seed_before_the_draw(table: HttpTable) -> None:
    played = HttpTournament(table, 4, format="knock_out")
    played.do("draw")
    sealed = table.get(f"{played.path}/audit").json["items"][-1]["fact"]["seed"]
    seed = table.app.extensions["guinote"]().persons.text_by_id(sealed)
    shown = [table.get(f"{played.path}{end}").text for end in ("", "/draw", "/audit")]
    assert len(seed) == 32
    assert not [text for text in shown if seed in text]
    played.do("lots")
    assert played.view()["draw"]["seed"] == seed


def test_a_seed_that_was_erased_wants_another_commitment(table: HttpTable) -> None:
    played = HttpTournament(table, 4, format="knock_out")
    played.do("draw")
    sealed = table.get(f"{played.path}/audit").json["items"][-1]["fact"]["seed"]
    assert table.app.extensions["guinote"]().persons.erase(sealed)
    assert played.ask("lots").json["reason"] == "seed-missing"
    played.do("draw")
    played.do("lots")
    assert played.view()["stage"] == "running"


# --- who takes part ------------------------------------------------------------------------------


def test_a_late_pair_plays_since_the_next_round_and_one_that_goes_no_more(
    table: HttpTable,
) -> None:
    played = HttpTournament(table, 8, format="swiss", rounds=3)
    played.draw()
    played.do("rounds")
    assert played.do("pairs", {"pairs": [pair(9)]})["pairs"] == ["9"]
    played.play_open()
    played.do("pairs/2/withdrawal")
    played.do("pairs/3/absences", {"round": 2})
    played.do("rounds")
    view = played.view()
    second = view["rounds"][1]
    paired = {number for one in second["meetings"] for number in one["pairs"]}
    assert "9" in paired
    assert "2" not in paired
    walked = next(one for one in second["meetings"] if "3" in one["pairs"])
    assert walked["is_walkover"]
    assert walked["winner"] not in ("3", None)
    rows = {one["pair"]: one for one in view["pairs"]}
    assert (rows["9"]["since"], rows["2"]["until"]) == (2, 1)
    points = {row["pair"]: [item["reason"] for item in row["rounds"]] for row in view["standings"]}
    assert points["9"][0] == "late"


def test_other_players_take_the_place_of_a_pair(table: HttpTable) -> None:
    played = HttpTournament(table, 4, format="knock_out")
    players = {"players": [{"name": "Ana 1"}, {"name": "Carla"}]}
    played.do("pairs/1/substitution", players)
    assert played.view()["pairs"][0]["players"] == ["Ana 1", "Carla"]


@pytest.mark.parametrize(
    "plan, reason",
    [
        ({"format": "swiss"}, "plan-incomplete"),
        ({"format": "groups", "groups": 2}, "plan-incomplete"),
        ({"format": "knock_out", "groups": 2, "qualify": 1}, "plan-incomplete"),
        ({"format": "swiss", "rounds": 3, "has_third_place": True}, "not-in-this-format"),
        ({"format": "swiss", "rounds": 3, "criteria": ["lot", "points"]}, "criteria-order"),
    ],
)
def test_a_plan_that_cannot_be_played_says_why(table: HttpTable, plan, reason) -> None:
    body = {"name": "Torneo", "profile": {"id": "club"}, "plan": plan}
    answer = table.post(TOURNAMENTS, body, **{"Accept-Language": "es"})
    assert (answer.status_code, answer.json["reason"]) == (409, reason)
    assert answer.json["code"] == "bad_tournament"
    assert not answer.json["detail"].startswith("tournament.")


# --- tables, calls, the clock --------------------------------------------------------------------


def test_tables_calls_and_the_clock(table: HttpTable) -> None:
    played = HttpTournament(table, 8, format="swiss", rounds=3, tables=4, minutes=45)
    played.draw()
    played.do("rounds")
    played.do("tables")
    first = played.open()[0]
    played.do(f"meetings/{first['id']}/call")
    played.do("rounds/1/clock")
    shown = played.view()["rounds"][0]
    assert [one["table"] for one in shown["meetings"]] == [1, 2, 3, 4]
    assert [one["called"] for one in shown["meetings"]] == [True, False, False, False]
    assert (shown["clock"]["minutes"], shown["clock"]["stopped"]) == (45, None)
    played.do("rounds/1/clock/stop")
    assert played.view()["rounds"][0]["clock"]["stopped"]
    played.win(first, first["pairs"][1])
    last = played.open()[-1]
    played.do("tables", {"tables": {last["id"]: 1}})
    assert played.open()[-1]["table"] == 1


# --- corrections ---------------------------------------------------------------------------------


def test_a_result_corrected_too_late_is_pending_until_it_is_settled(table: HttpTable) -> None:
    played = HttpTournament(table, 8, format="swiss", rounds=3)
    played.draw()
    played.rounds(1)
    played.do("rounds")
    before = played.view()
    first = before["rounds"][0]["meetings"][0]
    winner, loser = first["pairs"]
    played.win(first, loser)
    view = played.view()
    assert view["rounds"] == before["rounds"]
    assert view["standings"] == before["standings"]
    (pending,) = view["pending"]
    assert (pending["was"]["winner"], pending["now"]["winner"]) == (winner, loser)
    assert played.ask("rounds").json["reason"] == "correction-pending"
    found = table.get(pending["choices"]).json["choices"]
    assert [one["what"] for one in found] == ["leave", "replay", "re_pair"]
    again = found[2]
    assert again["gone"]
    assert again["new"]
    played.do(f"meetings/{first['id']}/settlement", {"what": "re_pair"})
    after = played.view()
    assert after["pending"] == []
    now = {one["id"] for one in after["rounds"][1]["meetings"]}
    was = {one["id"] for one in before["rounds"][1]["meetings"]}
    assert (was - now, now - was) == (set(again["gone"]), set(again["new"]))
    places_now = {row["pair"]: row["place"] for row in after["standings"]}
    assert all(places_now[one["pair"]] == one["places"][1] for one in again["moved"])


def test_a_write_sent_again_is_answered_again(table: HttpTable) -> None:
    played = HttpTournament(table, 4, format="knock_out")
    one, two = (played.ask("draw", {"heads": 2}, key="the-same-key") for _ in range(2))
    assert (one.status_code, one.json) == (200, two.json)
    assert two.headers["Idempotent-Replayed"] == "true"
    assert played.ask("draw", key="another-key").status_code == 412


def test_lists_show_the_latest_first(table: HttpTable) -> None:
    paths = [HttpTournament(table, 2, format="knock_out").path for _ in range(3)]
    page = table.get(f"{TOURNAMENTS}?limit=2").json
    rest = table.get(f"{TOURNAMENTS}?limit=2&cursor={page['next']}").json
    found = [f"{TOURNAMENTS}/{one['id']}" for one in (*page["items"], *rest["items"])]
    assert found == paths[::-1]
    assert page["items"][0]["name"] == "Torneo de San Roque"
    assert rest["next"] is None
