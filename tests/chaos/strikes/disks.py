"""The disk of a house: full, gone, without power, failing for a while."""

from __future__ import annotations

import sqlite3
import time

from tests.chaos.checks import recorded
from tests.chaos.houses import ChaosHouse, OneComputer, start_again
from tests.chaos.strikes.lasting import LASTS_S
from tests.chaos.writers import Writer
from tests.support.faults.loop_disks import LoopDisk
from tests.support.faults.small_disks import fill
from tests.support.waiting import wait_for

_REFUSALS = 3


def disk_full(house: OneComputer) -> None:
    """Every writer is refused; then there is room again, and nobody starts anything."""
    filler = fill(_disk(house).place)
    refused(house, "507")
    filler.unlink()


def disk_failing(house: OneComputer) -> None:
    """Each access to a file of the house is an error; then none is, and nobody starts anything."""
    assert house.libc is not None
    house.libc.tell(fails=True)
    try:
        refused(house, "503")
        time.sleep(LASTS_S)
    finally:
        house.libc.tell()


def disk_gone(house: OneComputer) -> None:
    """No access to the device succeeds; then it is there again, and the service is started."""
    _disk(house).cut()
    refused(house, "503")
    _put_back(house)


def power_cut(house: OneComputer) -> None:
    """All that was not flushed is lost, and every process at the same moment."""
    time.sleep(LASTS_S)
    _disk(house).cut()
    _put_back(house)


def power_cut_unflushed(house: OneComputer) -> str:
    """The same where nothing is ever flushed: acts have to be missing, else no cut shows anything.

    Nothing can be written to the house after it.
    """
    house.libc.tell(never_syncs=True)
    known = sum(writer.acknowledged for writer in house.writers)
    time.sleep(LASTS_S / 3)
    _disk(house).cut()
    house.computer.kill_all()
    told = sum(writer.acknowledged for writer in house.writers)
    _disk(house).unmount()
    _disk(house).mount()
    lost = told - _kept(house)
    assert lost > 0, "a power cut that loses nothing"
    return f"lost {lost} of {told - known}, as it must"


def _kept(house: OneComputer) -> int:
    """Acts in the log; none if it cannot be read."""
    try:
        return sum(map(len, recorded(house, house.writers)))
    except sqlite3.Error:
        return 0


def _put_back(house: OneComputer) -> None:
    house.computer.kill_all()
    _disk(house).unmount()
    _disk(house).mount()
    start_again(house.computer)


def refused(house: ChaosHouse, *statuses: str) -> None:
    """Wait until each writer was refused several times, by any of the statuses."""

    def number(writer: Writer) -> int:
        return sum(writer.answers[status] for status in statuses)

    goals = [(writer, number(writer) + _REFUSALS) for writer in house.writers]
    wait_for(
        lambda: all(number(writer) >= goal or writer.wrong for writer, goal in goals),
        f"{_REFUSALS} answers {' or '.join(statuses)} for each writer",
    )


def _disk(house: OneComputer) -> LoopDisk:
    assert house.disk is not None
    return house.disk
