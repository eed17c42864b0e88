"""The first start: processes that start together create the files of a data folder once."""

from __future__ import annotations

import multiprocessing
from multiprocessing.synchronize import Barrier
from pathlib import Path

from api.server import wiring

PROCESSES, HOUSES = 4, 25
PATIENCE_S = 60


def _open(folder: Path, together: Barrier) -> None:
    openers = (wiring.open_persons, wiring.open_referee, wiring.open_views, wiring.open_accounts)
    for number in range(HOUSES):
        where = wiring.files_of_folder(folder / str(number))
        for opener in openers:
            together.wait(PATIENCE_S)
            opener(where).close()


def test_processes_that_start_together_make_every_file_of_a_data_folder(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    together = spawn.Barrier(PROCESSES)
    workers = [spawn.Process(target=_open, args=(tmp_path, together)) for _ in range(PROCESSES)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(2 * PATIENCE_S)
    assert [worker.exitcode for worker in workers] == [0] * PROCESSES
