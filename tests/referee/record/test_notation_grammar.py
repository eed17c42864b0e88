"""The grammar in docs/law/record.md is the real one.

It has no recursion, so it becomes one regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from referee.record import TextRecord, print_record
from tests.support.places import ROOT
from tests.support.records.any_record import records
from tests.support.servers.long_runs import RUNS

HERE = ROOT / "tests"
MANUAL = (HERE.parent / "docs" / "law" / "record.md").read_text(encoding="utf-8")
EBNF = re.search(r"```ebnf\n(.*?)```", MANUAL, re.DOTALL)
PIECE = re.compile(r"""\(\*.*?\*\)|"[^"]*"|'[^']*'|[a-z](?:[a-z ]*[a-z])?|[][{}()|,;=]""")
BRACKETS = {"{": "(?:", "[": "(?:", "(": "(?:", "}": ")*", "]": ")?", ")": ")"}
GIVEN = {
    "line feed": r"\n",
    "digit": "[0-9]",
    "hex": "[0-9a-f]",
    "char": r'[^"\\\n]',
    "name": "[A-Za-z][A-Za-z0-9_-]*",
    "option": "[a-z][a-z0-9_]*",
    "word": "[a-z0-9]+",
}


def rules_of(text: str) -> Iterator[tuple[str, list[str]]]:
    """Name and pieces of each rule."""
    rule: list[str] = []
    for piece in PIECE.findall(text):
        if piece.startswith("(*"):
            continue
        if piece != ";":
            rule.append(piece)
            continue
        yield rule[0], rule[2:]
        rule = []


def expression(name: str, rules: dict[str, list[str]]) -> str:
    """A rule as a regular expression."""
    if name in GIVEN:
        return GIVEN[name]
    out = []
    for piece in rules[name]:
        if piece[0] in "\"'":
            out.append(re.escape(piece[1:-1]))
        elif piece[0].isalpha():
            out.append(expression(piece, rules))
        elif piece != ",":
            out.append(BRACKETS.get(piece, piece))
    return "(?:" + "".join(out) + ")"


assert EBNF is not None
RULES = dict(rules_of(EBNF.group(1)))
RECORD = re.compile(expression("record", RULES))


@pytest.mark.parametrize(
    "path", sorted((HERE / "records").glob("*.guinote")), ids=lambda path: path.stem
)
def test_an_example_follows_the_grammar_of_the_manual(path: Path) -> None:
    assert RECORD.fullmatch(path.read_text(encoding="utf-8"))


@given(records)
@settings(max_examples=33 * RUNS, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_is_printed_follows_the_grammar_of_the_manual(record: TextRecord) -> None:
    assert RECORD.fullmatch(print_record(record))


def test_every_rule_of_the_manual_is_used() -> None:
    used = {piece for pieces in RULES.values() for piece in pieces if piece[0].isalpha()}
    assert used - set(GIVEN) == set(RULES) - {"record"}


@pytest.mark.parametrize("line", ["A1 XX", "canta A1", "partida 1", "juega A1 AO", "A1  AO"])
def test_what_is_not_canonical_does_not_follow_it(line: str) -> None:
    assert not RECORD.fullmatch(f'[Guinote "1"]\n\npartida 1\n{line}\n')
