"""Verdicts by tricks that nobody noted, cards shown and the count of those left; verdicts, whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.events import (
    CanteAnnounced,
    CardsShown,
    DealStarted,
    HandEntered,
    PintaSwapped,
    PintaTurned,
    RenuncioDenounced,
    RulingGiven,
    SuitRequested,
    TrickEntered,
)
from referee.rules.articles import Rule
from referee.rules.cards import CARD, TOKENS
from referee.rules.profile.options import EARLIER_LAW, LAW
from referee.table.verdicts import Judged, SeenLater, judge_acts
from tests.support.records.table_text import CLUB, NO_STOCK, TWO, cante, dealt, draws, plays
from tests.support.records.table_text import given as table_where


def test_a_card_shown_may_have_been_laid_in_a_trick_that_nobody_noted():
    shown = [*dealt(), CardsShown("B1", ("5C",)), TrickEntered("A1")]
    scene = table_where(NO_STOCK, *shown, *plays("A1 2C, B1 6E"))
    assert scene.table.deal.breaches == ()
    (row,) = [row for row in judge_acts(scene.table, scene.state.standing_acts) if row.line == 6]
    assert row.answer == "open"
    assert row.tricks == (1,)
    scene.when(plays("A2 5C")).refused(Rule.CARD_ELSEWHERE)
    again = scene.tell(CardsShown("B1", ("5C",)))
    assert [breach.line for breach in again.table.deal.breaches] == [6]


def test_a_hand_entered_after_such_a_trick_says_only_where_its_cards_are_not():
    hand = HandEntered("B1", tuple("6E 5C 2O 5O 6O 2B 4B 5B 6B 7B".split()))
    scene = table_where(NO_STOCK, *dealt(), TrickEntered("A1"), hand, *plays("A1 2C, B1 6E"))
    assert scene.table.deal.breaches == ()
    scene.when(plays("A2 5C")).refused(Rule.CARD_ELSEWHERE)


def test_a_renuncio_proved_by_the_count_of_the_cards_left_loses_when_it_is_denounced():
    """Everybody else shows that they hold no copa any more: B1 has the unseen ones."""
    void = [CardsShown(seat, (), ("C",)) for seat in ("A1", "A2", "B2")]
    scene = table_where(NO_STOCK, *dealt(), *plays("A1 2C, B1 6E, A2 4C, B2 7C"), *void)
    (row,) = [row for row in judge_acts(scene.table, scene.state.standing_acts) if row.line == 4]
    assert (row.answer, row.rule, row.since) == ("unlawful", Rule.FOLLOW, 9)
    assert (row.by_count, row.proof) == (True, (3, 4, 9))
    assert scene.table.deal.breaches == ()
    scene.tell(RenuncioDenounced("A1", "B1")).then("A", "renuncio")


def test_cards_shown_that_may_just_have_been_drawn_prove_no_earlier_cante():
    """A1 may have drawn the sota between the cante and the line at which both cards are shown."""
    sung = [*plays("A1 7C, B1 4C"), *draws("A1, B1"), CanteAnnounced("A1", "E")]
    shown = [*plays("A1 7B, B1 2B"), CardsShown("A1", ("RE", "SE"))]
    scene = table_where(TWO, DealStarted("B1"), PintaTurned("4O"), *sung, *shown)

    def answer():
        return [r.answer for r in judge_acts(scene.table, scene.state.standing_acts) if r.line == 7]

    assert answer() == ["open"]
    scene = scene.tell(HandEntered("A1", tuple("7C 7B RE SE 2E 4E".split())))
    assert answer() == ["lawful"]


def test_the_one_who_did_it_is_named_beside_a_cut_and_a_request():
    hidden = [
        *plays("A1 7C, B1 4C, A2 2C, B2 5C"),
        CanteAnnounced("A1"),
        SuitRequested("B1", "A1", "E"),
    ]
    scene = table_where(CLUB, DealStarted("B2", 5, "", "A1"), PintaTurned("4O"), *hidden)
    named = {
        row.rule: row.seat for row in judge_acts(scene.table, scene.state.standing_acts) if row.rule
    }
    assert named[Rule.WRONG_CUTTER] == "A1"
    assert named[Rule.SUIT_REQUEST_BARRED] == "B1"


def test_the_line_that_disproves_a_cante_is_in_its_proof():
    sung = [*dealt(), *plays("A1 7C, B1 4C, A2 2C, B2 5C"), CanteAnnounced("A1", "E")]
    scene = table_where(CLUB, *sung, CardsShown("B1", ("SE",)))
    (row,) = [row for row in judge_acts(scene.table, scene.state.standing_acts) if row.line == 7]
    assert (row.answer, row.since, row.proof) == ("unlawful", 8, (7, 8))


def test_a_twenty_that_had_to_be_shown_is_unlawful_under_the_earlier_law_too():
    unshown = [
        *dealt(),
        *plays("A1 7C, B1 4C, A2 2C, B2 5C"),
        CanteAnnounced("A1", "E", shown=False),
    ]
    for law, points in ((EARLIER_LAW, {"A": 20}), (LAW, {})):
        options = replace(CLUB, law=law, cante_20_shown="always")
        scene = table_where(options, *unshown).sung(**points)
        (row,) = [
            row for row in judge_acts(scene.table, scene.state.standing_acts) if row.line == 7
        ]
        assert (row.answer, row.rule) == ("unlawful", Rule.CANTE_NOT_SHOWN)
        scene.tell(CardsShown("B1", ("SE",)))
        (later,) = [
            row for row in judge_acts(scene.table, scene.state.standing_acts) if row.line == 7
        ]
        assert later == row


LEAD = plays("A1 2C, B1 2E, A2 4C, B2 5C")
"""B1 does not follow on line 4, and nothing proves it yet."""
WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")
VOID = [CardsShown(seat, (), ("C",)) for seat in ("A1", "A2", "B2")]
CANTE = cante("A1", "E", shown=None)


def told(row: Judged) -> str:
    """A verdict as a line of text; cards as tokens, what is empty left out."""
    words = [row.seat, row.answer, f"since {row.since}" if row.since else ""]
    words += [f"{row.rule} {row.option}".strip() if row.rule else ""]
    words += [f"proof {_list(row.proof)}" if row.proof else ""]
    words += [f"cards {_tokens(row.cards)}" if row.cards else ""]
    words += [f"settles {_tokens(row.settles)}" if row.settles else ""]
    words += [f"tricks {_list(row.tricks)}" if row.tricks else ""]
    words += ["by count" if row.by_count else ""]
    if row.slip is not None:
        words += [f"{row.slip.kind} {_list(row.slip.lines)} {_tokens(row.slip.cards)}".strip()]
    return " ".join(word for word in words if word)


def _list(values) -> str:
    return ",".join(map(str, values))


def _tokens(cards) -> str:
    return _list(TOKENS[card] for card in cards)


CASES = [
    ("a card laid before", NO_STOCK, [*dealt(), *WON], 4, "B1 lawful since 4"),
    ("nothing proved", NO_STOCK, [*dealt(), *LEAD], 4, "B1 open settles 2O,5O,6O,7O,CO,SO,RO,3O,AO,6C,7C,CC,SC,RC,3C,AC"),
    ("by a later card", NO_STOCK, [*dealt(), *LEAD, *plays("B2 4E, A1 5E, B1 6C, A2 6E")], 4, "B1 unlawful since 9 follow duties_from proof 3,4,9 cards 6C seats_swapped 4,5 4C,2E"),
    ("by a later card of the trick on the table", NO_STOCK, [*dealt(), *LEAD, *plays("B2 4E, A1 5E, B1 6C")], 4, "B1 unlawful since 9 follow duties_from proof 3,4,9 cards 6C seats_swapped 4,5 4C,2E"),
    ("by a card shown", NO_STOCK, [*dealt(), *LEAD, CardsShown("B1", ("6C",))], 4, "B1 unlawful since 7 follow duties_from proof 3,4,7 cards 6C seats_swapped 4,5 4C,2E"),
    ("by the hand", NO_STOCK, [*dealt(B1="2E 6C 7C CC SC RC 3C AC 4E 5E"), *LEAD], 5, "B1 unlawful since 5 follow duties_from proof 4,5,3 cards 6C,7C,CC,SC,RC,3C,AC"),
    ("by one card and then another", NO_STOCK, [*dealt(), *LEAD, CardsShown("B1", ("RC",)), CardsShown("B1", ("6C",))], 4, "B1 unlawful since 7 follow duties_from proof 3,4,7 cards RC seats_swapped 4,5 4C,2E"),
    ("by the pinta that the dealer turned", NO_STOCK, [*dealt(), *plays("A1 2O, B1 5O, A2 6O, B2 5C")], 6, "B2 unlawful since 6 follow duties_from proof 3,4,5,6,2 cards 4O seats_swapped 3,6 5C,2O"),
    ("by the count", NO_STOCK, [*dealt(), *LEAD, *VOID], 4, "B1 unlawful since 9 follow duties_from proof 3,4,9 cards 6C,7C,CC,SC,RC,3C,AC by count seats_swapped 4,5 4C,2E"),
    ("with a trick that nobody noted", NO_STOCK, [*dealt(), TrickEntered("A1"), *LEAD, *VOID], 5, "B1 unlawful since 10 follow duties_from proof 4,5,10 by count seats_swapped 4,5 2E,2C"),
    ("a cante that nothing proves", NO_STOCK, [*dealt(), *WON, CANTE], 7, "A1 open settles SE,RE"),
    ("a cante that was shown", NO_STOCK, [*dealt(), *WON, cante("A1", "E")], 7, "A1 lawful since 7 proof 7 cards SE,RE"),
    ("a cante of cards laid later", NO_STOCK, [*dealt(), *WON, CANTE, *plays("A1 RE, B1 2E, A2 4E, B2 5E, A1 SE")], 7, "A1 lawful since 12 proof 8,12 cards SE,RE"),
    ("a cante disproved", NO_STOCK, [*dealt(), *WON, CANTE, CardsShown("B1", ("SE",))], 7, "A1 unlawful since 8 cante-disproved proof 7,8"),
    ("a cante disproved at once", NO_STOCK, [*dealt(), *plays("A1 AC, B1 2C, A2 SC, B2 5C"), cante("A1", "C")], 7, "A1 unlawful since 7 cante-disproved proof 7"),
    ("a cante before a draw that was noted late", CLUB, [*dealt(A1="AC RE 4E 5E 6E 7E"), *WON, CANTE, *draws("A1 SE")], 8, "A1 unlawful since 9 cante-disproved proof 8,9 draw_late 8,9"),
    ("a cante with a draw of another after it", CLUB, [*dealt(A1="AC RE 4E 5E 6E 7E"), *WON, CANTE, *draws("B1 SE")], 8, "A1 unlawful since 9 cante-disproved proof 8,9"),
    ("a cante that a late draw of another card does not explain", CLUB, [*dealt(A1="AC RE 4E 5E 6E 7E"), *WON, CANTE, *draws("A1 3C")], 8, "A1 unlawful since 9 cante-disproved proof 8,9"),
    ("a swap that is barred", replace(CLUB, swap=False), [*dealt(), *WON, PintaSwapped("A1")], 7, "A1 unlawful since 7 swap-barred proof 7"),
    ("a hand now", NO_STOCK, [*dealt(), *LEAD, HandEntered("B1", ("6C",), "now")], 4, "B1 unlawful since 7 follow duties_from proof 3,4,7 cards 6C seats_swapped 4,5 4C,2E"),
]  # fmt: skip


@pytest.mark.parametrize("about, options, acts, line, text", CASES, ids=[c[0] for c in CASES])
def test_each_verdict_tells_all_of_it(about, options, acts, line, text) -> None:
    state = table_where(options, *acts).state
    (row,) = [row for row in judge_acts(state.table, state.standing_acts) if row.line == line]
    assert told(row) == text


def test_a_trump_kept_back_proves_the_breach_and_the_copa_laid_later_names_the_duty():
    """B1 laid an espada on copas, then an oro, which is trump; the copa comes two tricks later."""
    before = [*dealt(), *plays("A1 AC, B1 5E, A2 4C, B2 5C, A1 6O, B1 3O")]
    scene = table_where(NO_STOCK, *before)
    (first,) = [
        row
        for row in judge_acts(scene.table, scene.state.standing_acts)
        if row.answer == "unlawful"
    ]
    assert (first.line, first.rule, first.since) == (4, Rule.TRUMP, 8)
    assert (first.proof, first.cards, first.later) == ((3, 4, 8), (CARD["3O"],), None)
    scene = scene.tell(plays("A2 7O, B2 4O, B1 2C"))
    (row,) = [
        row
        for row in judge_acts(scene.table, scene.state.standing_acts)
        if row.answer == "unlawful"
    ]
    assert (row.line, row.rule, row.since) == (4, Rule.FOLLOW, 8)
    assert (row.proof, row.cards) == (first.proof, first.cards)
    assert row.later == SeenLater(11, (CARD["2C"],))


def test_a_breach_that_the_count_proves_is_so_proved_also_when_its_card_is_seen():
    void = [CardsShown(seat, (), ("C",)) for seat in ("A1", "A2", "B2")]
    scene = table_where(NO_STOCK, *dealt(), *plays("A1 2C, B1 6E, A2 4C, B2 7C"), *void)
    scene = scene.tell(plays("B2 2E, A1 4E, B1 5C"))
    (row,) = [row for row in judge_acts(scene.table, scene.state.standing_acts) if row.line == 4]
    assert (row.since, row.proof, row.by_count) == (9, (3, 4, 9), True)
    assert row.later == SeenLater(12, (CARD["5C"],))


WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")


def test_of_two_cantes_of_a_suit_only_one_stands_when_a_ruling_annuls_the_false_one():
    """A2 sang before and after showing the cards: annulled, A1's frees the suit for the first."""
    first = [*plays("A1 3C, B1 4C, A2 2C, B2 5C"), CanteAnnounced("A1", "B", None)]
    shown = [CanteAnnounced("A2", "B", None), CardsShown("A2", ("RB", "SB"))]
    again = CanteAnnounced("A2", "B", True)
    scene = table_where(replace(CLUB, cantes_per_side=0), *dealt(), *first, *shown, again)
    assert [c.line for c in scene.table.deal.cantes if not c.void] == [10]
    scene.tell(RulingGiven("annul_act", "text", line=7))
    assert [c.line for c in scene.table.deal.cantes if not c.void] == [8]
    rows = {row.line: row for row in judge_acts(scene.table, scene.state.standing_acts)}
    assert rows[8].answer == "open", "A2 may have drawn since"
    assert (rows[10].answer, rows[10].since) == ("unlawful", 11)


