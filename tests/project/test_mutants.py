"""The mutants of the law can be made: the workspace writes out each module of the two rooms."""

from __future__ import annotations

import ast
import importlib

import pytest

from tests.mutation.count import ANY
from tests.mutation.workspace import MUTATED, written_out
from tests.support.places import ROOT

MODULES = [path for room in MUTATED for path in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize("module", MODULES, ids=lambda one: str(one.relative_to(ROOT)))
def test_each_module_is_written_out_without_a_decorator(module) -> None:
    written = ast.parse(written_out(module.read_text(encoding="utf-8")))
    functions = [one for one in ast.walk(written) if isinstance(one, ast.FunctionDef)]
    assert not [one.name for one in functions if one.decorator_list]


def test_the_mutant_that_is_tried_first_is_of_a_function_that_exists() -> None:
    module, _, mutant = ANY.rpartition(".")
    function = mutant.removeprefix("x_").rpartition("__mutmut_")[0]
    assert callable(getattr(importlib.import_module(module), function))
