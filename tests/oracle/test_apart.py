"""The oracle shares no code with the program that it judges."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from tests.support.places import ROOT

FOLDER = ROOT / "tests" / "oracle"
SHARED = ("tests.support.places", "tests.support.records.asked", "tests.support.servers.long_runs")
"""What its tests may use besides: the one way to ask the program, and how long to run."""


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level
            found.add(node.module)
        elif isinstance(node, ast.Name):
            assert node.id not in ("__import__", "eval", "exec"), path.name
    return found


def is_own(name: str) -> bool:
    return name.split(".")[0] in sys.stdlib_module_names or name.startswith("tests.oracle.")


def test_the_oracle_imports_only_itself():
    modules = [path for path in FOLDER.glob("*.py") if not path.name.startswith("test_")]
    assert len(modules) > 5
    assert not [
        f"{path.name} imports {name}"
        for path in modules
        for name in imported(path)
        if not is_own(name) or name == "importlib"
    ]


def test_its_tests_reach_the_program_in_one_place():
    for path in FOLDER.glob("test_*.py"):
        others = {name for name in imported(path) if not is_own(name)}
        assert others <= {"pytest", *SHARED}, path.name
