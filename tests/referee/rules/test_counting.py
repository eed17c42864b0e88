"""Counting: totals are sums of items, and malas and buenas a way of saying them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules.articles import Rule
from referee.rules.counts import Score, malas_y_buenas, scores_from_items, totals
from referee.rules.profile.options import Options
from referee.table.counts import partida_totals, score_items
from tests.support.records.table_text import CLUB, cante, dealt, given, plays

SAID = [
    (0, 0, False),
    (1, 1, False),
    (50, 50, False),
    (51, 1, True),
    (85, 35, True),
    (101, 51, True),
]


@pytest.mark.parametrize("points, number, is_buenas", SAID)
def test_malas_and_buenas(points, number, is_buenas) -> None:
    assert malas_y_buenas(points) == (number, is_buenas)


NEED = Options(min_malas=30, cantes_need_min_malas=True)
CARDS = replace(NEED, min_malas_of="cards")


@pytest.mark.parametrize("score, options, total", [
    (Score(29, 0, 40), NEED, 29),
    (Score(19, 10, 40), NEED, 29),
    (Score(20, 10, 40), NEED, 70),
    (Score(20, 0, 40, 10), NEED, 70),
    (Score(29, 10, 40), CARDS, 39),
    (Score(30, 0, 40), CARDS, 70),
    (Score(0, 0, 40), Options(), 40),
    (Score(0, 0, 40), Options(cantes_need_min_malas=True), 40),
])  # fmt: skip
def test_cantes_below_the_minimum(score, options, total) -> None:
    assert score.total(options) == total


def test_a_total_is_the_sum_of_its_items() -> None:
    items = [("A", "cards", 20), ("A", "ultimas", 10), ("B", "cante", 40), ("A", "ruling", -5)]
    found = scores_from_items(items, 2)
    assert found == {"A": Score(20, 10, 0, -5), "B": Score(0, 0, 40)}
    assert totals(found, Options()) == {"A": 25, "B": 40}


@pytest.mark.rule(Rule.LAST_TRICK)
def test_items_stand_in_order_of_play_with_their_reasons() -> None:
    trick = plays("A1 AC, B1 2C, A2 4C, B2 5C")
    scene = given(CLUB, *dealt(), *trick, cante("A1", "E"), *plays("A1 3C, B1 6C, A2 7C, B2 CC"))
    found = score_items(scene.table.deal, 10, frozenset())
    assert [(i.side, i.reason, i.points, i.line) for i in found] == [
        ("A", "cards", 11, 6),
        ("A", "cante", 20, 7),
        ("A", "cards", 12, 11),
    ]
    assert partida_totals(scene.table) == {"A": 43, "B": 0}
    assert partida_totals(scene.table, []) == {"A": 0, "B": 0}


@pytest.mark.rule(Rule.LAST_TRICK)
def test_a_deal_played_out_is_worth_130() -> None:
    scene = given(CLUB, *dealt()).play_out()
    found = score_items(
        scene.table.deals[0] if scene.table.deals else scene.table.deal, 10, frozenset()
    )
    assert sum(item.points for item in found) == 130
    assert [item.reason for item in found].count("ultimas") == 1
    assert found[-1].reason == "ultimas"
