"""A wrong number of cards, told when the stock is gone: who has the pinta, and what plays owe."""

from __future__ import annotations

import pytest

from referee.rules.articles import Rule
from referee.rules.cards import BIT
from referee.table.state import Deal, Table
from tests.support.records.asked import asked, hands_asked, played_text

TRICKS = """partida 1
reparto B2
pinta 6E
A1 CC  B1 3C  A2 5O  B2 AB
B1 7C  A2 3O  B2 CE  A1 4C
B2 2B  A1 AE  B1 2E  A2 7O
A1 AC  B1 5C  A2 SO  B2 4E
"""
TAGS = '[Guinote "1"]\n[Profile "club"]\n[Players "4"]\n[Deck "40"]\n[Pack "spanish"]\n'
ALL_DREW = TRICKS + "+ B2 ?  A1 ?  B1 ?  A2 ?\n"


def table_of(acts: str) -> Table:
    return played_text(f"{TAGS}\n{acts}").table


def deal_of(acts: str) -> Deal:
    deal = table_of(acts).deal
    assert deal is not None
    return deal


def test_one_card_too_many_and_a_draw_that_was_seen_leave_the_pinta() -> None:
    deal = deal_of(TRICKS + "+ B2 ?  A1 ?  B1 6C\ntiene A2 6\n")
    assert (deal.lies, deal.stock) == (True, 1)


@pytest.mark.parametrize("seen", ["ensena A2 6E\n", "B2 7E  A1 4B  B1 6C  A2 6E\n"])
def test_a_pinta_that_was_seen_was_drawn(seen) -> None:
    deal = deal_of(f"{ALL_DREW}{seen}tiene B1 4\n")
    assert (deal.lies, deal.stock) == (False, 0)


def test_a_card_too_few_leaves_the_pinta_that_nobody_saw_drawn() -> None:
    deal = deal_of(f"{ALL_DREW}tiene B1 5\n")
    assert (deal.lies, deal.stock, deal.supposed) == (True, 1, "")
    assert not any(held & BIT[deal.pinta] for held in deal.held)
    drawn = deal_of(f"{ALL_DREW}tiene B1 5\n+ B1 6E\n")
    assert (drawn.lies, drawn.stock) == (False, 0)
    assert drawn.held[drawn.place_of_seat("B1")] == BIT[drawn.pinta]


def test_a_cante_of_the_seat_that_did_not_get_the_pinta_is_judged_again() -> None:
    text = f"{TAGS}\n{ALL_DREW}canta A2 bastos\ncanta B1 copas\ntiene B1 5\n"
    assert asked(text).verdicts[23][0] == "unlawful"  # the side of A2 has not won the last trick
    assert asked(text).verdicts[24] == ("open", 0)


def test_breaches_that_the_pinta_proved_are_taken_back() -> None:
    acts = ALL_DREW + "B2 7E  A1 4B  B1 6C  A2 6B\n"
    assert [f.rule for f in table_of(acts).findings] == [Rule.FOLLOW]
    assert [f.rule for f in table_of(acts + "tiene B1 4\n").findings] == [Rule.WRONG_DEAL]


def test_two_cards_drawn_are_counted_after_the_lead_as_one_more() -> None:
    acts = TRICKS.rsplit("A1 AC", 1)[0] + "+ A1 ?  B1 ?  A2 ?  B2 ?\nA1 AC\n"
    assert deal_of(f"{acts}malrobo B2 dos\n").stock == deal_of(acts).stock - 1


def test_a_card_more_than_a_hand_has_was_drawn() -> None:
    hands = hands_asked(f"{TAGS}\n{TRICKS}ensena B1 5E RC 6O 6B AO SC\n")
    assert hands is not None
    assert hands["B1"][0] == 6
