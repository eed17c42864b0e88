"""``dev.py test --quick``: the tests of what was changed, and of what imports it."""

from __future__ import annotations

import pytest

from tests import quick
from tests.support.places import ROOT


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("api/seasons/calendar_pages.py", "tests/api/seasons/test_pages.py"),
        ("api/board/static/board/board.js", "tests/api/board/test_board.py"),
        ("api/home/templates/home/home.html", "tests/api/home/test_home.py"),
        ("api/search/lang/es.json", "tests/api/search/test_search.py"),
        ("api/html/static/html/words.js", "tests/api/html/words.test.mjs"),
        ("referee/rules/duties.py", "tests/referee/rules/test_duties.py"),
        ("referee/rules/duties.py", "tests/oracle/test_plays.py"),
        ("tests/support/waiting.py", "tests/api/http/test_live.py"),
        ("tests/project/test_quick.py", "tests/project/test_quick.py"),
    ],
)
def test_a_change_names_the_tests_of_its_room_and_of_what_imports_it(path: str, named: str) -> None:
    assert named in quick.named([path])


def test_a_change_of_one_room_does_not_name_those_of_all_others() -> None:
    assert all(one.startswith("tests/api/home/") for one in quick.named(["api/home/next_steps.py"]))
    everything = quick.named(["api/server/application.py"])
    assert len(quick.named(["api/seasons/calendar_pages.py"])) < len(everything) / 4


def test_nothing_changed_names_nothing() -> None:
    assert quick.named([]) == []


def test_what_was_changed_is_in_the_project() -> None:
    assert all((ROOT / path).is_file() for path in quick.changed())
