"""Cache of computed tables of rankings: each is computed on demand, once for a version.

A table of many clubs takes seconds, so the projector writes none: it writes that there is another
state. The tables that were asked for last are kept in memory, with ids in place of names.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace

from projections.rankings.computation import (
    FEWEST_RESULTS,
    PublishedClub,
    RankedId,
    RankedPerson,
    RankedResult,
    rank,
)
from projections.rankings.views import (
    RankedClubData,
    RankedDayData,
    RankedMemberData,
    RankedPersonData,
    RankedResultData,
    RankedRowData,
    RankingData,
)
from referee.aggregates.publication import fingerprint_of_club_key
from referee.aggregates.ranking import RankedClub, Ranking
from referee.audit.house_files import BrokenFile
from referee.audit.result_files import check_stored_publication
from referee.events.rankings import StatedPerson
from referee.log.mapper import UnknownName

NOTHING_TAKEN: Final = -1
_LATEST: Final = 100
"""Results that the line of a person shows."""


class _Known(NamedTuple):
    """Clubs of a ranking by fingerprint, and names by person."""

    clubs: Mapping[str, RankedClub]
    names: Mapping[RankedId, str]

    def address_part_of_person(self, person: RankedPerson) -> str:
        """Part of the address of a person's page: the first club and their public id there."""
        first = self.memberships_of_person(person)[0]
        return f"{first.club}-{first.person}"

    def memberships_of_person(self, person: RankedPerson) -> list[RankedMemberData]:
        """Who a person is in each club, by its number."""
        found: list[RankedMemberData] = [
            RankedMemberData(club=self.clubs[one[0]].id, person=one[1], name=self.names[one])
            for one in person.members
        ]
        return sorted(found, key=lambda one: (int(one.club), one.person))


def club_publications(state: Ranking) -> list[PublishedClub]:
    """Publications of the clubs of a ranking."""
    return [
        PublishedClub(
            fingerprint_of_club_key(club.key),
            [StatedPerson(one.person, one.joints) for one in club.taken.people],
            club.results_by_month,
        )
        for club in state.clubs_taking_part
        if club.taken is not None
    ]


class BrokenClub(Exception):  # noqa: N818 - an answer about a club
    """Error: stored data of a club is not what the club signed. Holds its number and the field."""

    def __init__(self, club: str, field: str) -> None:
        super().__init__(club, field)
        self.club, self.field = club, field


def refuse_broken_club(club: RankedClub) -> None:
    """Raise an error unless the stored publication of a club is what the club signed.

    :raises BrokenClub: it is not
    """
    taken = club.taken
    if taken is None:
        return
    people = [StatedPerson(one.person, one.joints) for one in taken.people]
    try:
        check_stored_publication(
            club.key, taken.checkpoint, taken.event, people, club.results_by_month
        )
    except BrokenFile as broken:
        raise BrokenClub(club.id, broken.field) from None


def outline_of(key: str, state: Ranking) -> RankingData:
    """View of a ranking without its table: its name and its clubs."""
    assert state.opened is not None
    return RankingData(
        id=key,
        name=state.opened.name,
        contact=state.opened.contact,
        version=state.version,
        clubs=[_club_data(one) for one in state.clubs.values()],
        rows=[],
        results=0,
        days=0,
        fewest=FEWEST_RESULTS,
    )


class RankingTable:
    """A ranking computed at one version: the whole table, and the page of each person."""

    def __init__(self, key: str, state: Ranking) -> None:
        """Compute it.

        :raises BrokenClub: what the house has of a club is not what it signed
        """
        for club in state.clubs_taking_part:
            refuse_broken_club(club)
        self.version = state.version
        self._known = _clubs_and_names_of_ranking(state)
        people = rank(club_publications(state))
        self._people = {self._known.address_part_of_person(one): one for one in people}
        self._lines = {one.members[0]: line for line, one in self._people.items()}
        self._whole = self._view(key, state)

    def view(self) -> RankingData:
        """View of the whole ranking."""
        return self._whole

    def person(self, line: str) -> RankedPersonData | None:
        """Row, ratings and results of a person; None if nobody has this address."""
        one = self._people.get(line)
        if one is None:
            return None
        return RankedPersonData(
            row=_row_data(line, one, self._known),
            days=[
                RankedDayData(
                    day=at.day, rating=round(at.rating, 1), deviation=round(at.deviation, 1)
                )
                for at in one.days
            ],
            results=[
                _result_data(result, one.members[0], self._known, self._lines)
                for result in one.results[::-1][:_LATEST]
            ],
        )

    def _view(self, key: str, state: Ranking) -> RankingData:
        results = {id(result): result for one in self._people.values() for result in one.results}
        return replace(
            outline_of(key, state),
            rows=[_row_data(line, one, self._known) for line, one in self._people.items()],
            results=len(results),
            days=len({one.stated.date for one in results.values()}),
        )


