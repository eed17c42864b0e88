"""engine.wasm is what its source gives, and what its hash says."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.analysis.engine import Engine, Sheet, wasm_bytes
from tests.support.analysis.building import BUILT, HASH, SOURCE, build, hash_of
from tests.support.analysis.marks import NEEDS_COMPILER, NEEDS_ENGINE
from tests.support.places import ROOT


def test_the_hash_beside_the_module_is_its_own() -> None:
    assert HASH.read_text() == hash_of(BUILT.read_bytes())
    assert wasm_bytes() == BUILT.read_bytes()


@NEEDS_COMPILER
def test_the_module_is_built_again_byte_for_byte(tmp_path: Path) -> None:
    assert build(SOURCE, tmp_path / BUILT.name) == BUILT.read_bytes()


@NEEDS_COMPILER
def test_another_source_gives_another_module(tmp_path: Path) -> None:
    other = tmp_path / SOURCE.name
    other.write_text(SOURCE.read_text().replace("SMALL_TRICKS = 6", "SMALL_TRICKS = 5"))
    assert build(other, tmp_path / BUILT.name) != BUILT.read_bytes()


@NEEDS_ENGINE
def test_the_module_needs_nothing_from_outside_and_is_small() -> None:
    module = wasm_bytes()
    assert len(module) < 16_000
    assert Engine(module).sheet.nodes == 0  # an import of the module would have to be given


_IN_A_UNIT = """import ctypes, json, random, sys
denied = 0 if "free" in sys.argv else ctypes.CDLL(None).prctl(65, 1, 0, 0, 0)
from referee.analysis.questions import card_prices_or_none
from tests.support.analysis.deals import known_arrastre
chance = random.Random(7)
found = [card_prices_or_none(known_arrastre(chance, tricks=4)) for _ in range(40)]
print(json.dumps([denied, [[one.nodes, one.best_value, sorted(one.values.items())] for one in found]]))"""
"""``PR_SET_MDWE``: no memory of the process becomes executable, as ``MemoryDenyWriteExecute`` says."""


@NEEDS_ENGINE
def test_where_memory_may_not_be_made_executable_the_answers_and_nodes_are_the_same() -> None:
    free, denied = (
        json.loads(subprocess.check_output((sys.executable, "-c", _IN_A_UNIT, where), cwd=ROOT))
        for where in ("free", "denied")
    )
    if denied[0]:
        pytest.skip("this kernel knows no PR_SET_MDWE")
    assert denied[1] == free[1]


def test_the_sheet_in_python_has_the_length_of_that_in_c() -> None:
    fields = [Sheet.__dict__[name] for name, *_ in Sheet._fields_]
    ends = [field.offset + field.size for field in fields]
    assert [field.offset for field in fields[1:]] == ends[:-1]  # no gaps: engine.js counts on it
    assert ctypes.sizeof(Sheet) == ends[-1] == 224
