"""Checks of the modules and style sheets of the pages: types, style, browsers, lock file."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import accumulate
from pathlib import Path

import pytest

from api.http.folders import static_file_path
from api.http.languages import LANGUAGES, texts_of_language
from referee.rules.profile.options import OPTION_NAMES, Options, option_values
from tests.support import javascript
from tests.support.places import ROOT

PROJECTS = ("tsconfig.json", "tsconfig.worker.json")
MODULES = sorted(one for one in (ROOT / "api").rglob("*.js") if "vendor" not in one.parts)
OPTIONS_JS = static_file_path("tablet/rules/options.js")


@pytest.fixture(scope="module")
def _node() -> None:
    """Node with what the lock names."""
    javascript.require()


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
    assert javascript.said("eslint", *config, "api") == ""


SHEETS = ("--config", "tests/javascript/stylelint.config.js")


@pytest.mark.usefixtures("_node")
def test_the_style_sheets_need_no_newer_browser() -> None:
    assert javascript.said("stylelint", *SHEETS, "api/**/*.css") == ""


TOO_NEW = """
[].toSorted();
AbortSignal.any([]);
new CompressionStream("gzip");
/(?<=a)b/;
class K { static { K; } }
"""


@pytest.mark.usefixtures("_node")
def test_what_a_browser_does_not_have_yet_is_a_complaint(tmp_path: Path) -> None:
    """The other checks can fail: a module and a sheet of today are told what some browser lacks."""
    sheet = tmp_path / "too_new.css"
    sheet.write_text("a:has(b) { height: 1dvh; }\n@supports (width: 1cqi) { a { width: 1cqi; } }\n")
    config = ("--config", "tests/javascript/eslint.config.js", "--format", "json")
    as_module = ("--stdin", "--stdin-filename", "api/html/static/html/too_new.js")
    said = javascript.said("eslint", *config, *as_module, given=TOO_NEW)
    found = json.loads(said)[0]["messages"]
    newer = ("compat/compat", "no-restricted-syntax", "es-x/no-class-static-block")
    assert sorted(one["line"] for one in found if one["ruleId"] in newer) == [2, 3, 4, 5, 6]
    told = javascript.said("stylelint", *SHEETS, str(sheet))
    assert re.findall(r'"([\w-]+)"', told) == ["css-has", "viewport-unit-variants"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_browsers_that_are_checked_are_those_that_a_reader_is_told(lang: str) -> None:
    named = re.findall(r'"(\w+) >= (\d+)"', (javascript.HERE / "browsers.js").read_text("utf-8"))
    oldest = dict(named)
    told = texts_of_language(lang)["browser.old"]
    for name in ("Chrome", "Firefox", "Safari"):
        assert f"{name} {oldest[name.lower()]}" in told
    assert oldest["chrome"] == oldest["edge"]
    assert oldest["safari"] == oldest["ios_saf"]


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
    for name, value in option_values(Options()).items():
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
