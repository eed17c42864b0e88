"""The state of a ranking between clubs: its clubs, and the last publication of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from referee.aggregates.publication import digest_of_month
from referee.errors import Refused
from referee.events import TextId
from referee.events.rankings import (
    ClubAddressGiven,
    ClubAdmitted,
    ClubDropped,
    Month,
    PublicationTaken,
    PublicId,
    RankedClubId,
    RankingAct,
    RankingOpened,
    StatedResult,
    TakenPerson,
)


class RankingRule(StrEnum):
    """Why something cannot be recorded in a ranking between clubs."""

    RANKING_OPEN = "ranking-open"
    RANKED_CLUB_UNKNOWN = "ranked-club-unknown"
    RANKED_CLUBS_MANY = "ranked-clubs-many"
    RANKED_KEY_KNOWN = "ranked-key-known"
    RANKED_KEY_OTHER = "ranked-key-other"
    PUBLICATION_OLDER = "publication-older"
    PUBLICATION_SAME = "publication-same"
    PUBLICATION_BROKEN = "publication-broken"
    PUBLICATION_LARGE = "publication-large"
    UPLOAD_BAD = "upload-bad"
    UPLOAD_GONE = "upload-gone"
    RANKING_BROKEN = "ranking-broken"
    RANKING_NOT_COMPUTED = "ranking-not-computed"
    NAMES_ERASED = "names-erased"
    ADDRESS_NONE = "address-none"
    ADDRESS_BAD = "address-bad"
    ADDRESS_UNKNOWN = "address-unknown"
    ADDRESS_INSIDE = "address-inside"
    ADDRESS_CLOSED = "address-closed"
    ADDRESS_CERTIFICATE = "address-certificate"
    ADDRESS_SLOW = "address-slow"
    ADDRESS_BROKEN = "address-broken"
    ADDRESS_STATUS = "address-status"
    READING_OFF = "reading-off"
    READING_BUSY = "reading-busy"


class RankedClub(msgspec.Struct, frozen=True):
    """A club of a ranking. ``taken``: its last publication, with the results of all its months."""

    id: RankedClubId
    name: TextId
    key: str
    address: TextId = ""
    taken: PublicationTaken | None = None
    is_dropped: bool = False

    @property
    def results_by_month(self) -> Mapping[Month, tuple[StatedResult, ...]]:
        """Results of each month; none before a publication was taken."""
        return {} if self.taken is None else self.taken.months


class Ranking(msgspec.Struct, frozen=True):
    """A ranking folded from its log; ``version`` counts its acts.

    ``latest``: by key, the highest index that was taken; also of clubs that were dropped since.
    ``erased``: by key, the persons who were erased in this house, each with the text that was
    their name.
    """

    opened: RankingOpened | None = None
    clubs: Mapping[RankedClubId, RankedClub] = {}
    version: int = 0
    latest: Mapping[str, int] = {}
    erased: Mapping[str, Mapping[PublicId, TextId]] = {}

    @property
    def clubs_taking_part(self) -> tuple[RankedClub, ...]:
        """Clubs that take part."""
        return tuple(one for one in self.clubs.values() if not one.is_dropped)


INITIAL: Final = Ranking()


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
            state = _with_erased_persons(state, found, erased)
            return _with_club(state, club, replace(found, is_dropped=True, taken=None))
        case PublicationTaken():
            return _with_publication(state, event)
        case _:
            assert_never(event)


def _with_club(state: Ranking, club: RankedClubId, found: RankedClub | None) -> Ranking:
    return state if found is None else replace(state, clubs={**state.clubs, club: found})


def _with_erased_persons(
    state: Ranking, club: RankedClub, erased: Iterable[TakenPerson]
) -> Ranking:
    """The ranking with more persons of a club who were erased in this house."""
    found = {one.person: one.name for one in erased}
    of_club = {**state.erased.get(club.key, {}), **found}
    return replace(state, erased={**state.erased, club.key: of_club}) if found else state


def _with_publication(state: Ranking, event: PublicationTaken) -> Ranking:
    """The ranking with a publication of a club; months as before come from the one before."""
    club = state.clubs.get(event.club)
    if club is None:
        return state
    known = {**club.results_by_month, **event.months}
    months = {month: known.get(month, ()) for month in event.digests}
    latest = max(event.index, state.latest.get(club.key, event.index))
    state = replace(state, latest={**state.latest, club.key: latest})
    state = _with_erased_persons(state, club, event.erased)
    return _with_club(state, club.id, replace(club, taken=replace(event, months=months)))


MOST_CLUBS: Final = 500


def decide(act: RankingAct, state: Ranking) -> tuple[RankingAct, ...]:
    """The act that was asked to be recorded, with its number.

    :raises Refused: it cannot be so
    """
    match act:
        case RankingOpened():
            if state.opened is not None:
                raise Refused(RankingRule.RANKING_OPEN)
        case ClubAdmitted():
            return (_admission_with_number(act, state),)
        case ClubAddressGiven(club) | ClubDropped(club):
            require_club(club, state)
        case PublicationTaken():
            _refuse_publication(act, require_club(act.club, state), state)
    return (act,)


def require_club(club: RankedClubId, state: Ranking) -> RankedClub:
    """A club that takes part.

    :raises Refused: none of this number does
    """
    found = state.clubs.get(club)
    if found is None or found.is_dropped:
        raise Refused(RankingRule.RANKED_CLUB_UNKNOWN, club=club)
    return found


def _admission_with_number(act: ClubAdmitted, state: Ranking) -> ClubAdmitted:
    """The admission of a club with its number, if its key is new and there is room for it."""
    if any(one.key == act.key for one in state.clubs_taking_part):
        raise Refused(RankingRule.RANKED_KEY_KNOWN)
    if len(state.clubs) >= MOST_CLUBS:
        raise Refused(RankingRule.RANKED_CLUBS_MANY, most=MOST_CLUBS)
    return replace(act, club=str(len(state.clubs) + 1))


def _refuse_publication(act: PublicationTaken, club: RankedClub, state: Ranking) -> None:
    """Refuse what the club published before, and months that are not as the club signed them.

    A club that was dropped and comes back has no older publication than before either: names may
    have been taken back since.
    """
    if club.taken is not None and act.index == club.taken.index:
        raise Refused(RankingRule.PUBLICATION_SAME)
    if act.index < state.latest.get(club.key, act.index):
        raise Refused(RankingRule.PUBLICATION_OLDER)
    known = {**club.results_by_month, **act.months}
    for month, digest in act.digests.items():
        if digest_of_month(month, known.get(month, ())) != digest:
            raise Refused(RankingRule.PUBLICATION_BROKEN, field=f"months.{month}")
    if not act.months.keys() <= act.digests.keys():
        raise Refused(RankingRule.PUBLICATION_BROKEN, field="months")
