"""A void cante on the public view: once its deal is counted, or by public facts alone."""

from __future__ import annotations

import pytest

from projections.board.views import public_partida
from referee.aggregates.commands import Record
from referee.aggregates.partida import decide, fold
from referee.events import (
    CardPlayed,
    CardsShown,
    ClaimMade,
    CountEntered,
    HandEntered,
    PartidaOpened,
    PintaSwapped,
    SuitRequested,
    WrongDraw,
)
from referee.record import parse_record
from referee.record.profiles import frozen_profile_of_record
from referee.rules.profile.options import EARLIER_LAW
from referee.rules.profile.profile import profile
from tests.oracle.habits import Habits
from tests.oracle.partidas import partida
from tests.support.records.table_deals import vueltas
from tests.support.records.table_text import (
    CLUB,
    NO_STOCK,
    Scene,
    cante,
    dealt,
    draws,
    given,
    plays,
    tricks,
)
from tests.support.servers.long_runs import RUNS

FOUR = "A1, B1, A2, B2"


def void(scene: Scene) -> list[bool]:
    deal = public_partida(scene.state).deal
    assert deal is not None
    return [one.void for one in deal.cantes]


def is_void_in_the_score(scene: Scene) -> bool:
    (one,) = scene.table.deal.cantes
    return one.void


def sung_falsely() -> Scene:
    """A cante of copas whose rey somebody else lays afterwards."""
    scene = given(CLUB, *dealt("4O"), *plays("A1 AC, B1 2C, A2 4C, B2 5C"))
    scene.tell(cante("A1", "C", shown=None), draws(FOUR), CardPlayed("A1", "2O"))
    return scene.tell(CardPlayed("B1", "RC"))


def test_a_card_laid_in_the_running_deal_shows_nothing() -> None:
    scene = sung_falsely()
    assert is_void_in_the_score(scene)
    assert void(scene) == [False]


@pytest.mark.parametrize(
    "secret",
    [
        HandEntered("A1", ("AC", "2C", "4C", "5C", "6C", "7C")),
        CardsShown("B1", ("RC",)),
    ],
    ids=["a hand entered", "cards shown"],
)
def test_what_the_arbiter_knows_shows_nothing(secret) -> None:
    scene = given(CLUB, *dealt("4O"), *tricks("A1 11"), cante("A1", "C", shown=None), secret)
    assert void(scene) == [False]


def test_a_cante_is_void_to_the_public_from_the_line_that_counts_its_deal() -> None:
    scene = sung_falsely()
    while not scene.table.deal.is_counted:
        assert void(scene) == [False]
        scene.play_out(until=len(scene.table.deal.tricks) + 1)
    assert public_partida(scene.state).phase == "waiting"
    assert void(scene) == [True]


def test_a_cante_is_void_to_the_public_from_the_claim_that_is_judged() -> None:
    scene = vueltas(CLUB).tell(*tricks("B1 4"), cante("A1", "C"))
    assert is_void_in_the_score(scene)
    assert void(scene) == [False], "which side took the trick is not public"
    scene.tell(ClaimMade("B1"))
    assert void(scene) == [True]


def test_a_claim_that_nobody_can_judge_yet_shows_nothing() -> None:
    scene = vueltas(CLUB).tell(*tricks("B1"), cante("A1", "C"), ClaimMade("B1"))
    assert void(scene) == [False]
    scene.tell(CountEntered({"A": 60, "B": 64}))
    assert void(scene) == [True]


# --- public facts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("pinta, is_void", [("RO", True), ("SO", True), ("CO", False)])
def test_nobody_holds_the_card_that_lies_as_pinta(pinta, is_void) -> None:
    scene = given(CLUB, *dealt(pinta), *tricks("A1 11"), cante("A1", "O", shown=None))
    assert void(scene) == [is_void] == [is_void_in_the_score(scene)]


def test_after_the_last_free_trick_somebody_may_have_drawn_the_pinta() -> None:
    scene = given(CLUB, *dealt("RO"), *tricks("A1, A1, A1"), cante("A1", "O"))
    assert void(scene) == [True]
    scene = given(CLUB, *dealt("RO"), *tricks("A1, A1, A1, A1"), cante("A2", "O", shown=None))
    assert void(scene) == [False]


