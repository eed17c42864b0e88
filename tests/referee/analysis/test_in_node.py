"""The same bytes in JavaScript: the same values and the same nodes as in Python."""

from __future__ import annotations

import json
import random
import subprocess

import pytest

from api.http.folders import static_file
from dev import node
from referee.analysis.engine import Engine
from referee.rules.cards import TOKENS, cards_in
from tests.support.analysis.building import BUILT
from tests.support.analysis.deals import arrastre
from tests.support.analysis.endings import Ending, digest, ending
from tests.support.analysis.freeze import frozen, numbers
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.javascript import NO_NODE
from tests.support.places import ROOT

pytestmark = pytest.mark.skipif(not node(), reason=NO_NODE)
SCRIPT = ROOT / "tests" / "support" / "analysis" / "engine_in_node.mjs"


def by_node(endings: list[Ending]) -> list[tuple[int, ...]]:
    """Answers with nodes, as ``Ending.with_nodes`` has them; the lawful cards at the end."""
    asked = (
        json.dumps(
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
    said = subprocess.run(
        (str(node()), SCRIPT, static_file("replay/engine.js"), BUILT),
        input="\n".join(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    return [answer(one, line) for one, line in zip(endings, said.stdout.splitlines(), strict=True)]


def answer(one: Ending, line: str) -> tuple[int, ...]:
    said = json.loads(line)
    held = [TOKENS[card] for card in cards_in(one.known.hand(one.known.seat))]
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
