"""A draw before there is an encuentro: card by card, or from a seed; nothing is recorded."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.rules.cards import DECKS, TOKENS, cards_in
from referee.rules.draw import METHODS, SeatDraw, UnfinishedSeatDraw, draw_seats_by_program
from referee.rules.profile.options import Options
from tests.support.servers.http_table import ENCUENTROS, HttpTable

PREVIEW = "/api/v1/draws/preview"
NAMES = ("Ana", "Blas", "Celia", "Diego", "Elsa", "Fran")


@pytest.fixture(scope="module")
def table(shared_table: HttpTable) -> HttpTable:
    return shared_table


def tried(table: HttpTable, status: int = 200, /, **asked: Any) -> dict[str, Any]:
    body = {"profile": {"id": "club"}, "players": 4, "candidates": NAMES[:4], **asked}
    answer = table.client.post(PREVIEW, json=body, headers=table.owner())
    assert answer.status_code == status, answer.text
    return dict(answer.json)


@pytest.mark.parametrize(
    ("method", "purpose", "candidates"),
    [
        ("a_reyes", "partners", 4),
        ("a_reyes", "players", 6),
        ("a_reyes", "dealer", 4),
        ("a_la_mas_alta", "partners", 4),
        ("a_la_mas_alta", "dealer", 4),
        ("por_palo", "dealer", 4),
    ],
)
def test_card_by_card_it_says_whose_turn_it_is_and_then_what_the_rules_say(
    table: HttpTable, method: Any, purpose: Any, candidates: int
) -> None:
    names = NAMES[:candidates]
    draw, chance = SeatDraw(names, purpose, Options()), random.Random(f"{method} {purpose}")
    for _ in range(5):
        cards: list[list[str]] = []
        asked = {"method": method, "purpose": purpose, "candidates": names}
        deck: list[int] = []
        while (stands := tried(table, **asked, cards=cards))["outcome"] is None:
            if not deck or (stands["round"] > 1 and len(stands["waiting"]) == len(names)):
                deck = chance.sample(cards_in(DECKS[40]), 40)
            cards.append([chance.choice(stands["waiting"]), TOKENS[deck.pop()]])
        by_rules = METHODS[method](draw, [(who, TOKENS.index(card)) for who, card in cards])
        assert not isinstance(by_rules, UnfinishedSeatDraw)
        assert stands["outcome"] == by_rules.outcome_for_log
        assert stands["may_choose"] == by_rules.may_choose
        assert stands["waiting"] == []


def test_a_seed_gives_the_same_draw_to_everybody_and_is_published(table: HttpTable) -> None:
    asked = {"method": "a_la_mas_alta", "purpose": "partners"}
    first = tried(table, **asked)
    assert len(first["seed"]) >= 16
    again = tried(table, **asked, seed=first["seed"])
    assert again == first
    outcome, cards = draw_seats_by_program(
        "a_la_mas_alta", SeatDraw(NAMES[:4], "partners", Options()), first["seed"]
    )
    assert first["outcome"] == outcome.outcome_for_log
    assert first["cards"] == [[who, TOKENS[card]] for who, card in cards]
    assert tried(table, **asked)["seed"] != first["seed"]


def test_the_profile_says_which_card_is_higher(table: HttpTable) -> None:
    asked = {"method": "a_la_mas_alta", "purpose": "dealer", "players": 2}
    cards = [["A1", "SO"], ["B1", "CO"]]
    asked |= {"candidates": ["A1", "B1"], "cards": cards}
    found = [
        tried(table, **asked, profile={"id": one})["outcome"]["dealer"]
        for one in ("club", "escuela")
    ]
    assert found == ["A1", "B1"]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"cards": [["Ana", "AO"], ["Blas", "AO"]]}, "card-twice"),
        ({"cards": [["Ana", "9O"]]}, "card-not-in-deck"),
        ({"cards": [["Nadie", "AO"]]}, "not-next"),
        ({"candidates": ["Ana", "Ana", "Celia", "Diego"], "cards": []}, "candidate-twice"),
        ({"candidates": NAMES[:3], "cards": []}, "candidates-do-not-fit"),
    ],
)
def test_an_impossible_draw_is_reported(table: HttpTable, wrong: Any, reason: str) -> None:
    found = tried(table, 409, **{"method": "a_reyes", "purpose": "partners", **wrong})
    assert (found["code"], found["reason"], found["rule"]) == ("bad_draw", reason, reason)


def test_nothing_is_recorded_and_nobody_is_known_by_it(table: HttpTable) -> None:
    tried(table, method="a_reyes", purpose="partners", cards=[])
    assert table.get(ENCUENTROS).json["items"] == []
    assert table.get("/api/v1/persons").json["items"] == []


def test_only_who_may_open_an_encuentro_may_try(table: HttpTable) -> None:
    assert table.client.post(PREVIEW, json={}).status_code == 401
