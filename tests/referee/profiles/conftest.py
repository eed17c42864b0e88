"""The options of a table, by its profile and the number of its players."""

from __future__ import annotations

import pytest

from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile


@pytest.fixture
def options(request: pytest.FixtureRequest) -> Options:
    """Options of a profile at a table of so many players."""
    name, players = request.param
    return profile(name).options(players)
