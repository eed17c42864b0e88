"""The rules in the browser say what the service says, at every position."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from referee.partida import Partida, fold
from tests import vectors
from tests.dealt_out import TABLES
from tests.in_browser import running
from tests.static_files import serving

POSITIONS = 20_000
HISTORIES = 2 * len(TABLES)
Ask = Callable[[str, Any], Any]


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with running() as browser, serving() as address:
        one = browser.new_page()
        one.goto(address)
        yield one


@pytest.fixture(scope="module")
def ask(page: Page) -> Ask:
    """What a function of ``browser/rules.js`` answers."""
    call = "async ([name, given]) => (await import('/browser/rules.js'))[name](given)"
    return lambda name, given: page.evaluate(call, [name, given])


def test_duties(ask):
    tables = vectors.duties(random.Random(4), POSITIONS)
    assert sum(len(table["positions"]) for table in tables) >= POSITIONS
    assert ask("duties", tables) == []


@pytest.mark.parametrize("state_of", [vectors.state_of_play, vectors.state_of_crowd])
def test_views_of_histories(ask, state_of):
    states = [state_of(seed) for seed in range(HISTORIES)]
    wrong = ask("histories", [vectors.history(state) for state in states])
    assert [difference(states[one["place"]], one) for one in wrong] == []


def difference(state: Partida, wrong: dict[str, Any]) -> dict[str, Any]:
    """What the browser saw after a line, beside what the service sees."""
    line = state.version if wrong["line"] == "all" else wrong["line"]
    part = fold([state.opened, *(r.act for r in state.log[:line])])
    seen, there = vectors.view(part), wrong["view"]
    act = state.log[line - 1].act
    return {"act": act, **{n: (seen[n], there.get(n)) for n in seen if seen[n] != there.get(n)}}
