from __future__ import annotations

from functools import reduce
from operator import or_

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.law import naive
from referee.rules.articles import ABOUT, Rule
from referee.rules.cards import BIT, CARD, CARDS, SUITS, TOKENS, cards_in, mask_of, mask_of_tokens
from referee.rules.duties import (
    bounds_by_highest_cards,
    charges_against_card,
    first_broken_rule,
    law_of_duties,
    lawful_plays,
    position_before_play,
    position_by_highest_cards,
    renuncio_case_of_rule,
    rule_of_narrowing_duty,
    rule_proved_broken,
)
from referee.rules.profile.options import Options
from referee.rules.profile.profile import PROFILE_IDS, profile
from referee.rules.seats import SEATS
from tests.support.servers.long_runs import RUNS

# Trump is oros. B2 has led; A1 is to play, so a trick of three has the partner A2 in the middle.
# For each profile the lawful cards, in the order of club, guinyot, escuela, ludoteka,
# baraja-francesa, sin-mazo; "=" is as club.
SITUATIONS = [
    ("follow, can beat, opponent winning", "B2 RC", "AC 2C AO 4E", ("AC", *"=====")),
    (
        "follow, can beat, opponent's third card winning",
        "B1 4C, A2 RC, B2 3C",
        "AC 2C",
        ("AC", *"====="),
    ),
    (
        "follow, can beat, partner winning",
        "B1 4C, A2 RC, B2 2C",
        "AC 5C AO",
        ("AC 5C", "=", "AC", "=", "=", "AC"),
    ),
    ("follow, cannot beat", "B2 AC", "3C 2C AO", ("3C 2C", *"=====")),
    ("follow, cannot beat the partner", "B1 4C, A2 AC, B2 2C", "3C 5C AO", ("3C 5C", *"=====")),
    (
        "follow, trick trumped by an opponent",
        "B1 4C, A2 RC, B2 2O",
        "AC 2C AO",
        ("AC 2C", "=", "AC", "=", "AC", "="),
    ),
    (
        "follow, trumped by an opponent, none higher",
        "B1 4C, A2 AC, B2 2O",
        "3C 2C AO",
        ("3C 2C", *"====="),
    ),
    (
        "follow, trick trumped by partner",
        "B1 4C, A2 2O, B2 RC",
        "AC 2C AO",
        ("AC 2C", "=", "AC", "=", "=", "="),
    ),
    ("void, trumps, opponent winning untrumped", "B2 AC", "2O 3O AE", ("2O 3O", *"=====")),
    (
        "void, trumps, partner winning untrumped",
        "B1 4C, A2 AC, B2 2C",
        "2O 3O AE",
        ("2O 3O AE", "=", "=", "=", "=", "2O 3O"),
    ),
    (
        "void, opponent's trump winning, can overtrump",
        "B1 4C, A2 RC, B2 7O",
        "2O 3O AE",
        ("3O", *"====="),
    ),
    (
        "void, opponent's trump winning, only lower",
        "B1 4C, A2 RC, B2 7O",
        "2O 6O AE",
        ("2O 6O AE", "=", "=", "=", "2O 6O", "="),
    ),
    (
        "void, partner's trump winning",
        "B1 4C, A2 7O, B2 2C",
        "2O 3O AE",
        ("2O 3O AE", "=", "=", "=", "=", "2O 3O"),
    ),
    (
        "trump led, partner winning, holds higher",
        "B1 4O, A2 RO, B2 2O",
        "AO 5O AE",
        ("AO 5O", "=", "AO", "=", "=", "AO"),
    ),
    ("trump led, opponent winning, holds higher", "B2 RO", "AO 5O AE", ("AO", *"=====")),
    ("trump led, none higher", "B2 AO", "3O 5O AE", ("3O 5O", *"=====")),
    ("void in the suit led and in trumps", "B2 AC", "AE 2E 3B", ("AE 2E 3B", *"=====")),
    (
        "void in the suit led and in trumps, trumped",
        "B1 4C, A2 RC, B2 7O",
        "AE 3B",
        ("AE 3B", *"====="),
    ),
    ("void in trumps, which were led", "B2 2O", "AE 2E 3C", ("AE 2E 3C", *"=====")),
    ("sota on caballo", "B2 CC", "SC 2C", ("SC", "=", "SC 2C", "=", "=", "=")),
    ("caballo on sota", "B2 SC", "CC 2C", ("CC 2C", "=", "CC", "=", "=", "=")),
    (
        "caballo of trump over the sota of trump",
        "B1 4C, A2 RC, B2 SO",
        "CO AE",
        ("CO AE", "=", "CO", "=", "CO", "="),
    ),
]
CELLS = [
    pytest.param(name, plays, hand, row[0] if cell == "=" else cell, id=f"{name}-{situation}")
    for situation, plays, hand, row in SITUATIONS
    for name, cell in zip(PROFILE_IDS, row, strict=True)
]


