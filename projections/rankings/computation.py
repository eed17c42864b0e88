"""Computation of a ranking from publications alone.

Which persons are one, and their ratings day by day.

``docs/law/rankings.md`` says what is computed; whoever has the publications gets the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

import msgspec

from projections.ratings.glicko import (
    RatedSide,
    Rating,
    player_ratings_after,
    rating_after_idle_periods,
)
from referee.events.rankings import PublicId, StatedPerson, StatedResult

FEWEST_RESULTS: Final = 5
"""Results that a person needs for a place."""
RankedId: TypeAlias = tuple[str, PublicId]
"""A person of a club: the fingerprint of its key, and their public id there."""


class PublishedClub(NamedTuple):
    """What a club publishes, by the fingerprint of its key."""

    key: str
    people: Sequence[StatedPerson]
    months: Mapping[str, Sequence[StatedResult]]


class RankedDay(msgspec.Struct, frozen=True, gc=False):
    """A rating after a day of play."""

    day: str
    rating: float
    deviation: float


class RankedResult(msgspec.Struct, frozen=True, gc=False):
    """A result that counts: the club, the result, and the persons of each side."""

    key: str
    stated: StatedResult
    sides: tuple[tuple[RankedId | None, ...], ...]


@dataclass(slots=True)
class RankedPerson:
    """A person of a ranking. ``members``: their id in each club, sorted.

    ``place``: 0 with fewer results than a place needs.
    """

    members: tuple[RankedId, ...]
    place: int = 0
    rating: float = 0.0
    deviation: float = 0.0
    won: int = 0
    level: int = 0
    lost: int = 0
    days: list[RankedDay] = field(default_factory=list)
    results: list[RankedResult] = field(default_factory=list)

    @property
    def played(self) -> int:
        """Number of results that count for the person."""
        return self.won + self.level + self.lost


def rank(clubs: Iterable[PublishedClub]) -> list[RankedPerson]:
    """Everybody with a name who has played, in the order of the ranking.

    Persons with few results come last.
    """
    known = sorted(clubs, key=lambda one: one.key)
    groups = ids_of_same_person(known)
    people = {members[0]: RankedPerson(members) for members in set(groups.values())}
    days: dict[str, list[RankedResult]] = {}
    for one in _results_that_count(known, groups):
        days.setdefault(one.stated.date, []).append(one)
    rated: dict[RankedId, tuple[int, Rating]] = {}
    for number, (day, results) in enumerate(sorted(days.items())):
        _rate_day(number, results, rated)
        for result in results:
            _count_result(result, people)
        for who in {who for one in results for side in one.sides for who in side if who}:
            rating = rated[who][1]
            people[who].days.append(RankedDay(day, rating.rating, rating.deviation))
    for who, (number, rating) in rated.items():
        now = rating_after_idle_periods(rating, len(days) - 1 - number)
        people[who].rating, people[who].deviation = round(now.rating, 1), round(now.deviation, 1)
    return _sort_and_assign_places([one for one in people.values() if one.played])


def ids_of_same_person(clubs: Sequence[PublishedClub]) -> dict[RankedId, tuple[RankedId, ...]]:
    """For each id of a person in a club, all ids of the same person in these clubs.

    Two are one person if each says so of the other, by the same joint. Whoever would be two persons
    of one club is joined to nobody: one club alone cannot make one person of two of another.
    """
    said = {
        (club.key, one.person): {(each.joint, each.key, each.other) for each in one.joints}
        for club in clubs
        for one in club.people
    }
    groups = {one: frozenset((one,)) for one in said}
    for one, joints in said.items():
        for joint, key, other in joints:
            if key != one[0] and (joint, *one) in said.get((key, other), ()):
                both = groups[one] | groups[key, other]
                groups |= dict.fromkeys(both, both)
    return {
        one: tuple(sorted(group)) if len(group) == len({key for key, _ in group}) else (one,)
        for one, group in groups.items()
    }


def _results_that_count(
    clubs: Iterable[PublishedClub], groups: Mapping[RankedId, tuple[RankedId, ...]]
) -> Iterator[RankedResult]:
    """Published results that count: two sides or more, at least one name, and nobody twice."""
    for club in clubs:
        for _, results in sorted(club.months.items()):
            for one in results:
                sides = tuple(
                    tuple(groups[club.key, who][0] if who else None for who in side)
                    for side in one.sides
                )
                named = [who for side in sides for who in side if who]
                if len(sides) > 1 and all(sides) and named and len(set(named)) == len(named):
                    yield RankedResult(club.key, one, sides)


def _rate_day(
    number: int, results: Sequence[RankedResult], rated: dict[RankedId, tuple[int, Rating]]
) -> None:
    """Update the ratings after a day of play.

    A player without a name counts as a new one each time.
    """
    before: dict[str, Rating] = {}
    played, named = [], dict[str, RankedId]()
    for line, one in enumerate(results):
        sides = []
        for place, side in enumerate(one.sides, 1):
            ids = [" ".join(who) if who else f"{line} {place} {at}" for at, who in enumerate(side)]
            for key, who in zip(ids, side, strict=True):
                if who:
                    named[key] = who
                else:
                    before[key] = Rating()
            sides.append(RatedSide(tuple(ids), _score_of_side(one.stated.winner, place)))
        played.append(sides)
    for key, who in named.items():
        last, rating = rated.get(who, (number - 1, Rating()))
        before[key] = rating_after_idle_periods(rating, number - last - 1)
    after = player_ratings_after(played, before, named)
    for key, who in named.items():
        rated[who] = number, after[key]


def _score_of_side(winner: int, side: int) -> float:
    return 0.5 if not winner else float(winner == side)


def _count_result(result: RankedResult, people: Mapping[RankedId, RankedPerson]) -> None:
    """Add a result to the counts of the persons who played."""
    for place, side in enumerate(result.sides, 1):
        for who in side:
            if who is None:
                continue
            person = people[who]
            person.results.append(result)
            if not result.stated.winner:
                person.level += 1
            elif result.stated.winner == place:
                person.won += 1
            else:
                person.lost += 1


def _sort_and_assign_places(people: Iterable[RankedPerson]) -> list[RankedPerson]:
    """Persons sorted by rating, with their places.

    Persons with few results come last without a place.
    """
    found = sorted(people, key=lambda one: (one.played < FEWEST_RESULTS, -one.rating, one.members))
    for number, one in enumerate(found, 1):
        if one.played < FEWEST_RESULTS:
            break
        before = found[number - 2] if number > 1 else None
        is_equal = before is not None and before.rating == one.rating
        one.place = before.place if before is not None and is_equal else number
    return found
