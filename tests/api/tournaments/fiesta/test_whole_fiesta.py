"""The knock-out of a fiesta with 61 places, from the pairs' own entries to the champion."""

from __future__ import annotations

import msgspec
import pytest

from projections.runner.log import LogReader
from referee.aggregates.tournament.lots import RevealedLots, lots_differences
from referee.audit.verify.conclusions import differences_in_all_streams
from tests.api.tournaments.test_own_entries import PairPhone, address
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk

PLACES, APPLIED, BARS = 61, 64, 12
LATE, GONE = "65", ("1", "30")
"""A pair that comes after the draw; pairs that leave by themselves before it."""
LEAVES, FOLLOWS = "50", "64"
"""A pair that leaves after the draw, and the one that waited for a place."""
PRIZES = "300\n150\nun jamón\nun queso\n40\n40\n40\n40"


def bar_of(number: str) -> int:
    return int(number) % BARS


@pytest.fixture
def drawn(table: HttpTable) -> Desk:
    """Entered by the pairs, drawn with those of one bar apart; one comes late, one moves up."""
    desk = Desk(table, 0, format="knock_out", repechage="ties", has_third_place=True)
    desk.send(do="price", fee="10 €", prizes=PRIZES)
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
    assert desk.send(do="withdraw", pair=LEAVES).status_code == 303
    assert "Estáis dentro" in own[FOLLOWS].page()
    return desk


def play_again(desk: Desk) -> list[str]:
    """The repechage is drawn at the desk, once the first round is over; those drawn, in order."""
    assert desk.send(do="commit_repechage", word_from="La rifa").status_code == 303
    assert desk.send(do="draw_repechage", word="4711").status_code == 303
    return list(desk.run.view()["repechage"]["order"])


def first_round(desk: Desk, nobody_of: str = "") -> None:
    """The first round: the lower number wins; of the tie of a pair neither pair comes."""
    for one in [one for one in desk.run.open() if one["round"] == 1]:
        if nobody_of in one["pairs"]:
            desk.send(do="result", meeting=one["id"], winner="", cotos="0-0", walkover="yes")
            desk.run.view()
        else:
            desk.run.win(one, min(one["pairs"], key=int))


def second_round(desk: Desk) -> list[str]:
    ties = [
        tie for tie in desk.run.view()["bracket"] if (tie["bracket"], tie["round"]) == ("main", 2)
    ]
    return [pair for tie in ties for pair in tie["pairs"] if pair]


def test_a_fiesta_of_61_pairs_is_played_from_the_entries_to_the_champion(
    table: HttpTable, drawn: Desk
) -> None:
    run = drawn.run
    file = table.get(f"{run.path}/draw").json
    ties = [tie for tie in file["outcome"]["ties"] if "" not in tie]
    assert not [tie for tie in ties if bar_of(tie[0]) == bar_of(tie[1])]
    assert not lots_differences(msgspec.convert(file, RevealedLots))
    first = run.open()
    assert len(first) == (PLACES + 1) // 2  # nobody rests: the late pair meets the one that did
    playing = {pair for one in first for pair in one["pairs"]}
    assert {LATE, FOLLOWS} <= playing
    assert LEAVES not in playing
    nobody = next(one for one in first if "2" not in one["pairs"])["pairs"]
    first_round(drawn, nobody[0])
    order = play_again(drawn)
    assert len(order) == len(first) - 1
    assert not set(order) & set(nobody)
    made = table.get(f"{run.path}/repechage").json
    assert not lots_differences(msgspec.convert(made, RevealedLots))
    again = [one["pairs"] for one in run.open() if one["id"].startswith("repechage")]
    assert again == [order[:2], order[2:4]]  # for the empty place, and that of the two absent ones
    run.play_open()
    assert len(second_round(drawn)) == 32
    view = run.view()
    assert view["champion"] == "2"  # of two pairs the lower number wins
    assert len(view["standings"]) == PLACES + 1
    played = [one for drawn_round in view["rounds"] for one in drawn_round["meetings"]]
    assert len(played) == len(first) + 2 + 31 + 1  # repechage, the bracket of 32, third place
    prizes = [one["pairs"] for one in view["prizes"]]
    assert prizes[0] == ["2"]
    assert [len(pairs) for pairs in prizes] == [1, 1, 1, 1, 4, 4, 4, 4]
    home = table.get(drawn.path.removesuffix("/direccion")).text
    assert "40\xa0€ para cada pareja" in home
    drawn.send(do="close")
    assert run.view()["stage"] == "over"
    assert (
        list(differences_in_all_streams(LogReader(table.app.extensions["guinote"].files.log))) == []
    )


def test_a_result_of_round_one_is_put_right_and_what_was_shown_follows(
    table: HttpTable, drawn: Desk
) -> None:
    run = drawn.run
    meeting = next(one for one in run.open() if "2" in one["pairs"])
    other = next(one for one in meeting["pairs"] if one != "2")
    first_round(drawn)
    drawn_again = other in play_again(drawn)[:2]  # one place is left, for which two play
    run.play_open()
    run.win(meeting, other)
    shown = table.get(f"{run.path}/meetings/{meeting['id']}/choices").json["choices"]
    again = next(one for one in shown if one["what"] == "re_pair")
    before = run.view()
    assert before["champion"] == "2"
    run.do(f"meetings/{meeting['id']}/settlement", {"what": "re_pair", "winner": other})
    after = run.view()
    was, now = ({m["id"] for r in v["rounds"] for m in r["meetings"]} for v in (before, after))
    assert (set(again["gone"]), set(again["new"])) == (was - now, now - was)
    assert {tuple(one["pairs"]) for one in after["prizes"]} == {()}
    run.play_open()
    assert len(second_round(drawn)) == 32
    champion = "2" if drawn_again else "3"  # of those that are left the lowest
    assert run.view()["champion"] == champion
    assert run.view()["prizes"][0]["pairs"] == [champion]
    assert (
        list(differences_in_all_streams(LogReader(table.app.extensions["guinote"].files.log))) == []
    )
