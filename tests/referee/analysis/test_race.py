"""Who has their points first: the engine against every lawful card over the law."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from dev import node
from referee.analysis.position import KnownPosition
from referee.analysis.questions import can_make_points, points_left, position_value_or_none
from tests.referee.analysis.race import wins
from tests.referee.analysis.test_in_node import as_line, said_by_node
from tests.support.analysis.endings import ending, tables
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.javascript import NO_NODE

pytestmark = NEEDS_ENGINE
MOST = 900


def race(number: int) -> tuple[KnownPosition, str, int, int]:
    """An ending in which nobody sings, and what each side needs: together less than is left."""
    at = number * len(tables()) + number % len(tables())
    known = replace(ending(at).known, sung_now=None, swap=None, stock=())
    options = replace(known.options, cantes_per_player=0)
    known = replace(known, options=options)
    r = random.Random(f"race {number}")
    need = r.randint(1, max(points_left(known), 1))
    rival = r.randint(1, max(points_left(known) - need, 1))
    return known, r.choice("AB"), need, rival


def races() -> list[tuple[KnownPosition, str, int, int]]:
    found = []
    for number in range(MOST):
        try:
            one = race(number)
        except ValueError:  # without its stock the hands of this ending are not of one size
            continue
        if one[0].options.players != 3:
            found.append(one)
    return found


def test_a_race_has_the_winner_that_every_card_tried_gives() -> None:
    outcomes = {True: 0, False: 0}
    differs = 0
    for known, side, need, rival in races():
        won = wins(known, side, need, rival)
        assert can_make_points(known, side, need, rival=rival) is won, (
            known.data(),
            side,
            need,
            rival,
        )
        assert can_make_points(known, side, need) is wins(known, side, need, 0)
        differs += won is not can_make_points(known, side, need)
        outcomes[won] += 1
    assert min(outcomes.values()) > 100
    assert differs > 30


def test_a_race_that_was_asked_about_leaves_the_next_question_alone() -> None:
    known = races()[0][0]
    before = position_value_or_none(known)
    can_make_points(known, "A", 5, rival=5)
    assert position_value_or_none(known) == before


@pytest.mark.skipif(not node(), reason=NO_NODE)
def test_a_race_has_the_same_winner_in_javascript() -> None:
    asked = races()
    said = said_by_node(
        as_line({"known": known.data(), "racer": side, "need": need, "rival": rival})
        for known, side, need, rival in asked
    )
    assert [json.loads(line) for line in said] == [
        can_make_points(known, side, need, rival=rival) for known, side, need, rival in asked
    ]
