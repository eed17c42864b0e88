"""A ranking as data, computed from its state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

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
from referee.aggregates.publication.joints import fingerprint_of
from referee.aggregates.ranking.state import RankedClub, Ranking
from referee.audit.house_files import BrokenFile
from referee.audit.result_files import check_stored
from referee.events.publication import StatedPerson

NOTHING_TAKEN: Final = -1
_LATEST: Final = 100
"""Results that the line of a person shows."""


class _Known(NamedTuple):
    """Clubs of a ranking by fingerprint, and names by person."""

    clubs: Mapping[str, RankedClub]
    names: Mapping[RankedId, str]

    def line(self, person: RankedPerson) -> str:
        """Address of the line of a person: the first club and their public id there."""
        first = self.members(person)[0]
        return f"{first.club}-{first.person}"

    def members(self, person: RankedPerson) -> list[RankedMemberData]:
        """Who a person is in each club, by its number."""
        found: list[RankedMemberData] = [
            RankedMemberData(club=self.clubs[one[0]].id, person=one[1], name=self.names[one])
            for one in person.members
        ]
        return sorted(found, key=lambda one: (int(one.club), one.person))


def clubs_of(state: Ranking) -> list[PublishedClub]:
    """What the clubs of a ranking publish."""
    return [
        PublishedClub(
            fingerprint_of(club.key),
            [StatedPerson(one.person, one.joints) for one in club.taken.people],
            club.months,
        )
        for club in state.counting
        if club.taken is not None
    ]


class BrokenClub(Exception):  # noqa: N818 - an answer about a club
    """A club of which something is not as it was signed: the number, and the field."""

    def __init__(self, club: str, field: str) -> None:
        super().__init__(club, field)
        self.club, self.field = club, field


def check_club(club: RankedClub) -> None:
    """Check that what the house has of a club is what the club signed.

    :raises BrokenClub: it is not
    """
    taken = club.taken
    if taken is None:
        return
    people = [StatedPerson(one.person, one.joints) for one in taken.people]
    try:
        check_stored(club.key, taken.checkpoint, taken.event, people, club.months)
    except BrokenFile as broken:
        raise BrokenClub(club.id, broken.field) from None


def outline_of(key: str, state: Ranking) -> RankingData:
    """A ranking without its table: what it is called, and its clubs."""
    assert state.opened is not None
    return RankingData(
        id=key,
        name=state.opened.name,
        contact=state.opened.contact,
        version=state.version,
        clubs=[_club(one) for one in state.clubs.values()],
        rows=[],
        results=0,
        days=0,
        fewest=FEWEST_RESULTS,
    )


class RankingTable:
    """A ranking at one version: whole, and the line of each person."""

    def __init__(self, key: str, state: Ranking) -> None:
        """Compute it.

        :raises BrokenClub: what the house has of a club is not what it signed
        """
        for club in state.counting:
            check_club(club)
        self.version = state.version
        self._known = _names_and_clubs(state)
        people = rank(clubs_of(state))
        self._people = {self._known.line(one): one for one in people}
        self._lines = {one.members[0]: line for line, one in self._people.items()}
        self._whole = self._view(key, state)

    def view(self) -> RankingData:
        """The whole ranking."""
        return self._whole

    def person(self, line: str) -> RankedPersonData | None:
        """The line of a person."""
        one = self._people.get(line)
        if one is None:
            return None
        return RankedPersonData(
            row=_row(line, one, self._known),
            days=[
                RankedDayData(
                    day=at.day, rating=round(at.rating, 1), deviation=round(at.deviation, 1)
                )
                for at in one.days
            ],
            results=[
                _result(result, one.members[0], self._known, self._lines)
                for result in one.results[::-1][:_LATEST]
            ],
        )

    def _view(self, key: str, state: Ranking) -> RankingData:
        results = {id(result): result for one in self._people.values() for result in one.results}
        return replace(
            outline_of(key, state),
            rows=[_row(line, one, self._known) for line, one in self._people.items()],
            results=len(results),
            days=len({one.stated.date for one in results.values()}),
        )


def _names_and_clubs(state: Ranking) -> _Known:
    clubs = {fingerprint_of(one.key): one for one in state.counting}
    names = {
        (key, one.person): one.name
        for key, club in clubs.items()
        if club.taken is not None
        for one in club.taken.people
    }
    return _Known(clubs, names)


def _club(one: RankedClub) -> RankedClubData:
    taken = one.taken
    return RankedClubData(
        club=one.id,
        name=one.name,
        house="" if taken is None else taken.house,
        address=one.address,
        key=one.key,
        fingerprint=fingerprint_of(one.key),
        index=NOTHING_TAKEN if taken is None else taken.index,
        people=0 if taken is None else len(taken.people),
        results=sum(map(len, one.months.values())),
        last=max(one.months, default=""),
        is_dropped=one.is_dropped,
    )


def _row(line: str, one: RankedPerson, known: _Known) -> RankedRowData:
    return RankedRowData(
        place=one.place,
        person=line,
        members=known.members(one),
        rating=one.rating,
        deviation=one.deviation,
        played=one.played,
        won=one.won,
        level=one.level,
        lost=one.lost,
        last=one.days[-1].day,
    )


def _result(
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
        partners=_lines(partners, lines),
        opponents=_lines(opponents, lines),
    )


def _lines(people: Sequence[RankedId | None], lines: Mapping[RankedId, str]) -> list[str]:
    return ["" if one is None else lines[one] for one in people]
