"""A ranking as data, from its state: what is on its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

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
    RankedMemberData,
    RankedPersonData,
    RankedResultData,
    RankedRowData,
    RankingData,
    RankingShortData,
)
from referee.aggregates.publication.joints import fingerprint_of
from referee.aggregates.ranking.state import RankedClub, Ranking
from referee.events.publication import StatedPerson

NOTHING_TAKEN: Final = -1
_LATEST: Final = 100
"""Results that the line of a person shows."""


class RankingRows(NamedTuple):
    """Everything of a ranking: in a list, whole, and the line of each person."""

    short: RankingShortData
    whole: RankingData
    people: Mapping[str, RankedPersonData]


class _Known(NamedTuple):
    """Clubs of a ranking by fingerprint, and names by person."""

    clubs: Mapping[str, RankedClub]
    names: Mapping[RankedId, str]

    def line(self, person: RankedPerson) -> str:
        """Address of the line of a person: the first club and their public id there."""
        first = self.members(person)[0]
        return f"{first['club']}-{first['person']}"

    def members(self, person: RankedPerson) -> list[RankedMemberData]:
        """Who a person is in each club, by its number."""
        found: list[RankedMemberData] = [
            {"club": self.clubs[one[0]].id, "person": one[1], "name": self.names[one]}
            for one in person.members
        ]
        return sorted(found, key=lambda one: (int(one["club"]), one["person"]))


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


def ranking_rows(key: str, state: Ranking) -> RankingRows:
    """Everything of a ranking."""
    assert state.opened is not None
    clubs = {fingerprint_of(one.key): one for one in state.counting}
    names = {
        (key, one.person): one.name
        for key, club in clubs.items()
        if club.taken is not None
        for one in club.taken.people
    }
    known, people = _Known(clubs, names), rank(clubs_of(state))
    lines = {one.members[0]: known.line(one) for one in people}
    rows = {known.line(one): _row(one, known) for one in people}
    results = {id(result): result for one in people for result in one.results}
    whole: RankingData = {
        "id": key,
        "name": state.opened.name,
        "contact": state.opened.contact,
        "version": state.version,
        "clubs": [_club(one) for one in state.clubs.values()],
        "rows": list(rows.values()),
        "results": len(results),
        "days": len({one.stated.date for one in results.values()}),
        "fewest": FEWEST_RESULTS,
    }
    short: RankingShortData = {
        "id": key,
        "name": state.opened.name,
        "version": state.version,
        "clubs": len(state.counting),
        "people": len(rows),
    }
    return RankingRows(
        short, whole, {known.line(one): _line(one, rows, known, lines) for one in people}
    )


def _club(one: RankedClub) -> RankedClubData:
    taken = one.taken
    return {
        "club": one.id,
        "name": one.name,
        "house": "" if taken is None else taken.house,
        "address": one.address,
        "key": one.key,
        "fingerprint": fingerprint_of(one.key),
        "index": NOTHING_TAKEN if taken is None else taken.index,
        "people": 0 if taken is None else len(taken.people),
        "results": sum(map(len, one.months.values())),
        "last": max(one.months, default=""),
        "is_dropped": one.is_dropped,
    }


def _row(one: RankedPerson, known: _Known) -> RankedRowData:
    return {
        "place": one.place,
        "person": known.line(one),
        "members": known.members(one),
        "rating": one.rating,
        "deviation": one.deviation,
        "played": one.played,
        "won": one.won,
        "level": one.level,
        "lost": one.lost,
        "last": one.days[-1].day,
    }


def _line(
    one: RankedPerson,
    rows: Mapping[str, RankedRowData],
    known: _Known,
    lines: Mapping[RankedId, str],
) -> RankedPersonData:
    return {
        "row": rows[known.line(one)],
        "days": [
            {"day": day, "rating": round(rating, 1), "deviation": round(deviation, 1)}
            for day, rating, deviation in one.days
        ],
        "results": [
            _result(result, one.members[0], known, lines) for result in one.results[::-1][:_LATEST]
        ],
    }


def _result(
    one: RankedResult, who: RankedId, known: _Known, lines: Mapping[RankedId, str]
) -> RankedResultData:
    own = next(number for number, side in enumerate(one.sides, 1) if who in side)
    winner = one.stated.winner
    partners = [each for each in one.sides[own - 1] if each != who]
    opponents = [each for n, side in enumerate(one.sides, 1) if n != own for each in side]
    return {
        "day": one.stated.date,
        "club": known.clubs[one.key].id,
        "profile": one.stated.profile,
        "outcome": "won" if winner == own else "lost" if winner else "level",
        "partners": _lines(partners, lines),
        "opponents": _lines(opponents, lines),
    }


def _lines(people: Sequence[RankedId | None], lines: Mapping[RankedId, str]) -> list[str]:
    return ["" if one is None else lines[one] for one in people]
