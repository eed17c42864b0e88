"""A calendar that is made again keeps the days that were agreed on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.servers.http_league import HttpLeague
from tests.support.servers.http_table import HttpTable


def one(league: HttpLeague, home: str, away: str) -> Any:
    match = league.match(home, away)
    every = league.view()["divisions"][0]["matches"]
    return next(each for each in every if each["match"] == match)


@pytest.mark.parametrize("legs", [1, 2])
def test_moved_and_postponed_matches_are_as_agreed_after_a_team_more(
    table: HttpTable, legs: int
) -> None:
    league = HttpLeague(table, "Bar Ana", "Bar Blas", "Casino", rules={"legs": legs})
    league.schedule(time="21:30")
    every = league.view()["divisions"][0]["matches"]
    moved, off = [(each["home"], each["away"]) for each in every][:2]
    ids = [league.match(*moved), league.match(*off)]
    told = {"date": "2026-05-02", "time": "18:00", "venue": "Plaza", "reason": "fiesta"}
    league.do(
        {"kind": "match_move", "match": ids[0], **told},
        {"kind": "match_move", "match": ids[1], "date": "2026-06-01"},
        {"kind": "match_postpone", "match": ids[1], "reason": "Nieve"},
        {"kind": "team_enter", "name": "Peña"},
    )
    league.schedule(time="22:00")
    played = league.view()["divisions"][0]["matches"]
    assert len(played) == 6 * legs
    found = {frozenset((each["home"], each["away"])): each for each in reversed(played)}
    pick = (lambda pair: one(league, *pair)) if legs == 2 else (lambda pair: found[frozenset(pair)])
    kept = pick(moved)
    assert {name: kept[name] for name in told} == told
    assert (pick(off)["stage"], pick(off)["reason"]) == ("postponed", "Nieve")
    others = [each for each in played if each["match"] not in (kept["match"], pick(off)["match"])]
    assert {each["time"] for each in others} == {"22:00"}


@pytest.mark.parametrize("venue", ["At home", "AT HÓME"])
def test_a_moved_match_is_at_the_home_of_who_is_at_home_in_the_new_calendar(
    table: HttpTable, venue: str
) -> None:
    league = HttpLeague(table, rules={"legs": 1})
    entered = [("Ana", "At home"), ("Blas", "Casino"), ("Celia", "Peña")]
    league.do(*({"kind": "team_enter", "name": name, "venue": bar} for name, bar in entered))
    league.schedule(order=["1", "2", "3"])
    match = next(each for each in matches(league) if each["home"] == "1")
    league.do({"kind": "match_move", "match": match["match"], "date": "2026-05-02", "venue": venue})
    assert one(league, "1", match["away"])["venue"] == "At home"
    orders = [["2", "1", "3"], ["3", "2", "1"], ["1", "3", "2"], ["2", "3", "1"], ["3", "1", "2"]]
    for order in orders:
        league.schedule(order=order)
        again = next(each for each in matches(league) if each["date"] == "2026-05-02")
        own = {str(at): bar for at, (_, bar) in enumerate(entered, 1)}
        assert again["venue"] == own[again["home"]]


def matches(league: HttpLeague) -> Any:
    return league.view()["divisions"][0]["matches"]
