"""Checks of the JavaScript modules: types, style, lock file."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from itertools import accumulate
from pathlib import Path

import pytest

from api.http.folders import static_file
from referee.rules.profile.options import OPTION_NAMES, Options, values_of
from tests.support import javascript
from tests.support.places import ROOT

PROJECTS = ("tsconfig.json", "tsconfig.worker.json")
MODULES = sorted(
    one
    for folder in javascript.CHECKED[:2]
    for one in (ROOT / folder).rglob("*.js")
    if "vendor" not in one.parts
)
OPTIONS_JS = static_file("tablet/rules/options.js")


@pytest.fixture(scope="module")
def _node() -> None:
    """Node with what the lock names; without node a chosen file is skipped, all tests never begin."""
    if javascript.found():
        javascript.install()
    elif os.environ.get("CI"):
        pytest.fail(javascript.NO_NODE)
    else:
        pytest.skip(javascript.NO_NODE)


@pytest.mark.usefixtures("_node")
@pytest.mark.parametrize("project", PROJECTS)
def test_the_types_of_the_modules_agree(project: str) -> None:
    assert javascript.said("tsc", "--project", f"tests/javascript/{project}") == ""


@pytest.mark.usefixtures("_node")
def test_no_module_is_left_out() -> None:
    listed = "".join(
        javascript.said("tsc", "--listFilesOnly", "--project", f"tests/javascript/{project}")
        for project in PROJECTS
    )
    assert {Path(line) for line in listed.splitlines()} >= set(MODULES)


@pytest.mark.usefixtures("_node")
def test_the_linter_has_no_complaint() -> None:
    config = ("--config", "tests/javascript/eslint.config.js", "--max-warnings", "0")
    assert javascript.said("eslint", *config, *javascript.CHECKED) == ""


def test_no_module_switches_the_checks_off() -> None:
    off = re.compile(r"@ts-(?:ignore|nocheck|expect-error)|eslint-disable")
    assert [one.name for one in MODULES if off.search(one.read_text("utf-8"))] == []


@pytest.mark.parametrize("folder", [javascript.HERE, javascript.CLIENTS], ids=lambda one: one.name)
def test_the_lock_names_versions_and_hashes_and_no_registry(folder: Path) -> None:
    lock = json.loads((folder / "package-lock.json").read_text("utf-8"))
    packages = [one for name, one in lock["packages"].items() if name]
    assert all(one["integrity"].startswith("sha512-") for one in packages)
    assert not any("resolved" in one for one in packages)


def test_the_options_of_the_browser_are_those_of_the_service() -> None:
    described = {
        name: kind
        for kind, name in re.findall(
            r"@property \{(.+)\} \[?(\w+)\]?\n", OPTIONS_JS.read_text("utf-8")
        )
    }
    assert tuple(described) == OPTION_NAMES
    for name, value in values_of(Options()).items():
        kind = described[name]
        if isinstance(value, str):
            assert f'"{value}"' in kind
        elif isinstance(value, bool):
            assert kind == "boolean"
        elif isinstance(value, tuple):
            assert kind.endswith("[]")
            assert all(f'"{each}"' in kind for each in value)
        else:
            assert kind == "number" or str(value) in kind.split(" | ")


def types_defined(text: str) -> set[str]:
    """Names that follow the type in braces of each ``@typedef``."""
    names = set()
    for found in re.finditer(r"@typedef\s+(?={)", text):
        rest = text[found.end() :]
        depths = accumulate((character == "{") - (character == "}") for character in rest)
        end = next(place for place, depth in enumerate(depths) if not depth)
        names |= set(re.findall(r"^}\s*(\w+)", rest[end : end + 100]))
    return names


def test_a_type_is_defined_in_one_module() -> None:
    defined = Counter(
        name for module in MODULES for name in types_defined(module.read_text("utf-8"))
    )
    assert defined["ShownTrick"] == defined["Leaf"] == 1
    assert not [name for name, modules in defined.items() if modules > 1]