def test_a_pinta_that_was_taken_too_early_lies_there_no_more() -> None:
    for taken in (WrongDraw("A2", "pinta_early"), draws("A2 RO")[0]):
        scene = given(CLUB, *dealt("RO"), *tricks("A1"), taken, cante("A2", "O", shown=None))
        assert void(scene) == [False]


def test_only_who_swapped_for_the_rey_can_hold_it() -> None:
    for singer, is_void in (("A1", False), ("A2", True)):
        scene = given(CLUB, *dealt("RO"), *tricks("A1"), PintaSwapped("A1"))
        scene.tell(cante(singer, "O", shown=None))
        assert void(scene) == [is_void] == [is_void_in_the_score(scene)]


def test_a_pinta_that_is_the_dealers_card_is_nobody_elses() -> None:
    for singer, is_void in (("A1", True), ("B2", False)):
        scene = given(NO_STOCK, *dealt("RO"), *tricks(f"{singer} 4"))
        scene.tell(cante(singer, "O", shown=None))
        assert void(scene) == [is_void] == [is_void_in_the_score(scene)]


def test_a_pinta_left_over_lies_on_the_table_to_the_end() -> None:
    options = profile("sin-mazo").options(3)
    scene = given(options, *dealt("RO", dealer="C1"), *tricks("A1, A1, A1, A1"))
    scene.tell(cante("A1", "O", shown=None))
    assert void(scene) == [True] == [is_void_in_the_score(scene)]


def test_two_seats_cannot_have_the_same_pair_once_one_has_shown_it() -> None:
    scene = given(CLUB, *dealt(), *tricks("A1"), cante("A1", "C", shown=None))
    scene.tell(draws(FOUR), *tricks("B1"))
    assert void(scene) == [False]
    scene.tell(cante("B1", "C"))
    assert void(scene) == [True, False], "what was sung first is disproved by what is shown"


def test_what_is_said_of_a_suit_proves_nothing_until_it_is_shown() -> None:
    scene = given(CLUB, *dealt(), *tricks("A1"), cante("A1", "C", shown=None), draws(FOUR))
    scene.tell(*tricks("B1"), cante("B1", "C", shown=None))
    assert void(scene) == [False, False]


def test_a_hidden_cante_is_disproved_once_its_suit_is_named_or_none_is_left() -> None:
    options = profile("ludoteka").options()
    scene = given(options, *dealt(), *tricks("A1, A1, A1, A1, A1"), cante("A1", shown=None))
    for trick, suit in enumerate("CEB"):
        assert void(scene)[0] is False
        scene.tell(*tricks("B1"), cante("B1", suit))
        if not trick:
            named = given(options, *dealt(), *tricks("A1, A1, A1, A1, A1"), cante("A1", shown=None))
            named.tell(*tricks("B1"), cante("B1", "C"), SuitRequested("A2", "A1", "C"))
            assert void(named) == [True, False]
    assert void(scene)[0] is True


def test_the_earlier_law_lets_an_announced_cante_stand() -> None:
    options = profile("club", "2026-1").options()
    assert options.law == EARLIER_LAW
    scene = given(options, *dealt("RO"), *tricks("A1 11"), cante("A1", "O", shown=None))
    assert void(scene) == [False]


@pytest.mark.parametrize("batch", range(RUNS))
def test_what_public_facts_disprove_is_void_in_the_score(batch) -> None:
    """In records of true cards, at every line; once the deal is counted both say the same."""
    habits = Habits(kinds=(), cantes=0.5, swaps=0.5, hidden=0.1, sings_again=True, cut=0.2)
    told = 0
    for seed in range(batch * 60, (batch + 1) * 60):
        record = parse_record(partida(seed, habits).text)
        frozen = frozen_profile_of_record(record)
        state = fold([PartidaOpened("a table", 1, frozen.options, frozen.hash)])
        for act in record.partidas[0].acts:
            state = decide(Record(act), state).state
            deal = state.table.deal
            if deal is None or not deal.cantes:
                continue
            public = public_partida(state).deal
            assert public is not None
            both = zip(public.cantes, deal.cantes, strict=True)
            wrong = [c.line for shown, c in both if shown.void and not c.void]
            assert not wrong, seed
            told += any(one.void for one in public.cantes) and not deal.is_counted
            if deal.is_counted:
                assert [c.void for c in public.cantes] == [c.void for c in deal.cantes]
    assert told > 20
