"""Corrections of a record: in every place, together, taken back, and those that cannot be."""

from __future__ import annotations

import pytest

from referee.aggregates.commands import Amend
from referee.aggregates.partida import INITIAL, decide, evolve, fold
from referee.events import (
    CardPlayed,
    Change,
    ClaimMade,
    Conceded,
    ConclusionRevised,
    CountEntered,
    DealCounted,
    DealerDue,
    DealStarted,
    LogAmended,
    PartidaWon,
    PintaTurned,
    TimeCalled,
    TrickEntered,
)
from referee.rules.articles import Rule
from referee.rules.cards import TOKENS
from tests.support.records.table_text import (
    CLUB,
    Undo,
    cante,
    dealt,
    given,
    insert,
    opened,
    plays,
    put_in_place,
    tricks,
    withdraw,
)

FOUR = "A1 AC, B1 2C, A2 4C, B2 5C"
"""Lines 3 to 6 after a deal and its pinta; A1 takes the trick."""


def recorded_right(*acts: object) -> object:
    return given(CLUB, *acts).table


def same(one: object, other: object) -> None:
    """The same table but for the numbers of the lines."""
    for name in ("played", "sizes", "stock", "held", "dealer", "trump", "pinta"):
        assert getattr(one.deal, name) == getattr(other.deal, name)
    assert [f.rule for f in one.findings] == [f.rule for f in other.findings]
    takers = [[t.taker for t in table.deal.tricks] for table in (one, other)]
    assert takers[0] == takers[1]


@pytest.mark.parametrize("line", range(3, 7))
def test_a_card_forgotten_is_inserted_in_every_place(line) -> None:
    right = plays(FOUR)
    forgotten = right.pop(line - 3)
    scene = given(CLUB, *dealt(), *right)
    if line == 6:
        scene.tell(forgotten)
    else:
        scene.tell(insert(line, forgotten))
    same(scene.table, recorded_right(*dealt(), *plays(FOUR)))


@pytest.mark.parametrize("line", range(3, 7))
def test_a_card_mistaken_is_replaced_in_every_place(line) -> None:
    wrong = plays(FOUR)
    wrong[line - 3] = CardPlayed(wrong[line - 3].seat, "AE")
    scene = given(CLUB, *dealt(), *wrong).tell(put_in_place(line, plays(FOUR)[line - 3]))
    same(scene.table, recorded_right(*dealt(), *plays(FOUR)))


def test_a_card_too_many_is_withdrawn() -> None:
    scene = given(CLUB, *dealt(), TimeCalled(), *plays(FOUR)).tell(withdraw(3))
    same(scene.table, recorded_right(*dealt(), *plays(FOUR)))


def test_several_corrections_together_may_pass_through_what_cannot_be() -> None:
    swapped = [*dealt(), *plays("A1 2C, B1 AC, A2 4C, B2 5C")]
    scene = given(CLUB, *swapped).winners("B1")
    both = Amend((
        Change(3, "replace", CardPlayed("A1", "AC")),
        Change(4, "replace", CardPlayed("B1", "2C")),
    ))  # fmt: skip
    one = Amend((Change(3, "replace", CardPlayed("A1", "AC")),))
    scene.when(one).refused(Rule.CARD_PLAYED_BEFORE, card="AC", line=4)
    scene.tell(both).winners("A1")
    assert scene.state.version == 7


def test_an_inserted_act_is_corrected_under_the_line_of_its_amendment() -> None:
    scene = given(CLUB, *dealt(), *plays("A1 AC, A2 4C, B2 5C"))
    scene.tell(insert(4, CardPlayed("B1", "2C"))).winners("A1")
    line = scene.state.version
    scene.tell(put_in_place(line, CardPlayed("B1", "2O"))).winners("B1")
    scene.tell(insert(line, TimeCalled())).winners("B1")
    scene.tell(withdraw(line))
    assert scene.table.deal.laid
    scene.when(put_in_place(line, CardPlayed("B1", "2C"))).refused(Rule.NOT_AMENDABLE, line=line)
    scene.when(insert(line, TimeCalled())).refused(Rule.NOT_AMENDABLE, line=line)
    scene.when(withdraw(line)).refused(Rule.NOT_AMENDABLE, line=line)


