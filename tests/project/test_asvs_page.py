"""The page on ASVS 5.0.0 has every requirement of levels 1 and 2, and names what there is."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import NamedTuple

from tests.support.places import ROOT

PAGE = ROOT / "docs" / "operating" / "asvs.md"
REQUIREMENTS = {
    "6.1": (1, 2, 3),
    "6.2": tuple(range(1, 13)),
    "6.3": (1, 2, 3, 4),
    "6.4": (1, 2, 3, 4),
    "6.5": (1, 2, 3, 4, 5),
    "6.6": (1, 2, 3),
    "6.8": (1, 2, 3, 4),  # 6.7 has none below level 3
    "7.1": (1, 2, 3),
    "7.2": (1, 2, 3, 4),
    "7.3": (1, 2),
    "7.4": (1, 2, 3, 4, 5),
    "7.5": (1, 2),
    "7.6": (1, 2),
    "8.1": (1, 2),
    "8.2": (1, 2, 3),
    "8.3": (1,),
    "8.4": (1,),
    "16.1": (1,),
    "16.2": (1, 2, 3, 4, 5),
    "16.3": (1, 2, 3, 4),
    "16.4": (1, 2, 3),
    "16.5": (1, 2, 3),
}
"""Requirements of levels 1 and 2 in each section of the chapters, in ASVS 5.0.0 as released."""
ROW = re.compile(r"\| (\d+\.\d+\.\d+) \|([^|]+)\|([^|]*)\|([^|]*)\|")


class Row(NamedTuple):
    """One requirement: how it is met, in which place, and which test shows it."""

    number: str
    how: str
    where: str
    test: str


def rows() -> list[Row]:
    """Rows of all tables of the page."""
    return [
        Row(*(cell.strip() for cell in found))
        for found in ROW.findall(PAGE.read_text(encoding="utf-8"))
    ]


@cache
def names_of_tests(path: str) -> set[str]:
    """Names of the tests of a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}


def test_every_requirement_of_level_two_has_one_row():
    wanted = [f"{section}.{one}" for section, many in REQUIREMENTS.items() for one in many]
    assert [row.number for row in rows()] == wanted


def test_every_place_that_is_named_is_there():
    for row in rows():
        places = re.findall(r"`([\w/.-]+)`", row.where)
        assert places or "](" in row.where or row.how.startswith("*Not applicable*"), row
        for place in places:
            assert (ROOT / place).exists(), row


def test_every_requirement_that_applies_has_a_test_that_is_there():
    for row in rows():
        if row.how.startswith("*Not applicable*"):
            continue
        path, _, name = row.test.strip("`").partition("::")
        assert name in names_of_tests(path), row


def test_the_page_names_its_release_and_what_is_not_met():
    head = PAGE.read_text(encoding="utf-8").partition("\n## ")[0]
    unmet = [row.number for row in rows() if row.how.startswith("*Not met*")]
    assert "5.0.0" in head
    assert re.findall(r"\d+\.\d+\.\d+", head.rpartition("Of the")[2]) == unmet
    assert f"Of the {len(rows())}\nrequirements" in head


def test_what_changed_is_there_with_a_test():
    text = PAGE.read_text(encoding="utf-8").partition("## Places that changed")[2]
    found = re.findall(
        r"^\|[^|]+\|[^|]+\| `([\w/.-]+)` \| `([\w/.-]+)::(\w+)` \|$", text, re.MULTILINE
    )
    assert len(found) == text.count("\n| ") - 1  # the head of the table
    for place, path, name in found:
        assert (ROOT / place).exists()
        assert name in names_of_tests(path), (path, name)
    numbers = {row.number for row in rows()}
    assert set(re.findall(r"\d+\.\d+\.\d+", re.sub(r"`[^`]*`", "", text))) <= numbers
