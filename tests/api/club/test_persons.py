"""Erasure of persons over HTTP and by command; their encuentros stay and still verify."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from api.server.data_folder import Files
from api.server.wiring import open_persons
from projections.runner.log import LogReader
from referee.audit.verify.conclusions import differences_in_all_streams
from tests.api.cli.test_cli import RECORD, guinote, lines
from tests.support.servers.http_table import HttpTable, card, deal, pinta
from tests.support.servers.sealed_names import change, forms, held, traces

PERSONS = "/api/v1/persons"


def erase(table: HttpTable, person: str) -> int:
    answer = table.client.delete(f"{PERSONS}/{person}", headers=table.owner())
    return int(answer.status_code)


def events(folder: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / "log.sqlite")) as log:
        return log.execute("SELECT * FROM stored_events ORDER BY position").fetchall()


def differences(folder: Path) -> list[object]:
    with closing(LogReader(folder / "log.sqlite")) as log:
        return list(differences_in_all_streams(log))


def test_who_is_erased_is_nowhere_and_every_event_still_verifies(
    table: HttpTable, tmp_path: Path
) -> None:
    encuentro = table.encuentro()
    partida = table.partida(encuentro)
    assert table.record(partida, 0, deal(), pinta(), card("A1", "AO")).status_code == 200
    seats = table.get(encuentro).json["seats"]
    gone = [*forms("Celia"), *held(tmp_path / "persons.sqlite", seats["A2"])]
    before = events(tmp_path)
    assert erase(table, seats["A2"]) == 204
    view = table.get(encuentro).json
    assert view["seats"] == seats
    assert "Celia" not in json.dumps(view)
    assert "Blas" in json.dumps(view)
    assert events(tmp_path) == before
    assert differences(tmp_path) == []
    assert guinote("backup", str(tmp_path / "copy"), data=tmp_path)[0] == 0
    assert traces(tmp_path, gone) == []
    assert table.record(partida, 3, card("B1", "3C")).status_code == 200


def test_a_proof_of_before_verifies_after_an_erasure_and_the_log_too(tmp_path: Path) -> None:
    data, keys = tmp_path / "data", tmp_path / "keys"
    encuentro = json.loads(guinote("import", str(RECORD), data=data)[1])["encuentro"]
    sign = ("notary", "--keys", str(keys), "--origin", "club.example/mesas", "--once")
    assert guinote(*sign, data=data)[0] == 0
    key = guinote("audit", "key", data=data)[1].strip()
    before = guinote("audit", "prove", encuentro, data=data)[1]
    (tmp_path / "proof.json").write_text(before)
    with closing(open_persons(Files(data))) as persons:
        assert [persons.erase(one) for one in persons.person_ids()] == [True] * 4
    assert guinote("audit", "prove", encuentro, data=data)[1] == before
    verify = ("audit", "verify", "--key", key)
    assert guinote(*verify, str(tmp_path / "proof.json"), data=data)[0] == 3  # it is not signed
    assert guinote(*verify, data=data)[0] == 0
    assert guinote("verify", data=data)[0] == 0


@pytest.mark.parametrize("person", ["0" * 32, "x" * 32, "0" * 31, "%27%20OR%201=1"])
def test_who_is_not_known_cannot_be_erased(table: HttpTable, person: str) -> None:
    assert erase(table, person) == 404


def test_only_the_owner_erases(table: HttpTable) -> None:
    seats = table.get(table.encuentro()).json["seats"]
    assert table.client.delete(f"{PERSONS}/{seats['A1']}").status_code == 401
    assert erase(table, seats["A1"]) == 204
    assert erase(table, seats["A1"]) == 404


def test_what_a_reader_still_holds_is_erased_a_little_later(
    table: HttpTable, tmp_path: Path
) -> None:
    encuentro = table.encuentro()
    seats = table.get(encuentro).json["seats"]
    with table.app.extensions["guinote"]().persons._db.connection() as db:
        db.execute("PRAGMA busy_timeout = 10")
    with closing(sqlite3.connect(tmp_path / "persons.sqlite", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM persons").fetchall()
        assert erase(table, seats["A1"]) == 202
    assert "Ana" not in json.dumps(table.get(encuentro).json)


def test_a_row_that_was_changed_is_a_problem_and_not_a_wrong_name(
    table: HttpTable, tmp_path: Path
) -> None:
    encuentro = table.encuentro()
    change(Files(tmp_path), "UPDATE persons SET sealed = zeroblob(40)")
    answer = table.get(encuentro)
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")


def test_the_command_lists_adds_and_erases(tmp_path: Path) -> None:
    code, out, _ = guinote("persons", "add", "Íñigo Ruiz", data=tmp_path)
    person = json.loads(out)["person"]
    assert code == 0
    other = json.loads(guinote("persons", "add", "-", given="Berta\n", data=tmp_path)[1])["person"]
    listed = lines(guinote("persons", "list", data=tmp_path)[1])
    assert {one["person"]: one["name"] for one in listed} == {person: "Íñigo Ruiz", other: "Berta"}
    assert guinote("persons", "erase", person, data=tmp_path)[:2] == (
        0,
        json.dumps({"erased": person}) + "\n",
    )
    assert guinote("persons", "erase", person, data=tmp_path)[0] == 1
    assert lines(guinote("persons", "list", data=tmp_path)[1]) == [
        {"person": other, "name": "Berta"}
    ]
    assert guinote("persons", "add", "", data=tmp_path)[0] == 1
    change(Files(tmp_path), "UPDATE persons SET sealed = zeroblob(40)")
    code, out, _ = guinote("persons", "list", data=tmp_path)
    assert (code, lines(out)) == (1, [{"person": other, "error": "altered"}])


@pytest.mark.parametrize(
    "words", [("persons", "list"), ("serve",), ("backup", "copy"), ("export", "0" * 32)]
)
def test_every_command_says_in_one_line_that_the_key_is_missing(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    assert guinote("persons", "add", "Berta", data=tmp_path)[0] == 0
    (tmp_path / "persons.key").unlink()
    code, _, err = guinote(*words, data=tmp_path)
    assert code == os.EX_CONFIG
    assert f"{tmp_path / 'persons.key'} is not there" in err
    assert "Traceback" not in err
