"""Impossible acts at a table are refused, and no others."""

from __future__ import annotations

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
    Misdealt,
    PintaSwapped,
    PintaTurned,
    RenuncioDenounced,
    ResultEntered,
    RulingGiven,
    StockEntered,
    TrickEntered,
    TrickReviewed,
    WrongDealFound,
    WrongDraw,
)
from referee.rules.articles import Rule
from referee.rules.cards import CARD
from tests.support.records.table_text import CLUB, dealt, first_deal, given, plays, tricks

WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")

EVEN = "A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, B1 12, A1 12"


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
    ("points above all", tricks("A1 40, A1 40, A1 20"), TrickEntered("A1", 21), Rule.POINTS_IMPOSSIBLE),
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


FOUR_TRICKS = plays(
    "A1 2O, B1 4O, A2 5O, B2 6O, B2 2C, A1 4B, B1 5C, A2 6C, A2 2B, B2 4C, A1 5B, B1 6B, "
    "B1 7O, A2 7C, B2 7B, A1 CB"
)
"""Nobody noted a draw, and A1 is the last to draw: they take the pinta."""


@pytest.mark.parametrize(
    ("before", "shown", "is_possible"),
    [
        ([], CardsShown("A1", ("SE",)), True),
        ([], CardsShown("B2", ("SE",)), False),
        ([CardsShown("B2", (), ("B",))], CardsShown("B2", ("AB",)), True),
        ([CardsShown("A1", (), ("B",))], CardsShown("A1", ("AB",)), False),
        ([CardsShown("A1", (), ("B",))], CardsShown("A1", ("SE",)), True),
        ([CardsShown("B2", (), ("B",)), CardDrawn("B1")], CardsShown("B2", ("AB",)), True),
        ([CardDrawn("B1"), CardDrawn("A2"), CardDrawn("B2")], CardsShown("A1", ("SE",)), True),
        (
            [CardsShown("B2", (), ("B",)), *(CardDrawn(seat) for seat in ("B1", "A2", "B2"))],
            CardsShown("B2", ("AB",)),
            True,
        ),
        ([CardDrawn("B2"), CardsShown("B2", (), ("B",))], CardsShown("B2", ("AB",)), False),
    ],
)
def test_a_draw_that_nobody_noted_may_have_brought_what_is_shown(
    before: list, shown: CardsShown, *, is_possible: bool
) -> None:
    table = given(CLUB, *dealt("SE"), *FOUR_TRICKS, *before).when(shown)
    if is_possible:
        table.finds_not(Rule.CARD_ELSEWHERE)
    else:
        table.refused(Rule.CARD_ELSEWHERE)


LAST_FREE_TRICKS = ["A1 CC, B1 3C, A2 5O, B2 AB", "B1 7C, A2 3O, B2 CE, A1 4C"]
LAST_FREE_TRICKS += ["B2 2B, A1 AE, B1 2E, A2 7O", "A1 AC, B1 5C, A2 SO, B2 4E"]
WHOLE = ("AO", "RC", "CB", "6B", "2C", "2O")


def _last_drew_early():
    """A2 draws last in turn, and nobody noted the draws before."""
    acts = [act for trick in LAST_FREE_TRICKS for act in plays(trick)]
    return given(CLUB, DealStarted("B2"), PintaTurned("6E"), *acts, CardDrawn("A2"))


@pytest.mark.parametrize(
    "act",
    [
        CardsShown("A2", void=("E",)),
        CardsShown("A2", WHOLE, whole=True),
        CardsShown("B1", ("6E",)),
        PintaSwapped("B1"),
    ],
    ids=["a void", "the whole hand", "another has the pinta", "a swap"],
)
def test_the_last_in_turn_may_have_drawn_before_the_others(act) -> None:
    table = _last_drew_early().when(act).recorded().finds_only(Rule.DRAW_OUT_OF_ORDER).table
    assert [(found.line, found.known_at) for found in table.findings] == [(19, 20)]


@pytest.mark.parametrize(
    "acts",
    [
        plays("B2 3E, A1 5E, B1 6E"),
        [*plays("B2 3E, A1 5E, B1 4B, A2 CB, B2 RE, A1 7E"), *plays("B1 6E")],
        [*plays("B2 3E, A1 5E"), CardsShown("A2", void=("E",))],
        [*plays("B2 3E, A1 5E"), HandEntered("B1", ("6E",), "now")],
    ],
    ids=["laid", "laid a trick later", "a void", "a hand of that moment"],
)
def test_that_the_last_in_turn_drew_before_the_others_may_show_after_the_lead(acts) -> None:
    table = _last_drew_early().when(*acts).recorded().table
    found = [f for f in table.findings if f.rule == Rule.DRAW_OUT_OF_ORDER]
    assert [(f.line, f.seat, f.known_at) for f in found] == [(19, "A2", 19 + len(acts))]


def test_who_laid_the_pinta_has_drawn_it_and_nobody_else() -> None:
    scene = (
        _last_drew_early().tell(plays("B2 3E, A1 5E, B1 4B, A2 CB")).finds(Rule.FOLLOW, seat="A2")
    )
    scene.tell(plays("B2 RE, A1 7E, B1 6E"))
    scene.finds(Rule.FOLLOW, line=22, seat="B1", known_at=26)
    assert [f.seat for f in scene.table.findings if f.rule == Rule.FOLLOW] == ["B1"]


def test_a_draw_may_be_noted_late_although_a_later_one_was_noted_in_time() -> None:
    scene = _last_drew_early().tell(plays("B2 3E"), CardDrawn("B1", "4B"))
    scene.finds_only(Rule.DRAW_OUT_OF_ORDER).tell(plays("A1 5E, B1 4B, A2 6E"))
    scene.finds_only(Rule.DRAW_OUT_OF_ORDER).finds(Rule.DRAW_OUT_OF_ORDER, line=21, seat="B1")
    other = _last_drew_early().tell(plays("B2 3E"), CardDrawn("B1", "6E"))
    other.finds(Rule.DRAW_OUT_OF_ORDER, line=19, seat="A2", known_at=21)
    other.when(plays("A1 5E, B1 4B, A2 6E")).refused(Rule.CARD_ELSEWHERE)


@pytest.mark.parametrize("before", [[], [CardsShown("A2", ("6E",))]], ids=["neither", "one way"])
@pytest.mark.parametrize("seat", ["A1", "B2"])
def test_whoever_can_have_drawn_the_pinta_in_neither_order_does_not_lay_it(before, seat) -> None:
    acts = plays("B2 6E") if seat == "B2" else plays("B2 3E, A1 6E")
    _last_drew_early().tell(before).when(acts).refused(Rule.CARD_ELSEWHERE)


@pytest.mark.parametrize(
    "act, rule",
    [
        (CardsShown("A2", ("CC",)), Rule.CARD_PLAYED_BEFORE),
        (CardsShown("A2", (*WHOLE, "SC"), whole=True), Rule.HAND_TOO_LARGE),
        (CardsShown("A2", ("6E",), void=("E",)), Rule.CARD_ELSEWHERE),
    ],
    ids=["a card laid before", "a card too many", "the pinta and no card of its suit"],
)
def test_what_cannot_be_in_either_order_of_the_draws_is_refused(act, rule) -> None:
    _last_drew_early().when(act).refused(rule)
