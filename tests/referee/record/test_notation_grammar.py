"""The grammar in docs/law/record.md is the real one.

It has no recursion, so it becomes one regular expression.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.record import BadRecord, Code, TextRecord, parse_act, print_act, print_record
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


def expression(name: str, rules: dict[str, list[str]], ends: dict[str, str] = GIVEN) -> str:
    """A rule as a regular expression; ``ends``: those that are no rules of the manual."""
    if name in ends:
        return ends[name]
    out = []
    for piece in rules[name]:
        if piece[0] in "\"'":
            out.append(re.escape(piece[1:-1]))
        elif piece[0].isalpha():
            out.append(expression(piece, rules, ends))
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


# Sentences of the grammar that the reader takes; what no grammar says is narrowed here: letters of
# one pack, each side once, numbers of the size of a table.
NARROWED = {
    "card": "[A3RSC76542][OCEB]",
    "suit": "(?:oros|copas|espadas|bastos)",
    "number": "[1-9]",
    "signed": "[+-][1-9]",
    "totals": "(?: A [1-9])?(?: B [1-9])?",
    "char": "[a-zé ]",
}
SENTENCE = expression("act", RULES, {**GIVEN, **NARROWED})


@given(st.from_regex(SENTENCE, fullmatch=True, alphabet=string.printable + "é"))
@settings(max_examples=150 * RUNS, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_reader_takes_whatever_the_grammar_allows(sentence: str) -> None:
    try:
        act, _ = parse_act(sentence)
    except BadRecord as bad:
        codes = {one.code for one in bad.errors}
        assert codes <= {Code.NAMED_TWICE, Code.ESCAPE_UNKNOWN}, sentence
    else:
        assert parse_act(print_act(act, dict.fromkeys([getattr(act, "text", "")], "x")))


@pytest.mark.parametrize("ruling", ["resuelve nada", "resuelve tantos A +2", "resuelve aviso A1"])
def test_a_ruling_gives_a_reason(ruling: str) -> None:
    assert not re.fullmatch(SENTENCE, ruling)
    assert re.fullmatch(SENTENCE, f'{ruling} "visto"')
    with pytest.raises(BadRecord) as bad:
        parse_act(ruling)
    (error,) = bad.value.errors
    assert (error.code, error.column) == (Code.SOMETHING_MISSING, len(ruling) + 1)
    assert error.facts == {"expected": "reason"}


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