def test_an_act_can_be_put_before_one_that_was_withdrawn() -> None:
    scene = given(CLUB, *dealt(), *plays("A1 AC, B1 2C, A2 4C, B2 5C"), withdraw(4))
    scene.tell(insert(4, CardPlayed("B1", "2O"))).winners("B1")


def test_undo_takes_back_the_latest_line_that_stands() -> None:
    scene = given(CLUB, *dealt(), *plays(FOUR)).winners("A1")
    scene.tell(Undo()).winners()
    scene.tell(Undo(), Undo())
    assert [TOKENS[play.card] for play in scene.table.deal.laid] == ["AC"]
    scene.tell(plays("B1 2C"), Undo(), Undo(), Undo(), Undo())
    assert scene.table.deal is None
    scene.when(Undo()).refused(Rule.NOTHING_TO_UNDO)


def test_undo_of_a_correction_brings_the_act_back() -> None:
    scene = given(CLUB, *dealt(), *plays(FOUR)).tell(put_in_place(4, CardPlayed("B1", "2O")))
    scene.winners("B1").tell(Undo()).winners("A1")
    scene.tell(insert(6, TimeCalled()), Undo()).winners("A1")


def test_an_undo_can_be_undone() -> None:
    scene = given(CLUB, *dealt(), *plays(FOUR), Undo()).winners()
    undo = scene.state.version
    scene.tell(withdraw(undo)).winners("A1")
    again = scene.state.version
    scene.tell(withdraw(again)).winners()


def test_a_correction_of_an_act_no_longer_there_changes_nothing() -> None:
    scene = given(CLUB, *dealt(), *plays("A1 AC, A2 4C, B2 5C"))
    scene.tell(insert(4, CardPlayed("B1", "2C")))
    inserted = scene.state.version
    scene.tell(put_in_place(inserted, CardPlayed("B1", "2O")), withdraw(inserted))
    assert [play.seat for play in scene.table.deal.laid] == ["A1", "A2", "B2"]


NOT_AMENDABLE = [
    (Amend(()), Rule.NOT_AMENDABLE),
    (
        Amend((Change(1, "insert", TimeCalled()), Change(2, "insert", TimeCalled()))),
        Rule.NOT_AMENDABLE,
    ),
    (Amend((Change(0, "withdraw"),)), Rule.LINE_UNKNOWN),
    (Amend((Change(99, "withdraw"),)), Rule.LINE_UNKNOWN),
    (Amend((Change(3, "replace"),)), Rule.NOT_AMENDABLE),
    (Amend((Change(3, "insert"),)), Rule.NOT_AMENDABLE),
    (Amend((Change(3, "withdraw", TimeCalled()),)), Rule.NOT_AMENDABLE),
]


@pytest.mark.parametrize("amendment, rule", NOT_AMENDABLE)
def test_a_correction_must_say_what_stands_instead(amendment, rule) -> None:
    scene = given(CLUB, *dealt(), *plays(FOUR))
    scene.when(amendment).refused(rule)
    assert scene.state.version == 6


def test_a_correction_that_cannot_be_is_refused_with_the_line() -> None:
    scene = given(CLUB, *dealt(), *plays(FOUR))
    scene.when(put_in_place(3, CardPlayed("A1", "5C"))).refused(Rule.CARD_PLAYED_BEFORE, line=6)
    scene.when(withdraw(1)).refused(Rule.NO_DEAL, line=2)
    scene.when(put_in_place(2, PintaTurned("AC"))).refused(Rule.CARD_ELSEWHERE, line=3)


FIRST = [
    DealStarted("B2"),
    *tricks("A1 33, B1 29, A1 32, A1 14, A1 12, A1 0, A1 0, A1 0, A1 0, A1 0"),
]


