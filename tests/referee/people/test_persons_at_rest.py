"""Names at rest: never in plain text, and gone for good from every file and new backup."""

from __future__ import annotations

import random
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.server.backup import write_backup
from api.server.data_folder import Files
from api.server.wiring import open_persons
from referee.people.persons import Persons
from tests.support.servers.one_log import new_log
from tests.support.servers.sealed_names import (
    NAME,
    OTHER,
    everything,
    forms,
    held,
    plain_file,
    traces,
)


@pytest.fixture
def where(tmp_path: Path) -> Files:
    (tmp_path / "data").mkdir()
    return Files(tmp_path / "data")


@pytest.fixture
def persons(where: Files) -> Iterator[Persons]:
    with closing(open_persons(where)) as found:
        yield found


def test_the_bytes_by_which_a_name_is_looked_for_would_be_found(tmp_path: Path) -> None:
    plain_file(tmp_path / "persons.sqlite", {"a" * 32: NAME})
    assert traces(tmp_path, forms(NAME)) == [NAME.encode()]


def test_a_name_is_in_no_file_even_while_it_is_known(where: Files, persons: Persons) -> None:
    ana = persons.add_person(NAME)
    assert persons.name(ana) == NAME
    assert traces(where.folder, forms(NAME)) == []
    assert traces(where.folder, held(where.persons, ana)) == held(where.persons, ana)


def test_what_is_erased_is_in_no_file_and_in_no_new_backup(where: Files, persons: Persons) -> None:
    new_log(where.log).close()
    one, other = persons.add_person(NAME), persons.add_person(OTHER)
    text = persons.add_text(f"{NAME} enseñó la sota " * 100)
    gone = [*forms(NAME), *held(where.persons, one), *held(where.persons, text)]
    kept = held(where.persons, other)
    assert persons.erase(one)
    assert persons.erase(text)
    write_backup(where, where.folder / "copy.guinote")
    assert traces(where.folder, gone) == []
    assert set(traces(where.folder, kept)) == set(kept)
    assert (persons.name(one), persons.name(other)) == (None, OTHER)


@pytest.mark.parametrize("seed", [73, 141])
def test_rows_that_moved_between_pages_leave_nothing_behind(where: Files, seed: int) -> None:
    """Zeros over a row do not reach the copy that a page keeps of what moved elsewhere.

    These histories leave such copies (SQLite 3.40) unless the file is written anew.
    """
    chance = random.Random(seed)
    kept: list[str] = []
    gone: list[bytes] = []
    with closing(Persons(where.persons, random=chance.randbytes)) as persons:
        with persons._db.connection() as db:
            db.execute("PRAGMA synchronous = OFF")
        for _ in range(120):
            if kept and chance.random() < 0.4:
                one = kept.pop(chance.randrange(len(kept)))
                gone += held(where.persons, one)
                persons.erase(one)
            else:
                kept.append(persons.add_text("x" * chance.choice([5, 10, 200, 300, 900])))
        content = everything(where.folder)
    pieces = [blob[at : at + 12] for blob in gone for at in range(0, len(blob) - 12, 6)]
    assert [piece for piece in pieces if piece in content] == []


@settings(max_examples=30)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9), st.integers(1, 4_000)), max_size=25))
def test_over_any_history_what_is_known_is_right_and_what_is_erased_is_gone(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[bool, int, int]]
) -> None:
    where = Files(tmp_path_factory.mktemp("history"))
    known: dict[str, str] = {}
    gone: list[bytes] = []
    persons = open_persons(where)
    for is_erase, which, size in steps:
        if is_erase and known:
            one = list(known)[which % len(known)]
            gone += [*held(where.persons, one), known.pop(one).encode()[:40]]
            assert persons.erase(one)
        else:
            text = f"{secrets.token_hex(16)} " + "ñ" * (size - 33 if size > 33 else 1)
            known[persons.add_text(text)] = text
        if which == 0:
            persons.close()
            persons = open_persons(where)
    assert {one: persons.text_by_id(one) for one in known} == known
    assert traces(where.folder, gone) == []
    persons.close()


# --- readers -------------------------------------------------------------------------------------


def test_names_are_erased_while_others_read(where: Files, persons: Persons) -> None:
    ids = [persons.add_person(f"{NAME} {n}") for n in range(40)]
    gone = [*forms(NAME), *(blob for one in ids[:20] for blob in held(where.persons, one))]
    stop = threading.Event()
    wrong: list[object] = []

    def read() -> None:
        try:
            with closing(open_persons(where)) as mine:
                while not stop.is_set():
                    for n, one in enumerate(ids):
                        if mine.name(one) not in (f"{NAME} {n}", None):
                            wrong.append(one)
        except Exception as error:
            wrong.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for one in ids[:20]:
        assert persons.erase(one)
    stop.set()
    for reader in readers:
        reader.join()
    assert wrong == []
    assert traces(where.folder, gone) == []
    assert [persons.name(one) is None for one in ids] == [True] * 20 + [False] * 20


def test_a_backup_taken_behind_a_long_reader_has_nothing_erased_in_it(
    where: Files, persons: Persons, tmp_path: Path
) -> None:
    new_log(where.log).close()
    with persons._db.connection() as db:
        db.execute("PRAGMA busy_timeout = 10")
    one, other = persons.add_person(NAME), persons.add_person(OTHER)
    gone = held(where.persons, one)
    with closing(sqlite3.connect(where.persons, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM persons").fetchall()
        with pytest.raises(TimeoutError):
            persons.erase(one)
        (tmp_path / "copies").mkdir()
        write_backup(where, tmp_path / "copies" / "copy")
        assert traces(tmp_path / "copies", gone) == []
        assert traces(where.folder, gone) != []
    assert persons.erase(other)
    assert traces(where.folder, gone) == []
