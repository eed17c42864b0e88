"""A finding says what it costs at this table; the ruling itself is the arbiter's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from projections.scores.partidas import partida_view
from referee.events import CanteAnnounced, PintaSwapped
from referee.rules.articles import ABOUT, Rule
from referee.rules.profile.options import Options
from tests.support.records.table_text import CLUB, dealt, given, plays

LOST = plays("A1 4C, B1 AC, A2 2C, B2 5C")
KING = plays("A1 AC, B1 RC, A2 4C, B2 5C")


@pytest.mark.parametrize("cost", ["annul", "annul_and_warn", "lose_partida"])
def test_a_cante_not_held_costs_what_the_profile_says(cost: str) -> None:
    options: Options = replace(CLUB, false_cante=cost)
    scene = given(options, *dealt(), *KING, CanteAnnounced("A1", "C")).undecided()
    (found,) = scene.table.findings
    assert (found.rule, dict(found.facts)["costs"]) == (Rule.CANTE_DISPROVED, cost)


@pytest.mark.parametrize("cost", ["reverse", "reverse_and_warn", "lose_partida"])
def test_a_barred_swap_costs_what_the_profile_says(cost: str) -> None:
    options: Options = replace(CLUB, wrong_swap=cost)
    scene = given(options, *dealt("AO"), *LOST, PintaSwapped("A1")).undecided()
    (found,) = scene.table.findings
    assert (found.rule, dict(found.facts)["costs"]) == (Rule.SWAP_NO_TRICK, cost)


def test_what_costs_nothing_by_an_option_says_no_cost() -> None:
    scene = given(CLUB, *dealt(), *plays("A2 4C"))
    (found,) = scene.table.findings
    assert found.rule == Rule.OUT_OF_TURN
    assert not ABOUT[found.rule].cost
    assert "costs" not in dict(found.facts)


@pytest.mark.parametrize(
    "options, packets",
    [
        (CLUB, [3, 3]),
        (Options(players=2, hand_size=10, deal_packets="one_by_one", swap=False), [1] * 10),
    ],
)
def test_the_view_says_how_to_deal(options: Options, packets: list[int]) -> None:
    assert partida_view(given(options).state).packets == packets
    assert sum(packets) == options.hand_size
