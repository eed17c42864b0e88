"""No false alarm: honest histories with corrections, erasures, backups and many writers."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.audit.logs.honest import history
from tests.support.servers.long_runs import RUNS


@settings(max_examples=40 * RUNS)
@given(st.integers(0, 2**32))
def test_nothing_is_found_wrong_with_an_honest_history(seed):
    assert history(seed) == []
