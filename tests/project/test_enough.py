"""The project is enough: nothing that is tested, documented or measured reads a file outside it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.support.places import ROOT

READERS = ("tests", "docs", "benchmarks", "dev.py")
LEFT_OUT = {"node_modules", "__pycache__"}
LINKED = {".md", ".js", ".mjs", ".json", ".html", ".css"}
ABOVE = re.compile(r"(?:\.\./)+")
UP = re.compile(r"parents\[(\d+)\]")
OUTSIDE = re.compile(r"\bROOT\.parent\b|\.\./shared\b|[\"']/(?:work|root|home|mnt)/")


def read_outside(path: Path, text: str) -> list[str]:
    """What a file names that lies outside the project; ``path`` is seen from its root.

    >>> read_outside(Path("docs/law/rules.md"), "[a](../../referee/x.py) [b](../../../x.py)")
    ['../../../']
    >>> read_outside(Path("tests/a/test_b.py"), "Path(__file__).parents[2] / 'x'; parents[3]")
    ['parents[3]']
    """
    depth = len(path.parts) - 1
    found = OUTSIDE.findall(text)
    if path.suffix == ".py":
        found += [one[0] for one in UP.finditer(text) if int(one[1]) > depth]
    if path.suffix in LINKED:
        found += [one for one in ABOVE.findall(text) if one.count("/") > depth]
    return found


def texts_of(name: str) -> dict[Path, str]:
    """Every text of a folder, or a file, by its path from the root."""
    found = {}
    for path in [ROOT / name, *(ROOT / name).rglob("*")]:
        if path.is_file() and not LEFT_OUT.intersection(path.parts) and path != Path(__file__):
            try:
                found[path.relative_to(ROOT)] = path.read_text("utf-8")
            except UnicodeDecodeError:
                continue
    return found


@pytest.mark.parametrize("name", READERS)
def test_nothing_names_a_path_outside_the_project(name: str) -> None:
    texts = texts_of(name)
    assert texts
    named = {path: read_outside(path, text) for path, text in texts.items()}
    assert {path: found for path, found in named.items() if found} == {}


def test_no_link_of_the_project_leads_out_of_it() -> None:
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [one for one in folders if one not in LEFT_OUT and not one.startswith(".")]
        for name in (*folders, *files):
            path = Path(folder, name)
            assert not path.is_symlink() or path.resolve().is_relative_to(ROOT), path
