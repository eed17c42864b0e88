"""The first steps of a new house: its people, its rules, its first evening."""

from __future__ import annotations

from typing import Final, NamedTuple

from api.http.services import current_services
from api.profiles.own.reading import known_rules
from api.seasons import views

ENOUGH: Final = 4
"""People for one table."""


class FirstStep(NamedTuple):
    """A step: the key of its texts, where it is done, and whether it is."""

    key: str
    path: str
    is_done: bool


def first_steps() -> list[FirstStep]:
    """The three steps, until the first evening is over."""
    evenings = views.latest_sessions()
    if len(evenings) > 1 or any(one["closed"] for one in evenings):
        return []
    club = current_services().referee.players.club()
    people = len(club.players.keys() - club.merged.keys())
    return [
        FirstStep("people", "/jugadores/", people >= ENOUGH),
        FirstStep("rules", "/reglas", bool(known_rules() or evenings)),
        FirstStep("evening", "/jornadas/nueva", bool(evenings)),
    ]
