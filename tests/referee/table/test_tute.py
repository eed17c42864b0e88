"""Tute: four reyes or four sotas, in the window of the cantes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.events import RulingGiven, TuteAnnounced
from referee.rules.articles import Rule
from tests.support.records.table_text import NO_STOCK, TWO, cante, dealt, given, plays

WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")


TUTE = replace(NO_STOCK, tute=True)


@pytest.mark.rule(Rule.TUTE)
def test_a_tute_wins_the_partida() -> None:
    given(TUTE, *dealt(), *WON, TuteAnnounced("A2", "R", shown=True)).then("A", "tute")
    known = dealt("4O", "B2", A2="SO SC SE SB 4C 6E 7E 2E 4E 5E")
    given(TUTE, *known, *WON, TuteAnnounced("A2", "S")).then("A", "tute")


def test_a_tute_not_shown_is_not_yet_one() -> None:
    scene = given(TUTE, *dealt(), *WON, TuteAnnounced("A2", "R"))
    scene.undecided().finds_only(Rule.CANTE_NOT_SHOWN)


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
