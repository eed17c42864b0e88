"""One record under two profiles: who wins by which option."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.events import (
    CanteAnnounced,
    ClaimMade,
    DealStarted,
    IncidentNoted,
    PintaSwapped,
    ResultEntered,
    RulingGiven,
)
from referee.rules.articles import Rule
from referee.rules.profile.options import EARLIER_LAW, LAW
from referee.rules.profile.profile import profile
from referee.table.comparison import (
    NotComparable,
    OtherValue,
    OtherVerdict,
    PartidaOutcome,
    comparable_options_of_profile,
    compare_record_under_options,
    option_differences,
)
from referee.table.verdicts import judge_acts
from tests.support.records.table_text import CLUB, cante, dealt, first_deal, plays, tricks
from tests.support.records.table_text import given as table_where


def test_the_option_that_alone_changes_the_winner_is_named():
    state = table_where(CLUB, *dealt("AO")).play_out().state
    other = replace(CLUB, target=10, tute=True)
    found = compare_record_under_options(state.table_at_start, state.standing_acts, other)
    assert [each.option for each in found.options] == ["tute", "target"]
    assert found.outcome.winner != found.other_outcome.winner
    assert found.other_outcome.how == "first_deal"
    assert found.outcome_by == ("target",)


def test_the_totals_compared_are_those_that_the_partida_ended_with():
    entered = ResultEntered("B", "first_deal", {"A": 20, "B": 110})
    state = table_where(CLUB, entered).state
    found = compare_record_under_options(
        state.table_at_start, state.standing_acts, replace(CLUB, target=105)
    )
    assert found.outcome == PartidaOutcome("B", "first_deal", {"A": 20, "B": 110})


def test_cards_dealt_otherwise_are_not_compared():
    state = table_where(CLUB, *dealt("AO")).state
    with pytest.raises(NotComparable) as refused:
        compare_record_under_options(
            state.table_at_start, state.standing_acts, replace(CLUB, hand_size=10, deck=48)
        )
    assert refused.value.options == ("deck", "hand_size")
    assert str(refused.value) == "deck, hand_size"


def test_a_profile_for_other_tables_judges_none_of_three():
    with pytest.raises(NotComparable) as refused:
        comparable_options_of_profile(replace(CLUB, players=3), profile("baraja-francesa"))
    assert refused.value.options == ("players",)
    assert comparable_options_of_profile(CLUB, profile("baraja-francesa")).players == CLUB.players


def test_a_table_of_48_cards_is_compared_with_48_cards_where_the_other_profile_has_them():
    school = profile("escuela")
    assert comparable_options_of_profile(school.options(4, 48), school).deck == 48
    assert comparable_options_of_profile(school.options(4), school).deck == 40


def test_an_act_that_is_judged_otherwise_names_the_option_that_does_it():
    hands = {"A1": "3C 4C", "B1": "AE 5C"}
    state = table_where(CLUB, *dealt("AO", **hands), *plays("A1 3C, B1 AE")).state
    found = compare_record_under_options(
        state.table_at_start, state.standing_acts, replace(CLUB, duties_from="first_trick")
    )
    assert found.outcome == found.other_outcome
    assert found.outcome_by == ()
    told = OtherVerdict(6, "B1", "lawful", None, "unlawful", Rule.FOLLOW, ("duties_from",))
    assert found.acts == (told,)
    back = compare_record_under_options(
        state.table_at_start, state.standing_acts, replace(CLUB, renuncio_cases=("talk",))
    )
    assert back.acts == ()


IN_VUELTAS = [
    *first_deal("A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, B1 12, A1 12"),
    DealStarted("A1"),
]
ONLY_25 = first_deal("B1 24, B1 24, B1 24, B1 23, B1 0, B1 0, A1 0, A1 0, A1 0, A1 25")
WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")
TALKED = [*dealt(), *plays("A1 AC, B1 2C, A2 4C, B2 5C"), IncidentNoted("talk", "A1")]
TALK = ("follow", "talk")
LATE = [*TALKED, ClaimMade("B1"), RulingGiven("renuncio", "text", line=7)]
OF_TALK = replace(CLUB, renuncio_cases=TALK, claim_in="any_deal")
OF_MALAS = replace(CLUB, min_malas=30, min_malas_applies="always")
NEW_OPTIONS = [
    ("vueltas_end", "at_target", CLUB, [*IN_VUELTAS, *tricks("A1 31")], ("A", "target"), []),
    ("min_malas_of", "cards", OF_MALAS, ONLY_25, ("B", "first_deal"), []),
    ("renuncio_costs", "when_proved", OF_TALK, LATE, ("A", "false_claim"), []),
    ("swap_window", "before_next_trick_closes", CLUB,
     [*dealt(), *WON, *plays("A1 6C"), PintaSwapped("A1")], (None, None), [8]),
    ("cante_40_shown", "never", CLUB, [*dealt(), *WON, cante("A1", "O")], (None, None), []),
]  # fmt: skip


@pytest.mark.parametrize(
    "name, value, options, acts, outcome, lines", NEW_OPTIONS, ids=[one[0] for one in NEW_OPTIONS]
)
def test_each_option_of_the_newest_edition_is_named(name, value, options, acts, outcome, lines):
    state = table_where(options, *acts).state
    found = compare_record_under_options(
        state.table_at_start, state.standing_acts, replace(options, **{name: value})
    )
    assert [each.option for each in found.options] == [name]
    assert (found.other_outcome.winner, found.other_outcome.how) == outcome
    assert found.outcome_by == ((name,) if found.outcome != found.other_outcome else ())
    assert [(one.line, one.by) for one in found.acts] == [(line, (name,)) for line in lines]
    assert found.outcome_by or lines or name == "cante_40_shown"


def test_the_edition_is_named_where_its_law_alone_changes_something():
    earlier = replace(CLUB, law=EARLIER_LAW, cante_20_shown="always")
    unshown = [*dealt(), *WON, CanteAnnounced("A1", "E", shown=False)]
    state = table_where(earlier, *unshown).state
    found = compare_record_under_options(
        state.table_at_start, state.standing_acts, replace(earlier, law=LAW)
    )
    assert found.options == (OtherValue("edition", "2026-1", "2026-2"),)
    assert (found.outcome.totals["A"], found.other_outcome.totals["A"]) == (31, 11)
    assert (found.outcome_by, found.acts) == (("edition",), ())
    assert (option_differences(CLUB, CLUB), judge_acts(state.table, state.standing_acts)[-1].rule) == (
        (), Rule.CANTE_NOT_SHOWN)  # fmt: skip
