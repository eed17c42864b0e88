"""The rules of the tablet give the same answers as the service, at every position."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from referee.aggregates.commands import Record
from referee.aggregates.partida import Partida, decide, fold
from referee.events import CountEntered
from referee.record import parse_record
from referee.table.accusations import renuncios_of_deal
from referee.table.counts import total_spans
from tests.api.tablet.vectors import asked, positions, reported, slips
from tests.oracle.accused import accused
from tests.oracle.partidas import partida
from tests.oracle.test_cantes import RIVALS
from tests.oracle.test_rare_acts import LAST_ALONE, TUTES_DISPROVED
from tests.oracle.test_renuncios import KINDS
from tests.support import javascript
from tests.support.places import ROOT
from tests.support.records.asked import played_text, stored
from tests.support.records.dealt_out import TABLES
from tests.support.records.half_records import half_record
from tests.support.servers.long_runs import RUNS

POSITIONS = 7_000 * RUNS
HISTORIES = len(TABLES) * RUNS
OUTCOMES = 1_000 * RUNS
SLIPS = 140 * RUNS
DRAWN_EARLY = 20 * RUNS
RIVALS_SUNG = 8 * RUNS
WITH_TUTES = 20 * RUNS
HALF = 30 * RUNS
RENUNCIOS = 12 * RUNS
LIKELIEST = 3
SHARE = 0.4
state_of_play, state_of_crowd = cache(positions.state_of_play), cache(positions.state_of_crowd)
STATES = (state_of_play, state_of_crowd)
Ask = Callable[[str, Any], Any]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Answer of a function of ``tests/javascript/node/rules.js``."""
    module = (javascript.HERE / "node" / "rules.js").as_uri()
    call = f"async ([name, given]) => (await import('{module}'))[name](given)"
    with javascript.node_page() as page:
        yield lambda name, given: page.evaluate(call, [name, given])


def test_duties(ask):
    tables = positions.duties(random.Random(4), POSITIONS)
    assert sum(len(table["positions"]) for table in tables) >= POSITIONS
    assert ask("duties", tables) == []


@pytest.mark.parametrize("state_of", STATES, ids=["play", "crowd"])
def test_views_of_histories(ask, state_of):
    states = [state_of(seed) for seed in range(HISTORIES)]
    wrong = ask("histories", [positions.history(state) for state in states])
    assert [difference(states[one["place"]], one) for one in wrong] == []


def test_views_of_records_that_once_showed_a_bug(ask):
    logs = sorted((ROOT / "tests" / "logs").glob("*.guinote"))
    states = [stored(path.stem, parse_record(path.read_text("utf-8"))) for path in logs]
    wrong = ask("histories", [positions.history(state) for state in states])
    assert [(logs[one["place"]].stem, difference(states[one["place"]], one)) for one in wrong] == []


def test_views_of_records_that_may_be_read_in_two_ways(ask):
    states = [played_text(partida(seed, LAST_ALONE).text) for seed in range(DRAWN_EARLY)]
    wrong = ask("histories", [positions.history(state) for state in states])
    assert [difference(states[one["place"]], one) for one in wrong] == []


def test_views_of_half_records_with_their_count(ask):
    states = [_counted(played_text(half_record(seed)), seed) for seed in range(HALF)]
    assert sum(bool(state.stated) for state in states) > HALF // 4
    wrong = ask("histories", [positions.history(state) for state in states])
    assert [difference(states[one["place"]], one) for one in wrong] == []


def _counted(state: Partida, seed: int) -> Partida:
    """The partida with totals called, by some of them as they can be."""
    if state.table.deal is None or not state.table.deal.is_played_out or state.table.decided:
        return state
    spans = total_spans(state.table)
    called = {side: most if seed % 3 else least + 7 for side, (least, most) in spans.items()}
    return decide(Record(CountEntered(called)), state).state


def test_views_of_records_with_tutes(ask):
    states = [played_text(partida(seed, TUTES_DISPROVED).text) for seed in range(WITH_TUTES)]
    wrong = ask("histories", [positions.history(state) for state in states])
    assert [difference(states[one["place"]], one) for one in wrong] == []


