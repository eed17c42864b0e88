"""Faults by name. Each is over when it returns; writers go on meanwhile."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

import psycopg

from tests.chaos.houses import (
    ChaosHouse,
    OneComputer,
    TwoComputers,
    kill_children,
    kill_master,
    start_again,
)
from tests.support.kit.replicated import await_standby
from tests.support.waiting import wait_for

Strike = Callable[[ChaosHouse], None]
LASTS_S = 3.0
DELAY_S = 0.1


def worker_killed(house: ChaosHouse) -> None:
    for computer in house.computers:
        computer.kill_worker()


def projector_killed(house: ChaosHouse) -> None:
    for computer in house.computers:
        computer.kill_projector()


def notary_killed(house: ChaosHouse) -> None:
    kill_children(house.computers[0], b"notary")


def master_killed(house: ChaosHouse) -> None:
    kill_master(house.computers[0])
    start_again(house.computers[0])


def computer_killed(house: ChaosHouse) -> None:
    """Every process of it; another computer goes on, if there is one."""
    house.computers[-1].kill_all()
    time.sleep(LASTS_S / 3)
    house.computers[-1].start()


def computer_frozen(house: ChaosHouse) -> None:
    """Every process of it stands still and goes on."""
    process = house.computers[-1].process
    assert process is not None
    os.killpg(process.pid, signal.SIGSTOP)
    time.sleep(LASTS_S)
    os.killpg(process.pid, signal.SIGCONT)


def views_damaged(house: OneComputer) -> None:
    """The file is overwritten while it serves and a board is looked at."""
    folder = house.computer.folder
    views = folder / "views.sqlite"
    with views.open("r+b") as file:
        file.write(b"\xa5" * views.stat().st_size)

    def is_set_aside() -> bool:
        house.computer.ask("GET", "/api/v1/public/sala")
        return any(folder.glob("views.sqlite.aside-*"))

    wait_for(is_set_aside, "a damaged file set aside", OSError)


def connections_cut(house: TwoComputers) -> None:
    for _ in range(5):
        for link in house.links:
            link.cut()
        time.sleep(LASTS_S / 10)


def network_half_open(house: TwoComputers) -> None:
    """No byte between one computer and the database, in either direction; then it is cut."""
    link = house.links[0]
    link.freeze()
    time.sleep(2 * LASTS_S)
    link.cut()
    link.thaw()


def network_slow(house: TwoComputers) -> None:
    for link in house.links:
        link.delay_s = DELAY_S
    time.sleep(LASTS_S)
    for link in house.links:
        link.delay_s = 0.0


def backend_killed(house: TwoComputers) -> None:
    """PostgreSQL then ends all of them and recovers by itself."""
    held = "SELECT pid FROM pg_stat_activity WHERE application_name = 'guinote' LIMIT 1"
    with psycopg.connect(house.log) as c:
        found = c.execute(held).fetchone()
    assert found is not None
    os.kill(found[0], signal.SIGKILL)
    wait_for(lambda: _answers(house), "PostgreSQL again", psycopg.OperationalError)


def server_killed(house: TwoComputers) -> None:
    house.server.kill()
    time.sleep(LASTS_S / 3)
    house.server.start()
    await_standby(house.server)


def server_frozen(house: TwoComputers) -> None:
    stopped = house.server.pids()
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(2 * LASTS_S)
    for pid in stopped:
        os.kill(pid, signal.SIGCONT)


def failed_over(house: TwoComputers) -> None:
    house.fail_over()


def _answers(house: TwoComputers) -> bool:
    with psycopg.connect(house.log) as c:
        return c.execute("SELECT 1").fetchone() == (1,)


PROCESSES: tuple[Strike, ...] = (
    *(worker_killed, projector_killed, notary_killed),
    *(master_killed, computer_killed, computer_frozen),
)
OF_SQLITE: tuple[Callable[[OneComputer], None], ...] = (*PROCESSES, views_damaged)
OF_POSTGRESQL: tuple[Callable[[TwoComputers], None], ...] = (
    *PROCESSES,
    *(connections_cut, network_half_open, network_slow),
    *(backend_killed, server_killed, server_frozen),
    failed_over,  # the last one: nothing stands by after it
)
SHORT: tuple[Callable[[TwoComputers], None], ...] = (
    *(computer_killed, connections_cut, failed_over),
)
"""What the test command does of it."""

NOT_BUILT = (
    *("power cut by shutdown of the file system", "disk full", "device gone"),
    *("clock back and forth", "an old and a new program side by side"),
    "network namespaces: links of this program are used in their place",
)
