"""The evening that is held, as the home page tells of it."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple
from uuid import UUID

from api.seasons import views


class HeldEvening(NamedTuple):
    """An evening that is not closed. ``came``: persons or pairs; ``open_tables``: without result.

    ``tables``: those that were opened; ``is_drawn``: a draw waits to be played.
    """

    id: str
    date: str
    of: str
    came: int
    tables: int
    open_tables: int
    is_drawn: bool


def held_evening(today: date) -> HeldEvening | None:
    """The latest evening that is not closed, today's or an earlier one; else none."""
    latest = (one for one in views.latest_sessions() if one["date"] <= today.isoformat())
    found = next((one for one in latest if not one["closed"]), None)
    if found is None:
        return None
    view = views.session(UUID(found["id"]))
    came = view["pairs"] if view["of"] == "pairs" else view["present"]
    waiting = [one for one in view["encuentros"] if one["decided"] is None]
    tables = len(view["encuentros"]), len(waiting)
    return HeldEvening(
        found["id"], found["date"], view["of"], len(came), *tables, is_drawn=view["waiting"]
    )
