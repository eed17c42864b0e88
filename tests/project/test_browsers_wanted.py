"""A browser is the dearest part of the tests: what uses one is bounded, and says what only a browser shows."""

from __future__ import annotations

import re

import pytest

from tests.support.servers.long_runs import IS_LONG

MOST = 200
"""Items of a short run."""
ONLY_THERE = frozenset(
    "clipboard colour colours contrast download drawn file fingers finger fit fits focus focused "
    "keyboard key keys layout light live looks motion narrow network offline overlap overlaps "
    "paper phone picture pictures policy press print printed readable reload reloads screen "
    "screens scroll scrolls seen size sizes sound storage stored stream tab tabs tap taps "
    "television touch touched vibrates vibration visible wall wide width window worker zoom "
    "browser browsers".split()
)
"""Words for what a page in node has not: layout, paint, touch, storage that lasts, workers, policies, paper."""


def test_what_uses_a_browser_says_what_only_a_browser_shows(request: pytest.FixtureRequest) -> None:
    """Of the whole run, or of the files that were chosen."""
    names = [one.nodeid for one in request.session.items if one.get_closest_marker("page")]
    words = {name: set(re.split(r"[^a-z]+", name.partition("::")[2])) for name in names}
    assert [name for name, said in words.items() if not said & ONLY_THERE] == []
    assert IS_LONG or len(names) <= MOST, len(names)
