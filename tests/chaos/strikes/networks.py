"""Networks and servers between two computers and their database."""

from __future__ import annotations

import os
import signal
import time

import psycopg

from tests.chaos.houses import TwoComputers
from tests.chaos.strikes.lasting import LASTS_S
from tests.support.kit.replicated import await_standby
from tests.support.waiting import wait_for

LONG_S = 75.0
"""Longer than every timeout between a computer and PostgreSQL."""
NOTICED_S = 40.0
"""Within which both sides have noticed: 10 s of silence, three probes in 15 s, and some room."""


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


def network_half_open_long(house: TwoComputers) -> str:
    """The same for more than a minute, by a computer that holds the lock for writing.

    The server has to give up the connections and the lock by itself, so that the other one writes.
    """
    wire = house.wires[0]
    began = time.monotonic()
    with wire.holding_lock(house.address_of(wire)):
        wire.freeze()
        try:
            wait_for(lambda: _is_free(house, wire.near), "no lock", at_most_s=NOTICED_S)
            noticed = time.monotonic() - began
            time.sleep(max(0.0, LONG_S - noticed))
        finally:
            wire.thaw()
    return f"given up after {noticed:.0f} s"


def network_slow(house: TwoComputers) -> None:
    for link in house.links:
        link.slow_down()
    time.sleep(LASTS_S)
    for link in house.links:
        link.speed_up()


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


def _is_free(house: TwoComputers, address: str) -> bool:
    """Whether the server has given up every connection from an address."""
    held = "SELECT count(*) FROM pg_stat_activity WHERE client_addr = %s"
    with psycopg.connect(house.log) as c:
        return c.execute(held, (address,)).fetchone() == (0,)
