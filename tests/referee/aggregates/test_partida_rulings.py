"""What is counted, reported or ruled, and who deals after it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.aggregates.partida import partida_under_newest_law_or_none
from referee.events import (
    CanteAnnounced,
    CardsShown,
    ClaimMade,
    Conceded,
    CountEntered,
    DealAnnulled,
    DealStarted,
    HandEntered,
    RenuncioDenounced,
    ResultEntered,
    RulingGiven,
    TimeCalled,
)
from referee.rules.articles import Rule
from referee.rules.profile.options import EARLIER_LAW, Options
from referee.table.counts import partida_totals
from tests.support.records.table_deals import deal_of, vueltas
from tests.support.records.table_text import CLUB, NO_STOCK, THREE, TWO, dealt, given, plays, tricks

LEFTOVER = Options(
    players=3, hand_size=13, three_deck="leftover_on_table", deal_packets="one_by_one",
    pinta_from="leftover_card", duties_from="first_trick", swap=False,
)  # fmt: skip


def test_a_result_alone_is_a_partida() -> None:
    given(CLUB, ResultEntered("B", "claim", {"A": 60, "B": 104})).then("B", "claim", A=60, B=104)
    given(CLUB, ResultEntered("A")).then("A", "first_deal", A=0, B=0).next_dealer("")
    whole = Options(renuncio_penalty="lose_match")
    assert given(whole, ResultEntered("A", "renuncio")).table.decided.whole_match
    assert not given(whole, ResultEntered("A", "tute")).table.decided.whole_match
    assert not given(CLUB, ResultEntered("A", "renuncio")).table.decided.whole_match


def test_tricks_without_points_need_the_totals_called() -> None:
    ten = ", ".join(["A1", "B1"] * 5)
    scene = given(CLUB, DealStarted("B2"), *tricks(ten)).undecided()
    assert scene.state.stated == ()
    scene.tell(CountEntered({"A": 30, "B": 101})).then("B", "first_deal", A=30, B=101)
    given(CLUB, DealStarted("B2"), *tricks(ten), CountEntered({"A": 70, "B": 60})).in_vueltas()


def test_a_count_may_close_a_deal_of_which_not_every_trick_was_entered() -> None:
    scene = given(CLUB, DealStarted("B2"), *tricks("A1"), CountEntered({"A": 101, "B": 29}))
    scene.then("A", "first_deal", A=101, B=29)
    known = given(CLUB, DealStarted("B2"), *tricks("A1 20"))
    known.when(CountEntered()).refused(Rule.DEAL_RUNNING)


def test_of_totals_called_in_part_the_rest_is_what_was_counted() -> None:
    scene = given(CLUB, DealStarted("B2"), *tricks("A1 20, B1"), CountEntered({"B": 101}))
    scene.then("B", "first_deal", A=20, B=101)
    three = given(THREE, DealStarted("C1"), *tricks("A1"), CountEntered({"B": 50}), Conceded("C"))
    three.then("B", "concession")


def test_a_claim_without_counted_tricks_waits_for_the_count() -> None:
    first = deal_of(CLUB, "A1", A=60, B=60)
    scene = given(CLUB, *first, DealStarted("A1"), *tricks("A1, B1"), ClaimMade("A1")).undecided()
    scene.tell(ClaimMade("B1"), CountEntered({"A": 101, "B": 80}))
    scene.then("A", "claim", A=101, B=80)
    false = given(CLUB, *first, DealStarted("A1"), *tricks("A1, B1"), ClaimMade("A1"))
    false.tell(CountEntered({"A": 100, "B": 80})).then("B", "false_claim", A=100, B=80)


def test_a_count_that_differs_is_noticed_and_what_lay_counts() -> None:
    scene = given(CLUB, *deal_of(CLUB, "A1", A=60, B=60), CountEntered({"A": 71, "B": 60}))
    scene.finds_only(Rule.COUNT_DIFFERS).in_vueltas().counted(1, A=70, B=60)
    right = given(CLUB, *deal_of(CLUB, "A1", A=60, B=60), CountEntered({"A": 70, "B": 60}))
    right.finds_not()


RULINGS = [
    ("partida", RulingGiven("partida", "t", side="B"), "B"),
    ("points", RulingGiven("points", "t", side="B", points=81), "B"),
]


@pytest.mark.rule(Rule.RULING)
@pytest.mark.parametrize("about, ruling, winner", RULINGS, ids=[r[0] for r in RULINGS])
def test_the_arbiter_decides_also_what_was_decided(about, ruling, winner) -> None:
    scene = given(CLUB, *deal_of(CLUB, "B1", A=110, B=10)).then("A", "first_deal", A=110, B=20)
    scene.tell(ruling)
    scene.then(winner, "ruling" if about == "partida" else "first_deal")
    if about == "points":
        scene.counted(1, A=110, B=101)
    scene.tell(RulingGiven("annul_act", "t", line=scene.state.version)).then("A", "first_deal")


@pytest.mark.rule(Rule.RULING)
def test_the_latest_ruling_stands() -> None:
    scene = given(
        CLUB, RulingGiven("partida", "t", side="A"), RulingGiven("partida", "t", side="B")
    )
    scene.then("B", "ruling")
    scene.tell(RulingGiven("annul_act", "t", line=2)).then("A", "ruling")


def test_points_by_ruling_count_in_vueltas_too() -> None:
    scene = vueltas().tell(
        tricks("A1 20"), RulingGiven("points", "t", side="A", points=11), ClaimMade("A1")
    )
    scene.then("A", "claim", A=101, B=60)
    minus = vueltas().tell(
        tricks("A1 31"), RulingGiven("points", "t", side="A", points=-1), ClaimMade("A1")
    )
    minus.then("B", "false_claim", A=100, B=60)


def test_a_warning_and_a_note_decide_nothing() -> None:
    scene = given(
        CLUB, RulingGiven("warning", "t", side="A"), RulingGiven("warning", "t", seat="B2")
    )
    scene.tell(RulingGiven("warning", "t"), RulingGiven("none", "t")).undecided()
    assert scene.table.warnings == ((1, "A"), (2, "B"), (3, ""))
    scene.tell(RulingGiven("annul_act", "t", line=2))
    assert scene.table.warnings == ((1, "A"), (3, ""))


def test_a_dealer_set_by_ruling_deals() -> None:
    scene = given(CLUB, RulingGiven("dealer", "t", seat="B1"), DealStarted("B1"), dealer_due="A1")
    scene.finds_not()
    over = given(CLUB, *deal_of(CLUB, "A1", A=110, B=10)).next_dealer("A1")
    over.tell(RulingGiven("dealer", "t", seat="B2")).next_dealer("B2")


ANNULLED = [
    ("replayed", DealAnnulled(replayed=True), "A1", True),
    ("replayed by another", DealAnnulled(replayed=True), "B1", False),
    ("not replayed", DealAnnulled(), "B1", True),
    ("by ruling", RulingGiven("annul_deal", "t"), "B1", True),
    ("replayed by ruling", RulingGiven("replay_deal", "t"), "A1", True),
]


@pytest.mark.parametrize("about, act, dealer, is_right", ANNULLED, ids=[a[0] for a in ANNULLED])
def test_an_annulled_deal_counts_for_nothing(about, act, dealer, is_right) -> None:
    scene = given(CLUB, DealStarted("A1"), *tricks("A1 40, A1 10"), act, DealStarted(dealer))
    scene.finds_only(*[] if is_right else [Rule.WRONG_DEALER])
    scene.tell(deal_of(CLUB, "B1", A=60, B=60)[2:]).in_vueltas().counted(1, A=60, B=70)


def test_an_annulled_vuelta_leaves_the_first_deal() -> None:
    scene = vueltas().tell(tricks("A1 40, A1 10"), DealAnnulled(replayed=True)).in_vueltas()
    scene.tell(DealStarted("A1"), *tricks("A1 31"), ClaimMade("A2")).then("A", "claim", A=101, B=60)


def test_a_claim_annulled_by_ruling_lets_play_go_on() -> None:
    scene = vueltas().tell(tricks("A1 2"), ClaimMade("A1")).then("B", "false_claim")
    scene.tell(RulingGiven("annul_act", "t", line=scene.state.version)).undecided()
    scene.tell(tricks("A1 40"), ClaimMade("A1")).then("A", "claim")


def test_a_concession_annulled_by_ruling_is_none() -> None:
    scene = given(CLUB, Conceded("A")).then("B", "concession")
    scene.tell(RulingGiven("annul_act", "t", line=1)).undecided()


AFTER = [
    (ClaimMade("A1"), False), (Conceded("B"), False), (DealStarted("A1"), False),
    (TimeCalled(), False), (CountEntered(), False), (DealAnnulled(), False),
    (HandEntered("A1", ()), True), (CardsShown("A1"), True), (RenuncioDenounced("A1", "B1"), True),
    (RulingGiven("none", "t"), True),
]  # fmt: skip


@pytest.mark.parametrize("act, is_recorded", AFTER)
def test_after_the_decision_only_some_acts_are_recorded(act, is_recorded) -> None:
    scene = given(CLUB, *deal_of(CLUB, "A1", A=110, B=10)).then("A", "first_deal")
    scene.when(act)
    if is_recorded:
        scene.then("A", "first_deal")
    else:
        scene.refused(Rule.PARTIDA_DECIDED, winner="A", how="first_deal")


NEXT = [
    ("last_trick_winner", [*deal_of(CLUB, "B2", A=110, B=10)], "B2"),
    ("next_in_order", [*deal_of(CLUB, "B2", A=110, B=10)], "A1"),
    ("last_trick_winner", [DealStarted("A2"), Conceded("A")], "A2"),
    ("next_in_order", [DealStarted("A2"), Conceded("A")], "B2"),
    ("last_trick_winner", [DealStarted("A2"), *tricks("B1 5"), Conceded("A")], "B1"),
    ("next_in_order", [Conceded("A")], ""),
]


@pytest.mark.rule(Rule.NEXT_DEALER)
@pytest.mark.parametrize("rule, acts, seat", NEXT)
def test_who_deals_the_next_partida(rule, acts, seat) -> None:
    given(Options(next_dealer=rule), *acts).next_dealer(seat)


@pytest.mark.rule(Rule.VUELTAS)
def test_the_winner_of_the_last_trick_deals_the_vueltas() -> None:
    scene = given(CLUB, *deal_of(CLUB, "A2", dealer="B2", A=60, B=60))
    assert scene.table.dealer_due == "A2"
    scene.tell(DealStarted("B2")).finds_only(Rule.WRONG_DEALER)


def test_the_leftover_deck_of_three_is_decided_too() -> None:
    given(LEFTOVER, *deal_of(LEFTOVER, "A1", A=95, B=15, C=10)).then(
        "A", "first_deal", A=105, B=15, C=10
    )


def test_whole_partidas_of_two_and_four_with_cards() -> None:
    for options, dealer in ((TWO, "B1"), (CLUB, "B2"), (NO_STOCK, "B2")):
        scene = given(options, *dealt("4O", dealer)).play_out()
        if scene.table.decided is None:
            taker = scene.table.deal.taker_of_last_trick
            scene.tell(dealt("4O", taker)).play_out().undecided()
            scene.tell(CountEntered()).finds_not(Rule.WRONG_DEALER)
        assert scene.table.decided is not None


def test_a_partida_keeps_the_law_of_its_edition_and_can_be_read_under_the_newest() -> None:
    sung = [*dealt(), *plays("A1 AC, B1 2C, A2 4C, B2 5C"), CanteAnnounced("A1", "E", shown=False)]
    earlier = given(replace(CLUB, law=EARLIER_LAW), *sung).sung(A=20)
    newest = partida_under_newest_law_or_none(earlier.state)
    assert newest is not None
    assert partida_totals(newest.table) == {"A": 11, "B": 0}
    assert newest.log == earlier.state.log
    assert partida_under_newest_law_or_none(given(CLUB, *sung).sung().state) is None
