"""Webhooks of many clubs: one thread sends for all, and a slow receiver of one delays no other."""

from __future__ import annotations

import os
import signal
import time

import pytest

from tests.api.webhooks.receiver import Receiver
from tests.support.installation import Installation
from tests.support.servers.club_tables import Club
from tests.support.waiting import wait_for

SOON_S = 5.0
"""Bound for a busy machine; the page of figures has what is usual."""


@pytest.fixture
def installation(tmp_path):
    names = ("penya", "sota", "tute")
    server = Installation(tmp_path / "clubs", *names, GUINOTE_WEBHOOKS="local")
    server.start()
    yield server
    server.kill_all()


@pytest.fixture
def receivers(tmp_path):
    found = {name: Receiver(tmp_path / name) for name in ("calm", "slow")}
    found["calm"].start()
    found["slow"].start("slow")
    yield found
    for one in found.values():
        one.kill()


def subscribe(club: Club, receiver: Receiver, times: int = 1) -> None:
    for number in range(times):
        asked = {"name": f"Web {number}", "address": receiver.address}
        club.write("/api/v1/webhooks", {**asked, "notified": ["partida.ended"]})


def play(club: Club) -> str:
    """Id of an encuentro whose first partida has ended."""
    table = club.table("Ana", "Blas", "Celia", "Diego")
    club.won(table, "A")
    return table.split("/")[4]


def test_a_slow_receiver_of_one_club_delays_no_other_and_a_killed_worker_is_replaced(
    installation, receivers
):
    slow, calm = (Club(installation.club(name)) for name in ("penya", "sota"))
    subscribe(slow, receivers["slow"], times=6)
    subscribe(calm, receivers["calm"])
    played = []
    for _ in range(3):
        play(slow)
        began = time.monotonic()
        played.append(play(calm))
        wait_for(lambda: told(receivers["calm"]) == played, "a message of the other club")
        assert time.monotonic() - began < SOON_S
    assert len(receivers["slow"].messages()) <= 6, "of a club no more than its share at one time"
    for pid in installation.children():
        os.kill(pid, signal.SIGKILL)
    wait_for(lambda: len(installation.children()) >= 2, "other workers")
    played.append(play(calm))
    wait_for(lambda: told(receivers["calm"]) == played, "a message of the next worker")


def told(receiver: Receiver) -> list[str]:
    return [one["data"]["encuentro"] for one in receiver.accepted()]