@pytest.fixture(autouse=True)
def positions_worked_out_anew():
    position_by_highest_cards.cache_clear()


def plays_of(text):
    return [(seat, CARD[card]) for seat, card in (one.split() for one in text.split(", "))]


def at(plays, options=None, seat="A1", trump="O"):
    return position_before_play(plays_of(plays), seat, SUITS.index(trump), options or Options())


@pytest.mark.parametrize("name, plays, hand, expected", CELLS)
def test_the_table_of_situations_holds_under_every_profile(name, plays, hand, expected):
    assert PROFILE_IDS == ("club", "guinyot", "escuela", "ludoteka", "baraja-francesa", "sin-mazo")
    position = at(plays, profile(name).options(4))
    allowed = lawful_plays(position, mask_of_tokens(hand.split()))
    assert [card for card in hand.split() if allowed & BIT[CARD[card]]] == expected.split()


@pytest.mark.parametrize(
    "plays, hand, options, duty",
    [
        ("B2 RC", "2C 4E", {}, Rule.FOLLOW),
        ("B2 RC", "AC 2C", {}, Rule.BEAT),
        ("B2 RC", "AC 3C 4E", {}, Rule.FOLLOW),
        ("B2 RC", "2C 4C", {}, None),
        ("B2 RC", "AO 4E", {}, Rule.TRUMP),
        ("B2 RC", "AO 2O", {}, None),
        ("B1 4C, A2 RC, B2 7O", "AO 2O", {}, Rule.OVERTRUMP),
        ("B1 4C, A2 RC, B2 7O", "AO 2O AE", {"undertrump": "forced"}, Rule.OVERTRUMP),
        ("B1 4C, A2 RC, B2 7O", "2O AE", {"undertrump": "forced"}, Rule.UNDERTRUMP),
        ("B1 4C, A2 RC, B2 7O", "2O AE", {}, None),
        ("B1 4C, A2 RC, B2 7O", "AO 2O AE", {"overtrump": False}, Rule.TRUMP),
        ("B1 4C, A2 RC, B2 7O", "2O AE", {"overtrump": False}, None),
        (
            "B1 4C, A2 RC, B2 7O",
            "2O AE",
            {"overtrump": False, "undertrump": "forced"},
            Rule.UNDERTRUMP,
        ),
        ("B1 4C, A2 RC, B2 2C", "AO AE", {}, None),
        ("B1 4C, A2 RC, B2 2C", "AO AE", {"trump_partner": True}, Rule.TRUMP),
    ],
)
def test_the_last_duty_is_the_last_that_narrowed_the_choice(plays, hand, options, duty):
    assert (
        rule_of_narrowing_duty(at(plays, Options(**options)), mask_of_tokens(hand.split())) == duty
    )


@pytest.mark.parametrize(
    "plays, hand, card, options, duty",
    [
        ("B2 RC", "2C 4E", "4E", {}, Rule.FOLLOW),
        ("B2 RC", "2C AO", "AO", {}, Rule.FOLLOW),
        ("B2 RC", "AC 2C", "2C", {}, Rule.BEAT),
        ("B2 RC", "AC 2C", "AC", {}, None),
        ("B2 RC", "AO 4E", "4E", {}, Rule.TRUMP),
        ("B1 4C, A2 RC, B2 7O", "AO 2O", "2O", {}, Rule.OVERTRUMP),
        ("B1 4C, A2 RC, B2 7O", "AO 2E", "2E", {}, Rule.OVERTRUMP),
        ("B1 4C, A2 RC, B2 7O", "AO 2E", "2E", {"overtrump": False}, Rule.TRUMP),
        ("B1 4C, A2 RC, B2 7O", "AO 2O", "2O", {"overtrump": False}, None),
        ("B1 4C, A2 RC, B2 7O", "2O AE", "AE", {"undertrump": "forced"}, Rule.UNDERTRUMP),
    ],
)
def test_an_unlawful_card_breaks_a_named_duty(plays, hand, card, options, duty):
    position = at(plays, Options(**options))
    assert first_broken_rule(position, mask_of_tokens(hand.split()), CARD[card]) == duty


def test_a_leader_faces_nothing():
    assert position_before_play([], "A1", 0, Options()) is None


