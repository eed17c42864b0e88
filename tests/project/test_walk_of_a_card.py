"""The files of ours that record one card: no more than the page of performance says."""

from __future__ import annotations

import re

import pytest

from benchmarks.walk_of_a_card import walk_of_a_card
from tests.support.places import ROOT

PAGE = ROOT / "docs" / "developing" / "performance.md"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Files of ours that record one card."""
    return {file for file, _ in walk_of_a_card(tmp_path_factory.mktemp("walk"))}


def test_one_card_is_recorded_by_no_more_files_than_the_page_says(files: set[str]) -> None:
    (most,) = re.findall(r"(?m)^\| now \| \*\*(\d+)\*\* \|", PAGE.read_text(encoding="utf-8"))
    assert len(files) <= int(most), sorted(files)


def test_a_card_enters_no_code_of_tournaments_or_of_cantes(files: set[str]) -> None:
    assert "referee/table/plays.py" in files
    assert not {file for file in files if "tournament" in file or "cantes" in file}