def test_a_hidden_twenty_may_be_of_a_suit_that_a_ruling_freed():
    """A2 holds one pair, of the suit that A1 had sung falsely."""
    sung = [cante("A1", "B", shown=None), CanteAnnounced("A2")]
    hand = HandEntered("A2", tuple("RB SB 4C 3C 2B 4B 5B 6B 7B 2E".split()))
    ruling = RulingGiven("annul_act", "text", line=7)
    for said, points in (([hand], {}), ([ruling, hand], {"A": 20}), ([hand, ruling], {"A": 20})):
        scene = table_where(NO_STOCK, *dealt(), *WON, *sung, *said).sung(**points)
        (row,) = [
            row for row in judge_acts(scene.table, scene.state.standing_acts) if row.line == 8
        ]
        assert row.answer == ("lawful" if points else "unlawful")
        assert row.since == (10 if points else 9)
    both, options = cante("A2", "B", shown=None), replace(NO_STOCK, cantes_per_player=2)
    twice = replace(options, cantes_per_side=0)
    scene = table_where(twice, *dealt(), *WON, sung[0], both, sung[1], hand, ruling).sung(A=20)
    assert [one.void for one in scene.table.deal.cantes] == [True, False, True]


@pytest.mark.parametrize("is_shown_first, since", [(True, 10), (False, 10)])
def test_a_cante_that_stands_again_is_lawful_since_the_ruling_or_its_cards(is_shown_first, since):
    sung = [cante("A1", "B", shown=None), cante("A2", "B", shown=None)]
    later = [CardsShown("A2", ("RB", "SB")), RulingGiven("annul_act", "text", line=7)]
    said = later if is_shown_first else later[::-1]
    scene = table_where(NO_STOCK, *dealt(), *WON, *sung, *said).sung(A=20)
    (row,) = [row for row in judge_acts(scene.table, scene.state.standing_acts) if row.line == 8]
    assert (row.answer, row.since, set(row.proof)) == ("lawful", since, {9, 10})
