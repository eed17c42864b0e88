"""Where two persons who may be one take part twice: running tournaments, open evenings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from api.http.services import current_services
from projections.seasons.queries import session_rows
from projections.tournaments.queries import tournament_rows
from referee.aggregates.tournament.entries import players_of_pairs
from referee.events import PersonId

_LOOKED_AT: Final = 200
"""Tournaments, and evenings, that are looked through, the latest first."""


class TwiceIn(NamedTuple):
    """A tournament or an evening, and the pairs of the tournament that both play for."""

    name: str
    address: str
    pairs: tuple[str, ...] = ()


def twice_in(persons: Sequence[PersonId]) -> list[TwiceIn]:
    """Running tournaments and open evenings in which these would be one person twice."""
    return [*_tournaments(frozenset(persons)), *_sessions(frozenset(persons))]


def _tournaments(persons: frozenset[PersonId]) -> Iterator[TwiceIn]:
    services = current_services()
    with services.reads.reading() as cursor:
        listed = [view for _, view in tournament_rows(cursor, None, _LOOKED_AT)]
    for view in listed:
        if view["stage"] != "over":
            state = services.referee.tournaments.tournament(UUID(view["id"]))
            parts = players_of_pairs(state)
            if len(pairs := _of(persons, parts)) > 1:
                name = services.persons.text(view["name"]) or ""
                yield TwiceIn(name, f"/torneos/{view['id']}", tuple(pairs))


def _sessions(persons: frozenset[PersonId]) -> Iterator[TwiceIn]:
    services = current_services()
    with services.reads.reading() as cursor:
        listed = session_rows(cursor, _LOOKED_AT)
    for view in listed:
        if not view["closed"]:
            present = services.referee.seasons.session(UUID(view["id"])).present
            if len(persons.intersection(present)) > 1:
                yield TwiceIn(view["date"], f"/jornadas/{view['id']}")


def _of(persons: frozenset[PersonId], parts: Mapping[str, Sequence[PersonId]]) -> list[str]:
    return [part for part, players in parts.items() for one in players if one in persons]
