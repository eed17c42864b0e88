"""The short form of ``make chaos``: two computers before one PostgreSQL, and the worst of it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.chaos.houses import TwoComputers
from tests.chaos.run import strike, written
from tests.chaos.strikes.every import SHORT
from tests.support.kit.replicated import replicated
from tests.support.servers.forked import fork_server
from tests.support.servers.own_postgres import found
from tests.support.waiting import LONGEST_S


def test_what_two_computers_acknowledged_is_there_once_whatever_fails(tmp_path: Path) -> None:
    if found() is None:
        pytest.skip("NO POSTGRESQL: no fault of two computers was tried; install its server")
    fork_server()  # it reads the program while the servers are made
    with (
        replicated() as server,
        closing(TwoComputers(tmp_path, server, is_forked=True)) as house,
        written(house) as writers,
    ):
        for fault in SHORT:
            strike(fault, house, writers, within_s=LONGEST_S)
        assert all(one.acknowledged > len(SHORT) for one in writers)
