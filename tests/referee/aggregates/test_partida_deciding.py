"""Who wins a partida: at the end of a deal, by a claim, by giving up, or by ruling."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from tests.support.records.table_deals import deal_of
from tests.support.records.table_text import CLUB, THREE, given

LEFTOVER = Options(
    players=3, hand_size=13, three_deck="leftover_on_table", deal_packets="one_by_one",
    pinta_from="leftover_card", duties_from="first_trick", swap=False,
)  # fmt: skip


MIN = Options(min_malas=30, min_malas_applies="always", cantes_need_min_malas=True)
GUINYOT_THREE = replace(MIN, players=3)
BOTH_OVER = Options(min_malas=30)
HIGHEST = Options(both_reach_target="highest_total")
FORTY_A = [("A1", "O")]
FIRST_DEALS = [
    # about, options, cards of A and B, who takes the last trick, cantes, winner, totals
    ("one at the target", CLUB, 91, 29, "A1", [], "A", (101, 29)),
    ("the other at the target", CLUB, 20, 100, "A1", [], "", (30, 100)),
    ("nobody", CLUB, 60, 60, "A1", [], "", (70, 60)),
    ("a hundred is not enough", CLUB, 90, 30, "A1", [], "", (100, 30)),
    ("both, the last trick wins", CLUB, 62, 58, "B1", [("A1", "O"), ("B1", "E"), ("B2", "C")], "B", (102, 108)),
    ("both, the higher has not the last trick", CLUB, 61, 59, "A1", [("A1", "O"), ("B1", "E"), ("B2", "C"), ("B1", "B")], "A", (111, 119)),
    ("both level, the last trick wins", CLUB, 65, 55, "B1", [("A1", "O"), ("B1", "E"), ("B2", "C")], "B", (105, 105)),
    ("both, the highest total wins", HIGHEST, 75, 45, "A1", [("A1", "E"), ("B1", "O"), ("B2", "C")], "A", (105, 105)),
    ("both, the highest total without the last trick", HIGHEST, 71, 49, "A1", [("A1", "E"), ("B1", "O"), ("B2", "C")], "B", (101, 109)),
    ("min malas always, one below", MIN, 21, 99, "B1", [], "B", (21, 109)),
    ("min malas always, exactly thirty", MIN, 30, 90, "B1", [], "", (30, 100)),
    ("min malas always, thirty with the last trick", MIN, 20, 100, "A1", [], "", (30, 100)),
    ("min malas always, nobody at the target", MIN, 29, 91, "A1", [], "B", (39, 91)),
    ("min malas both over, one below and nobody at the target", replace(BOTH_OVER, target=111), 20, 100, "B1", [], "", (20, 110)),
    ("min malas both over, only one over", BOTH_OVER, 20, 100, "B1", [], "B", (20, 110)),
    ("no min malas at all", CLUB, 0, 120, "B1", [], "B", (0, 130)),
]  # fmt: skip


@pytest.mark.rule(Rule.TARGET, Rule.BOTH_REACH_TARGET)
@pytest.mark.parametrize(
    "about, options, a, b, last, cantes, winner, totals",
    FIRST_DEALS,
    ids=[d[0] for d in FIRST_DEALS],
)
def test_the_first_deal(about, options, a, b, last, cantes, winner, totals) -> None:
    scene = given(
        replace(options, cantes_per_player=3, cantes_per_side=0),
        *deal_of(options, last, A=a, B=b, cantes=cantes),
    )
    if about == "min malas always, nobody at the target":
        scene.in_vueltas()
        return
    scene.counted(1, A=totals[0], B=totals[1])
    if winner:
        scene.then(winner, "first_deal", A=totals[0], B=totals[1])
    else:
        scene.in_vueltas()


MANY = replace(CLUB, cantes_per_player=3, cantes_per_side=0)
ALL_CANTES = [("B1", "O"), ("B1", "E"), ("B1", "C")]
BELOW = [
    # B has 29 without cantes and 109 with them.
    ("always", True, 29, "A", (101, 29)),
    ("always", False, 29, "A", (101, 109)),
    ("both_over_target", True, 29, "A", (101, 29)),
    ("both_over_target", False, 29, "A", (101, 109)),
    ("always", True, 30, "B", (90, 120)),
    ("both_over_target", False, 30, "B", (90, 120)),
]


@pytest.mark.rule(Rule.MIN_MALAS)
@pytest.mark.parametrize("applies, need, base, winner, totals", BELOW)
def test_below_thirty_without_cantes(applies, need, base, winner, totals) -> None:
    options = replace(MANY, min_malas=30, min_malas_applies=applies, cantes_need_min_malas=need)
    if base == 29:
        acts = deal_of(options, "A1", A=91, B=29, cantes=ALL_CANTES)
    else:
        acts = deal_of(options, "B1", A=90, B=30, cantes=ALL_CANTES)
        totals = (90, 120)
    scene = given(options, *acts)
    found = scene.table.decided
    assert found is not None
    assert found.winner == winner
    if base == 29:
        assert found.totals == {"A": totals[0], "B": totals[1]}


def test_with_thirty_the_last_trick_decides_between_both() -> None:
    options = replace(MANY, min_malas=30)
    acts = deal_of(options, "B1", A=100, B=20, cantes=[*ALL_CANTES, ("A1", "B")])
    given(options, *acts).then("B", "first_deal", A=120, B=110)


THREE_SIDES = [
    ("one at the target", GUINYOT_THREE, {"A": 101, "B": 10, "C": 9}, "C1", [], "A"),
    ("one at the target, others below, nobody loses", GUINYOT_THREE, {"A": 60, "B": 50, "C": 10}, "C1", [], ""),
    ("two at the target, one below", replace(GUINYOT_THREE, cantes_need_min_malas=False),
     {"A": 91, "B": 29, "C": 0}, "A1", [("B1", "O"), ("B1", "E"), ("B1", "C")], "A"),
    ("several at the target, the third below", replace(THREE, min_malas=30), {"A": 61, "B": 59, "C": 0}, "C1",
     [("A1", "O"), ("B1", "E"), ("B1", "B"), ("B1", "C")], "B"),
    ("several, the last trick", THREE, {"A": 61, "B": 59, "C": 0}, "C1", [("A1", "O"), ("B1", "E"), ("B1", "B"), ("B1", "C")], "B"),
    ("several, the highest", replace(THREE, both_reach_target="highest_total"), {"A": 71, "B": 49, "C": 0}, "C1",
     [("A1", "O"), ("B1", "E"), ("B1", "B"), ("B1", "C")], "A"),
]  # fmt: skip


@pytest.mark.rule(Rule.TARGET, Rule.MIN_MALAS)
@pytest.mark.parametrize(
    "about, options, points, last, cantes, winner", THREE_SIDES, ids=[d[0] for d in THREE_SIDES]
)
def test_the_first_deal_of_three(about, options, points, last, cantes, winner) -> None:
    many = replace(options, cantes_per_player=3, cantes_per_side=0)
    scene = given(many, *deal_of(many, last, cantes=cantes, **points))
    if winner:
        scene.then(winner, "first_deal")
    else:
        scene.in_vueltas()
