"""Views of tournaments for their pages, each with a tag for updates."""

from __future__ import annotations

import hashlib
from typing import Final
from uuid import UUID

import msgspec

from api.http.rows import Board
from api.http.services import Services
from api.tournaments import views as tournament_views
from api.tournaments.views import LinkedTournamentData
from projections.tournaments.projection import find_tournament_view
from referee.errors import NotFound

_TAG: Final = 32


class MomentData(msgspec.Struct, frozen=True):
    """State of a tournament; ``hash``: of all that its pages show, the tag of this view."""

    id: str
    stage: str
    version: int
    hash: str


class _Moment(msgspec.Struct):
    """The part of a view that is needed for its state."""

    id: str
    stage: str
    version: int


def tournament_board(here: Services, tournament_id: UUID) -> Board[LinkedTournamentData]:
    """Board with the view of a tournament, its links and its tag.

    :raises NotFound: there is none
    """
    document = _tournament_json(here, tournament_id)
    view = msgspec.json.decode(document, type=LinkedTournamentData)
    return Board(view, _tag(document))


def tournament_state_board(here: Services, tournament_id: UUID) -> Board[MomentData]:
    """State of a tournament: a small value that changes whenever its pages change.

    :raises NotFound: there is none
    """
    document = _tournament_json(here, tournament_id)
    tag = _tag(document)
    at = msgspec.json.decode(document, type=_Moment)
    return Board(MomentData(id=at.id, stage=at.stage, version=at.version, hash=tag), tag)


def _tournament_json(here: Services, tournament_id: UUID) -> msgspec.Raw:
    with here.reads.reading() as rows:
        row = find_tournament_view(rows, tournament_id)
    if row is None:
        raise NotFound(str(tournament_id))
    return tournament_views.raw_json_of_row_with_names(here, row)


def _tag(document: msgspec.Raw) -> str:
    return hashlib.sha256(document).hexdigest()[:_TAG]
