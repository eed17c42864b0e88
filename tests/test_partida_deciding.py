"""Who wins a partida: at the end of a deal, by a claim, by giving up, or by ruling."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from referee.events import (
    Abandoned,
    CanteAnnounced,
    CardsShown,
    ClaimMade,
    Conceded,
    CountEntered,
    DealAnnulled,
    DealStarted,
    HandEntered,
    PintaTurned,
    RenuncioDenounced,
    ResultEntered,
    RulingGiven,
    TableAct,
    TimeCalled,
    TrickEntered,
)
from referee.rules.articles import Rule
from referee.rules.options import Options
from referee.rules.seats import SEATS
from tests.table_text import CLUB, NO_STOCK, THREE, TWO, Scene, dealt, given, plays, tricks

LEFTOVER = Options(
    players=3, hand_size=13, three_deck="leftover_on_table", deal_packets="one_by_one",
    pinta_from="leftover_card", duties_from="first_trick", swap=False,
)  # fmt: skip


def deal_of(
    options: Options,
    last: str = "A1",
    dealer: str = "",
    cantes: Iterable[tuple[str, str]] = (),
    **points: int,
) -> list[TableAct]:
    """A deal without cards: so many card points for each side, cantes, and the last trick."""
    seats = SEATS[options.players]
    many = (options.stock_size + options.hand_size * options.players) // options.players
    acts: list[TableAct] = [DealStarted(dealer or seats[-1]), PintaTurned("4O")]
    options_of_trick = {side: TrickEntered(f"{side}1", worth) for side, worth in points.items()}
    for side, trick in options_of_trick.items():
        acts.append(trick)
        acts += [CanteAnnounced(seat, suit, None) for seat, suit in cantes if seat[0] == side]
    acts += [TrickEntered(last, 0)] * (many - len(points))
    return acts


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
    ("both, the higher has not the last trick", CLUB, 72, 48, "B1", [("A1", "O"), ("B1", "E"), ("B2", "C"), ("B1", "B")], "B", (112, 118)),
    ("both, the highest total wins", HIGHEST, 75, 45, "A1", [("A1", "E"), ("B1", "O"), ("B2", "C")], "A", (105, 105)),
    ("both, the highest total without the last trick", HIGHEST, 71, 49, "A1", [("A1", "E"), ("B1", "O"), ("B2", "C")], "B", (101, 109)),
    ("min malas always, one below", MIN, 21, 99, "B1", [], "B", (21, 109)),
    ("min malas always, exactly thirty", MIN, 30, 90, "B1", [], "", (30, 100)),
    ("min malas always, thirty with the last trick", MIN, 20, 100, "A1", [], "", (30, 100)),
    ("min malas always, nobody at the target", MIN, 29, 91, "A1", [], "B", (39, 91)),
    ("min malas both over, one below and nobody at the target", BOTH_OVER, 20, 90, "B1", [], "", (20, 100)),
    ("min malas both over, only one over", BOTH_OVER, 20, 100, "B1", [], "B", (20, 110)),
    ("no min malas at all", CLUB, 0, 120, "B1", [], "B", (0, 130)),
]  # fmt: skip


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
    ("several, the last trick", THREE, {"A": 61, "B": 59, "C": 0}, "C1", [("A1", "O"), ("B1", "E"), ("B1", "B"), ("B1", "C")], "B"),
    ("several, the highest", replace(THREE, both_reach_target="highest_total"), {"A": 71, "B": 49, "C": 0}, "C1",
     [("A1", "O"), ("B1", "E"), ("B1", "B"), ("B1", "C")], "A"),
]  # fmt: skip


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


def vueltas(options: Options = CLUB, a: int = 60, **more: object) -> Scene:
    """A first deal that decides nothing, A1 taking its last trick, and the next deal begun."""
    first = deal_of(options, "A1", A=a, B=120 - a)
    return given(options, *first, DealStarted("A1"), PintaTurned("4C"))


CLAIMS = [
    # A has 70 and B 60 from the first deal.
    ("true", "A1 31", "A1", "A", "claim", (101, 60)),
    ("true, by the partner", "A1 31", "A2", "A", "claim", (101, 60)),
    ("false by one", "A1 30", "A2", "B", "false_claim", (100, 60)),
    ("false, though the other has more", "B1 100", "A1", "B", "false_claim", (70, 160)),
    ("false, though the other has less", "A1 30", "B1", "A", "false_claim", (100, 60)),
]


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
    claimed = given(options, DealStarted("B2"), *tricks("A1 101"), ClaimMade("A1"))
    claimed.then("A", "claim", A=101, B=0)


def test_a_claim_after_the_count_comes_too_late() -> None:
    options = Options(claim_in="any_deal")
    scene = given(options, *deal_of(options, "A1", A=60, B=60), ClaimMade("A1"))
    scene.finds_only(Rule.CLAIM_IN).in_vueltas()


def test_vueltas_wait_for_the_count_or_a_claim() -> None:
    second = deal_of(CLUB, "B1", "A1", A=60, B=60)
    first = deal_of(CLUB, "A1", A=60, B=60)
    scene = given(CLUB, *first, *second).undecided()
    counted = given(CLUB, *first, *second, CountEntered()).then("B", "unclaimed", A=130, B=130)
    counted.next_dealer("B1")
    scene.tell(ClaimMade("A1")).then("A", "claim", A=130, B=130)


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
    given(options, DealStarted("C1"), *tricks("A1 30, B1 40, C1 20"), act).then(winner, how)


TIES = [
    ("A1 30, B1 30, C1 20", "B"),
    ("B1 30, A1 30, C1 20", "A"),
    ("C1 20", "A"),
    ("B1 0, C1 1", "B"),
]


@pytest.mark.parametrize("text, winner", TIES)
def test_of_three_a_tie_goes_to_the_latest_trick_then_to_mano(text, winner) -> None:
    given(THREE, DealStarted("C1"), *tricks(text), Conceded("C")).then(winner, "concession")


def test_a_tie_without_a_trick_goes_from_mano() -> None:
    given(THREE, DealStarted("A1"), Conceded("A")).then("B", "concession", A=0, B=0, C=0)
    given(THREE, Conceded("A")).then("B", "concession")


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


@pytest.mark.parametrize("about, ruling, winner", RULINGS, ids=[r[0] for r in RULINGS])
def test_the_arbiter_decides_also_what_was_decided(about, ruling, winner) -> None:
    scene = given(CLUB, *deal_of(CLUB, "B1", A=110, B=10)).then("A", "first_deal", A=110, B=20)
    scene.tell(ruling)
    scene.then(winner, "ruling" if about == "partida" else "first_deal")
    if about == "points":
        scene.counted(1, A=110, B=101)
    scene.tell(RulingGiven("annul_act", "t", line=scene.state.version)).then("A", "first_deal")


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
    scene = given(CLUB, DealStarted("A1"), *tricks("A1 50"), act, DealStarted(dealer))
    scene.finds_only(*[] if is_right else [Rule.WRONG_DEALER])
    scene.tell(deal_of(CLUB, "B1", A=60, B=60)[2:]).in_vueltas().counted(1, A=60, B=70)


def test_an_annulled_vuelta_leaves_the_first_deal() -> None:
    scene = vueltas().tell(tricks("A1 50"), DealAnnulled(replayed=True)).in_vueltas()
    scene.tell(DealStarted("A1"), *tricks("A1 31"), ClaimMade("A2")).then("A", "claim", A=101, B=60)


def test_a_claim_annulled_by_ruling_lets_play_go_on() -> None:
    scene = vueltas().tell(tricks("A1 1"), ClaimMade("A1")).then("B", "false_claim")
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


@pytest.mark.parametrize("rule, acts, seat", NEXT)
def test_who_deals_the_next_partida(rule, acts, seat) -> None:
    given(Options(next_dealer=rule), *acts).next_dealer(seat)


def test_the_winner_of_the_last_trick_deals_the_vueltas() -> None:
    scene = given(CLUB, *deal_of(CLUB, "B2", A=60, B=60))
    assert scene.table.dealer_due == "B2"
    scene.tell(DealStarted("A1")).finds_only(Rule.WRONG_DEALER)


def test_the_leftover_deck_of_three_is_decided_too() -> None:
    given(LEFTOVER, *deal_of(LEFTOVER, "A1", A=95, B=15, C=10)).then(
        "A", "first_deal", A=105, B=15, C=10
    )


def test_whole_partidas_of_two_and_four_with_cards() -> None:
    for options, dealer in ((TWO, "B1"), (CLUB, "B2"), (NO_STOCK, "B2")):
        scene = given(options, *dealt("4O", dealer)).play_out()
        if scene.table.decided is None:
            taker = scene.table.deal.taker
            scene.tell(dealt("4O", taker)).play_out().undecided()
            scene.tell(CountEntered()).finds_not(Rule.WRONG_DEALER)
        assert scene.table.decided is not None