def test_views_of_cantes_of_rivals_and_rulings_about_them(ask):
    records = (partida(seed, habits) for habits in RIVALS.values() for seed in range(RIVALS_SUNG))
    states = [played_text(one.text) for one in records]
    wrong = ask("histories", [positions.history(state) for state in states])
    assert [difference(states[one["place"]], one) for one in wrong] == []


@pytest.mark.parametrize("name", ["denounced while play goes on", "after a stock"])
def test_views_of_renuncios_and_who_spoke_of_them(ask, name):
    states = [played_text(accused(seed, KINDS[name]).text) for seed in range(RENUNCIOS)]
    wrong = ask("histories", [positions.history(state) for state in states])
    found = [(states[one["place"]], one) for one in wrong]
    assert [difference(*one) for one in found if not is_of_the_count(*one)] == []


def is_of_the_count(state: Partida, wrong: dict[str, Any]) -> bool:
    """Whether the count of the unseen cards proves a renuncio by then: the tablet leaves that to the service."""
    table = fold([state.opened, *(r.act for r in state.log[: wrong["line"]])]).table
    by_cards = {one.line for deal in table.all_deals for one in (*deal.breaches, *deal.conduct)}
    proved = [one.line for deal in table.all_deals for one in renuncios_of_deal(table, deal)]
    return not by_cards.issuperset(proved)


def test_what_pages_ask_of_a_table(ask):
    chance = random.Random(5)
    states = [state_of(seed) for seed in range(len(TABLES)) for state_of in STATES]
    given = [{**positions.log_of(s), "asked": asked.asked(s, chance)} for s in states]
    answer = ask("asked", given)
    assert answer["wrong"] == []
    assert answer["counts"]["lines"] > 300
    assert min(answer["counts"].values()) > 20


def test_what_is_tinted_is_proved_and_hardly_anything_that_is_proved_is_not_tinted():
    chance, known, proved = random.Random(7), 0, 0
    for seed in range(len(TABLES)):
        state = state_of_play(seed)
        part = fold([state.opened])
        for recorded in state.log:
            part = fold([recorded.act], part)
            deal = part.table.deal
            if deal and deal.turn and not deal.stock and chance.random() < SHARE:
                tint = asked.tinted(part.table, deal.turn)
                evidence = asked.by_evidence(part.table, deal.turn)
                assert all(code in evidence[card] for card, code in tint.items())
                known += sum(code == "unlawful" for code in tint.values())
                proved += sum("unlawful" in codes for codes in evidence.values())
    assert proved > 40
    assert known >= 0.95 * proved


def test_scores_of_matches(ask):
    chance = random.Random(6)
    assert ask("scores", [asked.match(chance) for _ in range(300)]) == []


def test_who_deals_the_next_partida(ask):
    states = [state_of_play(seed) for seed in range(HISTORIES)]
    assert ask("dealers", [positions.log_of(state) for state in states]) == []


def test_outcomes_as_they_are_reported(ask):
    chance = random.Random(8)
    given = [reported.reported(chance) for _ in range(OUTCOMES)]
    assert sum(bool(one["doubts"]) for one in given) > OUTCOMES / 6
    assert sum(bool(one["completions"]) for one in given) > OUTCOMES / 30
    assert ask("outcomes", given) == []


def test_slips_behind_a_card_that_cannot_be_laid(ask):
    made = [one for one in map(slips.planted, range(SLIPS)) if one is not None]
    found = ask("slips", [slips.asked(one) for one in made])
    places = []
    for one, suggested in zip(made, found, strict=True):
        assert all(slips.is_mended(one, slip) for slip in suggested)
        right = [slip for slip in suggested if one.slip.items() <= slip.items()]
        assert right, (one.act, one.slip, suggested)
        places.append(suggested.index(right[0]))
    assert len(made) > SLIPS / 2
    assert sum(place < LIKELIEST for place in places) > 0.95 * len(places)


def difference(state: Partida, wrong: dict[str, Any]) -> dict[str, Any]:
    """Views of browser and service after a line, where they differ."""
    line = state.version if wrong["line"] == "all" else wrong["line"]
    part = fold([state.opened, *(r.act for r in state.log[:line])])
    seen, there = positions.view(part), wrong["view"]
    act = state.log[line - 1].act
    return {"act": act, **{n: (seen[n], there.get(n)) for n in seen if seen[n] != there.get(n)}}
