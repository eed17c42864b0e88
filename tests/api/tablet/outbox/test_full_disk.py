"""A tablet at a server without room: what is tapped waits on the tablet, and is sent later."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.support.browser.pages import site
from tests.support.browser.tablets import OPENED, Club, played, tablet
from tests.support.faults.small_disks import disk, fill, first_refused

__all__ = ["disk"]  # a fixture

TRICK = played("A1 3O", "B1 4O", "A2 5O", "B2 6O")


def test_what_is_tapped_while_the_disk_is_full_waits_here_and_is_sent_when_there_is_room(
    browser: Browser, disk: Path
) -> None:
    with site(disk / "data") as served:
        club = Club(served)
        where = club.encuentro()

        def write() -> tuple[int, dict[str, Any]]:
            who = {"Authorization": f"Bearer {served.token}"}
            headers = {**who, "Idempotency-Key": f"key-{random.random()}"}
            asked = {"profile": {"id": "club"}, "players": 4}
            return served.ask("POST", "/api/v1/encuentros", asked, headers)

        with tablet(browser, served, where) as one:
            one.record(*OPENED)
            one.sent()
            filler = fill(disk)
            assert first_refused(write) == (507, "disk_full")
            one.record(*TRICK)
            assert one.wait("full") == "full"
            filler.unlink()
            one.sent()
            assert club.log(where) == ["deal", "pinta", "A1 3O", "B1 4O", "A2 5O", "B2 6O"]
