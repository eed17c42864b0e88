"""Vueltas: claims, the count, and sides that give up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.events import (
    Abandoned,
    CanteAnnounced,
    ClaimMade,
    Conceded,
    CountEntered,
    DealStarted,
    HandEntered,
    RulingGiven,
    TrickEntered,
)
from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from tests.support.records.table_deals import deal_of, vueltas
from tests.support.records.table_text import CLUB, THREE, TWO, dealt, given, plays, tricks

CLAIMS = [
    # A has 70 and B 60 from the first deal.
    ("true", "A1 31", "A1", "A", "claim", (101, 60)),
    ("true, by the partner", "A1 31", "A2", "A", "claim", (101, 60)),
    ("false by one", "A1 30", "A2", "B", "false_claim", (100, 60)),
    (
        "false, though the other has more",
        "B1 40, B1 40, B1 20",
        "A1",
        "B",
        "false_claim",
        (70, 160),
    ),
    ("false, though the other has less", "A1 30", "B1", "A", "false_claim", (100, 60)),
]


@pytest.mark.rule(Rule.CLAIM)
@pytest.mark.parametrize(
    "about, text, seat, winner, how, totals", CLAIMS, ids=[c[0] for c in CLAIMS]
)
def test_a_claim_in_vueltas_stops_play(about, text, seat, winner, how, totals) -> None:
    scene = vueltas().tell(tricks(text), ClaimMade(seat))
    scene.then(winner, how, A=totals[0], B=totals[1])
    scene.judged(seat, totals["AB".index(seat[0])], reached=how == "claim")
    scene.when(tricks("A1 5")).refused(Rule.PARTIDA_DECIDED)


def test_an_open_trick_counts_for_nobody_and_cantes_count() -> None:
    scene = vueltas(replace(CLUB, target=90))
    scene.tell(plays("B1 AC, A2 3C, B2 RC"), ClaimMade("B1")).then("A", "false_claim", A=70, B=60)
    sung = vueltas().tell(tricks("A1 11"), CanteAnnounced("A1", "E"), ClaimMade("A1"))
    sung.then("A", "claim", A=101, B=60)


AT_TARGET = replace(CLUB, vueltas_end="at_target")


@pytest.mark.rule(Rule.TARGET)
def test_vueltas_that_end_with_the_trick_that_makes_the_target() -> None:
    scene = vueltas(AT_TARGET).tell(tricks("A1 30")).undecided()
    scene.tell(ClaimMade("A1")).finds_only(Rule.CLAIM_IN).undecided()
    scene.tell(tricks("A1 2")).then("A", "target", A=102, B=60)
    vueltas(AT_TARGET).tell(tricks("A1 29, A1 2")).then("A", "target", A=101, B=60)
    scene.when(tricks("A1 5")).refused(Rule.PARTIDA_DECIDED)
    open_trick = vueltas(replace(AT_TARGET, target=90))
    open_trick.tell(plays("B1 AC, A2 3C, B2 RC")).undecided()


def test_vueltas_that_end_with_the_cante_that_makes_the_target() -> None:
    scene = vueltas(AT_TARGET).tell(tricks("A1 11"), CanteAnnounced("A1", "E"))
    scene.then("A", "target", A=101, B=60)
    void = vueltas(AT_TARGET).tell(tricks("A1 11"), CanteAnnounced("B1", "E"))
    void.finds_only(Rule.CANTE_NO_TRICK).undecided()
    line = scene.state.version
    shown = scene.tell(HandEntered("B1", ("SE",), "now")).finds(Rule.CANTE_DISPROVED)
    shown.then("A", "target", A=101, B=60)
    shown.tell(RulingGiven("annul_act", "text", line=line)).undecided()


def test_vueltas_do_not_end_while_a_trick_is_uncounted() -> None:
    scene = vueltas(AT_TARGET).tell(TrickEntered("A1"), tricks("A1 40")).undecided()
    scene.tell(CountEntered({"A": 140, "B": 60})).then("A", "unclaimed", A=140, B=60)


BARRED_CLAIMS = [
    ("vueltas", "any_player", 1, "A1", [Rule.CLAIM_IN]),
    ("vueltas", "any_player", 2, "B1", []),
    ("any_deal", "any_player", 1, "A1", []),
    ("vueltas", "trick_winner", 2, "A1", []),
    ("vueltas", "trick_winner", 2, "A2", [Rule.CLAIM_BY]),
    ("vueltas", "trick_winner_side", 2, "A2", []),
    ("vueltas", "trick_winner_side", 2, "B1", [Rule.CLAIM_BY]),
    ("any_deal", "trick_winner_side", 1, "A2", []),
]


@pytest.mark.parametrize("deals, by, number, seat, rules", BARRED_CLAIMS)
def test_a_barred_claim_decides_nothing_and_play_goes_on(deals, by, number, seat, rules) -> None:
    options = Options(claim_in=deals, claim_by=by)
    scene = vueltas(options) if number == 2 else given(options, DealStarted("B2"))
    scene.tell(tricks("A1 20"), ClaimMade(seat)).finds_only(*rules)
    if rules:
        scene.undecided().tell(tricks("B1 20"))
    else:
        assert scene.table.decided is not None


def test_before_any_trick_nobody_has_won_one() -> None:
    options = Options(claim_in="any_deal", claim_by="trick_winner")
    given(options, DealStarted("B2"), ClaimMade("A1")).finds_only(Rule.CLAIM_BY)
    side = replace(options, claim_by="trick_winner_side")
    given(side, DealStarted("B2"), ClaimMade("A1")).finds_only(Rule.CLAIM_BY)
    at_once = vueltas(side).tell(ClaimMade("A2"))
    at_once.then("B", "false_claim")


def test_a_first_deal_with_claims_allowed_is_decided_as_ever() -> None:
    options = Options(claim_in="any_deal")
    given(options, *deal_of(options, "A1", A=91, B=29)).then("A", "first_deal", A=101, B=29)
    claimed = given(options, DealStarted("B2"), *tricks("A1 41, A1 40, A1 20"), ClaimMade("A1"))
    claimed.then("A", "claim", A=101, B=0)


def test_a_claim_after_the_count_comes_too_late() -> None:
    options = Options(claim_in="any_deal")
    scene = given(options, *deal_of(options, "A1", A=60, B=60), ClaimMade("A1"))
    scene.finds_only(Rule.CLAIM_IN).in_vueltas()


@pytest.mark.rule(Rule.VUELTAS)
def test_vueltas_wait_for_the_count_or_a_claim() -> None:
    second = deal_of(CLUB, "B1", "A1", A=60, B=60)
    first = deal_of(CLUB, "A1", A=60, B=60)
    scene = given(CLUB, *first, *second).undecided()
    counted = given(CLUB, *first, *second, CountEntered()).then("B", "unclaimed", A=130, B=130)
    counted.next_dealer("B1")
    scene.tell(ClaimMade("A1")).then("A", "claim", A=130, B=130)


@pytest.mark.rule(Rule.UNCLAIMED)
@pytest.mark.parametrize("unclaimed, decided", [("latest_trick", True), ("another_deal", False)])
def test_nobody_claimed(unclaimed, decided) -> None:
    options = Options(unclaimed_at_end=unclaimed)
    scene = vueltas(options)
    scene.tell(deal_of(options, "A1", A=0, B=120)[2:])
    scene.tell(CountEntered())
    if decided:
        # Of the sides at the target: A took the latest trick but has only 80.
        scene.then("B", "unclaimed", A=80, B=180)
    else:
        scene.in_vueltas(3).tell(DealStarted("A1")).finds_not()


def test_three_may_need_a_third_deal() -> None:
    even = {"A": 40, "B": 40, "C": 40}
    first = deal_of(THREE, "A1", **even)
    second = deal_of(THREE, "B1", "A1", **even)
    scene = given(THREE, *first, *second, CountEntered()).in_vueltas(3)
    scene.counted(2, A=90, B=90, C=80)
    scene.tell(deal_of(THREE, "C1", "B1", **even), CountEntered()).finds_not()
    scene.then("C", "unclaimed", A=130, B=130, C=130)


@pytest.mark.rule(Rule.BOTH_REACH_TARGET)
@pytest.mark.parametrize("rule, winner", [("last_trick", "C"), ("highest_total", "A")])
def test_several_of_three_at_the_target_in_vueltas(rule, winner) -> None:
    options = replace(THREE, both_reach_target=rule)
    first = deal_of(options, "A1", A=80, B=20, C=20)
    second = deal_of(options, "C1", "A1", A=30, B=5, C=85)
    scene = given(options, *first, *second, CountEntered())
    scene.then(winner, "unclaimed", A=120, B=25, C=115)


LOSERS = [
    ("C claims falsely", ClaimMade("C1"), "false_claim", "B"),
    ("C concedes", Conceded("C"), "concession", "B"),
    ("C leaves", Abandoned("C"), "abandonment", "B"),
    ("A concedes", Conceded("A"), "concession", "B"),
    ("B leaves", Abandoned("B"), "abandonment", "A"),
]


@pytest.mark.parametrize("about, act, how, winner", LOSERS, ids=[case[0] for case in LOSERS])
def test_of_three_the_higher_of_the_others_wins(about, act, how, winner) -> None:
    options = replace(THREE, claim_in="any_deal")
    given(options, DealStarted("C1"), *tricks("A1 20, B1 30, C1 10"), act).then(winner, how)


TIES = [
    ("A1 30, B1 30, C1 20", "B"),
    ("B1 30, A1 30, C1 20", "A"),
    ("C1 20", "A"),
    ("B1 0, C1 2", "B"),
]


@pytest.mark.parametrize("text, winner", TIES)
def test_of_three_a_tie_goes_to_the_latest_trick_then_to_mano(text, winner) -> None:
    given(THREE, DealStarted("C1"), *tricks(text), Conceded("C")).then(winner, "concession")


def test_a_tie_without_a_trick_goes_from_mano() -> None:
    given(THREE, DealStarted("A1"), Conceded("A")).then("B", "concession", A=0, B=0, C=0)
    given(THREE, Conceded("A")).then("B", "concession")


@pytest.mark.rule(Rule.CONCESSION, Rule.ABANDONMENT)
@pytest.mark.parametrize(
    "act, how", [(Conceded("A"), "concession"), (Abandoned("A"), "abandonment")]
)
@pytest.mark.parametrize("options", [CLUB, TWO])
def test_giving_up_loses(options, act, how) -> None:
    given(options, act).then("B", how, A=0, B=0)
    given(options, *dealt(dealer="B1"), *plays("A1 AC, B1 2C"), act).then("B", how)


def test_in_vueltas_giving_up_leaves_the_first_deal_counted() -> None:
    scene = vueltas().tell(Conceded("B")).then("A", "concession", A=70, B=60)
    scene.counted(1, A=70, B=60)
    assert len(scene.state.stated) == 3
