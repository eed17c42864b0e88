"""A Swiss tournament of eleven pairs with absences, from entry to champion, over HTTP and pages."""

from __future__ import annotations

import re
from typing import Any

from projections.runner.log import LogReader
from referee.audit.verify.conclusions import differences_in_all_streams
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk, HttpTournament, pair

ROUNDS = 9
AWAY = {2: ["4"], 3: ["7", "9"], 4: ["11"], 6: ["2"], 8: ["5"]}
"""Pairs that stay away, by the round; 10 withdraws after the fifth, 12 comes in the third."""


def played(table: HttpTable, until: int) -> Desk:
    """A desk after so many rounds; of two pairs the one with the lower number wins, or not."""
    desk = Desk(table, 11, format="swiss", rounds=ROUNDS, absence="not_paired")
    run = desk.run
    run.draw()
    for number in range(1, until + 1):
        for absent in AWAY.get(number, []):
            run.do(f"pairs/{absent}/absences", {"round": number})
        if number == 3:
            run.do("pairs", {"pairs": [pair(12)]})
        if number == 6:
            run.do("pairs/10/withdrawal")
        run.do("rounds")
        run.play_open(winner)
    return desk


def winner(meeting: Any) -> str:
    """The lower number, but for two that add up to a multiple of three."""
    low, high = sorted(meeting["pairs"], key=int)
    return str(high if (int(low) + int(high)) % 3 == 0 else low)


def points_by_hand(view: Any) -> dict[str, int]:
    """Two points for a win and for a bye, from the rounds alone."""
    found = {one["pair"]: 0 for one in view["pairs"]}
    for drawn in view["rounds"]:
        for meeting in drawn["meetings"]:
            found[meeting["winner"]] += 2
        for rests in drawn["byes"]:
            found[rests] += 2
    return found


def test_eleven_pairs_play_nine_rounds_to_the_end_whoever_stays_away(table: HttpTable) -> None:
    desk = played(table, ROUNDS)
    view = desk.run.view()
    assert len(view["rounds"]) == ROUNDS
    for drawn in view["rounds"]:
        named = [one for meeting in drawn["meetings"] for one in meeting["pairs"]] + drawn["byes"]
        assert len(named) == len(set(named))
        assert not set(named) & set(AWAY.get(drawn["number"], []))
    assert [drawn["repeats"] for drawn in view["rounds"]] == [[]] * ROUNDS
    assert {row["pair"]: row["points"] for row in view["standings"]} == points_by_hand(view)
    desk.send(do="close")
    assert desk.run.view()["champion"] == view["standings"][0]["pair"]
    assert (
        list(differences_in_all_streams(LogReader(table.app.extensions["guinote"].files.log))) == []
    )


def test_a_result_of_the_first_round_is_corrected_and_what_was_shown_follows(
    table: HttpTable,
) -> None:
    desk = played(table, 4)
    run = desk.run
    meeting = run.view()["rounds"][0]["meetings"][0]
    other = next(one for one in meeting["pairs"] if one != meeting["winner"])
    run.win(meeting, other)
    page = desk.get(f"/cruces/{meeting['id']}/correccion")
    assert page.status_code == 200
    shown = table.get(f"{run.path}/meetings/{meeting['id']}/choices").json["choices"]
    again = next(one for one in shown if one["what"] == "re_pair")
    before = run.view()
    run.do(f"meetings/{meeting['id']}/settlement", {"what": "re_pair", "winner": other})
    after = run.view()
    was, now = ({m["id"] for r in v["rounds"] for m in r["meetings"]} for v in (before, after))
    assert (set(again["gone"]), set(again["new"])) == (was - now, now - was)
    rows = [{r["pair"]: (r["place"], r["points"]) for r in v["standings"]} for v in (before, after)]
    moved = {one["pair"]: (tuple(one["places"]), tuple(one["points"])) for one in again["moved"]}
    really = {
        one: tuple(zip(rows[0][one], rows[1][one], strict=True))
        for one in rows[0]
        if rows[0][one] != rows[1][one]
    }
    assert moved == really
    run.play_open(winner)
    while len(run.view()["rounds"]) < ROUNDS:
        run.do("rounds")
        run.play_open(winner)
    assert all(drawn["repeats"] == [] for drawn in run.view()["rounds"])
    assert (
        list(differences_in_all_streams(LogReader(table.app.extensions["guinote"].files.log))) == []
    )


def test_who_meets_again_is_said_on_the_page_of_the_round(table: HttpTable) -> None:
    """Three pairs over four rounds: all have met and rested after the third."""
    run = HttpTournament(table, 3, format="swiss", rounds=4)
    run.draw()
    run.rounds(4)
    last = run.view()["rounds"][3]
    (meeting,) = last["meetings"]
    assert last["repeats"] == [meeting["pairs"], [last["bye"], ""]]
    path = run.path.replace("/api/v1/tournaments", "/torneos")
    page = table.get(f"{path}/rondas/4").text
    said = re.findall(r'data-part="(rematch|rest-again)">([^<]+)', page)
    assert [part for part, _ in said] == ["rematch", "rest-again"]
    assert said[0][1].startswith("Vuelven a encontrarse")
    assert said[1][1].startswith("Vuelve a descansar")
    assert "no quedaba otra forma" in said[0][1]
    assert 'data-part="rematch"' not in table.get(f"{path}/rondas/3").text
