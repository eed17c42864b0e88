"""The walk of one card through the program: as the pages on architecture and performance say."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from benchmarks.walk_of_a_card import walk_of_a_card
from tests.support.places import ROOT

PAGES = ROOT / "docs" / "developing"
FIRST, LAST = 2, 12
"""Steps of the page on architecture from the request to the log."""


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Counter[tuple[str, str]]:
    """Calls by file and function while one card is recorded."""
    return walk_of_a_card(tmp_path_factory.mktemp("walk"))


@pytest.fixture(scope="module")
def files(walk: Counter[tuple[str, str]]) -> set[str]:
    """Files of ours that record one card."""
    return {file for file, _ in walk}


def test_one_card_takes_no_more_files_and_calls_than_the_page_says(
    walk: Counter[tuple[str, str]], files: set[str]
) -> None:
    page = (PAGES / "performance.md").read_text(encoding="utf-8")
    (most,) = re.findall(r"(?m)^\| now \| \*\*(\d+)\*\* \| \d+ \| \*\*(\d+)\*\* \|", page)
    assert len(files) <= int(most[0]), sorted(files)
    assert walk.total() <= int(most[1]), sorted(walk.items())


def test_the_page_on_architecture_names_each_file_that_a_card_enters(files: set[str]) -> None:
    page = (PAGES / "architecture.md").read_text(encoding="utf-8")
    steps = re.findall(r"(?m)^\| (\d+)\. .* \| (.*) \|$", page)
    wanted = {number: place for number, place in steps if FIRST <= int(number) <= LAST}
    assert len(wanted) == LAST - FIRST + 1
    assert set(re.findall(r"`([\w/]+\.py)`", " ".join(wanted.values()))) == files


def test_a_card_enters_no_code_of_tournaments_or_of_cantes(files: set[str]) -> None:
    assert "referee/table/plays.py" in files
    assert not {file for file in files if "tournament" in file or "cantes" in file}
