"""Tute: four reyes or four sotas, in the window of the cantes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.events import CanteAnnounced, CardsShown, HandEntered, RulingGiven, TuteAnnounced
from referee.rules.articles import Rule
from referee.rules.profile.options import EARLIER_LAW
from tests.support.records.table_text import NO_STOCK, TWO, cante, dealt, given, plays

WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")


TUTE = replace(NO_STOCK, tute=True)


@pytest.mark.rule(Rule.TUTE)
def test_a_tute_wins_the_partida() -> None:
    given(TUTE, *dealt(), *WON, TuteAnnounced("A2", "R", shown=True)).then("A", "tute")
    known = dealt("4O", "B2", A2="SO SC SE SB 4C 6E 7E 2E 4E 5E")
    given(TUTE, *known, *WON, TuteAnnounced("A2", "S")).then("A", "tute")


SHOWN_AS_NOTED = [
    (True, [], "tute"),
    (None, [], "tute"),
    (False, [Rule.CANTE_NOT_SHOWN], ""),
]


@pytest.mark.parametrize("shown, rules, how", SHOWN_AS_NOTED, ids=["shown", "nothing", "hidden"])
def test_what_nobody_noted_of_a_tute_is_no_fault_as_of_a_cante(shown, rules, how) -> None:
    """A tute and a cante that must be shown: void if hidden, and then they take no place."""
    scene = given(TUTE, *dealt(), *WON, TuteAnnounced("A2", "R", shown)).finds_only(*rules)
    scene.then("A", "tute") if how else scene.undecided()
    always = replace(TUTE, cante_20_shown="always", cantes_per_side=1)
    beside = given(always, *dealt(), *WON, CanteAnnounced("A1", "E", shown), cante("A2", "B"))
    beside.sung(A=20).finds_only(*rules or [Rule.CANTES_PER_SIDE])


def test_a_hidden_tute_takes_no_place_among_the_cantes_of_its_trick() -> None:
    hidden = TuteAnnounced("A2", "R", shown=False)
    options = replace(TUTE, cantes_per_side=1)
    scene = given(options, *dealt(), *WON, hidden, cante("A2", "B")).undecided()
    scene.finds_only(Rule.CANTE_NOT_SHOWN).sung(A=20)


def test_a_tute_not_shown_is_not_yet_one() -> None:
    earlier = replace(TUTE, law=EARLIER_LAW)
    for options, shown in ((TUTE, False), (earlier, False), (earlier, None)):
        scene = given(options, *dealt(), *WON, TuteAnnounced("A2", "R", shown))
        scene.undecided().finds_only(Rule.CANTE_NOT_SHOWN)


DISPROVING = [CardsShown("B1", ("RE",)), HandEntered("B1", ("2C", "RE"))]


@pytest.mark.parametrize("act", DISPROVING, ids=["shown by another", "dealt to another"])
def test_a_tute_wins_nothing_from_the_line_that_disproves_it(act) -> None:
    scene = given(TUTE, *dealt(), *WON, TuteAnnounced("A2", "R")).then("A", "tute")
    sung_at = scene.state.version
    scene.tell(act).undecided().finds_only(Rule.TUTE_DISPROVED)
    scene.finds(Rule.TUTE_DISPROVED, line=sung_at, seat="A2", known_at=scene.state.version)
    scene.tell(*plays("A1 6C")).undecided()


def test_a_tute_that_the_count_of_the_cards_disproves_wins_nothing() -> None:
    """Three of the four reyes are unseen, and too many cards of the hand are known for all of them."""
    hand = HandEntered("A2", tuple("RO 4C 2E 4E 5E 6E 7E 2B".split()))
    for shown in (None, True):
        scene = given(TUTE, *dealt(), hand, *WON, TuteAnnounced("A2", "R", shown))
        scene.undecided().finds_only(Rule.TUTE_DISPROVED)


def test_of_two_tutes_that_of_the_first_trick_wins() -> None:
    """Both pairs hold one: reyes are no better than sotas, the first trick says whose turn it is."""
    both = dealt("4O", "B2", A2="SO SC SE SB 4C 6E 7E 2E 4E 5E", B1="RO RC RE RB 2C 6B 7B 2B 4B 5B")
    reyes, sotas = (TuteAnnounced(*said, shown=True) for said in (("B1", "R"), ("A2", "S")))
    scene = given(TUTE, *both, *WON, reyes).undecided().finds_only(Rule.TUTE_BARRED)
    scene.tell(sotas).then("A", "tute")
    to_b = plays("A1 AC, B1 2C, A2 4C, B2 3O")
    other = given(TUTE, *both, *to_b, sotas).undecided().finds_only(Rule.TUTE_BARRED)
    other.tell(reyes).then("B", "tute")


def test_a_false_tute_is_a_false_cante() -> None:
    king = plays("A1 AC, B1 RC, A2 4C, B2 5C")
    scene = given(TUTE, *dealt(), *king, TuteAnnounced("A1", "R", shown=True))
    scene.undecided().finds_only(Rule.TUTE_DISPROVED)


def test_a_tute_of_which_a_card_was_laid_is_none() -> None:
    sota = plays("A1 AC, B1 2C, A2 SC, B2 5C")
    scene = given(TUTE, *dealt(), *sota, TuteAnnounced("A2", "S", shown=True))
    scene.undecided().finds_only(Rule.TUTE_DISPROVED)


BARRED_TUTES = [
    ("the profile knows none", NO_STOCK, WON, "A1"),
    ("no trick yet", TUTE, [], "A1"),
    ("a rival's trick", TUTE, WON, "B1"),
    ("after the lead", TUTE, [*WON, *plays("A1 6C")], "A1"),
]


@pytest.mark.parametrize(
    "about, options, before, seat", BARRED_TUTES, ids=[b[0] for b in BARRED_TUTES]
)
def test_a_tute_out_of_its_conditions_decides_nothing(about, options, before, seat) -> None:
    scene = given(options, *dealt(), *before, TuteAnnounced(seat, "S", shown=True))
    scene.undecided().finds_only(Rule.TUTE_BARRED)


def test_a_tute_annulled_by_ruling_or_with_its_deal_wins_nothing() -> None:
    scene = given(TUTE, *dealt(), *WON, TuteAnnounced("A2", "R", shown=True))
    line = scene.state.version
    scene.tell(RulingGiven("annul_act", "text", line=line)).undecided()
    again = given(TUTE, *dealt(), *WON, TuteAnnounced("A2", "R", shown=True))
    again.tell(RulingGiven("replay_deal", "text")).undecided()


def test_two_play_with_cantes_too() -> None:
    scene = given(TWO, *dealt("4O", "B1"), *plays("A1 AC, B1 2C"), cante("A1", "O"))
    scene.sung(A=40).finds_not()
