"""The pages of docs/ agree with the project file, and their links are valid."""

from __future__ import annotations

import ast
import importlib
import os
import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.release import RELEASE
from tests.project.site.blocks import PAGES
from tests.support.places import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
REASONS = (ROOT / "docs" / "developing" / "dependencies.md").read_text(encoding="utf-8")
SITE = ROOT / "docs" / "site"
MADE = (ROOT / "docs" / "manual", ROOT / "docs" / "reference")
"""Pages that the site alone has; ``tests/project/site`` walks the links to them."""
# Decisions and the changelog refer to files of their time.
TODAY = [page for page in PAGES if page.parent.name != "adr" and page.name != "CHANGELOG.md"]

DEFINED = re.compile(r"((?:`\w+`(?:, | and )?)+) in `([\w/]+/[\w/]+\.py)`")
"""Names of a module with its path: ``Writer`` in ``referee/log/writer.py``, each in backticks."""
SETTING = re.compile(r"GUINOTE_[A-Z_]+")


def required() -> set[str]:
    """Names of what is installed: to run, to test, to build, to make the documentation."""
    asked = [
        *(SITE / "requirements.in").read_text(encoding="utf-8").split(),
        *PROJECT["project"]["dependencies"],
        *(one for extra in PROJECT["project"]["optional-dependencies"].values() for one in extra),
        *PROJECT["build-system"]["requires"],
    ]
    return {re.split(r"[\[<>=!~; ]", one, maxsplit=1)[0].lower() for one in asked}


def explained() -> dict[str, str]:
    """Reason of each name in the tables of the page."""
    return dict(re.findall(r"^\| `([^`]+)` \| (.*) \|$", REASONS, re.MULTILINE))


def test_every_dependency_has_a_reason_and_every_reason_a_dependency() -> None:
    assert set(explained()) == required()
    assert all(len(reason.split()) > 2 for reason in explained().values())


def test_every_dependency_is_locked_with_a_hash() -> None:
    locks = (ROOT / "requirements.lock", SITE / "requirements.lock")
    lock = "".join(one.read_text(encoding="utf-8") for one in locks)
    locked = set(
        re.findall(r"^([\w.-]+)==\S+(?: ;[^\\]*)? \\\n +--hash=sha256:", lock, re.MULTILINE)
    )
    built_with = {re.split(r"[<>=]", one)[0] for one in PROJECT["build-system"]["requires"]}
    assert required() - built_with <= locked


def test_the_changelog_has_this_version_or_unreleased_changes() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[(.+?)\]", changes, re.MULTILINE)
    assert headings[0] in ("Unreleased", RELEASE)
    assert "0.1.0" in headings


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_points_to_what_is_there(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)]
    local = [target for target in targets if target and "://" not in target]
    found = [page.parent / target for target in local]
    assert not [one for one in found if not one.exists() and not is_made(one)]


def is_made(target: Path) -> bool:
    """Whether a page is made with the site."""
    return any(Path(os.path.normpath(target)).is_relative_to(folder) for folder in MADE)


