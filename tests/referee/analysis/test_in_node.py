"""The same bytes in JavaScript: the same values and the same nodes as in Python."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterable
from itertools import product
from typing import Any

import msgspec
import pytest

from api.http.folders import static_file_path
from dev import node
from referee.analysis.engine import Engine
from referee.analysis.position import KnownPosition
from referee.analysis.questions import (
    can_make_points,
    position_after_card_or_none,
    strength_of_rest_claim_or_none,
)
from referee.rules.cards import CARD, TOKENS, cards_in
from referee.rules.seats import SEATS
from tests.referee.analysis.freeze import frozen, numbers
from tests.support.analysis.building import BUILT
from tests.support.analysis.deals import arrastre, known_arrastre
from tests.support.analysis.endings import Ending, digest, ending
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.javascript import NO_NODE
from tests.support.places import ROOT

pytestmark = pytest.mark.skipif(not node(), reason=NO_NODE)
SCRIPT = ROOT / "tests" / "support" / "analysis" / "engine_in_node.mjs"


def by_node(endings: list[Ending]) -> list[tuple[int, ...]]:
    """Answers with nodes, as ``Ending.with_nodes`` has them; the lawful cards at the end."""
    asked = (
        as_line(
            {
                "known": one.known.data(),
                "asked": {
                    "side": one.side,
                    "aim": one.aim.value,
                    "friends": sorted(one.friends),
                },
            }
        )
        for one in endings
    )
    return [answer(one, line) for one, line in zip(endings, said_by_node(asked), strict=True)]


def as_line(asked: dict[str, Any]) -> str:
    """A question in a line of JSON."""
    return msgspec.json.encode(asked).decode()


def said_by_node(asked: Iterable[str]) -> list[str]:
    """A line of the answer for each line asked."""
    said = subprocess.run(
        (str(node()), SCRIPT, static_file_path("replay/engine.js"), BUILT),
        input="\n".join(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    return said.stdout.splitlines()


def answer(one: Ending, line: str) -> tuple[int, ...]:
    said = json.loads(line)
    held = [TOKENS[card] for card in cards_in(one.known.hand_of_seat(one.known.seat_to_play))]
    return (said["value"], *(said["values"][token] for token in held), *said["nodes"])


def test_ten_thousand_frozen_endings_have_their_values_and_nodes() -> None:
    blocks = frozen()
    found = by_node([ending(number) for block in blocks for number in numbers(block)])
    size = len(numbers(0))
    pieces = [found[start : start + size] for start in range(0, len(found), size)]
    wrong = [
        block
        for (block, (_, asked)), answers in zip(blocks.items(), pieces, strict=True)
        if digest(answers) != asked
    ]
    assert wrong == []


@NEEDS_ENGINE
def test_ten_thousand_frozen_endings_have_the_same_in_python() -> None:
    engine = Engine()
    wrong = [
        block
        for block, (_, asked) in frozen().items()
        if digest([ending(number).with_nodes(engine) for number in numbers(block)]) != asked
    ]
    assert wrong == []


@NEEDS_ENGINE
def test_whole_arrastres_have_the_same_values_and_nodes_in_both() -> None:
    engine = Engine()
    whole = [arrastre(random.Random(f"both {number}")) for number in range(100)]
    assert by_node(whole) == [one.with_nodes(engine) for one in whole]


@NEEDS_ENGINE
def test_claims_and_what_can_be_reached_are_judged_alike_in_both() -> None:
    positions = [
        (known_arrastre(random.Random(f"claim {number}"), tricks=tricks), seat)
        for number, (tricks, seat) in enumerate(product((2, 3, 4), SEATS[4] * 12))
    ]
    asked = (as_line({"known": known.data(), "claimer": seat}) for known, seat in positions)
    said = [tuple(json.loads(line)) for line in said_by_node(asked)]
    assert said == [
        (strength_of_rest_claim_or_none(known, seat), can_make_points(known, seat[0], 40))
        for known, seat in positions
    ]
    assert {strength for strength, _ in said} >= {"any_order", "any_partner", "fails"}
    assert {reached for _, reached in said} == {True, False}


@NEEDS_ENGINE
def test_a_line_leads_through_the_same_positions_in_both() -> None:
    found = (ending(number).known for number in range(200))
    starts = [
        (one.position_without_cante_or_swap(), cards_in(one.hand_of_seat(one.seat_to_play))[0])
        for one in found
        if not one.stock
    ]
    asked = (as_line({"known": one.data(), "from": TOKENS[card]}) for one, card in starts)
    for (known, first), said in zip(starts, said_by_node(asked), strict=True):
        now: KnownPosition | None = known
        laid = json.loads(said)
        assert laid[0][0] == TOKENS[first]
        for card, *then in laid:
            assert now is not None
            now = position_after_card_or_none(now, CARD[card], known.side_to_play)
            if now is not None:
                data = now.data()
                assert then == [
                    getattr(data, name) for name in ("leader", "laid", "sung", "winners")
                ]
        assert now is None
