"""A disputed partida: a renuncio of trick 6 that trick 7 proves."""

from __future__ import annotations

from typing import Any

from tests.support.browser.tablets import ENCUENTROS, Club, played
from tests.support.servers.http_table import NAMES, SEATS, deal, pinta

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
