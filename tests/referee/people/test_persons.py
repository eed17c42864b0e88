"""Names and texts: bounded, random ids, and erased for good."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from referee.log import durable
from referee.people.persons import LONGEST_NAME, Persons, TooLong


def test_what_is_erased_is_in_no_file_any_more(tmp_path: Path) -> None:
    numbers = iter(range(1, 100))
    persons = Persons(tmp_path / "p.db", random=lambda n: next(numbers).to_bytes(n, "big"))
    one, other = persons.add_person("Fulano de Tal"), persons.add_person("Mengana")
    text = persons.add_text("enseñó la sota " * 200)
    assert len({one, other, text}) == 3
    assert persons.name(one) == "Fulano de Tal"
    assert persons.erase(one)
    assert persons.erase(text)
    assert not persons.erase("0" * 32)
    assert (persons.name(one), persons.text_by_id(text)) == (None, None)
    assert persons.name(other) == "Mengana"
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Fulano" not in left
    assert "enseñó".encode() not in left
    persons.close()
    again = Persons(tmp_path / "p.db", random=lambda n: b"z" * n)
    assert again.name(other) == "Mengana"
    again.close()


def test_a_reader_of_the_old_bytes_is_reported_and_a_later_sweep_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    persons = Persons(tmp_path / "p.db", random=lambda n: b"z" * n)
    monkeypatch.setattr(durable, "BUSY_TIMEOUT_MS", 10)
    with persons._db.connection() as db:
        db.execute("PRAGMA busy_timeout = 10")
    one = persons.add_person("Fulano")
    reader = sqlite3.connect(tmp_path / "p.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM persons").fetchall()
    with pytest.raises(TimeoutError):
        persons.erase(one)
    assert persons.name(one) is None
    reader.close()
    assert persons.erase_bytes_of_deleted_rows()
    assert b"Fulano" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    persons.close()


def test_names_and_texts_have_bounds(tmp_path: Path) -> None:
    persons = Persons(tmp_path / "p.db", random=lambda n: b"z" * n)
    for name in ("", "x" * (LONGEST_NAME + 1)):
        with pytest.raises(TooLong):
            persons.add_person(name)
    persons.close()


def test_many_names_are_asked_for_at_once(tmp_path: Path) -> None:
    numbers = iter(range(1, 100))
    persons = Persons(tmp_path / "p.db", random=lambda n: next(numbers).to_bytes(n, "big"))
    ana, blas = persons.add_person("Ana"), persons.add_person("Blas")
    persons.erase(blas)
    assert persons.names_of([ana, blas, "0" * 32]) == {ana: "Ana", blas: None, "0" * 32: None}
    assert persons.names_of([]) == {}
    persons.close()
