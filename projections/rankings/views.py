"""Types of answers about rankings. Names are ids of texts, which are replaced before sending."""

from __future__ import annotations

import msgspec

from referee.events.base import TextId


class RankedMemberData(msgspec.Struct, frozen=True):
    """A person in one club: its number, their public id there, and the name they agreed to."""

    club: str
    person: str
    name: str


class RankedRowData(msgspec.Struct, frozen=True):
    """A row of the ranking. ``place``: 0 with few results. ``person``: address of their page."""

    place: int
    person: str
    members: list[RankedMemberData]
    rating: float
    deviation: float
    played: int
    won: int
    level: int
    lost: int
    last: str


class RankedClubData(msgspec.Struct, frozen=True):
    """A club of a ranking. ``index``: log index of its accepted publication, -1 if there is none.

    ``house``: the name that the club gives itself; ``is_dropped``: it takes part no more.
    """

    club: str
    name: TextId
    house: TextId
    address: TextId
    key: str
    fingerprint: str
    index: int
    people: int
    results: int
    last: str
    is_dropped: bool


class RankingData(msgspec.Struct, frozen=True):
    """A whole ranking; ``results``: how many count, ``days``: on how many days they were played."""

    id: str
    name: TextId
    contact: TextId
    version: int
    clubs: list[RankedClubData]
    rows: list[RankedRowData]
    results: int
    days: int
    fewest: int


class RankingShortData(msgspec.Struct, frozen=True):
    """A ranking in a list."""

    id: str
    name: TextId
    version: int
    clubs: int


class RankedDayData(msgspec.Struct, frozen=True):
    """A rating after a day of play."""

    day: str
    rating: float
    deviation: float


class RankedResultData(msgspec.Struct, frozen=True):
    """A result of a person.

    ``partners``, ``opponents``: Addresses of persons, empty without a name.
    """

    day: str
    club: str
    profile: str
    outcome: str
    partners: list[str]
    opponents: list[str]


class RankedPersonData(msgspec.Struct, frozen=True):
    """A person of a ranking: their row, ratings day by day, and results, the latest first."""

    row: RankedRowData
    days: list[RankedDayData]
    results: list[RankedResultData]
