"""Views of tournaments with the names of those who play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

import msgspec

from api.http.problems import Problem
from api.http.rows import one_row, place_of
from api.http.services import Services, house
from projections.tournaments.rows import tournament_row, tournament_rows
from referee.tournament.lots import VERSION, LotsCommitment, RevealedLots, made
from referee.tournament.state import Tournament, lots_of

_WITH_IDS: Final = ("id", "name", "place", "pairs", "draw", "pending")
"""Members of a view in which ids stand for names and addresses; the rest is sent as it is."""

_OF_TABLE: Final = ("id", "stage", "version", "standings", "groups", "champion")


def document(tournament_id: UUID) -> msgspec.Raw:
    """The view of a tournament as JSON.

    :raises NotFound: there is none
    """
    row = one_row(lambda rows: tournament_row(rows, tournament_id), tournament_id)
    return written(house(), row)


def written(here: Services, row: Mapping[str, msgspec.Raw]) -> msgspec.Raw:
    """A row as everybody may read it, with names, as JSON."""
    told = named(here, {name: msgspec.json.decode(row[name]) for name in _WITH_IDS})
    return msgspec.Raw(msgspec.json.encode({**row, **told}))


def table(tournament_id: UUID) -> msgspec.Raw:
    """The standings alone as JSON, which name pairs by their numbers.

    :raises NotFound: there is none
    """
    row = one_row(lambda rows: tournament_row(rows, tournament_id), tournament_id)
    return msgspec.Raw(msgspec.json.encode({name: row[name] for name in _OF_TABLE}))


def tournament(tournament_id: UUID) -> dict[str, Any]:
    """The view of a tournament.

    :raises NotFound: there is none
    """
    return msgspec.json.decode(document(tournament_id), type=dict[str, Any])


def tournaments(cursor: str, limit: int) -> dict[str, Any]:
    """One page of the list of tournaments, the latest first."""
    before, here = place_of(cursor), house()
    with here.reads.reading() as rows:
        found = tournament_rows(rows, before, limit + 1)
    more = str(found[limit - 1][0]) if len(found) > limit else None
    return {"items": [_titled(here, view) for _, view in found[:limit]], "next": more}


def named(here: Services, view: Mapping[str, Any]) -> dict[str, Any]:
    """A view with names in place of ids; who was erased has none. Addresses are filled in."""
    path = address(view["id"])
    names = here.persons.names_of(who for one in view["pairs"] for who in one["players"])
    pairs = [{**one, "players": [names[who] for who in one["players"]]} for one in view["pairs"]]
    draw = view["draw"] and {**view["draw"], "file": f"{path}/draw"}
    pending = [
        {**one, "choices": f"{path}/meetings/{one['meeting']}/choices"} for one in view["pending"]
    ]
    return {**_titled(here, view), "pairs": pairs, "draw": draw, "pending": pending}


def _titled(here: Services, view: Mapping[str, Any]) -> dict[str, Any]:
    texts = {key: here.persons.text(view[key]) if view[key] else None for key in ("name", "place")}
    return {**view, **texts}


def address(tournament_id: UUID | str) -> str:
    """Address of a tournament."""
    return f"/api/v1/tournaments/{tournament_id}"


def draw_file(tournament_id: UUID) -> dict[str, Any]:
    """The file of the draw: as made, or before that the commitment to it.

    :raises NotFound: there is no such tournament
    :raises Problem: nothing is committed to yet
    """
    found: Any = msgspec.to_builtins(_file(house().referee.tournaments.tournament(tournament_id)))
    return dict(found)


def _file(state: Tournament) -> LotsCommitment | RevealedLots:
    committed, drawn = state.committed, state.drawn
    if committed is None:
        raise Problem("not_found")
    before = LotsCommitment(VERSION, lots_of(state, committed), committed.commitment)
    return before if drawn is None else made(before, drawn.seed, drawn.word)
