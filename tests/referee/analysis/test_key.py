"""The key of the engine's table by itself: positions with one key have one value."""

from __future__ import annotations

from itertools import islice

import pytest

from referee.analysis.engine import Engine
from referee.rules.profile.options import Options
from tests.referee.analysis.keys import KEYED, groups, values
from tests.support.analysis.marks import NEEDS_ENGINE


@NEEDS_ENGINE
@pytest.mark.parametrize("options, rounds", KEYED)
def test_the_same_key_means_the_same_value(options: Options, rounds: int) -> None:
    shared = list(islice(groups(Engine(), options, rounds), 60))
    assert max(map(len, shared)) > 2
    assert not [group for group in shared if len(values(group)) > 1]
