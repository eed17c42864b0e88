"""Which cards may be played: every question gets an answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.articles import Rule
from referee.rules.cards import CARD, OROS, RANKS, SUITS, mask_of_tokens
from referee.rules.duties import (
    COMMON,
    charges_against_card,
    narrowing_duty,
    position_before_play,
    position_by_highest_cards,
)
from referee.rules.lawful import answer_lawful_question, answer_lawful_question_in_json
from referee.rules.profile.options import Options


@pytest.fixture(autouse=True)
def positions_worked_out_anew():
    position_by_highest_cards.cache_clear()


def asked(hand: str, trick: str = "", **fields) -> dict:
    plays = [one.split() for one in trick.split(",") if one]
    return {
        "trump": "O",
        "seat": "A1",
        "hand": hand.split(),
        "trick": [{"seat": seat, "card": card} for seat, card in plays],
        **fields,
    }


FORCED = {"options": {"undertrump": "forced"}}
DUTIES = [
    ("leading: anything", asked("AO 2E"), "AO 2E", "lead"),
    ("follow", asked("2C AO", "B2 RC"), "2C", "follow"),
    ("beat", asked("2C AC", "B2 RC"), "AC", "beat"),
    ("cannot beat", asked("2C 4C", "B2 RC"), "2C 4C", "free"),
    ("trump", asked("AO 2E", "B2 RC"), "AO", "trump"),
    ("overtrump", asked("AO 2O 2E", "B1 RC, A2 5C, B2 3O"), "AO", "overtrump"),
    ("lower trumps only", asked("2O 2E", "B1 RC, A2 5C, B2 3O"), "2O 2E", "free"),
    ("undertrump", asked("2O 2E", "B1 RC, A2 5C, B2 3O", **FORCED), "2O", "undertrump"),
    ("partner winning", asked("2O 2E", "A2 AC, B2 2C"), "2O 2E", "free"),
    ("void in both", asked("2E 4B", "B2 RC"), "2E 4B", "free"),
    ("the hand keeps its order", asked("7C AC 4C", "B2 2C"), "7C AC 4C", "free"),
    ("escuela beats its partner", asked("2C AC", "A2 RC, B2 4C", profile="escuela"), "AC", "beat"),
    ("forty-eight cards", asked("9C 8C", "B2 7C", options={"deck": 48}), "9C 8C", "free"),
    ("three players", asked("2E 7O", "C1 AE", profile="guinyot", players=3), "2E", "follow"),
]


@pytest.mark.parametrize(
    ("question", "lawful", "duty"), [row[1:] for row in DUTIES], ids=[r[0] for r in DUTIES]
)
def test_the_duty_is_the_last_that_narrowed_the_choice(question, lawful, duty):
    found = answer_lawful_question(question)
    assert (found["lawful"], found["duty"]) == (lawful.split(), duty)
    assert set(found["article"]) == {"profile", "section", "basis"}


OPTIONS = [
    ("follow", "B2 RC", "2C AO", {}, COMMON),
    ("beat an opponent", "B2 RC", "AC 2C", {}, COMMON),
    ("beat the partner", "A2 RC, B2 2C", "AC 4C", {"beat_partner": True}, "beat_partner"),
    (
        "beat after a trump",
        "B1 4C, A2 RC, B2 2O",
        "AC 2C",
        {"beat_after_trumped": True},
        "beat_after_trumped",
    ),
    ("trump an opponent", "B2 RC", "AO 2E", {}, COMMON),
    ("trump the partner", "A2 RC, B2 2C", "AO 2E", {"trump_partner": True}, "trump_partner"),
    ("overtrump", "B1 RC, A2 5C, B2 3O", "AO 2O", {}, "overtrump"),
    (
        "trump over the partner's trump",
        "B2 RC, A2 3O",
        "AO 2E",
        {"trump_partner": True},
        "trump_partner",
    ),
    ("any trump", "B1 RC, A2 5C, B2 3O", "AO 2E", {"overtrump": False}, "overtrump"),
    ("undertrump", "B1 RC, A2 5C, B2 3O", "2O 2E", {"undertrump": "forced"}, "undertrump"),
]


@pytest.mark.parametrize(
    ("trick", "hand", "options", "option"),
    [row[1:] for row in OPTIONS],
    ids=[r[0] for r in OPTIONS],
)
def test_each_duty_rests_on_its_option(trick, hand, options, option):
    plays = [(seat, CARD[card]) for seat, card in (one.split() for one in trick.split(", "))]
    position = position_before_play(plays, "A1", OROS, Options(**options))
    assert narrowing_duty(position, mask_of_tokens(hand.split())).option == option


NEVER_BESIDE = [
    ("led suit beats", "B2 RC", "AC", {}, ""),
    ("no higher", "B2 RC", "2C", {}, f"beat {COMMON} 3C AC"),
    ("a side suit", "B2 2C", "2E", {}, f"follow {COMMON} {{C}}, trump {COMMON} {{O}}"),
    (
        "a trump too low",
        "B1 2C, A2 4C, B2 3O",
        "2O",
        {"undertrump": "forced"},
        f"follow {COMMON} {{C}}, overtrump overtrump AO",
    ),
    (
        "no trump where any is forced",
        "B1 2C, A2 4C, B2 3O",
        "2E",
        {"undertrump": "forced"},
        f"follow {COMMON} {{C}}, overtrump overtrump AO, undertrump undertrump {{O}}",
    ),
]
WHOLE = {suit: " ".join(rank + suit for rank in RANKS) for suit in SUITS}


@pytest.mark.parametrize(
    ("trick", "card", "options", "charged"),
    [row[1:] for row in NEVER_BESIDE],
    ids=[r[0] for r in NEVER_BESIDE],
)
def test_what_may_not_be_held_beside_a_card_is_said_duty_by_duty(trick, card, options, charged):
    plays = [(seat, CARD[fell]) for seat, fell in (one.split() for one in trick.split(", "))]
    position = position_before_play(plays, "A1", OROS, Options(**options))
    rows = [row.split() for row in charged.format(**WHOLE).split(", ") if row]
    assert charges_against_card(position, CARD[card]) == tuple(
        (Rule(rule), mask_of_tokens(cards), option) for rule, option, *cards in rows
    )


def test_the_article_is_that_of_the_option_that_decided():
    found = answer_lawful_question(asked("2O 2E", "B1 RC, A2 5C, B2 3O", profile="baraja-francesa"))
    assert found["duty"] == "undertrump"
    assert found["article"]["profile"] == "baraja-francesa"
    assert found["article"]["basis"] == "inferred"


WRONG = [
    (asked("XX"), "unknown-card", "hand[0]", "XX"),
    (asked("AO AO"), "card-twice", "hand[1]", {"also": "hand[0]"}),
    (asked("9O"), "card-not-in-deck", "hand[0]", {"card": "9O", "deck": 40}),
    ({**asked("AO"), "hand": "AO"}, "not-a-list", "hand", "AO"),
    (asked("AO", "B2 AO"), "card-twice", "trick[0].card", {"also": "hand[0]"}),
    (asked("AO", "B1 2O, B1 3O"), "seat-twice", "trick[1].seat", "B1"),
    (asked("AO", "A1 2O"), "seat-twice", "trick[0].seat", "A1"),
    (asked("AO", "B1 2C, A2 4C, B2 5C, A1 6C"), "trick-full", "trick", {"cards": 4, "players": 4}),
    (asked("AO", "C1 2C"), "unknown-seat", "trick[0].seat", {"given": "C1", "allowed": ["A1", "B1", "A2", "B2"]}),
    ({**asked("AO"), "trick": [{"seat": "B1"}]}, "missing-field", "trick[0].card", None),
    ({**asked("AO"), "trick": "AO"}, "not-a-list", "trick", "AO"),
    ({**asked("AO"), "trick": [7]}, "not-an-object", "trick[0]", None),
    (asked("AO", trump="X"), "unknown-suit", "trump", {"given": "X", "allowed": ["O", "C", "E", "B"]}),
    (asked("AO", seat="Z9"), "unknown-seat", "seat", {"given": "Z9", "allowed": ["A1", "B1", "A2", "B2"]}),
    (asked("AO", players=5), "players-not-allowed", "players", {"options": ["players"], "given": 5, "allowed": [4, 2]}),
    (asked("AO", players=True), "wrong-value", "players", True),
    (asked("AO", players=3), "players-not-allowed", "players", {"options": ["players"], "given": 3, "allowed": [4, 2]}),
    (asked("AO", profile="nobody"), "unknown-profile", "profile", "nobody"),
    (asked("AO", profile=1), "unknown-profile", "profile", 1),
    (asked("AO", options=[]), "not-an-object", "options", []),
    (asked("AO", options={"colour": "red"}), "unknown-option", "options.colour", {"options": ["colour"]}),
    (asked("AO", options={"deck": 41}), "wrong-value", "options.deck", {"options": ["deck"], "given": 41, "allowed": [40, 48]}),
    (asked("AO", colour="red"), "unknown-field", "colour", None),
    ({"seat": "A1", "hand": [], "trick": []}, "missing-field", "trump", None),
    (["a", "list"], "not-an-object", "", None),
]  # fmt: skip


@pytest.mark.parametrize(("question", "code", "field", "detail"), WRONG)
def test_what_is_wrong_is_named(question, code, field, detail):
    assert answer_lawful_question(question) == {
        "error": {"code": code, "field": field, "detail": detail}
    }


NO_JSON = [
    ("", "malformed-json", "", "Expecting value: line 1 column 1 (char 0)"),
    ("[1", "malformed-json", "", "Expecting ',' delimiter: line 1 column 3 (char 2)"),
    ("[]", "not-an-object", "", None),
    ("null", "not-an-object", "", None),
    ('{"seat": 1, "hand": 1, "hand": 2}', "duplicate-key", "hand", None),
    ('"\\ud800"', "not-an-object", "", None),
]  # fmt: skip


@pytest.mark.parametrize(("line", "code", "field", "detail"), NO_JSON)
def test_an_invalid_question_is_reported(line, code, field, detail):
    assert answer_lawful_question_in_json(line) == {
        "error": {"code": code, "field": field, "detail": detail}
    }


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from(["hand", "trick", "trump", "seat", "players", "options", "profile"]),
        json_values,
    )
)
def test_no_question_breaks_it(question):
    assert set(answer_lawful_question(question)) in ({"error"}, {"lawful", "duty", "article"})
    json.dumps(answer_lawful_question(question))


def test_an_empty_hand_has_no_answer() -> None:
    error = {"code": "empty-hand", "field": "hand", "detail": None}
    assert answer_lawful_question(asked("")) == {"error": error}