@pytest.mark.parametrize("players, plays", [(2, "B1 RC"), (3, "B1 RC, C1 3C")])
def test_two_and_three_players_have_no_partner(players, plays):
    position = at(plays, Options(players=players))
    assert lawful_plays(position, mask_of_tokens(["AC", "2C"])) == mask_of_tokens(["AC"])


def test_with_48_cards_the_nueve_beats_the_ocho():
    position = at("B2 8C", Options(deck=48))
    assert lawful_plays(position, mask_of_tokens(["9C", "7C"])) == mask_of_tokens(["9C"])


@pytest.mark.parametrize(
    "rule, case",
    [
        (Rule.FOLLOW, "follow"),
        (Rule.BEAT, "beat"),
        (Rule.TRUMP, "trump"),
        (Rule.OVERTRUMP, "trump"),
        (Rule.UNDERTRUMP, "trump"),
    ],
)
def test_each_breach_is_a_case_of_renuncio(rule, case):
    assert renuncio_case_of_rule(rule) == case


OPTIONS = st.builds(
    Options,
    players=st.sampled_from([2, 3, 4]),
    deck=st.just(48),
    sota_caballo=st.sampled_from(["sota_over_caballo", "caballo_over_sota"]),
    beat_partner=st.booleans(),
    trump_partner=st.booleans(),
    beat_after_trumped=st.booleans(),
    overtrump=st.booleans(),
    undertrump=st.sampled_from(["free", "forced"]),
)


@st.composite
def questions(draw):
    """Options, open trick, seat, trump and hand: any cards, dealt from two suits or four."""
    options = draw(OPTIONS)
    seats = SEATS[options.players]
    laid = draw(st.integers(1, len(seats) - 1))
    among = draw(st.sampled_from([CARDS, CARDS[:24], CARDS[12:36]]))
    cards = draw(
        st.lists(st.sampled_from(among), min_size=laid + 1, max_size=laid + 10, unique=True)
    )
    start = draw(st.integers(0, len(seats) - 1))
    turn = [seats[(start + step) % len(seats)] for step in range(laid + 1)]
    plays = list(zip(turn, cards[:laid], strict=False))
    return options, plays, turn[laid], draw(st.integers(0, 3)), cards[laid:]


def as_object(card):
    return naive.Card(*TOKENS[card])


@settings(max_examples=1000 * RUNS, deadline=None)
@given(questions())
def test_the_masks_allow_what_the_wording_of_the_law_allows(question):
    options, plays, seat, trump, hand = question
    position = position_before_play(plays, seat, trump, options)
    allowed = lawful_plays(position, mask_of(hand))
    trick = [naive.Play(who, as_object(card)) for who, card in plays]
    expected = naive.lawful([as_object(c) for c in hand], trick, seat, SUITS[trump], options)
    assert {as_object(card) for card in cards_in(allowed)} == set(expected)
    assert allowed
    assert allowed & ~mask_of(hand) == 0


@settings(max_examples=500 * RUNS, deadline=None)
@given(questions())
def test_single_accusers_decide_the_lawfulness_of_every_card_in_every_hand(question):
    options, plays, seat, trump, hand = question
    position, held = position_before_play(plays, seat, trump, options), mask_of(hand)
    allowed = lawful_plays(position, held)
    for card in hand:
        found = reduce(or_, (one.cards for one in charges_against_card(position, card)), 0) & held
        assert bool(found) == (not allowed & BIT[card])
        assert (first_broken_rule(position, held, card) is None) == bool(allowed & BIT[card])
        for accuser in cards_in(found):
            rule = rule_proved_broken(position, card, accuser)
            assert rule == first_broken_rule(position, BIT[card] | BIT[accuser], card)
            assert ABOUT[rule].kind == "duty"


@settings(max_examples=170 * RUNS, deadline=None)
@given(questions())
def test_a_duty_is_named_exactly_when_the_choice_is_narrowed(question):
    options, plays, seat, trump, hand = question
    position, held = position_before_play(plays, seat, trump, options), mask_of(hand)
    assert (rule_of_narrowing_duty(position, held) is None) == (
        lawful_plays(position, held) == held
    )


@pytest.mark.parametrize("name", PROFILE_IDS)
def test_the_tables_for_loops_hold_the_bounds_of_every_position(name):
    law = law_of_duties(profile(name).options())
    against, beside = bounds_by_highest_cards(law, 2)
    high, best = CARD["4C"], CARD["7E"]
    for table, is_partner in ((against, False), (beside, True)):
        assert (
            table[high][best]
            == position_by_highest_cards(law, 2, (high, best), is_partner=is_partner).bounds
        )
        assert table[high][CARD["5O"]] is None
        assert table[CARD["2E"]][CARD["4C"]] is None
