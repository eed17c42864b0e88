"""Encryption of names: bound to their ids, with a checked key; older files are converted."""

from __future__ import annotations

import shutil
import stat
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from api.server.data_folder import Files
from api.server.wiring import open_persons
from referee.people.persons import Altered, KeyMissing, Persons, WrongKey
from tests.support.servers.sealed_names import NAME, OTHER, change, everything, plain_file


@pytest.fixture
def where(tmp_path: Path) -> Files:
    (tmp_path / "data").mkdir()
    return Files(tmp_path / "data")


@pytest.fixture
def persons(where: Files) -> Iterator[Persons]:
    with closing(open_persons(where)) as found:
        yield found


def test_a_copy_of_the_folder_opens_with_its_key(where: Files, tmp_path: Path) -> None:
    with closing(open_persons(where)) as persons:
        one = persons.add_person(NAME)
    shutil.copytree(where.folder, tmp_path / "copy")
    with closing(open_persons(Files(tmp_path / "copy"))) as copied:
        assert copied.name(one) == NAME


def test_the_key_may_lie_elsewhere(
    where: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUINOTE_PERSONS_KEY", str(tmp_path / "apart"))
    open_persons(where).close()
    assert (tmp_path / "apart").exists()
    assert not (where.folder / "persons.key").exists()


def test_the_key_is_in_a_file_for_its_owner_alone(where: Files, persons: Persons) -> None:
    assert where.master_key_file == where.folder / "persons.key"
    assert stat.S_IMODE(where.master_key_file.stat().st_mode) == 0o600
    assert len(bytes.fromhex(where.master_key_file.read_text())) == 32


# --- the seal ------------------------------------------------------------------------------------


def test_swapped_rows_are_found(where: Files, persons: Persons) -> None:
    one, other = persons.add_person(NAME), persons.add_person(OTHER)
    change(where, "UPDATE persons SET id = 'between' WHERE id = ?", one)
    change(where, "UPDATE persons SET id = ? WHERE id = ?", one, other)
    change(where, "UPDATE persons SET id = ? WHERE id = 'between'", other)
    for person in (one, other):
        with pytest.raises(Altered, match=person):
            persons.name(person)


@pytest.mark.parametrize("column", ["wrapped", "sealed"])
def test_half_a_row_of_another_is_found(where: Files, persons: Persons, column: str) -> None:
    one, other = persons.add_person(NAME), persons.add_person(OTHER)
    change(
        where,
        f"UPDATE persons SET {column} = (SELECT {column} FROM persons WHERE id = ?) WHERE id = ?",
        other,
        one,
    )
    with pytest.raises(Altered):
        persons.name(one)
    assert persons.name(other) == OTHER


def test_a_text_cannot_stand_for_a_name(where: Files, persons: Persons) -> None:
    text = persons.add_text(OTHER)
    change(where, "INSERT INTO persons SELECT * FROM texts WHERE id = ?", text)
    assert persons.text_by_id(text) == OTHER
    with pytest.raises(Altered):
        persons.name(text)


@pytest.mark.parametrize("column", ["wrapped", "sealed"])
@pytest.mark.parametrize("value", [b"", b"\0" * 60, "text", 7])
def test_a_changed_row_is_found(where: Files, persons: Persons, column: str, value: object) -> None:
    one = persons.add_person(NAME)
    change(where, f"UPDATE persons SET {column} = ?", value)
    with pytest.raises(Altered):
        persons.name(one)


def test_without_the_key_nothing_opens_and_nothing_is_lost(where: Files) -> None:
    with closing(open_persons(where)) as persons:
        one = persons.add_person(NAME)
    where.master_key_file.rename(where.folder / "elsewhere")
    with pytest.raises(KeyMissing, match=r"persons\.key is not there"):
        open_persons(where)
    assert not where.master_key_file.exists()
    (where.folder / "elsewhere").rename(where.master_key_file)
    with closing(open_persons(where)) as persons:
        assert persons.name(one) == NAME


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("ab" * 32, "is not the key of these names"),
        ("ab" * 31, "holds no key"),
        ("", "holds no key"),
        ("ñ", "cannot be read"),
    ],
)
def test_a_wrong_key_is_reported(where: Files, content: str, said: str) -> None:
    open_persons(where).close()
    where.master_key_file.write_text(content)
    with pytest.raises(WrongKey, match=said):
        open_persons(where)


def test_a_key_that_others_may_read_is_refused(where: Files) -> None:
    open_persons(where).close()
    where.master_key_file.chmod(0o640)
    with pytest.raises(WrongKey, match="chmod 600"):
        open_persons(where)


# --- an older file -------------------------------------------------------------------------------

OLD = {f"{n:032x}": f"Persona número {n}" for n in range(200)}
OLD_TEXTS = {f"{n:032x}": f"texto número {n} " * 30 for n in range(1_000, 1_060)}


def test_an_older_file_is_sealed_in_place_and_leaves_no_plain_byte(where: Files) -> None:
    plain_file(where.persons, OLD, OLD_TEXTS)
    with closing(open_persons(where)) as persons:
        assert {one: persons.name(one) for one in persons.person_ids()} == OLD
        assert {one: persons.text_by_id(one) for one in OLD_TEXTS} == OLD_TEXTS
        left = everything(where.folder)
    assert "número".encode() not in left
    assert b"Persona" not in left
    assert b"texto n" not in left


def test_of_many_who_start_at_once_one_seals_and_all_read(where: Files) -> None:
    plain_file(where.persons, OLD)
    wrong: list[object] = []

    def begin() -> None:
        try:
            with closing(open_persons(where)) as persons:
                if {one: persons.name(one) for one in OLD} != OLD:
                    wrong.append("names differ")
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=begin) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert b"Persona" not in everything(where.folder)


def test_a_backup_of_before_the_seal_is_sealed_when_it_is_opened(where: Files) -> None:
    with closing(open_persons(where)) as persons:
        persons.add_person(OTHER)
    for path in where.folder.glob("persons.sqlite*"):
        path.unlink()
    plain_file(where.persons, OLD)
    with closing(open_persons(where)) as persons:
        assert persons.name("0" * 32) == "Persona número 0"
    assert b"Persona" not in everything(where.folder)
