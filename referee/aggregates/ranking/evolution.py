"""How a ranking changes by each event. Nothing is refused here: only ``decide`` checks rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from referee.aggregates.ranking.state import RankedClub, Ranking
from referee.events.ranking import (
    ClubAddressGiven,
    ClubAdmitted,
    ClubDropped,
    PublicationTaken,
    RankedClubId,
    RankingAct,
    RankingOpened,
    TakenPerson,
)


def evolve(state: Ranking, event: RankingAct) -> Ranking:
    """The ranking after one event."""
    state = replace(state, version=state.version + 1)
    match event:
        case RankingOpened():
            return replace(state, opened=event)
        case ClubAdmitted(name, key, address, club):
            return _with_club(state, club, RankedClub(club, name, key, address))
        case ClubAddressGiven(club, address):
            found = state.clubs.get(club)
            return _with_club(state, club, found and replace(found, address=address))
        case ClubDropped(club, erased):
            found = state.clubs.get(club)
            if found is None:
                return state
            state = _with_erased(state, found, erased)
            return _with_club(state, club, replace(found, is_dropped=True, taken=None))
        case PublicationTaken():
            return _with_publication(state, event)
        case _:
            assert_never(event)


def _with_club(state: Ranking, club: RankedClubId, found: RankedClub | None) -> Ranking:
    return state if found is None else replace(state, clubs={**state.clubs, club: found})


def _with_erased(state: Ranking, club: RankedClub, erased: Iterable[TakenPerson]) -> Ranking:
    """Persons of a club who were erased in this house, with those of before."""
    found = {one.person: one.name for one in erased}
    of_club = {**state.erased.get(club.key, {}), **found}
    return replace(state, erased={**state.erased, club.key: of_club}) if found else state


def _with_publication(state: Ranking, event: PublicationTaken) -> Ranking:
    """A publication of a club; months that are as before are taken from the one before."""
    club = state.clubs.get(event.club)
    if club is None:
        return state
    known = {**club.months, **event.months}
    months = {month: known.get(month, ()) for month in event.digests}
    latest = max(event.index, state.latest.get(club.key, event.index))
    state = replace(state, latest={**state.latest, club.key: latest})
    state = _with_erased(state, club, event.erased)
    return _with_club(state, club.id, replace(club, taken=replace(event, months=months)))
