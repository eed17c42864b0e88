"""The swap of the pinta: who, when, for what, and with whom the pinta ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.events import (
    CardsShown,
    HandEntered,
    PintaSwapped,
    RulingGiven,
    StockEntered,
    TrickEntered,
)
from referee.rules.articles import Rule
from referee.rules.cards import CARD, TOKENS
from referee.rules.profile.options import Options
from tests.support.records.table_text import CLUB, THREE, TWO, dealt, draws, given, plays

WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")
ANOTHER = plays("A1 6C, B1 3C, A2 7C, B2 CC")
DRAWN = draws("A1, B1, A2, B2")
W1 = Options(swap_window="before_draw")
W3 = Options(swap_window="before_rival_card")
W4 = Options(swap_window="before_next_trick_closes")
ANY = Options(swap_needs_trick="any_trick")
LEADER = Options(swap_by="leader", swap_needs_trick="none")
OPEN_LEAD = Options(swap_needs_trick="none")
VALUE = Options(swap_only_for_value=True)
TWO_FOR_SEVEN = Options(two_for_seven=True)
DOS = PintaSwapped("A1", "2O")
SIETE = PintaSwapped("A1")

SWAPS = [
    ("the side took the last trick", CLUB, "4O", WON, PintaSwapped("A2"), []),
    ("the side lost the last trick", CLUB, "4O", WON, PintaSwapped("B1"), [Rule.SWAP_NO_TRICK]),
    ("no trick yet", CLUB, "4O", [], SIETE, [Rule.SWAP_NO_TRICK]),
    ("any trick, an earlier one", ANY, "4O", [*WON, *ANOTHER], SIETE, []),
    ("any trick, none", ANY, "4O", WON, PintaSwapped("B2"), [Rule.SWAP_NO_TRICK]),
    ("last trick, an earlier one", CLUB, "4O", [*WON, *ANOTHER], SIETE, [Rule.SWAP_NO_TRICK]),
    ("no trick needed, on the own lead", OPEN_LEAD, "4O", [], PintaSwapped("A2"), []),
    ("no trick needed, a rival leads", OPEN_LEAD, "4O", [], PintaSwapped("B1"), [Rule.SWAP_NO_TRICK]),
    ("the leader, before the first trick", LEADER, "4O", [], SIETE, []),
    ("the leader's partner", LEADER, "4O", [], PintaSwapped("A2"), [Rule.SWAP_BY]),
    ("the leader after a trick", LEADER, "4O", WON, SIETE, []),
    ("a rival of the leader", LEADER, "4O", WON, PintaSwapped("B2"), [Rule.SWAP_BY, Rule.SWAP_NO_TRICK]),
    ("W1, at once", W1, "4O", WON, SIETE, []),
    ("W1, the winner has drawn", W1, "4O", [*WON, *draws("A1")], SIETE, [Rule.SWAP_LATE]),
    ("W2, all have drawn", CLUB, "4O", [*WON, *DRAWN], SIETE, []),
    ("W2 is over with the lead", CLUB, "4O", [*WON, *plays("A1 6E")], SIETE, [Rule.SWAP_LATE]),
    ("W3, after the own lead", W3, "4O", [*WON, *plays("A1 6E")], SIETE, []),
    ("W3, after a rival's card", W3, "4O", [*WON, *plays("A1 6E, B1 2E")], SIETE, [Rule.SWAP_LATE]),
    ("W4, after a rival's card", W4, "4O", [*WON, *plays("A1 6E, B1 2E")], SIETE, []),
    ("W4 is over with the next trick", W4, "4O", [*WON, *ANOTHER], SIETE, [Rule.SWAP_NO_TRICK]),
    ("for a pinta of value", VALUE, "CO", WON, SIETE, []),
    ("for a blank", VALUE, "4O", WON, SIETE, [Rule.SWAP_ONLY_FOR_VALUE]),
    ("not in this profile", Options(swap=False), "4O", WON, SIETE, [Rule.SWAP_BARRED]),
    ("with any other card", CLUB, "4O", WON, PintaSwapped("A1", "6O"), [Rule.SWAP_BARRED]),
    ("dos for siete", TWO_FOR_SEVEN, "7O", WON, DOS, []),
    ("dos for siete, barred", CLUB, "7O", WON, DOS, [Rule.TWO_FOR_SEVEN_BARRED]),
    ("dos for another card", TWO_FOR_SEVEN, "AO", WON, DOS, [Rule.TWO_FOR_SEVEN_BARRED]),
    ("dos for siete, late", TWO_FOR_SEVEN, "7O", [*WON, *plays("A1 6E")], DOS, [Rule.SWAP_LATE]),
    ("dos for the siete just put", TWO_FOR_SEVEN, "AO", [*WON, PintaSwapped("A2")], DOS, []),
    ("the swapper is known not to hold it", CLUB, "4O", [*WON, *DRAWN, CardsShown("A1", ("2E",), (), whole=True)], PintaSwapped("A1", "7O"), None),
]  # fmt: skip


@pytest.mark.parametrize(
    "about, options, pinta, before, act, rules", SWAPS, ids=[s[0] for s in SWAPS]
)
def test_a_swap_is_recorded_and_a_barred_one_noticed(
    about, options, pinta, before, act, rules
) -> None:
    scene = given(options, *dealt(pinta), *before).when(act)
    if rules is None:
        scene.refused(Rule.CARD_ELSEWHERE, card="7O", where="void")
        return
    scene.finds_only(*rules)
    assert TOKENS[scene.table.deal.pinta] == (act.card or "7O")
    assert scene.table.deal.lies


def test_with_48_cards_the_nueve_swaps() -> None:
    deck = Options(deck=48)
    given(deck, *dealt("4O"), *WON, PintaSwapped("A1")).finds_not()
    given(deck, *dealt("4O"), *WON, PintaSwapped("A1", "9O")).finds_not()
    given(deck, *dealt("4O"), *WON, PintaSwapped("A1", "7O")).finds_only(Rule.SWAP_BARRED)


def test_a_swap_with_a_known_hand_without_the_siete_is_disproved() -> None:
    hand = HandEntered("A1", tuple("AC 2E 4E 5E 6E CE".split()))
    scene = given(CLUB, *dealt("4O"), hand, *WON, *draws("A1 2B"), SIETE)
    scene.finds_only(Rule.SWAP_DISPROVED)
    unseen = given(CLUB, *dealt("4O"), hand, *WON, SIETE).finds_not()
    assert unseen.table.deal.pinta == CARD["7O"]


BEFORE_LAST_DRAW = [
    *WON,
    *plays("A1 3C, B1 6C, A2 7C, B2 CC, A1 AE, B1 2E, A2 4E, B2 5E, A1 3E, B1 6E, A2 7E, B2 CE"),
]
WITH_PARTNER = Options(swap_last_draw="not_with_partner", swap_needs_trick="any_trick")
LAST_DRAWS = [
    ("the winner swaps, a rival draws the pinta", BEFORE_LAST_DRAW, "A1", []),
    ("the winner's partner swaps", BEFORE_LAST_DRAW, "A2", []),
    ("the last to draw swaps for themselves", BEFORE_LAST_DRAW, "B2", [Rule.SWAP_NO_TRICK]),
    ("their partner draws the pinta", BEFORE_LAST_DRAW, "B1", [Rule.SWAP_LAST_DRAW, Rule.SWAP_NO_TRICK]),
    (
        "their partner will, two have drawn",
        [*BEFORE_LAST_DRAW, *draws("A1, B1")],
        "B1",
        [Rule.SWAP_LAST_DRAW, Rule.SWAP_NO_TRICK],
    ),
]  # fmt: skip


@pytest.mark.parametrize("about, before, seat, rules", LAST_DRAWS, ids=[s[0] for s in LAST_DRAWS])
def test_the_swap_before_the_last_draw(about, before, seat, rules) -> None:
    given(WITH_PARTNER, *dealt("AO"), *before, PintaSwapped(seat)).finds_only(*rules)
    normal = given(replace(WITH_PARTNER, swap_last_draw="normal"), *dealt("AO"), *before)
    normal.tell(PintaSwapped(seat)).finds_not(Rule.SWAP_LAST_DRAW)


def test_a_swap_with_the_partner_is_barred_only_before_the_last_draw() -> None:
    earlier = [*WON, *ANOTHER]
    given(WITH_PARTNER, *dealt("AO"), *earlier, PintaSwapped("A1")).finds_not()
    lost = [*WON, *plays("A1 3C, B1 6C, A2 7C, B2 CC, A1 AE, B1 2E, A2 4E, B2 5E"),
            *plays("A1 6E, B1 3E, A2 7E, B2 CE")]  # fmt: skip
    # B1 took the trick, so A1 draws last: A1 may swap for A1, but the partner may not swap for A1.
    given(WITH_PARTNER, *dealt("AO"), *lost, PintaSwapped("A1")).finds_not()
    given(WITH_PARTNER, *dealt("AO"), *lost, PintaSwapped("A2")).finds_only(Rule.SWAP_LAST_DRAW)


def test_after_the_pinta_was_drawn_nothing_lies_to_be_taken() -> None:
    scene = given(CLUB, *dealt("AO"), *BEFORE_LAST_DRAW, *DRAWN)
    scene.when(SIETE).refused(Rule.NO_STOCK)
    early = given(CLUB, *dealt("AO"), *WON, *draws("A1 AO"))
    early.when(SIETE).refused(Rule.NO_STOCK)


IMPOSSIBLE = [
    ("the siete is played", plays("A1 7O, B1 2C, A2 4C, B2 5C"), SIETE, Rule.CARD_PLAYED_BEFORE),
    ("the siete is with another", [*WON, CardsShown("B1", ("7O",))], SIETE, Rule.CARD_ELSEWHERE),
    ("a card out of the deck", WON, PintaSwapped("A1", "9O"), Rule.CARD_NOT_IN_DECK),
    ("the pinta for itself", WON, PintaSwapped("A1", "4O"), Rule.CARD_ELSEWHERE),
]


@pytest.mark.parametrize("about, before, act, rule", IMPOSSIBLE, ids=[s[0] for s in IMPOSSIBLE])
def test_a_swap_that_cannot_be_is_refused(about, before, act, rule) -> None:
    given(CLUB, *dealt("4O"), *before).when(act).refused(rule)


def test_the_siete_drawn_unseen_may_swap_at_once() -> None:
    hand = "AC 2E 4E 5E 6E CE"
    stock = StockEntered(("7O", *"3C CC SC RC SE RE 3E AE CB SB RB 3B AB 2B".split()))
    scene = given(CLUB, *dealt("AO", A1=hand), stock, *WON, SIETE).finds_not()
    assert TOKENS[scene.table.deal.pinta] == "7O"
    assert scene.table.deal.holder(CARD["AO"]) == "A1"
    guinyot = given(W1, *dealt("AO", A1=hand), stock, *WON, SIETE)
    # The siete tells that the winner has drawn, and so W1 is over.
    guinyot.finds_not(Rule.SWAP_DISPROVED)


def test_the_swapped_siete_is_drawn_by_the_last_to_draw() -> None:
    scene = given(CLUB, *dealt("AO"), *BEFORE_LAST_DRAW, SIETE, *plays("A1 4B"))
    assert scene.table.deal.holder(CARD["7O"]) == "B2"
    assert scene.table.deal.holder(CARD["AO"]) == "A1"
    scene.when(plays("B1 7O")).refused(Rule.CARD_ELSEWHERE, where="B2")


def test_a_barred_swap_stays_until_a_ruling_says_what_follows() -> None:
    scene = given(CLUB, *dealt("AO"), *WON, PintaSwapped("B1"))
    line = scene.state.version
    assert scene.table.deal.holder(CARD["AO"]) == "B1"
    scene.tell(RulingGiven("annul_act", "text", line=line)).finds(Rule.SWAP_NO_TRICK, line=line)
    assert scene.table.deal.holder(CARD["AO"]) == "B1"


def test_two_and_three_swap_with_nobody_to_help() -> None:
    barred = replace(TWO, swap_last_draw="not_with_partner")
    given(barred, *dealt("AO", "B1"), *plays("A1 AC, B1 2C"), SIETE).finds_not()
    three = replace(THREE, two_for_seven=True)
    given(three, *dealt("AO", "C1"), *plays("A1 AC, B1 2C, C1 4C"), SIETE).finds_not()
    bastos = given(three, *dealt("7B", "C1"), *plays("A1 AC, B1 2C, C1 4C"))
    bastos.when(PintaSwapped("A1", "2B")).refused(Rule.CARD_NOT_IN_DECK, card="2B")


LEFT_OVER = replace(THREE, hand_size=13, duties_from="first_trick", three_deck="leftover_on_table")
NO_COPA = [*dealt("3E", "B1"), *plays("C1 2C, A1 4B, B1 5C")]


def breaches(scene) -> dict[int, str]:
    return {one.line: TOKENS[one.proof] for one in scene.table.deal.breaches}


def test_a_card_taken_from_the_table_proves_nothing_of_what_was_laid_before() -> None:
    """It lay there when its seat laid another card; laid itself later, it still proves nothing."""
    scene = given(LEFT_OVER, *NO_COPA, PintaSwapped("A1", "CO"))
    assert breaches(scene) == {}
    scene = scene.tell(*plays("B1 6C, C1 7C, A1 3E"))
    assert breaches(scene) == {}
    assert breaches(scene.tell(*plays("A1 AC, B1 3C"))) == {4: "AC", 9: "AC"}


def test_a_card_given_for_the_pinta_was_in_the_hand_that_gave_it() -> None:
    scene = given(LEFT_OVER, *NO_COPA, PintaSwapped("A1", "4C"))
    assert breaches(scene) == {4: "4C"}
    back = scene.tell(*plays("B1 6C, C1 7C, A1 5B"), PintaSwapped("A1", "6B"))
    assert breaches(back) == {4: "4C", 9: "3E"}


def test_a_card_known_before_a_trick_that_nobody_noted_is_in_no_stock() -> None:
    first = [*plays("A1 AC, B1 2C"), *draws("A1 6E, B1"), TrickEntered("B1", 0)]
    scene = given(TWO, *dealt("4O", "B1"), *first, *draws("B1, A1"))
    scene.when(plays("B1 6E")).refused(Rule.CARD_ELSEWHERE, where="void")
    assert scene.tell(*plays("B1 5E, A1 6E")).table.deal.laid == ()
