"""Files that a club signed with what cannot be so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from api.publication.issue import issue_changes
from referee.aggregates.publication import Publication, fingerprint_of_club_key
from referee.events.rankings import StatedJoint, StatedPerson, StatedResult
from tests.api.rankings.http_ranking import HttpRanking
from tests.api.rankings.ranked_club import RankedClub
from tests.support.servers.kept_apps import kept_table


@pytest.fixture
def club(tmp_path: Path) -> Iterator[RankedClub]:
    (tmp_path / "data").mkdir()
    with kept_table(tmp_path / "data") as table:
        club = RankedClub(table, tmp_path)
        club.enrol("Ana")
        club.publish()
        club.agree("Ana")
        yield club


def issue_again(club: RankedClub) -> None:
    with club.table.app.app_context():
        issue_changes(club.table.app.extensions["guinote"]())


def today_of(club: RankedClub) -> str:
    return str(club.table.app.extensions["guinote"]().clock().date())


def refused_field(club: RankedClub, file: str) -> str:
    ranking = HttpRanking(club.table)
    key = club.published["key"]
    ranking.do({"kind": "club_admit", "name": "La Sota", "key": key})
    answer = ranking.ask({"kind": "publication_take", "club": "1", "file": file}).json
    return str(answer.get("facts", {}).get("field", ""))


@pytest.mark.parametrize(
    ("day", "is_taken"),
    [
        ("2026-11-99", False),
        ("2026-11-zz", False),
        ("2026-11-1", False),
        ("2099-01-01", False),
        ("2020-01-01", False),
        ("", True),
    ],
)
def test_only_days_of_the_last_twelve_months_are_taken(
    club: RankedClub, day: str, is_taken: bool
) -> None:
    ana = club.published["people"][0]["person"]
    one = StatedResult(day or today_of(club), "club", ((ana,), ("",)), 1)
    with patch("api.publication.issue.results_by_month", return_value={one.date[:7]: (one,)}):
        issue_again(club)
        field = refused_field(club, club.file())
    assert field == ("" if is_taken else f"months.{one.date[:7]}[0]")


def test_nobody_is_joined_to_somebody_of_the_same_club(club: RankedClub) -> None:
    found = club.published
    ana, own = found["people"][0]["person"], fingerprint_of_club_key(found["key"])
    people = (StatedPerson(ana, (StatedJoint("ab" * 16, own, "cd" * 16),)),)
    with patch.object(Publication, "people_who_agreed", return_value=people):
        issue_again(club)
        file = club.file()
        assert own in file
        assert refused_field(club, file) == "people[0].joints[0]"


def test_a_result_that_is_dated_ahead_keeps_no_club_out(club: RankedClub) -> None:
    club.enrol("Blas", "Celia", "Diego")
    club.play("2099-01-01", ("Ana", "Blas"), ("Celia", "Diego"))
    club.play(today_of(club), ("Ana", "Blas"), ("Celia", "Diego"))
    issue_again(club)
    assert [*club.published["months"]] == [today_of(club)[:7]]
    assert refused_field(club, club.file()) == ""
