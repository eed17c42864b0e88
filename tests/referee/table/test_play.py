"""Cards on the table: turns, draws, deals gone wrong, and what can be neither dealt nor played."""

from __future__ import annotations

import pytest

from referee.events import (
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    CardsShown,
    HandEntered,
    StockEntered,
    WrongDealFound,
    WrongDraw,
)
from referee.rules.articles import Rule
from referee.rules.cards import CARD
from referee.rules.profile.options import Options
from tests.support.records.table_text import CLUB, dealt, draws, given, plays

WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")
DEALERS = [("B2", "A1"), ("A1", "B1"), ("B1", "A2")]


@pytest.mark.parametrize("dealer, eldest", DEALERS)
@pytest.mark.parametrize("direction", ["anticlockwise", "clockwise"])
def test_the_seat_after_the_dealer_leads(dealer, eldest, direction) -> None:
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
    ("one before their turn", draws("B1, A1, A2, B2"), [Rule.DRAW_OUT_OF_ORDER]),
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


def test_the_finding_names_who_drew_before_their_turn() -> None:
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


def test_a_wrong_draw_recorded_after_the_lead_is_no_second_one() -> None:
    late = WrongDraw("B1", "out_of_order", "7C")
    scene = given(CLUB, *dealt(), *WON, *plays("A1 6C"), late).finds_only(Rule.WRONG_DRAW)
    assert (scene.table.deal.sizes, scene.table.deal.stock) == ((5, 6, 6, 6), 12)


def test_one_who_draws_twice_at_the_end_leaves_the_last_without() -> None:
    scene = given(CLUB, *dealt()).play_out(until=4)
    first, *_, last = scene.table.deal.gap.to_draw
    scene.tell(draws(f"{first}, {first}"), *plays(f"{first} CB")).finds(Rule.DRAWN_TWICE)
    deal = scene.table.deal
    assert (deal.stock, deal.sizes[deal.place_of_seat(last)]) == (0, 5)
    assert deal.holder(CARD["4O"]) != last
    scene.play_out()
    assert sum(scene.state.stated[0].totals.values()) == 130
    assert scene.table.deal.turn is None


def test_a_hand_now_may_hold_the_card_drawn_unseen_but_no_more() -> None:
    six = HandEntered("A1", tuple("2E 4E 5E 6E 7E CE".split()), "now")
    given(CLUB, *dealt(), *WON, six).finds_not()
    seven = HandEntered("A1", tuple("2E 4E 5E 6E 7E CE SE".split()), "now")
    given(CLUB, *dealt(), *WON, seven).finds_only(Rule.WRONG_DEAL)


def test_a_card_seen_drawn_leaves_the_known_stock() -> None:
    stock = StockEntered(tuple("3C CC SC RC SE RE CE 3E AE CB SB RB 3B AB 2B".split()))
    scene = given(CLUB, *dealt(), stock, *WON, *draws("A1 3C, B1 SC")).finds_not()
    assert scene.table.deal.holder(CARD["SC"]) == "B1"
    scene.when(draws("A2 SC")).refused(Rule.CARD_ELSEWHERE, where="B1")


FOUR_TRICKS = [
    *WON,
    *plays("A1 3C, B1 6C, A2 7C, B2 CC, A1 AE, B1 2E, A2 4E, B2 5E, A1 3E, B1 6E, A2 7E, B2 CE"),
]
"""A1 took all of them, so B2 draws last: the pinta."""


def test_a_draw_that_alone_is_noted_came_after_the_others() -> None:
    scene = given(CLUB, *dealt("4O"), *FOUR_TRICKS, *draws("B2"))
    scene.tell(*plays("A1 2B, B1 4B, A2 5B")).finds_not()
    assert scene.table.deal.holder(CARD["4O"]) == "B2"
    scene.tell(*plays("B2 4O")).finds_not()


def test_the_pinta_may_be_shown_once_the_last_draw_is_noted() -> None:
    scene = given(CLUB, *dealt("4O"), *FOUR_TRICKS, *draws("B2"), CardsShown("B2", ("4O",)))
    assert scene.finds_not().table.deal.holder(CARD["4O"]) == "B2"
    assert not scene.table.deal.lies
    other = given(CLUB, *dealt("4O"), *FOUR_TRICKS, *draws("A2"))
    other.when(CardsShown("A2", ("4O",))).refused(Rule.CARD_ELSEWHERE, where="pinta")


def test_a_draw_noted_after_it_takes_the_pinta() -> None:
    scene = given(CLUB, *dealt("4O"), *FOUR_TRICKS, *draws("B2, A1, B1, A2"))
    assert scene.table.deal.holder(CARD["4O"]) == "A2"


def test_of_a_known_stock_a_cante_may_have_its_card_before_the_draw_is_noted() -> None:
    stock = StockEntered(tuple("RE 3C CC SC RC CE 3E AE CB SB RB 3B AB 2B 2O".split()))
    hands = dealt("4O", A1="AC SE 4E 5E 6E 7E")
    scene = given(CLUB, *hands, stock, *WON, CanteAnnounced("A1", "E")).finds_not().sung(A=20)
    scene.tell(*plays("A1 RE, B1 2E, A2 CO, B2 5O")).finds_not().sung(A=20)
    noted = given(CLUB, *hands, stock, *WON, CanteAnnounced("A1", "E", shown=None), *draws("A1"))
    noted.finds_only(Rule.CANTE_DISPROVED).sung()
