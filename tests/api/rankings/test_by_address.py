"""What a club publishes, read at its address: taken, as before, or refused with the reason."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.html.forms import new_form_key
from api.rankings import publications
from tests.api.rankings.http_ranking import HttpRanking
from tests.api.rankings.publisher import Publisher, publisher
from tests.api.rankings.ranked_club import RankedClub
from tests.api.roads.road_desk import RoadForms
from tests.support.servers.kept_apps import kept_table
from tests.support.servers.served import free_port


@pytest.fixture
def elsewhere() -> Iterator[Publisher]:
    with publisher() as found:
        yield found


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RankedClub]:
    monkeypatch.setenv("GUINOTE_WEBHOOKS", "local")
    (tmp_path / "data").mkdir()
    with kept_table(tmp_path / "data") as table:
        club = RankedClub(table, tmp_path)
        club.enrol("Ana", "Blas", "Celia", "Diego")
        today = str(table.app.extensions["guinote"]().clock().date())
        club.play(today, ("Ana", "Blas"), ("Celia", "Diego"))
        club.publish()
        club.agree("Ana", "Celia")
        yield club


@pytest.fixture
def ranking(club: RankedClub, elsewhere: Publisher) -> HttpRanking:
    """A ranking with one club, whose address is known and was not read yet."""
    elsewhere.text = club.file()
    found, key = HttpRanking(club.table), json.loads(elsewhere.text)["key"]
    named = {"name": "La Sota", "address": elsewhere.address}
    found.do({"kind": "club_admit", "key": key, **named})
    return found


def read(ranking: HttpRanking, club: str = "1", **headers: str) -> Any:
    return ranking.table.post(f"{ranking.path}/clubs/{club}/reading", **headers)


def set_up_as(club: RankedClub, setting: str) -> None:
    club.table.app.extensions["webhook_setting"] = setting


def test_what_is_published_is_taken_and_the_same_changes_nothing(
    club: RankedClub, ranking: HttpRanking, elsewhere: Publisher
) -> None:
    first = read(ranking).json
    assert first["is_taken"]
    assert set(ranking.rows()) == {"Ana", "Celia"}
    for _ in range(2):
        club.sign()  # the same results under a later checkpoint
        elsewhere.text = club.ask().text
        again = read(ranking).json
        assert (again["is_taken"], again["version"]) == (False, first["version"])
    club.tell("Ana", "withdraw")
    elsewhere.text = club.file()
    assert read(ranking).json["is_taken"]
    assert set(ranking.rows()) == {"Celia"}
    assert "authorization" not in {name.lower() for one in elsewhere.asked for name in one}


def test_a_reading_that_is_asked_twice_with_one_key_is_one(
    ranking: HttpRanking, elsewhere: Publisher
) -> None:
    answers = [read(ranking, key="one-key-of-reading") for _ in range(2)]
    assert [one.json for one in answers] == [answers[0].json] * 2
    assert answers[1].headers["Idempotent-Replayed"] == "true"
    assert len(elsewhere.asked) == 1


BROKEN = {
    "people[0]": lambda doc: doc["people"][0].update(name="Otra"),
    "checkpoint": lambda doc: doc.update(checkpoint="x"),
    "file": lambda doc: doc.update(more=1),
}


@pytest.mark.parametrize("field", BROKEN)
def test_what_is_not_as_it_was_signed_is_refused_by_its_field(
    ranking: HttpRanking, elsewhere: Publisher, field: str
) -> None:
    document = json.loads(elsewhere.text)
    BROKEN[field](document)
    elsewhere.text = json.dumps(document)
    refused = read(ranking).json
    assert (refused["rule"], refused["facts"]) == ("publication-broken", {"field": field})
    assert ranking.rows() == {}


@pytest.mark.parametrize(
    ("status", "more", "rule"),
    [
        (404, 0, "address-status"),
        (302, 0, "address-status"),
        (200, 10, "address-broken"),
    ],
)
def test_an_address_that_gives_no_publication_says_what_it_gives(
    ranking: HttpRanking, elsewhere: Publisher, status: int, more: int, rule: str
) -> None:
    elsewhere.status, elsewhere.more = status, more
    assert read(ranking).json["rule"] == rule
    assert len(elsewhere.asked) == 1, "a redirect is not followed"


def test_a_publication_beyond_the_bound_is_not_read(
    ranking: HttpRanking, elsewhere: Publisher
) -> None:
    elsewhere.text = " " * (publications.LARGEST + 1)
    refused = read(ranking).json
    assert (refused["rule"], refused["facts"]) == ("publication-large", {"most": 4})


def test_nothing_is_read_inside_unless_the_house_allows_it(
    club: RankedClub, ranking: HttpRanking, elsewhere: Publisher
) -> None:
    for setting, address, rule in (
        ("on", elsewhere.address, "address-bad"),
        ("on", elsewhere.address.replace("http:", "https:"), "address-inside"),
        ("on", "https://no-such-name.invalid/x", "address-unknown"),
        ("local", f"https://127.0.0.1:{free_port()}/x", "address-closed"),
        ("off", "https://club.example/x", "reading-off"),
    ):
        set_up_as(club, setting)
        ranking.do({"kind": "club_address", "club": "1", "address": address})
        assert read(ranking).json["rule"] == rule, (setting, address)
    ranking.do({"kind": "club_address", "club": "1"})
    assert read(ranking).json["rule"] == "address-none"
    assert read(ranking, "9").json["rule"] == "ranked-club-unknown"
    assert elsewhere.asked == []


@pytest.mark.parametrize("address", ["club.example", "ftp://x/", "https://a:b@club.example/"])
def test_what_is_no_address_is_refused_where_it_is_typed(
    ranking: HttpRanking, address: str
) -> None:
    refused = ranking.ask({"kind": "club_address", "club": "1", "address": address})
    assert refused.status_code == 422
    assert "address" in str(refused.json["errors"])


def page_of(ranking: HttpRanking, **form: str) -> Any:
    table, desk = ranking.table, f"{ranking.home}/direccion?lang=es"
    if not form:
        return table.get(desk)
    answer = table.client.post(desk, headers=table.owner(), data={"key": new_form_key(), **form})
    if waits := re.search(r"wait=(\d+)", answer.headers.get("Location", "")):
        table.position = int(waits[1])
    return answer


def test_a_club_is_added_by_its_address_and_read_again_with_one_tap(
    club: RankedClub, elsewhere: Publisher
) -> None:
    elsewhere.text = club.file()
    ranking = HttpRanking(club.table)
    asked = {"kind": "club_admit", "name": "La Sota", "address": elsewhere.address}
    compare = page_of(ranking, **asked)
    (form,) = (one for one in RoadForms(compare.text).forms if "trust" in one)
    assert form["address"] == elsewhere.address
    assert not form.get("file"), "what is compared is read again"
    assert page_of(ranking, **form).status_code == 303
    assert set(ranking.rows()) == {"Ana", "Celia"}
    tap = RoadForms(page_of(ranking).text).of("club_read")
    same = page_of(ranking, **tap)
    assert same.status_code == 303
    told = club.table.get(str(same.headers["Location"]) + "&lang=es").text
    assert "No hay nada nuevo" in told
    elsewhere.status = 404
    refused = page_of(ranking, **{**tap, "key": new_form_key()})
    assert refused.status_code == 409
    assert "contesta 404" in refused.text


def test_the_command_line_reads_every_club_and_says_what_prevented_one(
    ranking: HttpRanking, elsewhere: Publisher, club: RankedClub
) -> None:
    asked = ["--data", str(club.folder / "data"), "ranking", "read", ranking.id]
    found = CliRunner().invoke(main, asked)
    assert (found.exit_code, json.loads(found.output)) == (0, {"club": "1", "taken": True})
    found = CliRunner().invoke(main, asked)
    assert (found.exit_code, json.loads(found.output)) == (0, {"club": "1", "taken": False})
    elsewhere.status = 503
    found = CliRunner().invoke(main, asked)
    line = json.loads(found.output)
    assert (found.exit_code, line["refused"]) == (1, "address-status")
    assert "503" in line["why"]
    assert set(ranking.rows()) == {"Ana", "Celia"}
