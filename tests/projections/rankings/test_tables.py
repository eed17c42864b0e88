"""Tables of rankings: who is one person in several clubs, and that each is computed once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from uuid import UUID

import pytest

from projections.rankings import tables
from projections.rankings.computation import PublishedClub, ids_of_same_person, rank
from projections.rankings.tables import RankingTables
from referee.aggregates.ranking import Ranking
from referee.events.rankings import RankingOpened, StatedJoint, StatedPerson, StatedResult

RANKING = UUID(int=1)
OPENED = RankingOpened("name")


def club(key: str, *joints: tuple[str, str, str]) -> PublishedClub:
    """A club with one person who has a name, as ``KEY`` in small letters, and who won six times."""
    stated = tuple(StatedJoint(*one) for one in joints)
    person = StatedPerson(key.lower(), stated)
    won = StatedResult("2026-11-01", "club", ((person.person, ""), ("", "")), 1)
    return PublishedClub(key, [person], {"2026-11": [won] * 2})


CHAIN = [
    club("A", ("ab", "B", "b")),
    club("B", ("ab", "A", "a"), ("bc", "C", "c")),
    club("C", ("bc", "B", "b")),
]


def members(clubs: Sequence[PublishedClub]) -> set[tuple[str, ...]]:
    return {tuple(who for _, who in group) for group in ids_of_same_person(clubs).values()}


def test_two_pairs_of_codes_make_one_person_of_three_clubs() -> None:
    assert members(CHAIN) == {("a", "b", "c")}
    (one,) = rank(reversed(CHAIN))
    assert (one.played, one.place, len(one.members)) == (6, 1, 3)


@pytest.mark.parametrize("missing", range(3))
def test_without_one_club_of_a_chain_only_neighbours_are_one_person(missing: int) -> None:
    left = [one for number, one in enumerate(CHAIN) if number != missing]
    joined = {0: {("b", "c")}, 1: {("a",), ("c",)}, 2: {("a", "b")}}
    assert members(left) == joined[missing]


def test_a_club_in_the_middle_that_parts_from_one_side_keeps_the_other() -> None:
    parted = [CHAIN[0], club("B", ("bc", "C", "c")), CHAIN[2]]
    assert members(parted) == {("a",), ("b", "c")}


class Asked:
    """A ranking of a house, and how often a table asked for it."""

    def __init__(self) -> None:
        self.version, self.times = 1, 0

    def __call__(self, _: UUID) -> Ranking:
        self.times += 1
        return Ranking(OPENED, {}, self.version)


def test_a_table_is_computed_once_for_a_version() -> None:
    found, house = RankingTables(), Asked()
    for version in (1, 1, 2, 2, 1):
        house.version = max(house.version, version)
        table = found.table_or_none_on_timeout(RANKING, version, house, 1.0)
        assert table is not None
        assert table.version == house.version
    assert house.times == 2


def test_a_table_that_several_read_is_changed_by_none_of_them() -> None:
    table = RankingTables().table_or_none_on_timeout(RANKING, 1, Asked(), 1.0)
    assert table is not None
    with pytest.raises(AttributeError, match="immutable"):
        table.view().name = "another"
    assert table.view().name == OPENED.name


def test_only_the_tables_asked_for_last_are_kept() -> None:
    found, house = RankingTables(), Asked()
    for number in range(tables.KEPT + 1):
        found.table_or_none_on_timeout(UUID(int=number), 1, house, 1.0)
    found.table_or_none_on_timeout(UUID(int=tables.KEPT), 1, house, 1.0)
    assert house.times == tables.KEPT + 1
    found.table_or_none_on_timeout(UUID(int=0), 1, house, 1.0)
    assert house.times == tables.KEPT + 2


def test_who_asks_while_another_thread_computes_waits_only_so_long() -> None:
    found, house = RankingTables(), Asked()
    begun, end = threading.Event(), threading.Event()

    def slow(ranking_id: UUID) -> Ranking:
        begun.set()
        assert end.wait(60)
        return house(ranking_id)

    work = threading.Thread(target=found.table_or_none_on_timeout, args=(RANKING, 1, slow, 1.0))
    work.start()
    assert begun.wait(60)
    assert found.table_or_none_on_timeout(RANKING, 1, house, 0.01) is None
    end.set()
    work.join()
    assert found.table_or_none_on_timeout(RANKING, 1, house, 0.0) is not None
    assert house.times == 1
