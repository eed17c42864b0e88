"""Evidence of tricks that nobody noted, of cards shown and of the count of the cards left."""

from __future__ import annotations

from dataclasses import replace

from referee.events import (
    CanteAnnounced,
    CardsShown,
    DealStarted,
    HandEntered,
    PintaTurned,
    RenuncioDenounced,
    SuitRequested,
    TrickEntered,
)
from referee.rules.articles import Rule
from referee.rules.profile.options import EARLIER_LAW, LAW
from referee.table.verdicts import judged
from tests.support.records.table_text import CLUB, NO_STOCK, TWO, dealt, draws, plays
from tests.support.records.table_text import given as table_where


def test_a_card_shown_may_have_been_laid_in_a_trick_that_nobody_noted():
    shown = [*dealt(), CardsShown("B1", ("5C",)), TrickEntered("A1")]
    scene = table_where(NO_STOCK, *shown, *plays("A1 2C, B1 6E"))
    assert scene.table.deal.breaches == ()
    (row,) = [row for row in judged(scene.table, scene.state.acts) if row.line == 6]
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
    (row,) = [row for row in judged(scene.table, scene.state.acts) if row.line == 4]
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
        return [r.answer for r in judged(scene.table, scene.state.acts) if r.line == 7]

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
    named = {row.rule: row.seat for row in judged(scene.table, scene.state.acts) if row.rule}
    assert named[Rule.WRONG_CUTTER] == "A1"
    assert named[Rule.SUIT_REQUEST_BARRED] == "B1"


def test_the_line_that_disproves_a_cante_is_in_its_proof():
    sung = [*dealt(), *plays("A1 7C, B1 4C, A2 2C, B2 5C"), CanteAnnounced("A1", "E")]
    scene = table_where(CLUB, *sung, CardsShown("B1", ("SE",)))
    (row,) = [row for row in judged(scene.table, scene.state.acts) if row.line == 7]
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
        (row,) = [row for row in judged(scene.table, scene.state.acts) if row.line == 7]
        assert (row.answer, row.rule) == ("unlawful", Rule.CANTE_NOT_SHOWN)
