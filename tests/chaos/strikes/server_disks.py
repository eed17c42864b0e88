"""Disks of two computers and of their database: full, gone, without power, damaged."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import psycopg

from tests.chaos.houses import TwoComputers, start_again
from tests.chaos.strikes.disks import refused
from tests.chaos.strikes.lasting import LASTS_S
from tests.support.faults.small_disks import fill
from tests.support.kit.replicated import await_standby, standby, start_standby
from tests.support.servers.own_postgres import first_pid, kill_server

_NO_ROOM, _NO_SERVER = "507", "503"
_FILE = "SELECT pg_relation_filepath('stored_events')"


def computer_disk_full(house: TwoComputers) -> None:
    """No room for the views of the second computer; then there is, and nobody starts anything."""
    filler = fill(house.disks[2].place)
    time.sleep(2 * LASTS_S)
    filler.unlink()


def computer_disk_gone(house: TwoComputers) -> None:
    """The device of the second computer is gone, comes back, and the computer is started."""
    disk, computer = house.disks[2], house.computers[1]
    disk.cut()
    time.sleep(LASTS_S)
    computer.kill_all()
    disk.unmount()
    disk.mount()
    start_again(computer)


def server_disk_full(house: TwoComputers) -> None:
    """PostgreSQL has no room; then it has, and it is started if it has ended."""
    filler = fill(house.disks[0].place)
    refused(house, _NO_ROOM, _NO_SERVER)
    filler.unlink()
    try:
        psycopg.connect(house.log).close()
    except psycopg.OperationalError:
        house.server.forget_socket()
        house.server.start()
    await_standby(house.server)


def server_disk_gone(house: TwoComputers) -> None:
    """The device of PostgreSQL is gone until every writer was refused."""
    _without_power(house, 1, lambda: refused(house, _NO_SERVER))


def server_power_cut(house: TwoComputers) -> None:
    """What PostgreSQL had not flushed is lost; its standby goes on to stand by."""
    time.sleep(LASTS_S)
    _without_power(house, 1, lambda: None)


def every_power_cut(house: TwoComputers) -> None:
    """The same of PostgreSQL and its standby at one moment."""
    time.sleep(LASTS_S)
    _without_power(house, 2, lambda: None)


def server_files_damaged(house: TwoComputers) -> None:
    """The file of the events is overwritten; every writer is refused until the standby takes over."""
    with psycopg.connect(house.log) as c:
        ((name,),) = c.execute(_FILE).fetchall()
    house.server.stop("fast")
    with (house.server.data / name).open("r+b") as file:
        file.write(b"\xa5" * (house.server.data / name).stat().st_size)
    house.server.start()
    refused(house, _NO_SERVER)
    house.fail_over()


def _without_power(house: TwoComputers, number: int, meanwhile: Callable[[], None]) -> None:
    """Cut the power of PostgreSQL, or of its standby too, and start them again."""
    server = house.server
    starts = (server.start, lambda: start_standby(server))
    cut = list(zip(house.disks, (server.data, standby(server)), starts, strict=False))[:number]
    processes = [first_pid(data) for _, data, _ in cut]
    for disk, _, _ in cut:
        disk.cut()
    meanwhile()
    for (disk, _, start), process in zip(cut, processes, strict=True):
        with suppress(ProcessLookupError, FileNotFoundError):  # it may have ended by itself
            kill_server(process)
        disk.unmount()
        disk.mount()
        if disk is house.disks[0]:
            server.forget_socket()
        start()
    await_standby(server)
