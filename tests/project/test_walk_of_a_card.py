"""The files of ours that record one card: no more than the page of performance says."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.walk_of_a_card import walk_of_a_card
from tests.support.places import ROOT

PAGE = ROOT / "docs" / "developing" / "performance.md"


def test_one_card_is_recorded_by_no_more_files_than_the_page_says(tmp_path: Path) -> None:
    (most,) = re.findall(r"(?m)^\| now \| \*\*(\d+)\*\* \|", PAGE.read_text(encoding="utf-8"))
    files = {file for file, _ in walk_of_a_card(tmp_path)}
    assert len(files) <= int(most), sorted(files)


def test_a_card_enters_no_code_of_tournaments_or_of_cantes(tmp_path: Path) -> None:
    files = {file for file, _ in walk_of_a_card(tmp_path)}
    assert "referee/table/playing.py" in files
    assert not {file for file in files if "tournament" in file or "cantes" in file}
