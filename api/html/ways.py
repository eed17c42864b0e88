"""Navigation.

The main pages of the site as links in the bar of every page, by the role of the reader.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from flask import current_app, g, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from api.html.topics import MANUAL, help_path_of_route
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.access.roles import OPEN, Actor
from api.http.services import current_services
from referee.events import Role

PLACES: Final = {
    "sessions": "/jornadas/",
    "seasons": "/temporadas/",
    "tournaments": "/torneos/",
    "leagues": "/ligas/",
    "players": "/jugadores/",
    "tablet": "/arbitro/",
    "tables": "/mesas/",
    "hall": "/sala/",
    "puzzle": "/problema",
    "rules": "/reglas",
    "import": "/repeticion/importar",
    "access": "/casa",
    "settings": "/casa/ajustes",
    "account": "/cuenta",
    "verifier": "/verificador",
    "enter": "/entrar",
    "help": MANUAL,
}
"""Route of each main page."""
_CLUB: Final = ("sessions", "seasons", "tournaments", "players")
MAIN: Final[dict[Role | None, tuple[str, ...]]] = {
    "admin": (*_CLUB, "tablet", "hall"),
    "director": ("tournaments", "sessions", "seasons", "players", "tablet", "hall"),
    "arbiter": ("tablet", "hall", *_CLUB),
    "scorer": ("tablet", "hall", "tournaments"),
    "spectator": ("seasons", "tournaments", "hall"),
    None: ("seasons", "tournaments", "hall", "rules"),
}
"""Ways that a role finds in the bar, in order; those of a stranger under ``None``."""
_MORE: Final = (
    *(
        "leagues",
        "puzzle",
        "rules",
        "import",
        "access",
        "settings",
        "account",
        "verifier",
        "help",
        "enter",
    ),
)
"""Ways behind the menu, for who may go there and does not find them in the bar."""
_SECTION_OF: Final = {
    "/e/": "tables",
    "/mesa/": "hall",
    "/jugador/": "players",
    "/casa/ajustes": "settings",
    "/alta": "enter",
}
"""Sections of addresses that do not begin with the address of the section."""


class Way(NamedTuple):
    """A main page: its name, which is the key of its text after ``way.``, and its address."""

    name: str
    path: str


class Bar(NamedTuple):
    """The navigation bar for a reader: links in it and behind its menu.

    Section and help of the page shown.
    """

    main: tuple[Way, ...]
    more: tuple[Way, ...]
    section: Way | None
    help: str


def navigation_bar() -> Bar:
    """The navigation bar for the reader of this page; without what the club switched off."""
    actor: Actor | None = getattr(g, "actor", None)
    main = tuple(_links_for_reader(actor, MAIN[actor.role if actor else None]))
    names = {way.name for way in main}
    if actor:
        names.add("enter")
    if current_services().referee.settings.puzzle_audience() == "nobody":
        names.add("puzzle")
    more = tuple(way for way in _links_for_reader(actor, _MORE) if way.name not in names)
    here = section_of_path(request.path)
    return Bar(main, more, here if here and may_open(actor, here.path) else None, help_here())


def help_here() -> str:
    """Address of the page of the manual that explains the page that is asked for."""
    return help_path_of_route(request.url_rule.rule if request.url_rule else "/")


def section_of_path(path: str) -> Way | None:
    """The main page that a page belongs to: the longest address that its own begins with."""
    places = {at: name for name, at in PLACES.items()} | _SECTION_OF
    found = [at for at in places if path == at or path.startswith(at.rstrip("/") + "/")]
    if not found:
        return None
    name = places[max(found, key=len)]
    return link_to_page(name)


def link_to_page(name: str) -> Way:
    """The link to a main page, by its name."""
    return Way(name, f"{prefix()}{PLACES[name]}")


def may_open(actor: Actor | None, path: str) -> bool:
    """Whether a reader may open a page of this site, by its address."""
    try:
        endpoint, _ = current_app.url_map.bind("").match(path.removeprefix(prefix()))
    except (HTTPException, RequestRedirect):
        return False
    permission = guard.permission_of_endpoint(endpoint)
    if permission == OPEN or guard.is_route_public_now(endpoint):
        return True
    if actor is None:
        return False
    is_anywhere = not actor.encuentro or guard.is_open_to_bound_users(endpoint)
    return permission in actor.permissions and is_anywhere


def _links_for_reader(actor: Actor | None, names: tuple[str, ...]) -> list[Way]:
    return [way for way in map(link_to_page, names) if may_open(actor, way.path)]