def anchors(page: Path) -> set[str]:
    """Names of the headings of a page, as a link to one spells them."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_link_to_a_heading_points_to_one_that_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s#:]*)#([^)\s]+)\)", page.read_text(encoding="utf-8"))
    targets = [((page.parent / path) if path else page, anchor) for path, anchor in links]
    assert not [anchor for path, anchor in targets if anchor not in anchors(path)]


@pytest.mark.parametrize("page", TODAY, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_file_that_a_page_names_is_there(page: Path) -> None:
    named = re.findall(
        r"`((?:referee|projections|api|tests|docs|benchmarks)/[\w./*-]*)`",
        page.read_text(encoding="utf-8"),
    )
    assert not [name for name in named if not list(ROOT.glob(name.rstrip("/")))]


@pytest.mark.parametrize("page", TODAY, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_module_that_a_page_names_without_its_folder_is_there(page: Path) -> None:
    named = set(re.findall(r"`([\w/-]+\.py)`", page.read_text(encoding="utf-8")))
    tops = [
        *(ROOT / top for top in ("referee", "projections", "api", "tests", "docs", "benchmarks"))
    ]
    assert not [
        name
        for name in named
        if not (ROOT / name).exists() and not any(list(top.rglob(name)) for top in tops)
    ]


def test_each_measurement_that_a_page_names_can_be_started() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in TODAY)
    named = set(re.findall(r"python -m (benchmarks\.[\w.]+)", text))
    assert len(named) > 25
    assert not [one for one in named if not callable(importlib.import_module(one).main)]


def defined_in(path: str) -> set[str]:
    """Names that a module defines at its top level."""
    found: set[str] = set()
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case ast.Assign(targets=targets):
                found |= {one.id for one in targets if isinstance(one, ast.Name)}
    return found


@pytest.mark.parametrize(
    "question",
    [
        "Where is a cante judged?",
        "Where is the board's page drawn?",
        "Where is an option defined?",
        "What may write to the log?",
    ],
)
def test_what_a_newcomer_asks_is_answered_by_name(question: str) -> None:
    page = (ROOT / "docs" / "developing" / "architecture.md").read_text(encoding="utf-8")
    (row,) = (line for line in page.splitlines() if line.startswith(f"| {question} |"))
    assert re.search(DEFINED, row)


@pytest.mark.parametrize("page", TODAY, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_name_that_a_page_finds_in_a_module_is_defined_there(page: Path) -> None:
    for names, path in re.findall(DEFINED, page.read_text(encoding="utf-8")):
        assert set(re.findall(r"\w+", names.replace(" and ", " "))) <= defined_in(path)


def test_every_setting_has_a_row_and_every_row_a_setting() -> None:
    page = (ROOT / "docs" / "operating" / "operations.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`GUINOTE_[^|]+)\|", page, re.MULTILINE)
    sources = [
        path for top in ("api", "referee", "projections") for path in (ROOT / top).rglob("*.py")
    ]
    used = {one for path in sources for one in SETTING.findall(path.read_text(encoding="utf-8"))}
    assert used == {one for row in rows for one in SETTING.findall(row)}


@pytest.mark.parametrize("page", TODAY, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_person_of_whom_nothing_is_known_is_they(page: Path) -> None:
    assert not re.findall(
        r"\b(?:he|she|his|her|hers|him|himself)\b", page.read_text(encoding="utf-8")
    )


def test_the_rooms_of_the_page_are_those_of_the_tree() -> None:
    generator = runpy.run_path(str(ROOT / "docs" / "generate_rooms.py"))
    assert generator["PAGE"].read_text(encoding="utf-8") == generator["page"](), "make pages"


@pytest.mark.parametrize("folder", ["", "operating", "law", "developing"])
def test_an_entry_page_leads_to_every_page_of_its_folder(folder: str) -> None:
    index = ROOT / "docs" / folder / "index.md"
    inside = index.parent.rglob("*.md") if folder else index.parent.glob("*/index.md")
    wanted = {path.relative_to(index.parent).as_posix() for path in inside} - {"index.md"}
    assert not wanted - set(re.findall(r"\]\(([^)\s#]+)", index.read_text(encoding="utf-8")))


def test_decisions_are_numbered_without_a_gap() -> None:
    names = sorted(path.name for path in (ROOT / "docs" / "developing" / "adr").glob("*.md"))
    assert [name[:5] for name in names] == [f"{n:04}-" for n in range(1, len(names) + 1)]


def test_the_list_of_decisions_says_which_are_overtaken() -> None:
    index = (ROOT / "docs" / "developing" / "index.md").read_text(encoding="utf-8")
    for path in (ROOT / "docs" / "developing" / "adr").glob("*.md"):
        said = re.search(r"(?m)^(Partly o|O)vertaken by [^:]*", path.read_text(encoding="utf-8"))
        (row,) = (line for line in index.splitlines() if f"(adr/{path.name})" in line)
        by = " and ".join(re.findall(r"\[(\d+)\]", said[0])) if said else ""
        partly = "partly " if said and said[1] == "Partly o" else ""
        assert ("overtaken" in row) == bool(said), path.name
        assert not said or f"({partly}overtaken by {by})" in row


def test_make_long_runs_what_the_page_of_the_checks_says() -> None:
    page = (ROOT / "docs" / "developing" / "checks.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (long,) = re.findall(r"(?m)^long: ([a-z -]+?) ##.*\n\t(.*)$", makefile)
    targets = set(re.findall(r"(?m)^\| `make ([\w-]+)` \|", page))
    assert targets == set(long[0].split())
    assert re.findall(r"(?m)^\| `(GUINOTE_RUNS=2 pytest -m page)` \|", page)
    assert all(part in long[1] for part in ("GUINOTE_RUNS=2", "-m page"))


@pytest.mark.parametrize(
    "package", PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
)
def test_a_package_says_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()
