"""Every refusal of a table, with all of its facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.events import (
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    CardsShown,
    Conceded,
    CountEntered,
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
    SuitRequested,
    TrickEntered,
    TrickReviewed,
    TuteAnnounced,
    WrongDealFound,
    WrongDraw,
)
from referee.rules.articles import Rule
from referee.rules.cards import DECK_40
from referee.rules.profile.options import deck_mask
from tests.support.records.rules_named import rules_named_in
from tests.support.records.table_text import (
    CLUB,
    NO_STOCK,
    THREE,
    TWO,
    cante,
    dealt,
    draws,
    first_deal,
    given,
    plays,
    rest_of_deck,
    tricks,
)

WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")
"""A1 took the first trick; all four have to draw."""
EVEN = "A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, B1 12, A1 12"
"""A first deal that leads to vueltas: 60 and 10 against 60."""
SEVEN = ("AC", "3C", "RC", "SC", "CC", "7C", "6C")
FOUR_TRICKS = plays(
    "A1 2O, B1 4O, A2 5O, B2 6O, B2 2C, A1 4B, B1 5C, A2 6C, A2 2B, B2 4C, A1 5B, B1 6B, "
    "B1 7O, A2 7C, B2 7B, A1 CB"
)
"""Nobody noted a draw. B1 leads next, and A1 is the last to draw: the pinta."""


def a1(*cards: str) -> HandEntered:
    return HandEntered("A1", cards)


def exposed(seat: str, card: str) -> IncidentNoted:
    return IncidentNoted("exposed", seat, card)


def ruling(effect: str, **facts: object) -> RulingGiven:
    return RulingGiven(effect, "text", **facts)


BEFORE_A_DEAL = [
    (CardPlayed("A1", "AC"), Rule.NO_DEAL, {}),
    (ruling("annul_deal"), Rule.NO_DEAL, {}),
    (ruling("replay_deal"), Rule.NO_DEAL, {}),
    (ruling("points", side="A", points=5), Rule.NO_DEAL, {}),
    (PlayResumed(), Rule.PLAY_NOT_SUSPENDED, {}),
    (DealStarted("C1"), Rule.SEAT_UNKNOWN, {"seat": "C1"}),
    (DealStarted(""), Rule.SEAT_UNKNOWN, {"seat": ""}),
    (RenuncioDenounced("A1", "C1"), Rule.SEAT_UNKNOWN, {"seat": "C1"}),
    (RenuncioDenounced("C1", "A1"), Rule.SEAT_UNKNOWN, {"seat": "C1"}),
    (SuitRequested("", "A1"), Rule.SEAT_UNKNOWN, {"seat": ""}),
    (Misdealt({"A1": 6, "C1": 5}), Rule.SEAT_UNKNOWN, {"seat": "C1"}),
    (IncidentNoted("talk", "C1"), Rule.SEAT_UNKNOWN, {"seat": "C1"}),
    (ruling("dealer"), Rule.SEAT_UNKNOWN, {"seat": ""}),
    (ruling("dealer", seat="C1"), Rule.SEAT_UNKNOWN, {"seat": "C1"}),
    (Conceded("C"), Rule.SIDE_UNKNOWN, {"side": "C"}),
    (ResultEntered(""), Rule.SIDE_UNKNOWN, {"side": ""}),
    (ResultEntered("A", "claim", {"A": 101, "C": 4}), Rule.SIDE_UNKNOWN, {"side": "C"}),
    (CountEntered({"C": 4}), Rule.SIDE_UNKNOWN, {"side": "C"}),
    (ruling("partida"), Rule.SIDE_UNKNOWN, {"side": ""}),
    (ruling("partida", side="C"), Rule.SIDE_UNKNOWN, {"side": "C"}),
    (DealStarted("A1", removed="AO"), Rule.CARD_NOT_IN_DECK, {"card": "AO"}),
    (DealStarted("A1", removed="2X"), Rule.CARD_NOT_IN_DECK, {"card": "2X"}),
    (exposed("A1", "9C"), Rule.CARD_NOT_IN_DECK, {"card": "9C"}),
]  # fmt: skip

IN_A_DEAL = [
    ("points for nobody", [], ruling("points", points=4), Rule.SIDE_UNKNOWN, {"side": ""}),
    ("a second deal", [], DealStarted("A1"), Rule.DEAL_RUNNING, {"deal": 1}),
    ("a count too early", [], CountEntered(), Rule.DEAL_RUNNING, {"deal": 1}),
    ("a count with totals, of cards", WON, CountEntered({"A": 11, "B": 0}), Rule.DEAL_RUNNING, {"deal": 1}),
    ("a count without totals, of tricks", tricks("A1 10"), CountEntered(), Rule.DEAL_RUNNING, {"deal": 1}),
    ("a second pinta", [], PintaTurned("5O"), Rule.PINTA_KNOWN, {"card": "4O"}),
    ("a card of another deck", [], CardPlayed("A1", "9O"), Rule.CARD_NOT_IN_DECK, {"card": "9O"}),
    ("no card at all", [], CardDrawn("A1", "XX"), Rule.CARD_NOT_IN_DECK, {"card": "XX"}),
    ("a hand with no card", [], a1("XX"), Rule.CARD_NOT_IN_DECK, {"card": "XX"}),
    ("a hand now with no card", [], HandEntered("A1", ("XX",), "now"), Rule.CARD_NOT_IN_DECK, {"card": "XX"}),
    ("no card shown", [], CardsShown("A1", ("XX",)), Rule.CARD_NOT_IN_DECK, {"card": "XX"}),
    ("no card in the stock", [], StockEntered(("XX",)), Rule.CARD_NOT_IN_DECK, {"card": "XX"}),
    ("a swap with no card", WON, PintaSwapped("A1", "XX"), Rule.CARD_NOT_IN_DECK, {"card": "XX"}),
    ("no card exposed", [], exposed("A1", "9C"), Rule.CARD_NOT_IN_DECK, {"card": "9C"}),
    ("a card played before", WON, CardPlayed("A1", "AC"), Rule.CARD_PLAYED_BEFORE, {"card": "AC"}),
    ("a dealt hand with another's play", WON, a1("2C"), Rule.CARD_PLAYED_BEFORE, {"card": "2C"}),
    ("a card on the table in a hand now", plays("A1 AC"), HandEntered("A1", ("AC",), "now"), Rule.CARD_PLAYED_BEFORE, {"card": "AC"}),
    ("a draw of a card played", WON, CardDrawn("A1", "AC"), Rule.CARD_PLAYED_BEFORE, {"card": "AC"}),
    ("a swap with a card played", plays("A1 7O, B1 2C, A2 4C, B2 5C"), PintaSwapped("A1"), Rule.CARD_PLAYED_BEFORE, {"card": "7O"}),
    ("a card shown that was played", WON, CardsShown("A1", ("AC",)), Rule.CARD_PLAYED_BEFORE, {"card": "AC"}),
    ("the pinta that lies", [], CardPlayed("A1", "4O"), Rule.CARD_ELSEWHERE, {"card": "4O", "seat": "A1", "where": "pinta"}),
    ("another's card", [HandEntered("B1", ("AC",))], CardPlayed("A1", "AC"), Rule.CARD_ELSEWHERE, {"card": "AC", "seat": "A1", "where": "B1"}),
    ("another's card exposed", [HandEntered("B1", ("AC",))], exposed("A1", "AC"), Rule.CARD_ELSEWHERE, {"card": "AC", "seat": "A1", "where": "B1"}),
    ("another's siete", [HandEntered("B1", ("7O",)), *WON], PintaSwapped("A1"), Rule.CARD_ELSEWHERE, {"card": "7O", "seat": "A1", "where": "B1"}),
    ("another's card drawn", [HandEntered("B1", ("6C",)), *WON], CardDrawn("A1", "6C"), Rule.CARD_ELSEWHERE, {"card": "6C", "seat": "", "where": "B1"}),
    ("the own card drawn", [a1("6C"), *WON], CardDrawn("A1", "6C"), Rule.CARD_ELSEWHERE, {"card": "6C", "seat": "", "where": "A1"}),
    ("another's card in the stock", [HandEntered("B1", ("AC",))], StockEntered(("AC",)), Rule.CARD_ELSEWHERE, {"card": "AC", "seat": "", "where": "B1"}),
    ("a card of the stock", [StockEntered(("AC",))], CardPlayed("A1", "AC"), Rule.CARD_ELSEWHERE, {"card": "AC", "seat": "A1", "where": "stock"}),
    ("a card of the stock exposed", [StockEntered(("AC",))], exposed("A1", "AC"), Rule.CARD_ELSEWHERE, {"card": "AC", "seat": "A1", "where": "stock"}),
    ("a stock with the pinta", [], StockEntered(("4O",)), Rule.CARD_ELSEWHERE, {"card": "4O", "seat": "", "where": "pinta"}),
    ("a play after showing void", [CardsShown("A1", (), ("C",))], CardPlayed("A1", "AC"), Rule.CARD_ELSEWHERE, {"card": "AC", "seat": "A1", "where": "void"}),
    ("a card of a suit shown void", [], CardsShown("A1", ("AC",), ("E", "C")), Rule.CARD_ELSEWHERE, {"card": "AC", "seat": "A1", "where": "void"}),
    ("void with a card known", [a1("AC")], CardsShown("A1", (), ("C",)), Rule.CARD_ELSEWHERE, {"card": "AC", "seat": "A1", "where": "void"}),
    ("whole without a card known", [a1("AC")], CardsShown("A1", ("2C",), (), whole=True), Rule.CARD_ELSEWHERE, {"card": "AC", "seat": "A1", "where": "void"}),
    ("another card as the pinta drawn early", WON, WrongDraw("A1", "pinta_early", "3C"), Rule.CARD_ELSEWHERE, {"card": "3C", "seat": "A1", "where": "hands"}),
    ("a late draw of another's card", [HandEntered("B2", ("7C",)), *WON, *plays("A1 6C")], CardDrawn("B1", "7C"), Rule.CARD_ELSEWHERE, {"card": "7C", "seat": "B1", "where": "B2"}),
    ("a hand with a card twice", [], a1("2C", "AC", "AC"), Rule.CARD_NAMED_TWICE, {"card": "AC"}),
    ("a stock with a card twice", [], StockEntered(("2C", "AC", "AC")), Rule.CARD_NAMED_TWICE, {"card": "AC"}),
    ("cards shown twice", [], CardsShown("A1", ("2C", "AC", "AC")), Rule.CARD_NAMED_TWICE, {"card": "AC"}),
    ("a hand too large", [], a1(*rest_of_deck("4O")[:23]), Rule.HAND_TOO_LARGE, {"seat": "A1", "cards": 23}),
    ("a stock too large", [], StockEntered(tuple(rest_of_deck("4O")[:16])), Rule.HAND_TOO_LARGE, {"cards": 16, "stock": 16}),
    ("more shown than held", [], CardsShown("A1", SEVEN), Rule.HAND_TOO_LARGE, {"seat": "A1", "cards": 7}),
    ("found with the deck", [], WrongDealFound("A1", 40), Rule.HAND_TOO_LARGE, {"seat": "A1", "cards": 40}),
    ("found with less than none", [], WrongDealFound("B1", -1), Rule.HAND_TOO_LARGE, {"seat": "B1", "cards": -1}),
    ("a misdeal of more than the deck", [], Misdealt({"A1": 50}), Rule.HAND_TOO_LARGE, {"seat": "A1", "cards": 50}),
    ("hands of more than the deck", [], Misdealt({"A1": 20, "B1": 21}), Rule.HAND_TOO_LARGE, {"seat": "B1", "cards": 21}),
    ("a misdeal of less than none", [], Misdealt({"A1": -1}), Rule.HAND_TOO_LARGE, {"seat": "A1", "cards": -1}),
    ("no hidden 20 to ask for", [*WON, cante("A1", "E")], SuitRequested("B1", "A1", "E"), Rule.NO_HIDDEN_CANTE, {"seat": "A1"}),
    ("a trick that is not closed", [], TrickReviewed("A1", 1), Rule.TRICK_UNKNOWN, {"trick": 1, "tricks": 0}),
    ("a trick before the first", WON, TrickReviewed("A1", 0), Rule.TRICK_UNKNOWN, {"trick": 0, "tricks": 1}),
    ("a renuncio in a later trick", [], RenuncioDenounced("A1", "B1", 2), Rule.TRICK_UNKNOWN, {"trick": 2, "tricks": 0}),
    ("a renuncio in a later deal", [], RenuncioDenounced("A1", "B1", 1, 2), Rule.DEAL_UNKNOWN, {"deal": 2, "deals": 1}),
    ("a renuncio in a deal below the first", [], RenuncioDenounced("A1", "B1", 1, -1), Rule.DEAL_UNKNOWN, {"deal": -1, "deals": 1}),
    ("a trick within a trick", plays("A1 AC"), TrickEntered("A1", 3), Rule.TRICK_UNKNOWN, {"trick": 1, "tricks": 0}),
    ("points below none", tricks("A1 40"), TrickEntered("A1", -1), Rule.POINTS_IMPOSSIBLE, {"points": -1, "before": 40, "nearest": "0"}),
    ("points above all", tricks("A1 40, B1, A1 40, A1 20"), TrickEntered("A1", 21), Rule.POINTS_IMPOSSIBLE, {"points": 21, "before": 100, "nearest": "20"}),
    ("points that no cards make", [], TrickEntered("A1", 39), Rule.POINTS_IMPOSSIBLE, {"points": 39, "before": 0, "nearest": "37, 40"}),
    ("more than four ases", [], TrickEntered("A1", 45), Rule.POINTS_IMPOSSIBLE, {"points": 45, "before": 0, "nearest": "44"}),
    ("points of cards that were seen", plays("A1 AC, B1 AE, A2 AB, B2 2C"), TrickEntered("A1", 44), Rule.POINTS_IMPOSSIBLE, {"points": 44, "before": 33, "nearest": "41"}),
    ("cards of a seat without any", [WrongDealFound("A1", 0)], CardPlayed("A1", "AC"), Rule.NO_CARDS_LEFT, {"seat": "A1"}),
    ("a pinta drawn twice", [*WON, WrongDraw("B1", "pinta_early")], WrongDraw("A1", "pinta_early"), Rule.NO_STOCK, {}),
    ("a swap of a pinta in a hand", [*WON, WrongDraw("B1", "pinta_early")], PintaSwapped("A1"), Rule.NO_STOCK, {}),
    ("suspended and resumed", [PlaySuspended(), PlayResumed()], PlayResumed(), Rule.PLAY_NOT_SUSPENDED, {}),
]  # fmt: skip

FORGOTTEN = [*dealt(A1="AC 3C RC SC CC 7C"), TrickEntered("B1")]
"""Nobody knows which card A1 laid, but no other seat can have one of these."""

ELSEWHERE = [
    ("a card of a hand that laid one unnoted", CLUB, FORGOTTEN, CardPlayed("B1", "AC"), Rule.CARD_ELSEWHERE, {"card": "AC", "seat": "B1", "where": "void"}),
    ("a card of the stock that was known before the pinta", CLUB, [DealStarted("B2"), StockEntered(("AC", "3C")), PintaTurned("4O")], CardPlayed("A1", "3C"), Rule.CARD_ELSEWHERE, {"card": "3C", "seat": "A1", "where": "stock"}),
    ("the pinta after a late draw of another card", CLUB, [*dealt(), *WON, *plays("A1 6C"), *draws("B1 3E")], CardPlayed("B1", "4O"), Rule.CARD_ELSEWHERE, {"card": "4O", "seat": "B1", "where": "pinta"}),
    ("a card of a barred tute that was shown", NO_STOCK, [*dealt(), *WON, TuteAnnounced("A1", "S", shown=True)], CardPlayed("B1", "SC"), Rule.CARD_ELSEWHERE, {"card": "SC", "seat": "B1", "where": "A1"}),
    ("such a card after a draw", CLUB, [*FORGOTTEN, *draws("B1")], CardPlayed("B1", "AC"), Rule.CARD_ELSEWHERE, {"card": "AC", "seat": "B1", "where": "void"}),
    ("such a card after a draw that was seen", CLUB, [*FORGOTTEN, *draws("B1 5E")], CardPlayed("B1", "AC"), Rule.CARD_ELSEWHERE, {"card": "AC", "seat": "B1", "where": "void"}),
    ("a cut of the whole deck", CLUB, [], DealStarted("B2", cut=40), Rule.CUT_IMPOSSIBLE, {"cut": 40, "most": 39}),
    ("a cut of less than none", CLUB, [], DealStarted("B2", cut=-5), Rule.CUT_IMPOSSIBLE, {"cut": -5, "most": 39}),
    ("a dos out where all are dealt", CLUB, [], DealStarted("B2", removed="2B"), Rule.NO_DOS_OUT, {"card": "2B"}),
    ("a cante without a pinta", CLUB, [DealStarted("B2")], CanteAnnounced("A1", "O"), Rule.NO_PINTA, {}),
    ("a tute without a pinta", CLUB, [DealStarted("B2")], TuteAnnounced("A1", "R"), Rule.NO_PINTA, {}),
    ("a card without a pinta", CLUB, [DealStarted("B2")], CardPlayed("A1", "AC"), Rule.NO_PINTA, {}),
    ("a swap without a pinta", CLUB, [DealStarted("B2")], PintaSwapped("A1"), Rule.NO_PINTA, {}),
    ("a pinta of another deck", CLUB, [DealStarted("B2")], PintaTurned("8O"), Rule.CARD_NOT_IN_DECK, {"card": "8O"}),
    ("a pinta in a hand", CLUB, [DealStarted("B2"), a1("4O")], PintaTurned("4O"), Rule.CARD_ELSEWHERE, {"card": "4O", "seat": "", "where": "A1"}),
    ("the dealer's pinta in another hand", NO_STOCK, [DealStarted("B2"), a1("4O")], PintaTurned("4O"), Rule.CARD_ELSEWHERE, {"card": "4O", "seat": "B2", "where": "A1"}),
    ("a stock where there is none", NO_STOCK, dealt(), StockEntered(("AC",)), Rule.HAND_TOO_LARGE, {"cards": 1, "stock": 0}),
    ("another card than the pinta, drawn last", CLUB, [*dealt("SE"), *FOUR_TRICKS, *draws("B1, A2, B2")], CardDrawn("A1", "3B"), Rule.CARD_ELSEWHERE, {"card": "3B", "seat": "A1", "where": "hands"}),
    ("a draw without a stock", CLUB, [*dealt("SE"), *FOUR_TRICKS, *draws("B1, A2, B2, A1")], CardDrawn("B1"), Rule.NO_STOCK, {}),
    ("a swap where none lies", NO_STOCK, dealt(), PintaSwapped("A1"), Rule.NO_STOCK, {}),
    ("the dos that three leave out", THREE, dealt("4O", "C1"), CardPlayed("A1", "2B"), Rule.CARD_NOT_IN_DECK, {"card": "2B"}),
    ("a seat of four at a table of two", TWO, dealt("4O", "B1"), CardPlayed("A2", "2B"), Rule.SEAT_UNKNOWN, {"seat": "A2"}),
    ("a side of three at a table of two", TWO, [], Conceded("C"), Rule.SIDE_UNKNOWN, {"side": "C"}),
    ("a card after the last trick", CLUB, first_deal(EVEN), CardPlayed("A1", "AC"), Rule.NO_PINTA, {}),
    ("a trick after the last", CLUB, first_deal(EVEN), TrickEntered("A1", 0), Rule.DEAL_PLAYED_OUT, {"deal": 1}),
    ("a second deal of vueltas", CLUB, [*first_deal(EVEN), DealStarted("A1")], DealStarted("A1"), Rule.DEAL_RUNNING, {"deal": 2}),
    ("a count too early in vueltas", CLUB, [*first_deal(EVEN), DealStarted("A1")], CountEntered(), Rule.DEAL_RUNNING, {"deal": 2}),
    ("a trick of a third deal", CLUB, [*first_deal(EVEN), DealStarted("A1")], RenuncioDenounced("A1", "B1", 1, 3), Rule.DEAL_UNKNOWN, {"deal": 3, "deals": 2}),
    ("an eleventh trick of the first deal", CLUB, [*first_deal(EVEN), DealStarted("A1")], RenuncioDenounced("A1", "B1", 11, 1), Rule.TRICK_UNKNOWN, {"trick": 11, "tricks": 10}),
    ("a card after a concession", CLUB, [*dealt(), Conceded("A")], CardPlayed("A1", "AC"), Rule.PARTIDA_DECIDED, {"winner": "B", "how": "concession"}),
    ("a deal after a result", CLUB, [ResultEntered("A", "first_deal", {"A": 110, "B": 20})], DealStarted("A1"), Rule.PARTIDA_DECIDED, {"winner": "A", "how": "first_deal"}),
]  # fmt: skip


def assert_refused(options, before, act, rule, facts) -> None:
    refusal = given(options, *before).when(act).refusal
    assert refusal is not None, "nothing was refused"
    assert (refusal.rule, dict(refusal.facts)) == (rule, facts)


@pytest.mark.parametrize("act, rule, facts", BEFORE_A_DEAL)
def test_each_refusal_before_a_deal_tells_all_its_facts(act, rule, facts) -> None:
    assert_refused(CLUB, [], act, rule, facts)


@pytest.mark.parametrize(
    "about, before, act, rule, facts", IN_A_DEAL, ids=[c[0] for c in IN_A_DEAL]
)
def test_each_refusal_in_a_deal_tells_all_its_facts(about, before, act, rule, facts) -> None:
    assert_refused(CLUB, [*dealt(), *before], act, rule, facts)


@pytest.mark.parametrize(
    "about, options, before, act, rule, facts", ELSEWHERE, ids=[c[0] for c in ELSEWHERE]
)
def test_each_refusal_elsewhere_tells_all_its_facts(
    about, options, before, act, rule, facts
) -> None:
    assert_refused(options, before, act, rule, facts)


def test_a_card_after_the_last_trick_is_refused_with_the_deal() -> None:
    scene = given(replace(CLUB, target=230), *dealt()).play_out()
    assert scene.table.deal.played == DECK_40 == deck_mask(CLUB)
    scene.when(plays("A1 AC"))
    assert (scene.refusal.rule, dict(scene.refusal.facts)) == (Rule.DEAL_PLAYED_OUT, {"deal": 1})


def test_a_second_card_noted_after_the_last_draw_is_one_of_that_hand() -> None:
    """The stock is gone: A1 cannot have drawn another one."""
    told = WrongDraw("A1", "two_cards", "5E")
    scene = given(CLUB, *dealt("4E"), *FOUR_TRICKS, *plays("B1 3E"), told)
    assert scene.table.deal.in_arrastre
    scene.when(plays("A2 5E")).refused(Rule.CARD_ELSEWHERE, seat="A2", where="A1")
    scene.when(WrongDraw("A2", "two_cards", "6E")).recorded()
    scene.when(WrongDraw("A2", "pinta_early")).refused(Rule.NO_STOCK)


def test_every_rule_that_a_table_refuses_by_has_a_case_here() -> None:
    told = {rule for *_, rule, _ in (*BEFORE_A_DEAL, *IN_A_DEAL, *ELSEWHERE)}
    assert rules_named_in("referee/table", "impossible") <= told


AT_THE_LIMIT = [
    ("a hand of all unseen cards", a1(*rest_of_deck("4O")[:22])),
    ("a stock as large as it is", StockEntered(tuple(rest_of_deck("4O")[:15]))),
    ("a whole hand shown", CardsShown("A1", SEVEN[:6])),
    ("found with all but one", WrongDealFound("A1", 39)),
    ("found with none", WrongDealFound("A1", 0)),
    ("a renuncio in the trick on the table", RenuncioDenounced("A1", "B1", 1)),
    ("a renuncio in this deal by its number", RenuncioDenounced("A1", "B1", 1, 1)),
    ("a trick without points", TrickEntered("A1", 0)),
    ("a trick of four ases", TrickEntered("A1", 44)),
    ("an incident of nobody", IncidentNoted("exposed", "", "4O")),
    ("a ruling on nobody", ruling("warning")),
    ("the pinta exposed by nobody known", IncidentNoted("talk", "A1", "4O")),
]  # fmt: skip


@pytest.mark.parametrize("about, act", AT_THE_LIMIT, ids=[c[0] for c in AT_THE_LIMIT])
def test_what_may_be_true_is_recorded(about, act) -> None:
    given(CLUB, *dealt()).when(act).recorded()


def test_one_more_card_may_be_shown_by_whom_a_draw_waits_for() -> None:
    six = ("6C", "3C", "RC", "SC", "CC", "7C")
    given(CLUB, *dealt(), *WON).when(CardsShown("A1", six)).recorded()
    given(CLUB, *dealt(), *WON, *draws("A1")).when(CardsShown("A1", (*six, "3E"))).refused(
        Rule.HAND_TOO_LARGE, seat="A1", cards=7
    )
