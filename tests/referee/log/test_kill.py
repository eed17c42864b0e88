"""A kill at any moment: no acknowledged act is lost, and no retry is recorded twice."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from referee.application import Referee
from referee.log.ports import Address
from referee.log.stores import is_postgres
from referee.log.streams import WriteMetadata
from tests.referee.log.kill_writer import turn
from tests.support.places import ROOT
from tests.support.servers.one_log import ENCUENTRO, NOW, PARTIDA, new_log
from tests.support.servers.own_postgres import until_closed

KILLS = {"file": 15, "server": 5}


@pytest.fixture
def log(address: Address) -> Address:
    new_log(address).close()
    return address


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def lived(child: subprocess.Popen[str], seconds: float) -> list[list[str]]:
    """Output of a child until it is killed, ``seconds`` after its first line."""
    assert child.stdout is not None
    said = [child.stdout.readline()]
    killer = threading.Timer(seconds, child.send_signal, (signal.SIGKILL,))
    killer.start()
    said += child.stdout.readlines()
    killer.join()
    assert child.wait() == -signal.SIGKILL
    child.stdout.close()
    return [line.split() for line in said if line.endswith("\n")]


def writers_killed(
    log: Address, times: int, chance: random.Random
) -> tuple[dict[str, list[int]], list[str]]:
    """The lines acknowledged under each key, and the keys of acts that were never answered."""
    kept: dict[str, list[int]] = {}
    open_ends: list[str] = []
    for _ in range(times):
        child = start("-m", "tests.referee.log.kill_writer", str(log), str(PARTIDA), "child")
        said = lived(child, chance.uniform(0.005, 0.15))
        kept |= {
            words[1]: [int(line) for line in words[2:]] for words in said if words[0] == "kept"
        }
        if said[-1][0] == "try":
            open_ends.append(said[-1][1])
    return kept, open_ends


def test_a_killed_writer_loses_nothing_acknowledged_and_doubles_nothing(log: Address) -> None:
    chance = random.Random(20261121)
    kills = KILLS["server" if is_postgres(log) else "file"]
    kept, open_ends = writers_killed(log, kills, chance)
    if is_postgres(log):
        until_closed(log)
    referee = Referee(log, salt=os.urandom, new_id=uuid4)
    history = referee.history(PARTIDA)
    assert [r.originator_version for r in history] == list(range(1, len(history) + 1))
    acts = referee.encuentros.partida_by_id(PARTIDA).version
    lines = [line for taken in kept.values() for line in taken]
    assert len(lines) == len(set(lines))
    assert set(lines) <= set(range(1, acts + 1))
    assert len(kept) > kills

    # Retries with the same key give the old answers, and missing acts are recorded once.
    replayed = 0
    for key, taken in kept.items():
        meta = WriteMetadata("owner", "child", NOW, key, "body")
        answer = referee.encuentros.record_partida_acts(PARTIDA, [turn(referee, PARTIDA)], meta)
        assert answer.replayed
        assert list(answer.lines) == taken
    for key in open_ends:
        meta = WriteMetadata("owner", "child", NOW, key, "body")
        answer = referee.encuentros.record_partida_acts(PARTIDA, [turn(referee, PARTIDA)], meta)
        replayed += answer.replayed
        lines += answer.lines
    assert sorted(lines) == list(range(1, referee.encuentros.partida_by_id(PARTIDA).version + 1))
    assert referee.encuentros.partida_by_id(PARTIDA).version == acts + len(open_ends) - replayed
    stands = referee.encuentros.encuentro(ENCUENTRO).partidas[0].winner
    assert stands == ("A" if referee.encuentros.partida_by_id(PARTIDA).standing_acts else "")
    referee.close()
    assert_sound(log)


def assert_sound(log: Address) -> None:
    if not is_postgres(log):
        with closing(sqlite3.connect(log)) as file:
            assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_killed_projector_leaves_views_that_go_on_exactly(log: Address, tmp_path: Path) -> None:
    chance = random.Random(7)
    writer = start("-m", "tests.referee.log.kill_writer", str(log), str(PARTIDA), "child")
    drain = threading.Thread(target=lambda: list(writer.stdout or ()))
    drain.start()
    for _ in range(6):
        projector = start("-m", "projections", str(log), str(tmp_path / "views.db"))
        time.sleep(chance.uniform(0.1, 0.6))
        projector.kill()
        projector.wait()
        assert projector.stdout is not None
        projector.stdout.close()
    writer.kill()
    writer.wait()
    drain.join()
    assert writer.stdout is not None
    writer.stdout.close()
    reader = LogReader(log)
    dumps = []
    for name in ("views.db", "fresh.db"):
        views = Views(tmp_path / name, every_projection())
        follower = Runner(reader, views)
        while follower.apply_next_batch():
            pass
        assert views.position() == reader.last_position()
        dumps.append(views.dump())
        views.close()
    reader.close()
    assert dumps[0] == dumps[1]
