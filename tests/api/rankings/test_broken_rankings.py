"""A ranking that cannot be computed: it says so in words everywhere, and all else goes on."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from api.cli.main import main
from api.http.services import PendingTexts
from api.rankings.publications import check_signed_publication, publication_event
from projections.rankings import tables
from referee.aggregates.publication import digest_of_month
from referee.audit.result_files import PublishedPerson
from referee.events.rankings import StatedResult
from referee.log.streams import WriteMetadata
from tests.api.rankings.http_ranking import RANKINGS, HttpRanking
from tests.api.roads.road_desk import RoadForms
from tests.support.proofs.signing_club import SigningClub
from tests.support.servers.http_table import HttpTable
from tests.support.servers.kept_apps import kept_table

ANA = "a" * 32


@pytest.fixture
def table(tmp_path: Path) -> Iterator[HttpTable]:
    with kept_table(tmp_path) as found:
        yield found


class Publisher:
    """A club with one person, who won once."""

    def __init__(self, table: HttpTable, number: int = 1) -> None:
        self.here = table.app.extensions["guinote"]()
        self.signer = SigningClub(number)

    def file(self, name: str = "Ana", winner: int = 1) -> str:
        now = self.here.clock()
        day = str((now - timedelta(days=1)).date())
        won = StatedResult(day, "club", ((ANA, ""), ("", "")), winner)
        signed = self.signer.publish([PublishedPerson(ANA, name)], {day[:7]: (won,)}, now)
        return msgspec.json.encode(signed).decode()

    def store(self, ranking: HttpRanking, club: str, **other: Any) -> None:
        """Have the log of the house have a publication that is otherwise than it was signed."""
        state = self.here.referee.rankings.ranking_between_clubs(UUID(ranking.id))
        checked = check_signed_publication(self.here, self.file().encode())
        put = PendingTexts(self.here.persons)
        taken = publication_event(self.here, state, state.clubs[club], checked, put)
        meta = WriteMetadata("owner", "console", self.here.clock())
        answer = self.here.referee.rankings.record(
            UUID(ranking.id), [replace(taken, **other)], meta
        )
        ranking.version, ranking.table.position = answer.version, answer.position


def unknown_person(day: str) -> dict[str, Any]:
    """A result of somebody who is not in the publication."""
    month = (StatedResult(day, "club", (("b" * 32, ""), ("", "")), 1),)
    return {"months": {day[:7]: month}, "digests": {day[:7]: digest_of_month(day[:7], month)}}


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "the checkpoint": ({"checkpoint": "x"}, "checkpoint"),
    "the event": ({"event": "{}"}, "event"),
    "nobody": ({"people": ()}, "people"),
}


@pytest.mark.parametrize("what", [*BROKEN, "an unknown person"])
def test_what_is_wrong_is_said_and_the_other_views_go_on(table: HttpTable, what: str) -> None:
    well, club = HttpRanking(table, "Otra"), Publisher(table)
    well.admit("La Sota", club.file())
    ranking = HttpRanking(table)
    number = ranking.admit("La Sota", club.file())
    day = str((club.here.clock() - timedelta(days=1)).date())
    other, field = BROKEN.get(what) or (unknown_person(day), f"months.{day[:7]}")
    club.store(ranking, number, **other)
    refused = table.get(ranking.path)
    facts = {"club": number, "field": refused.json["facts"]["field"]}
    assert (refused.status_code, refused.json["rule"]) == (409, "ranking-broken")
    assert refused.json["facts"] == facts
    assert field in facts["field"]
    page = table.get(f"{ranking.home}?lang=es")
    assert (page.status_code, f"«{facts['field']}»" in page.text) == (409, True)
    assert "La Sota" in page.text, "the clubs are there all the same"
    assert f"«{facts['field']}»" in table.get(f"{ranking.home}/pared?lang=es").text
    assert table.get(f"{ranking.home}/persona/1-{ANA}").status_code == 409
    assert set(well.rows()) == {"Ana"}, "another ranking"
    assert len(table.get(RANKINGS).json["items"]) == 2
    desk = table.get(f"{ranking.home}/direccion?lang=es")
    form = RoadForms(desk.text).of("club_drop", club=number)
    assert table.client.post(f"{ranking.home}/direccion", headers=table.owner(), data=form)
    table.position = club.here.referee.position()
    assert ranking.rows() == {}
    ranking.version = table.get(ranking.path).json["version"]
    ranking.admit("La Sota", club.file())
    assert set(ranking.rows()) == {"Ana"}


def test_a_fault_of_the_program_is_said_once_and_logged(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ranking, club = HttpRanking(table), Publisher(table)
    ranking.admit("La Sota", club.file())
    asked: list[object] = []

    def fail(*_: object) -> None:
        asked.append(1)
        raise ZeroDivisionError

    monkeypatch.setattr(tables, "rank", fail)
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            assert table.get(ranking.path).json["rule"] == "ranking-not-computed"
    assert len(asked) == 1, "it is not computed again for every reader"
    assert "ZeroDivisionError" in caplog.text
    assert "no se puede calcular" in table.get(f"{ranking.home}?lang=es").text


def test_the_command_line_says_what_is_wrong(table: HttpTable, tmp_path: Path) -> None:
    club = Publisher(table)
    files = [tmp_path / f"{n}.json" for n in range(2)]
    for file in files:
        file.write_text(club.file())
    twice = CliRunner().invoke(main, ["ranking", "verify", *map(str, files)])
    assert (twice.exit_code, "of the same club" in twice.output) == (1, True)
    ranking = HttpRanking(table)
    ranking.admit("La Sota", files[0].read_text())
    shown, view = tmp_path / "shown.json", ranking.view()
    view["rows"][0]["members"][0]["club"] = "7"
    shown.write_text(json.dumps(view))
    asked = ["ranking", "verify", str(files[0]), "--shown", str(shown)]
    otherwise = CliRunner().invoke(main, asked)
    assert otherwise.exit_code == 1
    assert isinstance(otherwise.exception, SystemExit), otherwise.output
