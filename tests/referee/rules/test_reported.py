"""Outcomes as players report them: the points of the other side, and doubts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.events import CountEntered, DealCounted, DealStarted, PartidaWon, ResultEntered
from referee.record.samples import parse_sample
from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile
from referee.rules.reports import (
    Doubt,
    RecordSoFar,
    ReportedResult,
    doubts_about_result,
    has_only_rarity_doubts,
    least_points_in_vueltas,
    possible_missing_totals,
)
from tests.api.tablet.vectors.positions import state_of_play
from tests.referee.record.test_samples import recorded
from tests.support.records.samples import samples
from tests.support.records.table_deals import vueltas
from tests.support.records.table_text import CLUB, THREE, tricks
from tests.support.records.table_text import given as at_table

GUINYOT = profile("guinyot").options(4, 40)
SIN_MAZO = profile("sin-mazo").options(4, 40)
ANY_DEAL = profile("baraja-francesa").options(4, 40)
FIRST = "first_deal"
AT_TARGET = Options(vueltas_end="at_target")


def reported(winner: str, how: str = FIRST, **totals: int) -> ReportedResult:
    return ReportedResult(winner, how, totals)


WRONG = [
    (CLUB, reported("A", A=115, B=36), Rule.RESULT_SUM, {"sum": "151", "nearest": "150, 170"}),
    (CLUB, reported("A", A=240, B=10), Rule.RESULT_SUM, {"sum": "250", "nearest": "230"}),
    (CLUB, reported("A", B=231), Rule.RESULT_SUM, {"sum": "231", "nearest": "230"}),
    (CLUB, reported("A", "unclaimed", A=110, B=130), Rule.RESULT_SUM, {"sum": "240", "nearest": "260"}),
    (CLUB, reported("A", "concession", A=400, B=90), Rule.RESULT_SUM, {"sum": "490", "nearest": "460"}),
    (Options(target=80, min_malas=65, cantes_need_min_malas=True), reported("B", A=66, B=84),
     Rule.RESULT_SUM, {"sum": "150", "nearest": "130, 170"}),
    (CLUB, reported("A", A=129, B=1), Rule.RESULT_POINTS, {"side": "B", "points": "1"}),
    (CLUB, reported("A", "renuncio", B=1), Rule.RESULT_POINTS, {"side": "B", "points": "1"}),
    (CLUB, reported("A", A=90, B=40), Rule.RESULT_SHORT,
     {"side": "A", "points": "90", "target": "101"}),
    (CLUB, reported("A", "claim", A=100), Rule.RESULT_SHORT,
     {"side": "A", "points": "100", "target": "101"}),
    (CLUB, reported("A", "false_claim", A=60, B=101), Rule.RESULT_REACHED,
     {"side": "B", "points": "101", "target": "101"}),
    (CLUB, reported("A", "claim", A=110, B=29), Rule.RESULT_VUELTAS,
     {"side": "B", "points": "29", "least": "30"}),
    (CLUB, reported("B", "unclaimed", A=25, B=235), Rule.RESULT_VUELTAS,
     {"side": "A", "points": "25", "least": "30"}),
    (SIN_MAZO, reported("A", A=101, B=109), Rule.RESULT_OTHER_WINS, {"side": "A"}),
    (CLUB, reported("A", "target", A=101), Rule.RESULT_HOW, {"how": "target"}),
    (AT_TARGET, reported("A", "claim", A=101), Rule.RESULT_HOW, {"how": "claim"}),
    (AT_TARGET, reported("A", "false_claim", A=101), Rule.RESULT_HOW, {"how": "false_claim"}),
    (AT_TARGET, reported("A", "target", A=100), Rule.RESULT_SHORT,
     {"side": "A", "points": "100", "target": "101"}),
    (AT_TARGET, reported("A", "target", A=101, B=29), Rule.RESULT_VUELTAS,
     {"side": "B", "points": "29", "least": "30"}),
    (CLUB, reported("A", "tute"), Rule.RESULT_HOW, {"how": "tute"}),
    (Options(unclaimed_at_end="another_deal"), reported("A", "unclaimed"), Rule.RESULT_HOW,
     {"how": "unclaimed"}),
    (CLUB, reported("A", A=180, B=50), Rule.RESULT_RARE, {"totals": "180-50"}),
    (CLUB, reported("A", A=130, B=0), Rule.RESULT_RARE, {"totals": "130-0"}),
    (THREE, reported("A", A=110, B=10, C=11), Rule.RESULT_SUM, {"sum": "131", "nearest": "130, 150"}),
    (THREE, reported("A", "claim", A=500, B=500, C=200), Rule.RESULT_SUM, {"sum": "1200", "nearest": "1150"}),
]  # fmt: skip


@pytest.mark.parametrize("options, one, rule, facts", WRONG)
def test_what_cannot_be_is_explained(options, one, rule, facts) -> None:
    assert doubts_about_result(one, options) == (Doubt(rule, facts),)


RIGHT = [
    (CLUB, reported("A")),
    (CLUB, reported("A", A=115, B=35)),
    (CLUB, reported("A", A=101, B=109)),  # A took the last trick
    (CLUB, reported("A", "claim", A=101)),
    (CLUB, reported("A", "claim", A=101, B=30)),
    (CLUB, reported("A", "false_claim", B=100)),
    (CLUB, reported("A", "false_claim", A=140, B=100)),
    (CLUB, reported("B", "unclaimed", A=150, B=110)),
    (CLUB, reported("A", "renuncio", A=3, B=90)),
    (CLUB, reported("A", "concession", A=0, B=0)),
    (ANY_DEAL, reported("A", "claim", A=101, B=2)),
    (GUINYOT, reported("A", A=121, B=29)),  # a 20 of A; what B sang below 30 does not count
    (SIN_MAZO, reported("A", "tute")),
    (THREE, reported("A", A=110, B=9, C=11)),
    (THREE, reported("A", "false_claim", A=50, B=120, C=100)),
    (THREE, reported("A", "claim", A=200, B=200, C=100)),  # after three deals
    (Options(target=150), reported("A", "claim", A=250, B=240)),
]


@pytest.mark.parametrize("options, one", RIGHT)
def test_what_may_be_is_not_doubted(options, one) -> None:
    assert doubts_about_result(one, options) == ()


def test_values_that_the_record_already_has_stay() -> None:
    record = RecordSoFar({"A": 70, "B": 60}, deals=1)
    assert doubts_about_result(reported("A", "claim", A=104, B=60), CLUB, record) == ()
    facts = {"side": "B", "points": "59", "counted": "60"}
    assert doubts_about_result(reported("A", "claim", A=104, B=59), CLUB, record) == (
        Doubt(Rule.RESULT_RECORD, facts),
    )
    (doubt,) = doubts_about_result(reported("A"), CLUB, record)
    assert doubt == Doubt(Rule.RESULT_HOW, {"how": FIRST})


COMPLETED = [
    (CLUB, reported("A", B=35), (115, 135, 155, 175, 195)),
    (CLUB, reported("A", A=112), (18, 38, 58, 78, 98, 118)),
    (CLUB, reported("A", B=128), (102,)),
    (CLUB, reported("A", B=131), ()),
    (GUINYOT, reported("A", B=29), (101, 121, 141, 161, 181, 201)),
    (
        CLUB,
        reported("A", "unclaimed", A=101),
        (159, 179, 199, 219, 239, 259, 279, 299, 319, 339, 359),
    ),
    (CLUB, reported("A", "claim", A=101), ()),
    (CLUB, reported("A"), ()),
    (THREE, reported("A", A=110), ()),
    (THREE, reported("A", A=110, B=20), (0, 20, 40, 60, 80, 100)),
]


@pytest.mark.parametrize("options, one, points", COMPLETED)
def test_the_other_side_is_filled_in(options, one, points) -> None:
    assert possible_missing_totals(one, options) == points


def test_one_side_that_leaves_nothing_for_the_other_is_explained() -> None:
    (doubt,) = doubts_about_result(reported("A", B=131), CLUB)
    assert doubt == Doubt(Rule.RESULT_OTHER_WINS, {"side": "A"})


# --- every partida that was played -----------------------------------------------------------


def won_by_points(won: PartidaWon | None) -> bool:
    return won is not None and won.how in ("first_deal", "claim", "false_claim", "unclaimed")


@given(st.integers(0, 10_000), st.booleans())
@example(0, True)
def test_a_partida_that_was_played_is_not_impossible(seed: int, is_whole: bool) -> None:
    state = state_of_play(seed)
    won = state.table.decided
    if won is None or not won_by_points(won):
        return
    options = state.table.options
    one = ReportedResult(
        won.winner, won.how, won.totals if is_whole else {won.winner: won.totals[won.winner]}
    )
    assert has_only_rarity_doubts(doubts_about_result(one, options)), (
        one,
        doubts_about_result(one, options),
    )
    if won.how == FIRST:
        for side in won.totals:
            known = {other: n for other, n in won.totals.items() if other != side}
            assert won.totals[side] in possible_missing_totals(one._replace(totals=known), options)
            off = one._replace(totals={**won.totals, side: won.totals[side] + 1})
            (total,) = (
                d.facts["sum"]
                for d in doubts_about_result(off, options)
                if d.rule is Rule.RESULT_SUM
            )
            assert total == str(sum(won.totals.values()) + 1)


def test_totals_of_other_engines_are_not_impossible() -> None:
    for one in samples():
        sample = parse_sample(one)
        options = profile("club").options(sample.players, sample.deck)
        won = recorded(sample, options).table.decided
        assert won is not None
        assert has_only_rarity_doubts(
            doubts_about_result(ReportedResult(won.winner, won.how, won.totals), options)
        )


@given(st.integers(0, 200))
def test_in_vueltas_nobody_has_less(seed: int) -> None:
    table = state_of_play(seed).table
    counted = table.conclusions[0]
    if table.in_vueltas and isinstance(counted, DealCounted):
        assert min(counted.totals.values()) >= least_points_in_vueltas(table.options)


# --- on the record ---------------------------------------------------------------------------


def test_a_result_that_cannot_be_is_recorded_and_noticed() -> None:
    scene = at_table(CLUB, ResultEntered("A", "first_deal", {"A": 115, "B": 36}, "t1"))
    scene.then("A", "first_deal", A=115, B=36).finds_only(Rule.RESULT_SUM)
    at_table(CLUB, ResultEntered("A", "first_deal", {"A": 115, "B": 35})).finds_only()


def test_a_result_after_cards_is_held_against_them() -> None:
    scene = vueltas(CLUB, 60)  # 70 and 60 after the first deal
    scene.tell(ResultEntered("A", "claim", {"A": 101, "B": 30})).finds_only(Rule.RESULT_RECORD)
    vueltas(CLUB, 60).tell(ResultEntered("A", "claim", {"A": 101, "B": 60})).finds_only()
    vueltas(CLUB, 60).tell(ResultEntered("A")).finds_only(Rule.RESULT_HOW)


def test_totals_called_where_tricks_were_not_counted_must_add_up() -> None:
    ten = tricks(", ".join(["A1", "B1"] * 5))
    scene = at_table(CLUB, DealStarted("B2"), *ten, CountEntered({"A": 30, "B": 101}))
    scene.then("B", "first_deal", A=30, B=101).finds_only(Rule.RESULT_SUM)
    at_table(CLUB, DealStarted("B2"), *ten, CountEntered({"A": 29, "B": 101})).finds_only()
    scene = at_table(CLUB, DealStarted("B2"), *ten, CountEntered({"A": 1}))
    scene.finds_only(Rule.RESULT_POINTS)


def test_the_minimum_of_the_cards_alone_leaves_the_last_ten_out() -> None:
    """B has 30, perhaps with the last ten: then 20 in cards, which loses."""
    options = Options(min_malas=30, min_malas_applies="always", cantes_need_min_malas=True)
    of_cards = replace(options, min_malas_of="cards")
    thirty = reported("A", A=100, B=30)
    assert [one.rule for one in doubts_about_result(thirty, options)] == [Rule.RESULT_SHORT]
    assert doubts_about_result(thirty, of_cards) == ()
    assert doubts_about_result(reported("B", A=90, B=120), of_cards) == ()
