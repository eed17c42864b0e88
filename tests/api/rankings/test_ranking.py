"""A ranking of two clubs out of what each of them signed, as its organiser and readers have it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from api.cli.main import main
from tests.api.rankings.http_ranking import HttpRanking
from tests.api.rankings.ranked_club import RankedClub
from tests.support.servers.every_write import SIGNED_RESULTS
from tests.support.servers.kept_apps import kept_table


def club_in(folder: Path, *names: str) -> Iterator[RankedClub]:
    (folder / "data").mkdir(parents=True)
    with kept_table(folder / "data") as table:
        club = RankedClub(table, folder)
        club.enrol(*names)
        yield club


@pytest.fixture
def sota(tmp_path: Path) -> Iterator[RankedClub]:
    yield from club_in(tmp_path / "sota", "Ana", "Blas", "Celia", "Diego")


@pytest.fixture
def siete(tmp_path: Path) -> Iterator[RankedClub]:
    yield from club_in(tmp_path / "siete", "Anita", "Eva", "Fermín", "Gloria")


def test_who_agreed_is_in_the_file_and_nobody_else(sota: RankedClub) -> None:
    for day in range(1, 7):
        sota.play(f"2026-11-{day:02}", ("Ana", "Blas"), ("Celia", "Diego"))
    assert sota.ask().json["rule"] == "not-published"
    sota.publish()
    sota.agree("Ana", "Celia", as_={"Celia": "Celia G."})
    found = sota.published
    assert sorted(one["name"] for one in found["people"]) == ["Ana", "Celia G."]
    text = sota.file()
    assert "Blas" not in text
    assert not [who for who in sota.people.values() if who in text], "an id of the club"
    ana = next(one["person"] for one in found["people"] if one["name"] == "Ana")
    celia = next(one["person"] for one in found["people"] if one["name"] == "Celia G.")
    (month,) = found["months"].values()
    assert [one["sides"] for one in month] == [[[ana, ""], [celia, ""]]] * 6


def test_a_person_of_two_clubs_is_one_only_if_they_say_so_in_both(
    sota: RankedClub, siete: RankedClub
) -> None:
    for club, a, b in ((sota, "Ana", "Celia"), (siete, "Anita", "Eva")):
        partner, other = ("Blas", "Diego") if club is sota else ("Fermín", "Gloria")
        for day in range(1, 4):
            club.play(f"2026-11-{day:02}", (a, partner), (b, other))
        club.publish()
        club.agree(a, b)
        club.sign()
    ranking = HttpRanking(sota.table)
    one, two = ranking.admit("La Sota", sota.file()), ranking.admit("El Siete", siete.file())
    assert set(ranking.rows()) == {"Ana", "Anita", "Celia", "Eva"}
    assert sota.tell("Ana", "offer").status_code == 303
    (code,) = sota.codes("Ana")
    assert siete.tell("Anita", "join", code=code).status_code == 303
    ranking.take(two, siete.file())
    assert set(ranking.rows()) == {"Ana", "Anita", "Celia", "Eva"}, "one side alone joins nobody"
    (answer,) = siete.codes("Anita")
    assert sota.tell("Ana", "join", code=answer).status_code == 303
    ranking.take(one, sota.file())
    rows = ranking.rows()
    assert set(rows) == {"Ana + Anita", "Celia", "Eva"}
    assert (rows["Ana + Anita"]["played"], rows["Ana + Anita"]["place"]) == (6, 1)
    joints = [
        one["joints"] for f in (sota, siete) for one in f.published["people"] if one["joints"]
    ]
    assert joints[0][0]["joint"] == joints[1][0]["joint"]
    (joint,) = siete.joints("Anita")
    assert siete.tell("Anita", "part", joint=joint).status_code == 303
    ranking.take(two, siete.file())
    assert set(ranking.rows()) == {"Ana", "Anita", "Celia", "Eva"}


Change = Callable[[dict[str, Any]], object]
CHANGES: dict[str, tuple[Change, str]] = {
    "a name": (lambda doc: doc["people"][0].update(name="Otra"), "people[0]"),
    "a person less": (lambda doc: doc["people"].pop(), "people"),
    "the house": (lambda doc: doc.update(house="Otra peña"), "house"),
    "who won": (lambda doc: doc["months"]["2026-11"][0].update(winner=2), "months.2026-11"),
    "a month less": (lambda doc: doc["months"].clear(), "months"),
    "the event": (lambda doc: doc["event"]["state"]["fact"].update(nonce="x"), "event"),
    "the path": (lambda doc: doc["event"]["path"].reverse(), "event.path"),
    "the key": (lambda doc: doc.update(key=doc["key"][:-6] + "AAAAA="), "key"),
    "a field more": (lambda doc: doc.update(more=1), "file"),
}


def test_whatever_is_changed_in_a_file_is_named(sota: RankedClub) -> None:
    file = SIGNED_RESULTS.read_text("utf-8")
    ranking = HttpRanking(sota.table)
    club = ranking.admit("La Sota", file)
    for what, (change, field) in CHANGES.items():
        changed = json.loads(file)
        change(changed)
        taken = {"kind": "publication_take", "club": club, "file": json.dumps(changed)}
        refused = ranking.ask(taken).json
        assert (refused["rule"], refused["facts"]) == ("publication-broken", {"field": field}), what


def test_who_takes_their_name_back_or_is_erased_is_out_of_file_and_ranking(
    sota: RankedClub,
) -> None:
    for day in range(1, 7):
        sota.play(f"2026-11-{day:02}", ("Ana", "Blas"), ("Celia", "Diego"))
    sota.publish()
    sota.agree("Ana", "Blas", "Celia")
    ranking = HttpRanking(sota.table)
    club = ranking.admit("La Sota", sota.file())
    assert set(ranking.rows()) == {"Ana", "Blas", "Celia"}
    assert sota.tell("Ana", "withdraw").status_code == 303
    assert sota.ask().json["code"] == "not_signed", "the file of before is not given out"
    path = f"/api/v1/persons/{sota.people['Celia']}"
    assert sota.table.client.delete(path, headers=sota.table.owner()).status_code == 204
    ranking.take(club, sota.file())
    assert set(ranking.rows()) == {"Blas"}
    assert "Ana" not in sota.table.get(ranking.home).text
    known = [text for _, text in sota.table.app.extensions["guinote"]().persons.ids_and_texts()]
    assert "Ana" not in known, "neither house keeps a name that is published no more"
    assert "Blas" in known


def test_anybody_computes_the_table_again_from_the_files_alone(
    sota: RankedClub, tmp_path: Path
) -> None:
    ranking = HttpRanking(sota.table)
    club = ranking.admit("La Sota", SIGNED_RESULTS.read_text("utf-8"))
    taken = sota.table.client.get(f"{ranking.path}/clubs/{club}/publication")
    shown, file = tmp_path / "ranking.json", tmp_path / "club.json"
    shown.write_bytes(sota.table.client.get(ranking.path).data)
    file.write_bytes(taken.data)
    asked = ["ranking", "verify", str(file), "--shown", str(shown)]
    found = CliRunner().invoke(main, asked)
    assert found.exit_code == 0, found.output
    table = json.loads(shown.read_text())
    table["rows"][0]["won"] += 1
    shown.write_text(json.dumps(table))
    found = CliRunner().invoke(main, asked)
    assert found.exit_code == 1
    assert json.loads(found.output.splitlines()[0])["shown"]["won"] == table["rows"][0]["won"]
