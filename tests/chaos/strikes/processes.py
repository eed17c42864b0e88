"""Processes that end or stand still, and a file that they serve from."""

from __future__ import annotations

import os
import shutil
import signal
import time
from pathlib import Path

from projections.runner.views import read_house_note
from tests.chaos.houses import ChaosHouse, OneComputer, kill_children, kill_master, start_again
from tests.chaos.strikes.lasting import LASTS_S
from tests.support.waiting import LONGEST_S, wait_for


def worker_killed(house: ChaosHouse) -> None:
    for computer in house.computers:
        computer.kill_worker()


def projector_killed(house: ChaosHouse) -> None:
    for computer in house.computers:
        computer.kill_projector()


def notary_killed(house: ChaosHouse) -> None:
    kill_children(house.computers[0], b"notary")


def master_killed(house: ChaosHouse) -> None:
    """It is started again at once; workers that lost it may answer until the new ones do."""
    kill_master(house.computers[0])
    start_again(house.computers[0])
    wait_for(house.computers[0].workers, "new workers")


def computer_killed(house: ChaosHouse) -> None:
    """Every process of it; another computer goes on, if there is one."""
    house.computers[-1].kill_all()
    time.sleep(LASTS_S / 3)
    house.computers[-1].start()


def journal_lost(house: OneComputer) -> None:
    """Every process is killed, and the journal of the log is gone: it is refused until it is back."""
    computer = house.computer
    views = computer.folder / "views.sqlite"
    wait_for(lambda: read_house_note(views).position > 1, "views, which are the witness")
    every = [Path(f"/proc/{pid}") for pid in computer.children()]
    computer.kill_all()
    wait_for(lambda: not any(one.exists() for one in every), "the end of every process")
    journal = computer.folder / "log.sqlite-wal"
    journal.rename(house.folder / "journal")
    (computer.folder / "log.sqlite-shm").unlink()
    computer.spawn()
    assert computer.process is not None
    assert computer.process.wait(LONGEST_S) == os.EX_CONFIG, (
        "served without acts that were acknowledged"
    )
    for left in computer.folder.glob("log.sqlite-*"):
        left.unlink()
    shutil.move(house.folder / "journal", journal)
    computer.start()


def computer_frozen(house: ChaosHouse) -> None:
    """Every process of it stands still and goes on."""
    process = house.computers[-1].process
    assert process is not None
    os.killpg(process.pid, signal.SIGSTOP)
    time.sleep(LASTS_S)
    os.killpg(process.pid, signal.SIGCONT)


def views_damaged(house: ChaosHouse) -> None:
    """The file of a computer is overwritten while it serves and a board is looked at."""
    computer = house.computers[-1]
    folder = computer.folder
    views = folder / "views.sqlite"
    with views.open("r+b") as file:
        file.write(b"\xa5" * views.stat().st_size)

    def is_set_aside() -> bool:
        computer.ask("GET", "/api/v1/public/sala")
        return any(folder.glob("views.sqlite.aside-*"))

    wait_for(is_set_aside, "a damaged file set aside", OSError)
