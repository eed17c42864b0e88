"""The luck of the deals: figures by hand, and intervals that hold what is true."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from projections.seasons.luck import (
    LEAST_DEALS,
    PricedDeal,
    SeasonLuck,
    luck_in_deals,
    student_t_975,
)

A, B, C = ("ana", "blas"), ("celia", "diego"), ("eva", "fermín")
SEASONS, PAIRS, SHARE = 200, 8, 0.6


def test_the_figures_of_a_small_season() -> None:
    deals = [PricedDeal(A, B, 10, 5), PricedDeal(B, C, -4, 2), PricedDeal(C, A, 6, 6)]
    found = {one.pair: one for one in luck_in_deals(deals).pairs}
    assert [(found[p].deals, found[p].par, found[p].made) for p in (A, B, C)] == [
        (2, 2.0, -0.5),
        (2, -7.0, -1.5),
        (2, 5.0, 2.0),
    ]


def test_of_few_deals_no_share_is_fitted_and_no_interval_given() -> None:
    deals = [PricedDeal(A, B, n, n / 2) for n in range(1, LEAST_DEALS)]
    found = luck_in_deals(deals)
    assert found.share is None
    assert {one.within for one in found.pairs} == {None}
    assert luck_in_deals([*deals, PricedDeal(A, B, 20, 10)]).share == pytest.approx(0.5)


def test_the_share_is_taken_off_and_not_par_whole() -> None:
    deals = [PricedDeal(A, B, n, n / 2 + (-1) ** n) for n in range(-20, 20)]
    found = luck_in_deals(deals)
    share = sum(one.par * one.made for one in deals) / sum(one.par**2 for one in deals)
    assert found.share == pytest.approx(share)
    for one in found.pairs:
        assert one.beyond == pytest.approx(one.made - share * one.par)
    assert luck_in_deals([]) == SeasonLuck(0, None, ())


def season(number: int) -> tuple[list[PricedDeal], dict[tuple[str, ...], float]]:
    """Deals of pairs that differ, and what each would make beyond the cards against those it met."""
    r = random.Random(f"season {number}")
    pairs = [(f"{n}",) for n in range(PAIRS)]
    skill = {pair: r.gauss(0, 3) for pair in pairs}
    deals = []
    against: dict[tuple[str, ...], list[float]] = {pair: [] for pair in pairs}
    for first, second in [*combinations(pairs, 2)] * r.choice((1, 2, 4)):
        par = r.gauss(0, 20)
        better = skill[first] - skill[second]
        deals.append(PricedDeal(first, second, par, SHARE * par + better + r.gauss(0, 18)))
        against[first].append(better)
        against[second].append(-better)
    return deals, {pair: sum(met) / len(met) for pair, met in against.items()}


def test_an_interval_holds_what_is_true_in_95_of_100_simulated_pairs() -> None:
    held = 0
    for number in range(SEASONS):
        deals, true = season(number)
        for one in luck_in_deals(deals).pairs:
            assert one.within is not None
            held += abs(one.beyond - true[one.pair]) <= one.within
    assert 0.945 <= held / (SEASONS * PAIRS) <= 0.985


@pytest.mark.parametrize("freedom, right", [(9, 2.2622), (30, 2.0423), (120, 1.9799)])
def test_the_quantile_is_that_of_student(freedom: int, right: float) -> None:
    assert student_t_975(freedom) == pytest.approx(right, abs=0.005)
