"""Webhooks of many clubs: one thread sends for all, and a slow receiver of one delays no other."""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import partial

import pytest

from api.outgoing.transport import post_for_status_or_fault
from api.server.clubs.birth import make_club
from api.server.clubs.folder import ClubsFolder
from api.server.clubs.webhooks import send_webhooks_of_clubs
from api.server.data_folder import CLUBS_LOG_VARIABLE, schema_name_or_empty
from api.webhooks.sender import Sender
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


@pytest.fixture
def in_postgres(tmp_path, postgres, monkeypatch):
    """An installation whose clubs are in schemas; this process sends, and asks them often."""
    database = f"postgresql://club@/postgres?host={postgres.folder}"
    monkeypatch.setenv(CLUBS_LOG_VARIABLE, database)
    monkeypatch.setattr("api.server.clubs.webhooks.ASKED_AGAIN_S", 0.2)
    folder = ClubsFolder(tmp_path / "clubs")
    make_club(folder, "penya")
    make_club(folder, "sota")
    assert schema_name_or_empty(folder.data_folder("penya")) != schema_name_or_empty(
        folder.data_folder("sota")
    )
    server = Installation(folder.path, GUINOTE_WORKERS="1", GUINOTE_WEBHOOKS="off")
    server.start()
    stop = threading.Event()
    sender = Sender(partial(post_for_status_or_fault, is_inside_allowed=True))
    sending = threading.Thread(target=send_webhooks_of_clubs, args=(folder, sender, stop))
    sending.start()
    yield server
    stop.set()
    sending.join()
    server.kill_all()


def test_clubs_in_postgresql_send_each_its_own_from_when_it_was_asked_for(in_postgres, receivers):
    penya, sota = (Club(in_postgres.club(name)) for name in ("penya", "sota"))
    play(penya)
    subscribe(penya, receivers["calm"])
    played = []
    for _ in range(2):
        play(sota)
        played.append(play(penya))
        wait_for(lambda: told(receivers["calm"]) == played, "a message of the club")
    receivers["slow"].be("204")
    subscribe(sota, receivers["slow"])
    of_the_other = [play(sota)]
    played.append(play(penya))
    wait_for(lambda: told(receivers["slow"]) == of_the_other, "a message of the other club")
    wait_for(lambda: told(receivers["calm"]) == played, "the last message")


def told(receiver: Receiver) -> list[str]:
    return [one["data"]["encuentro"] for one in receiver.accepted()]
