"""Names that were taken back or erased stay so: after merges, drops and later publications."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

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
    """Erase a person of a ranking in its house."""
    table = ranking.table
    person = f"{ranking.path}/people/{ranking.rows()[name]['person']}"
    assert table.client.delete(person, headers=table.owner()).status_code in (202, 204)
    assert table.client.delete(person, headers=table.owner()).status_code == 404


def test_a_person_of_a_ranking_is_erased_on_their_page(club: RankedClub) -> None:
    club.agree("Ana", "Blas")
    ranking, table = HttpRanking(club.table), club.table
    number, other = ranking.admit("La Sota", club.file()), HttpRanking(club.table, "Comarca")
    other.admit("La Sota", club.file())
    person = f"{ranking.home}/persona/{ranking.rows()['Ana']['person']}"
    link = f'href="{person}/baja"'
    visitor, director = table.app.test_client(), table.signed_in("director")
    assert link not in visitor.get(person).text
    assert link not in table.client.get(person, headers=director).text
    assert visitor.post(f"{person}/baja", data={"sure": "yes"}).status_code == 401
    refused = table.client.post(f"{person}/baja", data={"sure": "yes"}, headers=director)
    assert refused.status_code == 403
    assert set(ranking.rows()) == {"Ana", "Blas"}
    assert link in table.get(person).text
    asked = table.get(f"{person}/baja").text
    assert "Ana" in asked
    assert "La Sota" in asked
    assert table.client.post(f"{person}/baja", headers=table.owner()).status_code == 400
    done = table.client.post(f"{person}/baja", data={"sure": "yes"}, headers=table.owner())
    assert done.headers["Location"] == f"{person}?done=erased"
    shown = table.get(done.headers["Location"]).text
    assert "sin nombre" in shown
    assert "Borrado." in shown
    assert link not in shown
    assert "Ana" not in shown
    assert set(other.rows()) == {"…", "Blas"}, "the same person of the same club"
    club.agree("Celia")
    ranking.take(number, club.file())
    assert set(ranking.rows()) == {"…", "Blas", "Celia"}


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
