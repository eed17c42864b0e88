"""Tournaments as their pages show them, each with a tag by which they are kept up to date."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from api import tournament_views
from api.boards import Board
from api.house import House
from projections.tables import etag
from projections.tournaments import tournament_row
from referee.errors import NotFound


def tournament(here: House, tournament_id: UUID) -> Board:
    """The view of a tournament.

    :raises NotFound: there is none
    """
    with here.reads.reading() as rows:
        found = tournament_row(rows, tournament_id)
    if found is None:
        raise NotFound(str(tournament_id))
    view = tournament_views.named(here, found)
    return Board(view, etag(view))


def moment(here: House, tournament_id: UUID) -> Board:
    """Where a tournament is: little to send, and another whenever its pages would be.

    :raises NotFound: there is none
    """
    board = tournament(here, tournament_id)
    shown: dict[str, Any] = {name: board.view[name] for name in ("id", "stage", "version")}
    return Board({**shown, "hash": board.tag}, board.tag)
