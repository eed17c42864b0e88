"""What must be true after each fault, whatever it was."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import closing

from click.testing import CliRunner

from api.cli.main import main
from projections.follower.log import LogReader
from referee.encuentro.streams import partida_id
from referee.events import IncidentNoted
from referee.log.stores import open_rows
from tests.chaos.houses import ChaosHouse
from tests.chaos.writers import Writer
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

CAUGHT_UP_S = 5.0
_ALL = 2**40


def assert_whole(house: ChaosHouse, writers: Sequence[Writer], *, within_s: float) -> float:
    """Assert it of resting writers; the seconds until every computer's views were caught up."""
    began = time.monotonic()
    for computer in house.computers:
        wait_for(lambda at=computer: _lag(at) == 0, "views caught up", OSError, at_most_s=within_s)
    took = time.monotonic() - began
    with closing(open_rows(house.log)) as rows:
        positions = [row[0] for row in rows.since(1, _ALL)]
    assert positions == list(range(1, len(positions) + 1)), "a gap in the log"
    with closing(LogReader(house.log)) as log:
        for writer in writers:
            assert not writer.wrong, writer.wrong
            history = log.history(partida_id(writer.encuentro, 1), _ALL)
            lines = [one.line for one in history if isinstance(one.event, IncidentNoted)]
            assert lines == list(range(1, writer.acknowledged + 1)), "lost or doubled"
    for computer in house.computers:
        _assert_verified(computer)
    return took


def _lag(computer: Served) -> int:
    """Events that the views of a computer lack."""
    _, report = computer.ask("GET", "/readyz")
    return int(report["parts"]["views"]["behind"])


def _assert_verified(computer: Served) -> None:
    kept = {name: value for name, value in computer.settings.items() if name.startswith("GUINOTE_")}
    assert not [name for name in os.environ if name.startswith("GUINOTE_LOG")]
    done = CliRunner().invoke(main, ["--data", str(computer.folder), "verify"], env=kept)
    assert done.exit_code == 0, done.output