def test_a_conclusion_is_revised_when_its_acts_are() -> None:
    scene = given(CLUB, *FIRST).then("A", "first_deal", A=101, B=29)
    events = decide(put_in_place(2, TrickEntered("A1", 32)), scene.state).events
    revised = [event.revised for event in events if isinstance(event, ConclusionRevised)]
    assert {type(one) for one in revised} == {DealCounted, PartidaWon}
    scene.tell(put_in_place(2, TrickEntered("A1", 32))).in_vueltas().counted(1, A=100, B=29)
    scene.tell(Undo()).then("A", "first_deal", A=101, B=29)


def test_a_correction_across_the_end_of_a_deal() -> None:
    even = [
        DealStarted("B2"),
        *tricks("A1 31, B1 31, A1 29, B1 29, A1 0, A1 0, A1 0, A1 0, A1 0, A1 0"),
    ]
    scene = given(CLUB, *even, DealStarted("A1"), *tricks("A1 30"), ClaimMade("A1"))
    scene.then("B", "false_claim", A=100, B=60)
    scene.tell(put_in_place(2, TrickEntered("A1", 30))).counted(1, A=69, B=60)
    scene.tell(put_in_place(13, TrickEntered("A1", 40))).then("A", "claim", A=109, B=60)
    scene.when(put_in_place(2, TrickEntered("A1", 45))).refused(Rule.POINTS_IMPOSSIBLE, line=2)
    scene.when(put_in_place(2, TrickEntered("A1", 44))).refused(Rule.POINTS_IMPOSSIBLE, line=5)
    # The first deal would have been won: what follows it cannot stand.
    both = Amend(
        (
            Change(2, "replace", TrickEntered("A1", 31)),
            Change(3, "replace", TrickEntered("A1", 31)),
        )
    )
    scene.when(both).refused(Rule.PARTIDA_DECIDED, line=12)
    whole = Amend((*both.changes, *(Change(line, "withdraw") for line in (12, 13, 14))))
    scene.tell(whole).then("A", "first_deal", A=101, B=29)


def test_a_cante_inserted_counts_in_the_trick_after_which_it_was_sung() -> None:
    scene = given(CLUB, *dealt(), *plays(FOUR), *plays("A1 2E")).tell(insert(7, cante("A1", "B")))
    scene.sung(A=20).finds_not()
    early = given(CLUB, *dealt(), *plays(FOUR)).tell(insert(3, cante("A1", "B")))
    early.sung().finds(Rule.CANTE_NO_TRICK, line=7)


def test_a_dealer_found_out_later_is_due_from_the_start() -> None:
    scene = given(CLUB, *dealt(dealer="A1"), dealer_due="A1").finds_not()
    state = evolve(scene.state, DealerDue("B1"))
    assert [f.rule for f in state.table.findings] == [Rule.WRONG_DEALER]
    assert evolve(fold([]), DealerDue("B1")).reading is None
    assert fold([opened(CLUB, "A1")]).dealer_due == "A1"


def test_an_inserted_concession_of_vueltas_leaves_them_begun() -> None:
    even = [
        DealStarted("B2"),
        *tricks("A1 31, B1 31, A1 29, B1 29, A1 0, A1 0, A1 0, A1 0, A1 0, A1 0"),
    ]
    scene = given(CLUB, *even, DealStarted("A1"), *tricks("A1 0"))
    scene.when(insert(13, Conceded("A"))).refused(Rule.PARTIDA_DECIDED, line=13)
    scene.tell(Undo(), insert(12, TimeCalled()), Conceded("B"))
    scene.then("A", "concession").counted(1, A=70, B=60)
    early = given(CLUB, *even).tell(CountEntered({"A": 70, "B": 60})).in_vueltas()
    early.finds_not()


def test_a_table_is_the_same_whenever_it_is_asked_for() -> None:
    amended = LogAmended((Change(3, "insert", cante("A1", "B")),))
    log = [opened(CLUB), *dealt(), *plays(FOUR), amended, *plays("A1 2E")]
    asked_once = fold(log)
    asked_each_time = INITIAL
    for event in log:
        asked_each_time = evolve(asked_each_time, event)
        assert asked_each_time.table is asked_each_time.table
    assert asked_once.table == asked_each_time.table
    assert asked_once == asked_each_time
    assert hash(asked_once.reading) == hash(asked_each_time.reading)
    assert asked_once.reading != asked_once.table
