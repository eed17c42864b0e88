"""Deals: dealers, misdeals, wrong numbers, whole lengths, and what happens besides the cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.aggregates.partida import decide, fold
from referee.errors import Refused
from referee.events import (
    CardPlayed,
    DealStarted,
    HandEntered,
    IncidentNoted,
    Misdealt,
    PintaSwapped,
    PintaTurned,
    PlayResumed,
    PlaySuspended,
    StockEntered,
    TimeCalled,
    TrickEntered,
    TrickReviewed,
    WrongDealFound,
)
from referee.rules.articles import Rule
from referee.rules.cards import CARD, POINTS
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS
from referee.table.counts import partida_totals
from referee.table.verdicts import evidence_of
from tests.support.records.table_text import (
    CLUB,
    NO_STOCK,
    THREE,
    TWO,
    dealt,
    first_deal,
    given,
    opened,
    plays,
    put_in_place,
    tricks,
)

LENGTHS = [
    ("four, 40 cards", CLUB, "B2", 10, 4),
    ("four, 48 cards", Options(deck=48), "B2", 12, 6),
    ("two, 40 cards", TWO, "B1", 20, 14),
    ("two, 48 cards", Options(players=2, deck=48), "B1", 24, 18),
    ("three, 39 cards", THREE, "C1", 13, 7),
    ("three, 48 cards", Options(players=3, deck=48), "C1", 16, 10),
    ("four, ten cards", NO_STOCK, "B2", 10, 0),
    ("two, ten cards", Options(players=2, hand_size=10, deal_packets="one_by_one", swap=False), "B1", 20, 10),
    ("three, thirteen cards", Options(players=3, hand_size=13, three_deck="leftover_on_table", deal_packets="one_by_one", pinta_from="leftover_card", duties_from="first_trick", swap=False), "C1", 13, 0),
]  # fmt: skip


@pytest.mark.parametrize("about, options, dealer, many, free", LENGTHS, ids=[d[0] for d in LENGTHS])
def test_a_deal_has_so_many_tricks_and_is_worth_130(about, options, dealer, many, free) -> None:
    scene = given(replace(options, target=230), *dealt("AO", dealer))
    while not scene.table.deal.is_played_out:
        before = scene.table.deal
        scene.play_out(until=len(before.tricks) + 1)
        gap = scene.table.deal.gap.to_draw
        assert bool(gap) == (len(scene.table.deal.tricks) <= free and free > 0)
    assert len(scene.table.deal.tricks) == many
    assert sum(scene.state.stated[0].totals.values()) == 130
    assert scene.table.deal.played == scene.table.deal.deck
    scene.when(CardPlayed(dealer, "2C")).refused(Rule.DEAL_PLAYED_OUT)


def test_the_card_left_on_the_table_goes_with_the_last_trick() -> None:
    options = LENGTHS[-1][1]
    scene = given(replace(options, target=230), *dealt("AO", "C1")).play_out()
    last = scene.table.deal.tricks[-1]
    assert last.points == 11 + sum(POINTS[play.card] for play in last.plays)
    scene.when(PintaSwapped("A1")).refused(Rule.NO_STOCK)


def test_the_dealers_last_card_is_the_pinta_and_his() -> None:
    scene = given(NO_STOCK, *dealt("4O", "B2"))
    assert scene.table.deal.holder(CARD["4O"]) == "B2"
    scene.when(plays("A1 4O")).refused(Rule.CARD_ELSEWHERE, where="B2")
    hand = HandEntered("B2", ("4O", "5O"))
    given(NO_STOCK, DealStarted("B2"), hand, PintaTurned("4O")).finds_not()
    other = given(NO_STOCK, DealStarted("B2"), HandEntered("A1", ("4O",)))
    other.when(PintaTurned("4O")).refused(Rule.CARD_ELSEWHERE, where="A1")


def test_three_leave_a_dos_out() -> None:
    scene = given(THREE, *dealt("4O", "C1"))
    scene.when(plays("A1 2B")).refused(Rule.CARD_NOT_IN_DECK, card="2B")
    other = given(THREE, DealStarted("C1", removed="2O"), PintaTurned("4O"))
    other.when(plays("A1 2O")).refused(Rule.CARD_NOT_IN_DECK, card="2O")
    other.tell(IncidentNoted("exposed", "A1", "2B"), *plays("A1 2B"))
    bastos = given(THREE, *dealt("4B", "C1"))
    bastos.when(plays("A1 2B")).refused(Rule.CARD_NOT_IN_DECK)
    given(THREE).when(DealStarted("C1", removed="AO")).refused(Rule.CARD_NOT_IN_DECK)
    given(THREE).when(DealStarted("C1", removed="??")).refused(Rule.CARD_NOT_IN_DECK)


def test_the_wrong_dealer_and_a_small_cut_are_noticed() -> None:
    given(CLUB, DealStarted("A1", cut=4), dealer_due="A1").finds_not()
    scene = given(CLUB, DealStarted("B1", cut=3), dealer_due="A1")
    scene.finds(Rule.WRONG_DEALER, Rule.CUT_TOO_SMALL, line=1, seat="B1")


@pytest.mark.parametrize("misdeal, dealers", [
    ("redeal", ["B2", "B2", "B2", "B2"]),
    ("redeal_then_pass", ["B2", "B2", "A1", "A1"]),
])  # fmt: skip
def test_after_a_misdeal_the_same_deals_again_or_passes_at_the_second(misdeal, dealers) -> None:
    scene = given(Options(misdeal=misdeal), dealer_due="B2")
    for dealer in dealers:
        scene.tell(DealStarted(dealer), Misdealt({"A1": 7, "B1": 5})).finds_not(Rule.WRONG_DEALER)
    assert sum(f.rule == Rule.MISDEAL for f in scene.table.findings) == 4


def test_a_misdeal_where_each_had_the_right_number_is_noticed() -> None:
    right = dict.fromkeys(("A1", "B1", "A2", "B2"), 6)
    scene = given(CLUB, DealStarted("B2"), Misdealt(right), DealStarted("B2"))
    scene.finds_only(Rule.MISDEAL, Rule.MISDEAL_UNFOUNDED)
    given(CLUB, DealStarted("B2"), Misdealt({**right, "A1": 7})).finds_only(Rule.MISDEAL)


def test_a_misdeal_of_the_first_deal_is_forgotten_in_vueltas() -> None:
    scene = given(
        CLUB, DealStarted("B2"), Misdealt(), *first_deal(EVEN), DealStarted("A1"), Misdealt()
    )
    scene.tell(DealStarted("A1")).finds_not(Rule.WRONG_DEALER)


EVEN = "A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, B1 12, A1 12"


def test_a_wrong_number_of_cards_is_played_with() -> None:
    scene = given(CLUB, *dealt(), WrongDealFound("A1", 5)).finds_only(Rule.WRONG_DEAL)
    assert (scene.table.deal.sizes, scene.table.deal.stock) == ((5, 6, 6, 6), 17)
    scene.when(WrongDealFound("A1", 40)).refused(Rule.HAND_TOO_LARGE)
    entered = given(CLUB, *dealt(A1="AC 3C RC SC CC"), WrongDealFound("A1", 5))
    assert entered.table.deal.sizes == (5, 6, 6, 6)
    seven = HandEntered("A1", tuple("AC 3C RC SC CC 7C 6C".split()))
    given(CLUB, *dealt(), WrongDealFound("A1", 7), seven).finds_only(Rule.WRONG_DEAL)
    twice = given(CLUB, *dealt(), WrongDealFound("A1", 5), seven)
    twice.finds_only(Rule.WRONG_DEAL, Rule.WRONG_DEAL)
    assert twice.table.deal.sizes == (7, 6, 6, 6)
    scene.play_out()
    assert sum(scene.state.stated[0].totals.values()) == 130


def test_a_hand_entered_in_part_proves_nothing_about_the_other_cards() -> None:
    part = HandEntered("A1", ("2O", "AC"))
    scene = given(CLUB, *dealt(), part).finds_not()
    assert scene.table.deal.sizes == (6, 6, 6, 6)
    scene.tell(*plays("A1 3C, B1 2C, A2 4C, B2 5C")).finds_not().winners("A1")
    assert scene.table.deal.holder(CARD["2O"]) == "A1"
    scene.when(plays("B1 2O")).refused(Rule.CARD_ELSEWHERE, where="A1")
    known = given(CLUB, *dealt(A1="AC 3C RC SC CC 7C"), *plays("A1 6C"))
    known.finds_only(Rule.CARD_NOT_DEALT)


def test_a_wrong_deal_without_a_stock_plays_out() -> None:
    scene = given(NO_STOCK, *dealt(), WrongDealFound("A1", 9))
    scene.when(StockEntered(("AC",))).refused(Rule.HAND_TOO_LARGE)
    scene.tell(StockEntered(())).play_out()
    assert len(scene.table.deal.tricks) == 10


def test_a_stock_of_another_number_is_noticed() -> None:
    given(CLUB, *dealt(), StockEntered(("AC",))).finds_only(Rule.WRONG_DEAL)
    stock = tuple("AC 3C RC SC CC 7C 6C 5C 4C 2C AE 3E RE SE CE".split())
    scene = given(CLUB, *dealt(), StockEntered(stock), StockEntered(stock)).finds_not()
    scene.tell(*plays("A1 2E, B1 4E, A2 5E, B2 6E, B2 2B"))
    assert scene.table.deal.holder(CARD["AC"]) == "B2"
    given(NO_STOCK, DealStarted("B2"), StockEntered(())).finds_not()
    given(CLUB, DealStarted("B2"), StockEntered(stock), PintaTurned("4O")).finds_not()


REVIEWS = [
    ("first_and_last", 1, []),
    ("first_and_last", 3, []),
    ("first_and_last", 2, [Rule.TRICK_NOT_VIEWABLE]),
    ("none", 3, [Rule.TRICK_NOT_VIEWABLE]),
]


@pytest.mark.parametrize("viewable, trick, rules", REVIEWS)
def test_a_look_at_a_trick_in_vueltas(viewable, trick, rules) -> None:
    options = Options(tricks_viewable_in_vueltas=viewable)
    scene = given(
        options, DealStarted("B2"), *tricks("A1 10, B1 10, A1 10"), TrickReviewed("A1", trick)
    )
    scene.finds_not()
    vueltas = given(options, *first_deal(EVEN), DealStarted("A1"), *tricks("B1 2, B1 2, B1 2"))
    vueltas.tell(TrickReviewed("A1", trick)).finds_only(*rules)
    vueltas.when(TrickReviewed("A1", 4)).refused(Rule.TRICK_UNKNOWN, trick=4, tricks=3)


@pytest.mark.parametrize("taker", ["A1", "B1"], ids=["own tricks", "tricks of the others"])
def test_in_vueltas_the_tricks_of_either_side_are_looked_at_alike(taker) -> None:
    scene = given(
        CLUB, *first_deal(EVEN), DealStarted("A1"), *tricks(f"{taker} 2, " * 2 + f"{taker} 2")
    )
    scene.tell(TrickReviewed("A1", 1), TrickReviewed("A1", 3)).finds_not()
    scene.tell(TrickReviewed("A1", 2)).finds_only(Rule.TRICK_NOT_VIEWABLE)


INCIDENTS = [
    ("talk", Rule.TALK),
    ("signal", Rule.SIGNAL),
    ("exposed", Rule.CARD_EXPOSED),
    ("wrong_draw", Rule.WRONG_DRAW),
    ("wrong_gathering", Rule.WRONG_GATHERING),
    ("late", Rule.LATE),
]


@pytest.mark.parametrize("incident, rule", INCIDENTS)
def test_an_incident_is_noted(incident, rule) -> None:
    given(CLUB, IncidentNoted(incident, "A1")).finds(rule, seat="A1")
    given(CLUB, *dealt(), IncidentNoted(incident)).finds(rule, seat="")
    given(CLUB, *dealt(), IncidentNoted(incident, "A1", "AC")).finds(rule, seat="A1")


def test_another_incident_is_only_text() -> None:
    given(CLUB, *dealt(), IncidentNoted("other", "A1", text="text")).finds_not()


def test_an_exposed_card_is_known() -> None:
    scene = given(CLUB, *dealt(), IncidentNoted("exposed", "A1", "AC"))
    scene.when(plays("B1 AC")).refused(Rule.CARD_ELSEWHERE, where="A1")
    scene.when(IncidentNoted("exposed", "B1", "AC")).refused(Rule.CARD_ELSEWHERE, where="A1")
    scene.tell(plays("A1 AC"), IncidentNoted("exposed", "B1", "AC"))
    scene.when(IncidentNoted("other", "B1", "9C")).refused(Rule.CARD_NOT_IN_DECK)


def test_time_and_suspension_decide_nothing() -> None:
    scene = given(CLUB, *dealt(), TimeCalled(), PlaySuspended("text"))
    assert scene.table.suspended
    scene.tell(plays("A1 AC"), PlayResumed()).undecided()
    assert not scene.table.suspended
    scene.when(PlayResumed()).refused(Rule.PLAY_NOT_SUSPENDED)


CUTS = [
    ("the dealer's left", CLUB, "A2", []),
    ("another", CLUB, "A1", [Rule.WRONG_CUTTER]),
    ("clockwise, the dealer's left", replace(CLUB, direction="clockwise"), "A1", []),
    ("clockwise, another", replace(CLUB, direction="clockwise"), "A2", [Rule.WRONG_CUTTER]),
    ("nobody noted it", CLUB, "", []),
]


@pytest.mark.parametrize("about, options, cutter, rules", CUTS, ids=[c[0] for c in CUTS])
def test_the_player_on_the_dealers_left_cuts(about, options, cutter, rules) -> None:
    given(options, DealStarted("B2", 5, "", cutter)).finds_only(*rules)


@pytest.mark.parametrize("packets", ["3+3", "one_by_one"])
def test_cards_are_given_as_the_profile_says(packets) -> None:
    options = replace(CLUB, deal_packets=packets)
    for noted in ("", "3+3", "one_by_one"):
        rules = [] if noted in ("", packets) else [Rule.WRONG_PACKETS]
        given(options, DealStarted("B2", packets=noted)).finds_only(*rules)


def test_cards_shown_to_the_partner_are_noticed() -> None:
    shown = IncidentNoted("to_partner", "A1", "AC")
    scene = given(CLUB, *dealt(), shown).finds_only(Rule.SHOWN_TO_PARTNER)
    assert scene.table.deal.holder(CARD["AC"]) is None


MOST = [(CLUB, "44"), (TWO, "22"), (THREE, "33"), (replace(CLUB, deck=48), "44")]
"""The most that a trick can be worth: an as of each."""


@pytest.mark.parametrize("options, most", MOST, ids=["four", "two", "three", "48 cards"])
def test_a_trick_without_cards_is_worth_what_cards_can_be(options, most) -> None:
    start = DealStarted(SEATS[options.players][-1])
    for points in (0, 2, int(most)):
        given(options, start, TrickEntered("A1", points)).finds_not(Rule.TRICK_POINTS)
    impossible = {-1: "0", 1: "0, 2", int(most) + 1: most, 45: most}
    for points, nearest in impossible.items():
        scene = given(options, start).when(TrickEntered("A1", points))
        facts = {"points": points, "before": 0, "nearest": nearest}
        scene.refused(Rule.POINTS_IMPOSSIBLE, **facts)


def test_a_trick_without_cards_is_not_made_of_cards_that_were_seen() -> None:
    three = plays("A1 AC, B1 AE, A2 AB, B2 2C")
    given(CLUB, *dealt(), *three).when(TrickEntered("A1", 44)).refused(
        Rule.POINTS_IMPOSSIBLE, before=33, nearest="41"
    )
    given(CLUB, *dealt(), *three, TrickEntered("A1", 41)).finds_not()


def test_the_last_trick_is_not_worth_more_than_the_deck_leaves() -> None:
    many = [TrickEntered("A1", 30)] * 3
    scene = given(NO_STOCK, *dealt(), *many).when(TrickEntered("A1", 31))
    scene.refused(Rule.POINTS_IMPOSSIBLE, before=90, nearest="30")


def test_an_old_log_with_an_impossible_trick_keeps_its_conclusions_and_its_corrections() -> None:
    """It was recorded when this was only noticed; a correction elsewhere does not stumble over it."""
    old = [opened(CLUB), DealStarted("B2"), TrickEntered("A1", 45), TrickEntered("B1", 39)]
    state = fold(old)
    found = [(f.line, f.rule) for f in state.table.findings]
    assert found == [(2, Rule.TRICK_POINTS), (3, Rule.TRICK_POINTS)]
    assert partida_totals(state.table) == {"A": 45, "B": 39}
    for line, points in ((2, 44), (3, 37)):
        state = decide(put_in_place(line, TrickEntered("A1", points)), state).state
    assert not {f.rule for f in state.table.findings} & {Rule.TRICK_POINTS}
    with pytest.raises(Refused) as refused:
        decide(put_in_place(3, TrickEntered("A1", 45)), fold(old))
    assert refused.value.facts["line"] == 3


def test_the_card_that_is_left_over_goes_with_the_last_trick() -> None:
    last = Options(players=3, hand_size=13, three_deck="leftover_on_table",
                   pinta_from="leftover_card", duties_from="first_trick", swap=False)  # fmt: skip
    twelve = [TrickEntered("A1", 0)] * 12
    scene = given(last, DealStarted("A1"), PintaTurned("AO"), *twelve, TrickEntered("A1", 44))
    rules = [f.rule for f in scene.table.findings]
    assert rules == [Rule.TRICKS_TOGETHER, Rule.TRICKS_SUM], "44 with the card left over"


TOGETHER = [
    ("the four ases twice", ["A1 44", "A1 44"], 4),
    ("an as is laid afterwards", ["A1 44", *"A1 AC, B1 2E, A2 4C, B2 5C".split(", ")], 7),
    (
        "one point is left for a trick",
        [f"A1 {n}" for n in (13, 13, 13, 13, 13, 13, 13, 13, 15)],
        11,
    ),
    ("more ases are left than tricks", ["A1 11", "A1 12"], 0),
]


@pytest.mark.parametrize("about, said, line", TOGETHER, ids=[one[0] for one in TOGETHER])
def test_tricks_without_cards_are_worth_what_the_unseen_cards_can_be(about, said, line) -> None:
    acts = [TrickEntered(seat, int(text)) if text.isdigit() else CardPlayed(seat, text)
            for seat, text in (one.split() for one in said)]  # fmt: skip
    scene = given(CLUB, *dealt(), *acts)
    found = [f.line for f in scene.table.findings]
    assert found == ([line] if line else [])
    assert {f.rule for f in scene.tell(TrickEntered("A1")).table.findings} == (
        {Rule.TRICKS_TOGETHER} if line else set()
    )


def test_a_hand_entered_part_by_part_is_told_to_have_too_many_cards() -> None:
    parts = [
        HandEntered("A1", ("AC", "3C", "RC", "SC")),
        HandEntered("A1", ("AE", "3E", "RE", "SE")),
    ]
    scene = given(CLUB, *dealt(), parts[0]).finds_not()
    scene.tell(parts[1]).finds_only(Rule.WRONG_DEAL)
    assert scene.table.deal.sizes[scene.table.deal.place_of_seat("A1")] == 8
    assert not evidence_of(scene.table.deal).broken


SUMS = [("all of the deck", EVEN, []), ("one point too few", EVEN[:-2] + "11", [Rule.TRICKS_SUM])]


@pytest.mark.parametrize("about, text, rules", SUMS, ids=[s[0] for s in SUMS])
def test_tricks_without_cards_add_up_to_the_deck(about, text, rules) -> None:
    scene = given(CLUB, *first_deal(text))
    assert [f.rule for f in scene.table.findings if f.rule == Rule.TRICKS_SUM] == rules


def test_a_deal_with_some_tricks_without_cards_adds_up_too() -> None:
    scene = given(CLUB, *dealt(), *[TrickEntered("A1", 30)] * 4)
    scene.play_out()
    assert Rule.TRICKS_SUM in {f.rule for f in scene.table.findings}
