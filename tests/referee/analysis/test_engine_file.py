"""engine.wasm is what its source gives, and what its hash says."""

from __future__ import annotations

import ctypes
from pathlib import Path

from referee.analysis.engine import Engine, module_bytes
from referee.analysis.sheet import Sheet
from tests.support.analysis.building import BUILT, HASH, SOURCE, build, hash_of
from tests.support.analysis.marks import NEEDS_COMPILER, NEEDS_ENGINE


def test_the_hash_beside_the_module_is_its_own() -> None:
    assert HASH.read_text() == hash_of(BUILT.read_bytes())
    assert module_bytes() == BUILT.read_bytes()


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
    module = module_bytes()
    assert len(module) < 16_000
    assert Engine(module).sheet.nodes == 0  # an import of the module would have to be given


def test_the_sheet_in_python_has_the_length_of_that_in_c() -> None:
    fields = [Sheet.__dict__[name] for name, *_ in Sheet._fields_]
    ends = [field.offset + field.size for field in fields]
    assert [field.offset for field in fields[1:]] == ends[:-1]  # no gaps: engine.js counts on it
    assert ctypes.sizeof(Sheet) == ends[-1] == 224
