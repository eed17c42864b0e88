"""Held: the evening or the tournament that an encuentro belongs to, as the way to its pages."""

from __future__ import annotations

from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from flask import Flask, g, request

from api.html.ways import may_go, way_to
from api.http import moments
from api.http.languages import language, say, texts
from api.http.services import current_services
from projections.scores.projection import encuentro_row
from projections.seasons.projection import session_row
from projections.tournaments.projection import tournament_row

_OF_AN_ENCUENTRO: Final = ("/e/", "/repeticion/")
"""Where the pages of an encuentro begin."""


class Crumb(NamedTuple):
    """A page above the page shown: its address, and its name in the language of the reader."""

    path: str
    text: str


def register(app: Flask) -> None:
    """Give the templates of an application what is above the pages of an encuentro."""
    app.add_template_global(crumbs_above)


def crumbs_above() -> tuple[Crumb, ...]:
    """List and page of the evening or tournament of the encuentro that is looked at or replayed.

    Empty on any other page, if it belongs to none, and if the reader may not open that page.
    """
    about = (request.view_args or {}).get("encuentro_id")
    if about is None or not request.path.startswith(_OF_AN_ENCUENTRO):
        return ()
    found = _above(about)
    actor = getattr(g, "actor", None)
    return found if all(may_go(actor, one.path) for one in found) else ()


def _above(encuentro_id: UUID) -> tuple[Crumb, ...]:
    here, lang = current_services(), language()
    with here.reads.reading() as rows:
        view = encuentro_row(rows, encuentro_id)
        if view is None or not view.held_in:
            return ()
        held = UUID(view.held_in)
        evening, tournament = session_row(rows, held), tournament_row(rows, held)
    if evening is not None:
        day = moments.day_words(evening.date, texts(lang))
        return _ways("sessions", held, f"{say('season.session', lang)} {day}")
    if tournament is not None:
        name = here.persons.text(msgspec.json.decode(tournament["name"], type=str))
        return _ways("tournaments", held, name or "\u2013")
    return ()


def _ways(kind: str, held: UUID, name: str) -> tuple[Crumb, ...]:
    """The list of a kind, and one that is in it."""
    listed = way_to(kind).path
    return Crumb(listed, say(f"way.{kind}", language())), Crumb(f"{listed}{held}", name)
