"""The main ways through the site by role: the bar of every page and the home page show them."""

from __future__ import annotations

from typing import Final, NamedTuple

from flask import current_app, g

from api.http.access import guard
from api.http.access.roles import OPEN, Actor
from referee.events import Role

PLACES: Final = {
    "sessions": "/jornadas/",
    "seasons": "/temporadas/",
    "tournaments": "/torneos/",
    "players": "/jugadores/",
    "tablet": "/arbitro/",
    "hall": "/sala/",
    "rules": "/reglas",
    "import": "/repeticion/importar",
    "verifier": "/verificador",
    "access": "/casa",
    "account": "/cuenta",
    "enter": "/entrar",
}
"""Address of the page of each job; its text is ``home.job.<key>``."""
_CLUB: Final = ("sessions", "seasons", "tournaments", "players")
_RUNS: Final = (*_CLUB, "tablet", "hall", "rules", "import", "access", "account")
WAYS: Final[dict[Role | None, tuple[str, ...]]] = {
    "admin": _RUNS,
    "director": ("tournaments", *(one for one in _RUNS if one != "tournaments")),
    "arbiter": ("tablet", "hall", *_CLUB, "rules", "import", "access", "account"),
    "scorer": ("tablet", "hall", "rules", "account"),
    "spectator": ("hall", "seasons", "tournaments", "rules", "verifier", "account"),
    None: ("hall", "seasons", "tournaments", "rules", "verifier", "enter"),
}
"""Ways of each role, the main one first; those of a visitor under ``None``."""


class Way(NamedTuple):
    """A page that a role goes to: key of its text after ``home.job.``, and its address."""

    key: str
    path: str


def main_ways() -> list[Way]:
    """The ways of whoever asks, without pages that would send them away."""
    actor: Actor | None = getattr(g, "actor", None)
    chosen = WAYS[actor.role if actor else None]
    return [Way(key, PLACES[key]) for key in chosen if may_go(actor, PLACES[key])]


def may_go(actor: Actor | None, path: str) -> bool:
    """Whether somebody may open a page of this site, given by an address without variables."""
    endpoint, _ = current_app.url_map.bind("").match(path)
    permission = guard.permission_of(endpoint)
    if permission == OPEN or guard.is_open_now(endpoint):
        return True
    if actor is None:
        return False
    is_anywhere = not actor.encuentro or guard.is_at_any_table(endpoint)
    return permission in actor.permissions and is_anywhere
