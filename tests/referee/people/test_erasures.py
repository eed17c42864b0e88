"""The register of erasures: ids with keyed hashes, complete from the first start on."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from api.server import wiring
from referee.events import EncuentroOpened, PlayersSeated
from referee.people.persons import Persons
from tests.support.servers.one_log import META, PROFILE
from tests.support.servers.sealed_names import plain_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "persons.sqlite"


@pytest.fixture
def persons(path: Path) -> Iterator[Persons]:
    with closing(Persons(path, random=secrets.token_bytes)) as found:
        yield found


def test_what_is_erased_is_noted_by_its_id_alone(persons: Persons, path: Path) -> None:
    ana, text = persons.add_person("Ana"), persons.add_text("una nota")
    assert (persons.parts_noted_as_sealed(), persons.erasures_with_soundness()) == (
        {"accounts", "erasures"},
        {},
    )
    assert persons.erase(ana, text, "0" * 32)
    assert persons.erasures_with_soundness() == {ana: True, text: True}
    with closing(sqlite3.connect(path)) as db:
        columns = db.execute("PRAGMA table_info(erased)").fetchall()
    assert [name for _, name, *_ in columns] == ["id", "mark"]


def test_what_never_reached_the_log_is_discarded_without_a_note(persons: Persons) -> None:
    text = persons.add_text("una nota")
    assert persons.discard(text)
    assert (persons.text_by_id(text), persons.erasures_with_soundness()) == (None, {})


def test_a_note_of_somebody_else_is_not_taken_for_an_erasure(persons: Persons, path: Path) -> None:
    ana, blas = persons.add_person("Ana"), persons.add_person("Blas")
    persons.erase(ana)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("INSERT INTO erased SELECT ?, mark FROM erased", (blas,))
    assert persons.erasures_with_soundness() == {ana: True, blas: False}


def test_a_house_of_before_gets_its_register_at_the_first_start(tmp_path: Path) -> None:
    where = wiring.files_of_folder(tmp_path)
    plain_file(where.persons, {"kept": "Ana"})
    with closing(wiring.open_referee(where)) as referee:
        opened = referee.encuentros.open(EncuentroOpened(PROFILE), META)
        seats = {"A1": "kept", "B1": "gone", "A2": "gone2", "B2": "gone3"}
        referee.encuentros.record_encuentro_act(opened.id, PlayersSeated(seats), META)
    with closing(wiring.open_persons(where)) as persons:
        assert persons.parts_noted_as_sealed() == frozenset()
    for _ in range(2):
        services = wiring.LazyServices(where, with_projector=False)
        made = services()
        assert made.persons.parts_noted_as_sealed() == {"accounts", "erasures"}
        assert made.persons.erasures_with_soundness() == dict.fromkeys(
            ("gone", "gone2", "gone3"), True
        )
        assert made.persons.name("kept") == "Ana"
        noted = [(one.about, one.detail) for one in made.security.latest_entries(9, kind="sealed")]
        assert noted == [("accounts", "0"), ("persons", "3")]
        services.close()
