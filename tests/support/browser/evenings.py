"""Evenings of a club whose tables play."""

from __future__ import annotations

from tests.support.browser.tablets import Club
from tests.support.servers.served import Served


def evening(served: Served, tables: int) -> str:
    """Path of an evening with so many tables of two that play."""
    club, names = Club(served), [{"name": f"Jugador {n}"} for n in range(2 * tables)]
    body = {"date": "2026-11-26", "profile": {"id": "club"}, "players": 2, "present": names}
    opened = club.ask("POST", "/api/v1/sessions", body)
    where, version = f"/api/v1/sessions/{opened['id']}", opened["version"]
    seed = {"method": "seed", "seed": "12345678"}
    version = club.ask("POST", f"{where}/draws", seed, version)["version"]
    position = club.ask("POST", f"{where}/tables", {}, version)["position"]
    return f"/jornadas/{where.rpartition('/')[2]}?wait={position}"
