"""Names that were taken back or erased stay so: after merges, drops and later publications."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest

from tests.api.rankings.http_ranking import HttpRanking
from tests.api.rankings.ranked_club import RankedClub
from tests.support.servers.kept_apps import kept_table


@pytest.fixture
def club(tmp_path: Path) -> Iterator[RankedClub]:
    (tmp_path / "data").mkdir()
    with kept_table(tmp_path / "data") as table:
        club = RankedClub(table, tmp_path)
        club.enrol("Ana", "Anna", "Blas", "Celia", "Diego")
        today = str(table.app.extensions["guinote"]().clock().date())
        club.play(today, ("Ana", "Blas"), ("Celia", "Diego"))
        club.play(today, ("Anna", "Blas"), ("Celia", "Diego"))
        club.publish()
        yield club


def merge(club: RankedClub) -> None:
    both = {"kept": club.people["Ana"], "gone": club.people["Anna"]}
    answer = club.table.post("/api/v1/players/merges", both)
    assert answer.status_code == 200, answer.text


def names(club: RankedClub) -> list[str]:
    return sorted(one["name"] for one in club.published["people"])


@pytest.mark.parametrize("agreed", [("Ana", "Anna"), ("Anna",), ("Ana",)])
@pytest.mark.parametrize("tells", ["Ana", "Anna"])
def test_who_was_merged_has_one_name_and_takes_it_back(
    club: RankedClub, agreed: tuple[str, ...], tells: str
) -> None:
    club.agree(*agreed, "Blas")
    merge(club)
    assert names(club) == [agreed[0], "Blas"]
    assert club.tell(tells, "withdraw").status_code == 303
    assert names(club) == ["Blas"]


def test_who_agrees_after_a_merge_renews_the_one_name(club: RankedClub) -> None:
    club.agree("Anna")
    merge(club)
    club.agree("Ana", as_={"Ana": "Ana M."})
    assert names(club) == ["Ana M."]


def test_no_older_file_comes_back_with_a_club_that_was_dropped(club: RankedClub) -> None:
    club.agree("Ana", "Blas")
    old = club.file()
    ranking = HttpRanking(club.table)
    first = ranking.admit("La Sota", old)
    assert club.tell("Ana", "withdraw").status_code == 303
    now = club.file()
    ranking.take(first, now)
    ranking.do({"kind": "club_drop", "club": first})
    key = club.published["key"]
    (again,) = ranking.do({"kind": "club_admit", "name": "La Sota", "key": key})["clubs"]
    refused = ranking.ask({"kind": "publication_take", "club": again, "file": old})
    assert refused.json["rule"] == "publication-older"
    ranking.take(again, now)
    assert set(ranking.rows()) == {"Blas"}


def erase(ranking: HttpRanking, name: str) -> None:
    """Erase a name in the house of a ranking, as ``guinote persons erase`` does."""
    here = ranking.table.app.extensions["guinote"]()
    clubs = here.referee.rankings.ranking_between_clubs(UUID(ranking.id)).clubs.values()
    texts = {one.name for club in clubs if club.taken for one in club.taken.people}
    here.persons.erase(*(one for one in texts if here.persons.text_by_id(one) == name))


def test_who_was_erased_in_the_house_of_the_ranking_stays_so(club: RankedClub) -> None:
    club.agree("Ana", "Blas")
    ranking = HttpRanking(club.table)
    number = ranking.admit("La Sota", club.file())
    erase(ranking, "Ana")
    assert set(ranking.rows()) == {"…", "Blas"}
    club.agree("Celia")
    ranking.take(number, club.file())
    assert set(ranking.rows()) == {"…", "Blas", "Celia"}


def test_who_was_erased_stays_so_though_their_club_goes_and_comes_back(club: RankedClub) -> None:
    club.agree("Ana", "Blas")
    ranking = HttpRanking(club.table)
    number = ranking.admit("La Sota", club.file())
    erase(ranking, "Ana")
    for _ in range(2):
        ranking.do({"kind": "club_drop", "club": number})
        number = ranking.admit("La Sota", club.file())
        assert set(ranking.rows()) == {"…", "Blas"}
    club.agree("Celia")
    ranking.take(number, club.file())
    assert set(ranking.rows()) == {"…", "Blas", "Celia"}


def test_who_agrees_again_after_an_erasure_has_a_name_again(club: RankedClub) -> None:
    club.agree("Ana", "Blas")
    ranking = HttpRanking(club.table)
    number = ranking.admit("La Sota", club.file())
    erase(ranking, "Ana")
    club.tell("Ana", "withdraw")
    ranking.take(number, club.file())
    club.agree("Ana")
    ranking.take(number, club.file())
    assert set(ranking.rows()) == {"Ana", "Blas"}, "another public id, and another consent"
