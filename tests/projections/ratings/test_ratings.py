"""Ratings: the published example of the method, and ratings in a club."""

from __future__ import annotations

import pytest

from projections.ratings.glicko import (
    BEGIN_DEVIATION,
    RatedSide,
    Rating,
    id_of_pair,
    pair_ratings_after,
    player_ratings_after,
    rating_after_idle_periods,
    rating_after_period,
)

ANA, BLAS, CELIA, DIEGO = "abcd"


def test_the_worked_example_of_the_author_of_the_method() -> None:
    """Glickman, Example of the Glicko-2 system (2022): 1464.06, 151.52, 0.05999."""
    met = [
        (Rating(1400, 30), 1.0),
        (Rating(1550, 100), 0.0),
        (Rating(1700, 300), 0.0),
    ]
    after = rating_after_period(Rating(1500, 200, 0.06), met, tau=0.5)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_who_does_not_play_wavers_more_but_never_more_than_a_newcomer() -> None:
    """The last step of the example: phi* of the root of the squares."""
    assert rating_after_period(Rating(1500, 200, 0.06), []).deviation == pytest.approx(
        200.2714, abs=1e-3
    )
    known = Rating(1700, 60)
    once, twice = rating_after_idle_periods(known, 1), rating_after_idle_periods(known, 2)
    assert known.deviation < once.deviation < twice.deviation
    assert (twice.rating, rating_after_idle_periods(known, 0)) == (known.rating, known)
    step = rating_after_period(rating_after_period(known, []), [])
    assert twice.deviation == pytest.approx(step.deviation)
    assert rating_after_idle_periods(known, 100_000).deviation == pytest.approx(BEGIN_DEVIATION)


def rated(*played: tuple[RatedSide, ...], **before: Rating) -> dict[str, Rating]:
    return player_ratings_after(played, {one: before.get(one, Rating()) for one in "abcd"})


PAIRS = (RatedSide((ANA, BLAS), 1.0), RatedSide((CELIA, DIEGO), 0.0))


def test_partners_win_together_and_what_one_side_gains_the_other_loses() -> None:
    now = rated(PAIRS)
    assert now[ANA] == now[BLAS]
    assert now[CELIA] == now[DIEGO]
    assert now[ANA].rating - 1500 == pytest.approx(1500 - now[CELIA].rating)
    assert now[ANA].rating > 1500


def test_a_strong_partner_makes_the_victory_worth_less() -> None:
    alone, helped = rated(PAIRS)[ANA], rated(PAIRS, b=Rating(2100))[ANA]
    assert 1500 < helped.rating < alone.rating


def test_a_draw_between_equals_changes_nobody() -> None:
    now = rated((RatedSide((ANA,), 0.5), RatedSide((BLAS,), 0.5)))
    assert now[ANA].rating == pytest.approx(1500)
    assert now[ANA].deviation < BEGIN_DEVIATION


def test_of_three_who_lost_did_not_meet_each_other() -> None:
    three = (RatedSide((ANA,), 1.0), RatedSide((BLAS,), 0.0), RatedSide((CELIA,), 0.0))
    now = rated(three)
    assert now[BLAS] == now[CELIA]
    alone = rated((RatedSide((ANA,), 1.0), RatedSide((BLAS,), 0.0)))
    assert now[BLAS] == alone[BLAS]
    assert now[ANA].rating > alone[ANA].rating


def test_a_pair_is_the_same_however_it_sits() -> None:
    assert id_of_pair([BLAS, ANA]) == id_of_pair([ANA, BLAS])
    before = {id_of_pair(side.persons): Rating() for side in PAIRS}
    now = pair_ratings_after([PAIRS], before)
    assert set(now) == {"a b", "c d"}
    assert now["a b"].rating > 1500 > now["c d"].rating
    alone = {ANA: Rating(), BLAS: Rating()}
    assert pair_ratings_after([(RatedSide((ANA,), 1.0), RatedSide((BLAS,), 0.0))], alone) == {}
