"""Names of functions and modules: a function is a verb or what it returns, a module is a noun."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.places import ROOT

NAMED = ("referee", "projections", "api")
RIGHT = {
    "changed": "of the public library: a profile with changed options",
    "keyed_hash": "a hash under a key is called so",
    "_validated": "of marshmallow's fields",
}
"""Functions that are rightly named by a participle, and why; fifteen at most."""
IRREGULAR = frozenset(
    "held kept told sung laid seen begun known found given gone asked said left taken made done "
    "heard met drawn thrown shown spoken written bound built sent lent lost won dealt led".split()
)
VERBS = frozenset("need feed speed embed seed proceed exceed succeed bleed breed".split())
NOUNS = frozenset(
    "setting ranking pairing standing ruling finding rating monitoring opening wiring warning "
    "meeting matching hearing parsing printing serving evening listing drawing".split()
)


def is_participle(word: str) -> bool:
    return word in IRREGULAR or (word.endswith("ed") and len(word) > 3 and word not in VERBS)


def functions(path: Path) -> Iterator[str]:
    """Functions of a module that are no property."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            how = {getattr(d, "id", getattr(d, "attr", "")) for d in node.decorator_list}
            if "property" not in how and "cached_property" not in how:
                yield node.name


def modules() -> list[Path]:
    return [path for room in NAMED for path in sorted((ROOT / room).rglob("*.py"))]


def test_functions_are_verbs_or_nouns() -> None:
    wrong = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules()
        for name in functions(path)
        if is_participle(name.strip("_").split("_")[0]) and name not in RIGHT
    }
    assert not wrong
    assert len(RIGHT) <= 15


def test_each_exception_is_used() -> None:
    assert set(RIGHT) <= {name for path in modules() for name in functions(path)}


def test_modules_are_nouns() -> None:
    wrong = set()
    for path in modules():
        words = path.stem.strip("_").split("_")
        is_gerund = words[-1].endswith("ing") and words[-1] not in NOUNS
        if is_participle(words[0]) or is_gerund:
            wrong.add(path.relative_to(ROOT).as_posix())
    assert not wrong


@pytest.mark.parametrize(("word", "expected"), [("held", True), ("named", True), ("need", False)])
def test_a_participle_is_told_from_a_verb(word: str, expected: bool) -> None:
    assert is_participle(word) == expected
