"""Strangers who send half a body and no more."""

from __future__ import annotations

import socket
import time

from tests.chaos.houses import ChaosHouse
from tests.chaos.strikes.lasting import LASTS_S
from tests.support.waiting import wait_for

MOST = 500
HALF = b"POST /entrar HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\nname="


def bodies_half_sent(house: ChaosHouse) -> str:
    """500 bodies that stop half-way, ten for each thread: every writer goes on beside them."""
    computer = house.computers[0]
    address = (computer.host, computer.port)
    held = [socket.create_connection(address, timeout=5) for _ in range(MOST)]
    try:
        for one in held:
            one.sendall(HALF)
        goals = [(writer, writer.acknowledged + 10) for writer in house.writers]
        began = time.monotonic()
        wait_for(lambda: all(one.acknowledged >= goal for one, goal in goals), "acts beside them")
        took = time.monotonic() - began
        time.sleep(LASTS_S)
    finally:
        for one in held:
            one.close()
    return f"ten acts of each writer in {took:.1f} s beside {MOST} bodies"
