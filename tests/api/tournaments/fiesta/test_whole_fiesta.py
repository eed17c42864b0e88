"""The knock-out of a fiesta with 61 places, from the pairs' own entries to the champion."""

from __future__ import annotations

import msgspec
import pytest

from projections.runner.log import LogReader
from referee.aggregates.tournament.lots import RevealedLots, differences
from referee.audit.verify.conclusions import verify_all
from tests.api.tournaments.test_own_entries import PairPhone, address
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk

PLACES, APPLIED, BARS = 61, 64, 12
LATE, GONE = "65", ("1", "30")
"""A pair that comes after the draw; pairs that leave by themselves before it."""


def bar_of(number: str) -> int:
    return int(number) % BARS


@pytest.fixture
def drawn(table: HttpTable) -> Desk:
    """Entered by the pairs, drawn with those of one bar apart, and one more come late."""
    desk = Desk(table, 0, format="knock_out")
    desk.send(do="open_entries", date="2026-12-24", most=str(PLACES))
    hung = PairPhone(table, address(desk))
    own = {}
    for number in range(1, APPLIED + 1):
        hung.client.environ_base["REMOTE_ADDR"] = f"10.0.0.{number}"  # each at home
        pair = hung.enter(f"Ana {number}", f"Blas {number}", bar=f"Bar {number % BARS}")
        own[str(number)] = pair
    assert "En lista de espera: 3" in own["64"].page()
    for gone in GONE:
        assert own[gone].post().status_code == 303
    assert "Estáis dentro" in own["63"].page()
    assert "En lista de espera: 1" in own["64"].page()
    lines = [" ".join(one for one in own if bar_of(one) == bar) for bar in range(BARS)]
    entered = {one["pair"] for one in desk.run.view()["pairs"]}
    kept = [" ".join(one for one in line.split() if one in entered) for line in lines]
    desk.send(do="commit", heads="0", apart="\n".join(kept))
    desk.send(do="reveal")
    assert desk.send("/parejas", do="enter", player=["Eva", "Luis"]).status_code == 303
    return desk


def test_a_fiesta_of_61_pairs_is_played_from_the_entries_to_the_champion(
    table: HttpTable, drawn: Desk
) -> None:
    run = drawn.run
    file = table.get(f"{run.path}/draw").json
    ties = [tie for tie in file["outcome"]["ties"] if "" not in tie]
    assert not [tie for tie in ties if bar_of(tie[0]) == bar_of(tie[1])]
    assert not differences(msgspec.convert(file, RevealedLots))
    first = run.open()
    assert len(first) == (PLACES - 3 + 2) // 2  # three byes, of which the late pair took one
    assert LATE in {pair for one in first for pair in one["pairs"]}
    nobody = next(one for one in first if "2" not in one["pairs"])
    drawn.send(do="result", meeting=nobody["id"], winner="", cotos="0-0", walkover="yes")
    run.play_open()
    view = run.view()
    assert view["champion"] == "2"  # of two pairs the lower number wins
    assert len(view["standings"]) == PLACES + 1
    played = [one for drawn_round in view["rounds"] for one in drawn_round["meetings"]]
    # a tie for each pair but the champion, less one: two pairs are out at once in one of them
    assert len(played) == PLACES + 1 - 1 - 1
    drawn.send(do="close")
    assert run.view()["stage"] == "over"
    assert list(verify_all(LogReader(table.app.extensions["guinote"].files.log))) == []


def test_a_result_of_round_one_is_put_right_and_what_was_shown_follows(
    table: HttpTable, drawn: Desk
) -> None:
    run = drawn.run
    meeting = next(one for one in run.open() if "2" in one["pairs"])
    run.play_open()
    other = next(one for one in meeting["pairs"] if one != "2")
    run.win(meeting, other)
    shown = table.get(f"{run.path}/meetings/{meeting['id']}/choices").json["choices"]
    again = next(one for one in shown if one["what"] == "re_pair")
    before = run.view()
    assert before["champion"] == "2"
    run.do(f"meetings/{meeting['id']}/settlement", {"what": "re_pair", "winner": other})
    after = run.view()
    was, now = ({m["id"] for r in v["rounds"] for m in r["meetings"]} for v in (before, after))
    assert (set(again["gone"]), set(again["new"])) == (was - now, now - was)
    run.play_open()
    assert run.view()["champion"] == "3"  # of those that are left the lowest
    assert list(verify_all(LogReader(table.app.extensions["guinote"].files.log))) == []
