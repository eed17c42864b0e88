"""Cards on the table: turns, draws, deals gone wrong, and what can be neither dealt nor played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.events import (
    CardDrawn,
    CardPlayed,
    CardsShown,
    ClaimMade,
    Conceded,
    CountEntered,
    DealAnnulled,
    DealStarted,
    HandEntered,
    IncidentNoted,
    Misdealt,
    PintaSwapped,
    PintaTurned,
    PlayResumed,
    PlaySuspended,
    RenuncioDenounced,
    ResultEntered,
    RulingGiven,
    StockEntered,
    TimeCalled,
    TrickEntered,
    TrickReviewed,
    WrongDealFound,
    WrongDraw,
)
from referee.rules.articles import Rule
from referee.rules.cards import CARD, POINTS
from referee.rules.options import Options
from tests.table_text import (
    CLUB,
    NO_STOCK,
    THREE,
    TWO,
    dealt,
    draws,
    first_deal,
    given,
    plays,
    tricks,
)

WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")
DEALERS = [("B2", "A1"), ("A1", "B1"), ("B1", "A2")]


@pytest.mark.parametrize("dealer, eldest", DEALERS)
@pytest.mark.parametrize("direction", ["anticlockwise", "clockwise"])
def test_whoever_comes_after_the_dealer_leads(dealer, eldest, direction) -> None:
    scene = given(Options(direction=direction), *dealt(dealer=dealer))
    assert scene.table.deal.turn == eldest
    scene.tell(CardPlayed(eldest, "AC")).finds_not()


def test_the_trick_goes_to_the_highest_trump_else_to_the_highest_of_the_suit_led() -> None:
    scene = given(CLUB, *dealt(), *plays("A1 2C, B1 AE, A2 3C, B2 SB")).winners("A2")
    scene.tell(plays("A2 AC, B2 2O, A1 5O, B1 6C")).winners("A2", "A1").finds_not()


@pytest.mark.parametrize("order, taker", [("sota_over_caballo", "B1"), ("caballo_over_sota", "A1")])
def test_sota_and_caballo(order, taker) -> None:
    given(Options(sota_caballo=order), *dealt(), *plays("A1 CC, B1 SC, A2 4C, B2 5C")).winners(
        taker
    )


def test_a_card_out_of_turn_is_recorded() -> None:
    scene = given(CLUB, *dealt(), *plays("B1 AC, A1 2C, A2 4C, B2 5C"))
    scene.finds(Rule.OUT_OF_TURN, line=3, seat="B1").winners("B1")


def test_two_cards_at_once_leave_the_second_in_the_hand() -> None:
    scene = given(CLUB, *dealt(), *plays("A1 AC, A1 3C, B1 2C, A2 4C, B2 5C"))
    scene.finds_only(Rule.TWO_CARDS_AT_ONCE).winners("A1")
    assert scene.table.deal.holder(CARD["3C"]) == "A1"
    scene.tell(plays("A1 3C")).when(plays("B1 3C")).refused(Rule.CARD_PLAYED_BEFORE, card="3C")


def test_a_card_that_was_not_in_a_known_hand_is_noticed() -> None:
    scene = given(CLUB, *dealt(A1="2C 4C 5C 6C 7C CC"), *plays("A1 SC"))
    scene.finds_only(Rule.CARD_NOT_DEALT)


DRAW_FAULTS = [
    ("in order", draws("A1, B1, A2, B2"), []),
    ("one before his turn", draws("B1, A1, A2, B2"), [Rule.DRAW_OUT_OF_ORDER]),
    ("twice overtaken, once noticed", draws("B2, A1, B1"), [Rule.DRAW_OUT_OF_ORDER]),
    ("two overtaken", draws("A2, B1, A1"), [Rule.DRAW_OUT_OF_ORDER] * 2),
    ("twice", draws("A1, A1"), [Rule.DRAWN_TWICE]),
    ("the pinta early", draws("A1 4O"), [Rule.WRONG_DRAW]),
    ("two cards", [WrongDraw("A1", "two_cards", "3C")], [Rule.WRONG_DRAW]),
    ("a second card", [*draws("A1"), WrongDraw("A1", "two_cards", "3C")], [Rule.WRONG_DRAW]),
    ("none", [WrongDraw("A1", "none")], [Rule.WRONG_DRAW]),
    ("out of order", [WrongDraw("B1", "out_of_order", "3C")], [Rule.WRONG_DRAW]),
    ("the pinta, as reported", [WrongDraw("B1", "pinta_early")], [Rule.WRONG_DRAW]),
    ("after the lead", [*plays("A1 6C"), *draws("B1 7C")], [Rule.DRAW_OUT_OF_ORDER]),
    ("after the lead, unseen", [*plays("A1 6C"), *draws("B1")], [Rule.DRAW_OUT_OF_ORDER]),
]  # fmt: skip


@pytest.mark.parametrize("about, after, rules", DRAW_FAULTS, ids=[d[0] for d in DRAW_FAULTS])
def test_draws_are_recorded_as_they_were(about, after, rules) -> None:
    given(CLUB, *dealt(), *WON, *after).finds_only(*rules)


def test_the_finding_names_who_drew_before_his_turn() -> None:
    scene = given(CLUB, *dealt(), *WON, *draws("B1, A1"))
    scene.finds(Rule.DRAW_OUT_OF_ORDER, seat="B1", line=7, known_at=8)


SIZES = [
    ("two cards at one draw", [WrongDraw("A1", "two_cards", "3C")], (7, 5, 5, 5), 14),
    ("a second card", [*draws("A1"), WrongDraw("A1", "two_cards")], (7, 5, 5, 5), 14),
    ("none, and the others", [WrongDraw("A1", "none"), *plays("A1 6C")], (4, 6, 6, 6), 13),
    ("late after the lead", [*plays("A1 6C"), *draws("B1 7C, A2")], (5, 6, 6, 6), 12),
    ("found with seven", [WrongDealFound("B1", 7)], (5, 7, 5, 5), 14),
]  # fmt: skip


@pytest.mark.parametrize("about, after, sizes, stock", SIZES, ids=[d[0] for d in SIZES])
def test_hands_and_stock_after_wrong_draws(about, after, sizes, stock) -> None:
    deal = given(CLUB, *dealt(), *WON, *after).table.deal
    assert (deal.sizes, deal.stock) == (sizes, stock)


def test_the_pinta_drawn_early_is_known_and_nobody_draws_it_again() -> None:
    scene = given(CLUB, *dealt(), *WON, WrongDraw("B1", "pinta_early"))
    assert scene.table.deal.holder(CARD["4O"]) == "B1"
    scene.when(CardDrawn("A1", "4O")).refused(Rule.CARD_ELSEWHERE, where="B1")
    scene.when(WrongDraw("A1", "pinta_early")).refused(Rule.NO_STOCK)
    again = given(CLUB, *dealt(), *WON)
    again.when(WrongDraw("A1", "pinta_early", "3C")).refused(Rule.CARD_ELSEWHERE, card="3C")


def test_a_draw_noted_after_the_lead_is_the_draw_taken_for_granted() -> None:
    scene = given(CLUB, *dealt(), *WON).play_out(until=4)
    leader = scene.table.deal.leader
    scene.tell(plays(f"{leader} 2B"))
    assert scene.table.deal.stock == 0
    last = scene.table.deal.holder(CARD["4O"])
    scene.tell(CardDrawn(last, "4O")).finds_only(Rule.DRAW_OUT_OF_ORDER)
    scene.when(CardDrawn(last)).refused(Rule.NO_STOCK)
    other = next(s for s in ("A1", "B1", "A2", "B2") if s not in (last, leader))
    scene.when(CardDrawn(other, "4O")).refused(Rule.CARD_ELSEWHERE, where=last)
    scene.tell(CardDrawn(other, "5B"))
    assert scene.table.deal.holder(CARD["5B"]) == other


def test_a_pinta_drawn_early_after_the_lead() -> None:
    scene = given(CLUB, *dealt(), *WON, *plays("A1 6C"), CardDrawn("B1", "4O"))
    assert scene.table.deal.holder(CARD["4O"]) == "B1"
    assert not scene.table.deal.lies


def test_the_last_card_of_the_stock_is_the_pinta() -> None:
    scene = given(CLUB, *dealt()).play_out(until=4)
    seats = scene.table.deal.gap.to_draw
    scene.tell(draws(", ".join(seats[:3])))
    scene.when(CardDrawn(seats[3], "3B")).refused(Rule.CARD_ELSEWHERE, card="3B")
    scene.tell(CardDrawn(seats[3]))
    assert scene.table.deal.holder(CARD["4O"]) == seats[3]
    scene.when(CardDrawn(seats[0])).refused(Rule.NO_STOCK)


def test_with_the_pinta_drawn_early_the_last_card_is_another() -> None:
    scene = given(CLUB, *dealt(), *WON, *draws("A1 4O"))
    scene.play_out().counted(1, **scene.state.stated[0].totals)
    assert sum(scene.state.stated[0].totals.values()) == 130


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
    known = given(NO_STOCK, DealStarted("B2"), HandEntered("B2", ("4O", "5O")), PintaTurned("4O"))
    known.finds(Rule.WRONG_DEAL)
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
    twice = given(CLUB, *dealt(), WrongDealFound("A1", 7), HandEntered("A1", ("AC", "2C")))
    assert twice.table.deal.sizes == (2, 6, 6, 6)
    scene.play_out()
    assert sum(scene.state.stated[0].totals.values()) == 130


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
    vueltas = given(options, *first_deal(EVEN), DealStarted("A1"), *tricks("B1 1, B1 1, B1 1"))
    vueltas.tell(TrickReviewed("A1", trick)).finds_only(*rules)
    vueltas.when(TrickReviewed("A1", 4)).refused(Rule.TRICK_UNKNOWN, trick=4, tricks=3)


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


NEEDING_A_DEAL = [
    Misdealt(), WrongDealFound("A1", 5), PintaTurned("4O"), HandEntered("A1", ("AC",)),
    StockEntered(()), CardPlayed("A1", "AC"), CardDrawn("A1"), WrongDraw("A1", "none"),
    PintaSwapped("A1"), TrickReviewed("A1", 1), CardsShown("A1"), RenuncioDenounced("A1", "B1"),
    ClaimMade("A1"), CountEntered(), DealAnnulled(), TrickEntered("A1"),
    RulingGiven("annul_deal", "text"), RulingGiven("replay_deal", "text"),
    RulingGiven("points", "text", side="A", points=5),
]  # fmt: skip


@pytest.mark.parametrize("act", NEEDING_A_DEAL, ids=lambda act: type(act).__name__)
def test_without_a_deal_nothing_is_played(act) -> None:
    given(CLUB).when(act).refused(Rule.NO_DEAL)


NOBODY = [
    (CardPlayed("C1", "AC"), Rule.SEAT_UNKNOWN),
    (CardPlayed("", "AC"), Rule.SEAT_UNKNOWN),
    (DealStarted(""), Rule.SEAT_UNKNOWN),
    (RenuncioDenounced("A1", "C1"), Rule.SEAT_UNKNOWN),
    (Misdealt({"C1": 5}), Rule.SEAT_UNKNOWN),
    (RulingGiven("dealer", "text"), Rule.SEAT_UNKNOWN),
    (RulingGiven("dealer", "text", seat="C1"), Rule.SEAT_UNKNOWN),
    (Conceded("C"), Rule.SIDE_UNKNOWN),
    (Conceded(""), Rule.SIDE_UNKNOWN),
    (ResultEntered(""), Rule.SIDE_UNKNOWN),
    (ResultEntered("A", "claim", {"C": 4}), Rule.SIDE_UNKNOWN),
    (CountEntered({"C": 4}), Rule.SIDE_UNKNOWN),
    (RulingGiven("partida", "text"), Rule.SIDE_UNKNOWN),
    (RulingGiven("partida", "text", side="C"), Rule.SIDE_UNKNOWN),
    (RulingGiven("points", "text", points=4), Rule.SIDE_UNKNOWN),
    (RulingGiven("annul_act", "text", line=99), Rule.LINE_UNKNOWN),
    (RulingGiven("annul_act", "text"), Rule.LINE_UNKNOWN),
]


@pytest.mark.parametrize("act, rule", NOBODY)
def test_seats_sides_and_lines_must_exist(act, rule) -> None:
    given(CLUB, *dealt()).when(act).refused(rule)


IMPOSSIBLE = [
    ("a second deal", [], DealStarted("A1"), Rule.DEAL_RUNNING),
    ("a second pinta", [], PintaTurned("5O"), Rule.PINTA_KNOWN),
    ("no card of the deck", [], CardPlayed("A1", "9O"), Rule.CARD_NOT_IN_DECK),
    ("no card at all", [], CardPlayed("A1", "XX"), Rule.CARD_NOT_IN_DECK),
    ("the pinta that lies", [], CardPlayed("A1", "4O"), Rule.CARD_ELSEWHERE),
    ("a card played before", WON, CardPlayed("A1", "AC"), Rule.CARD_PLAYED_BEFORE),
    ("a hand with a card twice", [], HandEntered("A1", ("AC", "AC")), Rule.CARD_NAMED_TWICE),
    ("a hand too large", [], HandEntered("A1", tuple(f"{r}{s}" for s in "CEB" for r in "2456789CSR3A")), Rule.HAND_TOO_LARGE),
    ("a hand with another's card", [HandEntered("B1", ("AC",))], HandEntered("A1", ("AC",)), Rule.CARD_ELSEWHERE),
    ("a hand now with a card played", WON, HandEntered("A1", ("AC",), "now"), Rule.CARD_PLAYED_BEFORE),
    ("a dealt hand with another's play", WON, HandEntered("A1", ("2C",)), Rule.CARD_PLAYED_BEFORE),
    ("a stock with a card twice", [], StockEntered(("AC", "AC")), Rule.CARD_NAMED_TWICE),
    ("a stock too large", [], StockEntered(tuple(f"{r}{s}" for s in "CE" for r in "24567CSR3A")[:16]), Rule.HAND_TOO_LARGE),
    ("a stock with the pinta", [], StockEntered(("4O",)), Rule.CARD_ELSEWHERE),
    ("a draw of a card played", WON, CardDrawn("A1", "AC"), Rule.CARD_PLAYED_BEFORE),
    ("a play of a stock card", [StockEntered(("AC",))], CardPlayed("A1", "AC"), Rule.CARD_ELSEWHERE),
    ("more shown than held", [], CardsShown("A1", ("AC", "3C", "RC", "SC", "CC", "7C", "6C")), Rule.HAND_TOO_LARGE),
    ("a card of a suit shown void", [], CardsShown("A1", ("AC",), ("C",)), Rule.CARD_ELSEWHERE),
    ("void with a card known", [HandEntered("A1", ("AC",))], CardsShown("A1", (), ("C",)), Rule.CARD_ELSEWHERE),
    ("a whole hand without a card known", [HandEntered("A1", ("AC",))], CardsShown("A1", ("2C",), (), whole=True), Rule.CARD_ELSEWHERE),
    ("a play after showing void", [CardsShown("A1", (), ("C",))], CardPlayed("A1", "AC"), Rule.CARD_ELSEWHERE),
    ("cards shown twice", [], CardsShown("A1", ("AC", "AC")), Rule.CARD_NAMED_TWICE),
    ("a trick that is not closed", [], TrickReviewed("A1", 1), Rule.TRICK_UNKNOWN),
    ("a renuncio in a later trick", [], RenuncioDenounced("A1", "B1", 3), Rule.TRICK_UNKNOWN),
    ("a count too early", [], CountEntered(), Rule.DEAL_RUNNING),
    ("a trick within a trick", plays("A1 AC"), TrickEntered("A1", 3), Rule.TRICK_UNKNOWN),
    ("points below none", [], TrickEntered("A1", -1), Rule.POINTS_IMPOSSIBLE),
    ("points above all", tricks("A1 100"), TrickEntered("A1", 21), Rule.POINTS_IMPOSSIBLE),
]  # fmt: skip


@pytest.mark.parametrize("about, before, act, rule", IMPOSSIBLE, ids=[i[0] for i in IMPOSSIBLE])
def test_only_what_cannot_be_true_is_refused(about, before, act, rule) -> None:
    scene = given(CLUB, *dealt(), *before)
    version = scene.state.version
    scene.when(act).refused(rule)
    assert scene.state.version == version


def test_nothing_is_laid_before_the_pinta_nor_without_cards() -> None:
    given(CLUB, DealStarted("B2")).when(plays("A1 AC")).refused(Rule.NO_PINTA)
    empty = given(CLUB, *dealt(), WrongDealFound("A1", 0))
    empty.when(plays("A1 AC")).refused(Rule.NO_CARDS_LEFT)
    done = given(CLUB, *first_deal(EVEN))
    done.when(tricks("A1 0")).refused(Rule.DEAL_PLAYED_OUT)


def test_hands_shown_in_the_gap_may_hold_the_card_just_drawn() -> None:
    stock = tuple("3C CC SC RC SE RE CE 3E AE CB SB RB 3B AB 2B".split())
    scene = given(CLUB, *dealt(A1="AC 2E 4E 5E 6E 7E"), StockEntered(stock), *WON)
    shown = given(CLUB, *dealt(A1="AC 2E 4E 5E 6E 7E"), StockEntered(stock), *WON)
    shown.tell(CardsShown("A1", ("3C", "2E", "4E", "5E", "6E", "7E"), (), whole=True)).finds_not()
    assert shown.table.deal.holder(CARD["3C"]) == "A1"
    scene.tell(HandEntered("A1", ("3C", "2E", "4E", "5E", "6E", "7E"), "now")).finds_not()
    scene.tell(plays("A1 3C, B1 CC")).finds_not()


def test_a_dealt_hand_may_be_entered_afterwards() -> None:
    scene = given(
        CLUB,
        *dealt(),
        *WON,
        PintaSwapped("A1"),
        HandEntered("A1", tuple("AC 7O 2E 4E 5E 6E".split())),
    )
    assert scene.table.deal.holder(CARD["7O"]) is None
    scene.finds_not().tell(plays("A1 2E"))
