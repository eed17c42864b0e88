"""Partidas of other engines: each has the expected outcome, and malformed samples are refused."""

from __future__ import annotations

from typing import Any

import pytest

from referee.aggregates.commands import Record
from referee.aggregates.partida import Partida, decide, fold
from referee.errors import Refused
from referee.events import CardDrawn, CardPlayed, HandEntered, StockEntered
from referee.record.samples import BadSample, Sample, parse_sample, token_of_sample_card
from referee.rules.counts import Score
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile
from referee.rules.seats import SEATS, side_of
from referee.table.counts import scores_without_called_totals
from tests.support.records.dealt_out import opened
from tests.support.records.samples import samples

each_record = pytest.mark.parametrize("observed", [False, True], ids=["open", "observed"])


def recorded(sample: Sample, options: Options) -> Partida:
    state = fold([opened(options)])
    for deal in sample.deals:
        for act in deal:
            state = decide(Record(act), state).state
    return state


def side_numbers(given: dict[str, Any]) -> dict[str, int]:
    seats = SEATS[given["players"]]
    return {side: n for n, side in enumerate(dict.fromkeys(side_of(seat) for seat in seats))}


@each_record
def test_every_sample_has_the_tricks_points_and_winner_of_its_engine(observed):
    given = samples()
    assert len(given) == 40
    for one in given:
        sample = parse_sample(one, observed=observed)
        options = profile("club").options(sample.players, sample.deck)
        table = recorded(sample, options).table
        seats, sides = SEATS[sample.players], side_numbers(one)
        for deal, hand in zip(table.all_deals, one["hands"], strict=True):
            tricks = [event for event in hand["events"] if event["t"] == "trick"]
            assert [t.taker for t in deal.tricks] == [seats[event["winner"]] for event in tricks]
            assert [t.points for t in deal.tricks] == [event["points"] for event in tricks]
            scores = scores_without_called_totals(table, [deal])
            assert_deal_adds_up(scores, hand["result"], sides)
            assert sum(s.base for s in scores.values()) == 130 or not hand["result"]["complete"]
        assert table.findings == ()
        assert table.decided is not None
        assert sides[table.decided.winner] == one["result"]["winner_team"]
        for side, number in sides.items():
            assert table.decided.totals[side] == one["result"]["points"][number]


def assert_deal_adds_up(scores: dict[str, Score], result: dict[str, Any], sides: dict[str, int]):
    for side, number in sides.items():
        score = scores[side]
        parts = (score.cards, score.cantes, score.ultimas)
        assert parts == tuple(result[key][number] for key in ("cards", "cantes", "last10"))


@pytest.mark.parametrize("name", ["guinyot", "escuela", "ludoteka", "baraja-francesa"])
def test_every_sample_can_be_recorded_under_every_profile_that_holds_it(name):
    """Acts against the rules of a profile give findings and are never refused."""
    chosen, held = profile(name), 0
    for one in samples():
        sample = parse_sample(one)
        if sample.players not in chosen.players or sample.deck not in chosen.decks:
            continue
        state = fold([opened(chosen.options(sample.players, sample.deck))])
        for act in (act for deal in sample.deals for act in deal):
            try:
                state = decide(Record(act), state).state
            except Refused as refused:
                assert refused.rule in ("partida-decided", "deal-running"), refused
                break
        held += 1
    assert held >= 20


def test_an_observed_record_holds_only_what_everybody_saw():
    hand = {
        "hand": "idas",
        "dealer": 1,
        "deal": [["1O"], ["3O"]],
        "stock": ["2C"],
        "trump_card": "12E",
        "events": [
            {"t": "play", "seat": 0, "card": "1O"},
            {"t": "draw", "seat": 0, "card": "2C"},
            {"t": "draw", "seat": 1, "card": "12E"},
        ],
    }
    (acts,) = parse_sample(
        {"players": 2, "hands": [hand], "result": {"winner_team": None}}, observed=True
    ).deals
    assert not [act for act in acts if isinstance(act, HandEntered | StockEntered)]
    assert acts[2:] == (CardPlayed("A1", "AO"), CardDrawn("A1"), CardDrawn("B1", "RE"))


@pytest.mark.parametrize(
    "given, field",
    [
        ({}, "players"),
        ({"players": 5, "hands": [{}]}, "players"),
        ({"players": 4, "hands": []}, "hands"),
        ({"players": 4, "hands": [{"deal": []}]}, "stock"),
        ({"players": 4, "hands": 3}, None),
        ({"players": 4, "hands": [{"deal": [["8O"]], "stock": [], "trump_card": "13O"}]}, "card"),
    ],
)
def test_what_is_no_sample_says_what_is_missing(given, field):
    with pytest.raises(BadSample) as caught:
        parse_sample(given)
    assert field in (None, caught.value.field)


@pytest.mark.parametrize("number", [-1, 2, True, "0", 1.0])
@pytest.mark.parametrize("field", ["dealer", "seat", "winner_team", "last_trick_winner"])
def test_a_number_of_nobody_is_refused_and_named(field, number):
    hand = {
        "hand": "vueltas",
        "dealer": 1,
        "deal": [["1O"], ["3O"]],
        "stock": [],
        "trump_card": "12E",
        "events": [{"t": "play", "seat": 0, "card": "1O"}],
        "result": {"last_trick_winner": 0},
    }
    result = {"winner_team": 0}
    parse_sample({"players": 2, "hands": [hand], "result": result})
    holders = {"dealer": hand, "seat": hand["events"][0], "winner_team": result}
    holders.get(field, hand["result"])[field] = number
    with pytest.raises(BadSample) as caught:
        parse_sample({"players": 2, "hands": [hand], "result": result})
    assert (caught.value.field, caught.value.detail) == (field, f"{number}: not from 0 to 1")


@pytest.mark.parametrize("card", ["", "O", "0O", "13O", "1X", "1"])
def test_a_card_that_their_deck_has_not_is_none(card):
    with pytest.raises(BadSample):
        token_of_sample_card(card)