def _clubs_and_names_of_ranking(state: Ranking) -> _Known:
    clubs = {fingerprint_of_club_key(one.key): one for one in state.clubs_taking_part}
    names = {
        (key, one.person): one.name
        for key, club in clubs.items()
        if club.taken is not None
        for one in club.taken.people
    }
    return _Known(clubs, names)


def _club_data(one: RankedClub) -> RankedClubData:
    taken = one.taken
    return RankedClubData(
        club=one.id,
        name=one.name,
        house="" if taken is None else taken.house,
        address=one.address,
        key=one.key,
        fingerprint=fingerprint_of_club_key(one.key),
        index=NOTHING_TAKEN if taken is None else taken.index,
        people=0 if taken is None else len(taken.people),
        results=sum(map(len, one.results_by_month.values())),
        last=max(one.results_by_month, default=""),
        is_dropped=one.is_dropped,
    )


def _row_data(line: str, one: RankedPerson, known: _Known) -> RankedRowData:
    return RankedRowData(
        place=one.place,
        person=line,
        members=known.memberships_of_person(one),
        rating=one.rating,
        deviation=one.deviation,
        played=one.played,
        won=one.won,
        level=one.level,
        lost=one.lost,
        last=one.days[-1].day,
    )


def _result_data(
    one: RankedResult, who: RankedId, known: _Known, lines: Mapping[RankedId, str]
) -> RankedResultData:
    own = next(number for number, side in enumerate(one.sides, 1) if who in side)
    winner = one.stated.winner
    partners = [each for each in one.sides[own - 1] if each != who]
    opponents = [each for n, side in enumerate(one.sides, 1) if n != own for each in side]
    return RankedResultData(
        day=one.stated.date,
        club=known.clubs[one.key].id,
        profile=one.stated.profile,
        outcome="won" if winner == own else "lost" if winner else "level",
        partners=_address_part_of_each(partners, lines),
        opponents=_address_part_of_each(opponents, lines),
    )


def _address_part_of_each(
    people: Sequence[RankedId | None], lines: Mapping[RankedId, str]
) -> list[str]:
    return ["" if one is None else lines[one] for one in people]


KEPT: Final = 4
UNREADABLE: Final = (msgspec.MsgspecError, UnknownName, LookupError, TypeError, ValueError)
"""What is raised where the events of a ranking cannot be read."""

_log = logging.getLogger(__name__)


class NotComputed(Exception):  # noqa: N818 - an answer about a table
    """Error: the table of a ranking cannot be computed at this version.

    ``club``, ``field``: which part is not as that club signed it; empty: something else is wrong.
    """

    def __init__(self, version: int, club: str = "", field: str = "") -> None:
        super().__init__(version, club, field)
        self.version, self.club, self.field = version, club, field


class RankingTables:
    """Cache of the tables of rankings that this process computed last."""

    def __init__(self) -> None:
        self._tables: OrderedDict[UUID, RankingTable | NotComputed] = OrderedDict()
        self._computing = threading.Lock()

    def table_or_none_on_timeout(
        self, ranking_id: UUID, version: int, ask: Callable[[UUID], Ranking], timeout_s: float
    ) -> RankingTable | None:
        """Table of a ranking at this version or a later one; None on timeout.

        ``ask``: Returns the present state.

        None: another thread has been computing for longer than the time that is given.

        :raises NotComputed: it cannot be computed, of which the log says more
        """
        if found := self._find_table_or_failure(ranking_id, version):
            return _require_table(found)
        if not self._computing.acquire(timeout=timeout_s):
            return None
        try:
            if found := self._find_table_or_failure(ranking_id, version):
                return _require_table(found)
            computed = _compute_table_or_failure(ranking_id, version, ask)
            self._tables[ranking_id] = computed
            while len(self._tables) > KEPT:
                self._tables.popitem(last=False)
            return _require_table(computed)
        finally:
            self._computing.release()

    def _find_table_or_failure(
        self, ranking_id: UUID, version: int
    ) -> RankingTable | NotComputed | None:
        found = self._tables.get(ranking_id)
        if found is None or found.version < version:
            return None
        with suppress(KeyError):  # another thread may have let it go
            self._tables.move_to_end(ranking_id)
        return found


def _compute_table_or_failure(
    ranking_id: UUID, version: int, ask: Callable[[UUID], Ranking]
) -> RankingTable | NotComputed:
    """Table of a ranking, or the error why there is none, which is cached as well."""
    try:
        state = ask(ranking_id)
    except UNREADABLE:
        _log.exception("ranking %s cannot be read", ranking_id)
        return NotComputed(version)
    try:
        return RankingTable(str(ranking_id), state)
    except BrokenClub as broken:
        _log.error("ranking %s: club %s: %s", ranking_id, broken.club, broken.field)
        return NotComputed(state.version, broken.club, broken.field)
    except Exception:  # noqa: BLE001 - whatever the log of a house may hold
        _log.exception("ranking %s cannot be computed", ranking_id)
        return NotComputed(state.version)


def _require_table(found: RankingTable | NotComputed) -> RankingTable:
    if isinstance(found, NotComputed):
        raise NotComputed(found.version, found.club, found.field)
    return found
