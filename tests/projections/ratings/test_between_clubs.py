"""Rankings of clubs whose publications are not honest."""

from __future__ import annotations

from datetime import date, timedelta

from projections.rankings.computation import PublishedClub, ids_of_same_person, rank
from referee.events.rankings import StatedJoint, StatedPerson, StatedResult


def test_no_run_of_results_leaves_a_ranking_without_ratings() -> None:
    first = date(2025, 12, 1)
    winners = [1] * 300 + [2]
    played = [(first + timedelta(at), winner) for at, winner in enumerate(winners)]
    played += [(first + timedelta(301), 2)] * 299 + [(first + timedelta(302), 2)]
    months: dict[str, list[StatedResult]] = {}
    for day, winner in played:
        one = StatedResult(day.isoformat(), "club", (("x",), ("",)), winner)
        months.setdefault(one.date[:7], []).append(one)
    (row,) = rank([PublishedClub("k", [StatedPerson("x")], months)])
    assert (row.played, row.won) == (601, 300)


def test_whoever_would_be_two_persons_of_a_club_is_joined_to_nobody() -> None:
    def joint(name: str, key: str, other: str) -> StatedJoint:
        return StatedJoint(name, key, other)

    honest = [StatedPerson("ana", (joint("1", "b", "anita"),)), StatedPerson("eva")]
    other = [StatedPerson("anita", (joint("1", "a", "ana"),))]
    third = [StatedPerson("gil")]

    def groups(*people: list[StatedPerson]) -> set[tuple[tuple[str, str], ...]]:
        clubs = [PublishedClub(key, one, {}) for key, one in zip("abc", people, strict=True)]
        return {group for group in ids_of_same_person(clubs).values() if len(group) > 1}

    assert groups(honest, other, third) == {(("a", "ana"), ("b", "anita"))}
    alone = [
        StatedPerson("gil", (joint("2", "c", "fer"),)),
        StatedPerson("fer", (joint("2", "c", "gil"),)),
    ]
    assert groups(honest, other, alone) == {(("a", "ana"), ("b", "anita"))}
    both = [
        StatedPerson("ana", (joint("1", "b", "anita"),)),
        StatedPerson("eva", (joint("3", "c", "gil"),)),
    ]
    double = [StatedPerson("anita", (joint("1", "a", "ana"), joint("4", "c", "gil")))]
    gil = [StatedPerson("gil", (joint("3", "a", "eva"), joint("4", "b", "anita")))]
    assert groups(both, double, gil) == set()
