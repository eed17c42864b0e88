"""A disputed partida in a browser: a renuncio of trick 6 that trick 7 proves, and who rules on it."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

from playwright.sync_api import Page

from tests.support.browser.pages import address
from tests.support.browser.tablets import ENCUENTROS, Club, played
from tests.support.servers.accounts import OURS, PASSWORD
from tests.support.servers.http_table import NAMES, SEATS, deal, pinta
from tests.support.servers.served import Served

TRICKS = (
    "A1 2C, B1 4C, A2 5C, B2 6C",
    "B2 2E, A1 4E, B1 5E, A2 6E",
    "A2 2B, B2 4B, A1 5B, B1 6B",
    "B1 7C, A2 CC, B2 SC, A1 RC",
    "A1 7E, B1 CE, A2 SE, B2 RE",
    "B2 7B, A1 CB, B1 3E, A2 SB",
    "A2 3C, B2 AC, A1 4O, B1 RB",
)
"""Ten cards each and no stock. B1 does not follow in trick 6, and lays a card of that suit in 7."""
BREACH, PROOF = 25, 30
"""Lines of the card that did not follow, and of the one that proves it."""


def disputed_acts() -> list[dict[str, Any]]:
    """The acts of the partida."""
    return [deal(), pinta(), *played(*", ".join(TRICKS).split(", "))]


def disputed_encuentro(club: Club) -> str:
    """Id of an encuentro with the disputed partida, once the views have it."""
    seats = {seat: {"name": NAMES[seat]} for seat in SEATS[4]}
    made = club.ask(
        "POST", ENCUENTROS, {"profile": {"id": "sin-mazo"}, "players": 4, "seats": seats}
    )
    path = f"{ENCUENTROS}/{made['id']}"
    club.ask("POST", f"{path}/partidas", {}, made["version"])
    acts = {"acts": disputed_acts()}
    position = club.ask("POST", f"{path}/partidas/1/acts", acts, 0)["position"]
    club.ask("GET", f"{path}?wait={position}")
    return str(made["id"])


def become_arbiter(page: Page, served: Served, scores: str = "") -> str:
    """The owner's browser signs in as an arbiter who was just invited; the name of the account.

    ``scores``: id of an encuentro of which they are the scorer instead.
    """
    asked, name = page.context.request, f"Julia {uuid4().hex[:8]}"
    form = {"role": "scorer", "encuentro": scores} if scores else {"role": "arbiter"}
    offer = asked.post(address(served, "/casa/invitaciones"), form=form, headers=OURS).text()
    secret = re.search(r"/alta#(\w+)", offer)
    assert secret, offer
    page.context.clear_cookies()
    account = {"invitation": secret[1], "name": name, "password": PASSWORD}
    answer = asked.post(address(served, "/alta"), form=account, max_redirects=0, headers=OURS)
    assert answer.status == 303, answer.text()
    return name
