"""Names of persons and free texts: the only data that can be erased.

They are in a store of their own, never in the log, which refers to them by random ids. Each is
encrypted with a key of its own. Erasing one deletes text and key: no byte of either stays in the
tables.
"""

from __future__ import annotations

import hmac
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from referee.events import PersonId, TextId
from referee.log.ports import Address
from referee.people.master_key import (
    Altered,
    KeyFile,
    KeyMissing,
    MasterKey,
    PersonsError,
    Random,
    Seal,
    WrongKey,
    key_path,
)
from referee.people.tables import COLUMN, NAMES_LAYOUT, plaintext_tables, seal_and_drop_table
from referee.store.databases import open_database
from referee.store.ports import Statements

__all__ = [
    "LONGEST_NAME",
    "LONGEST_TEXT",
    "Altered",
    "KeyFile",
    "KeyMissing",
    "Persons",
    "PersonsError",
    "TooLong",
    "WrongKey",
    "key_path",
]

SealedPart: TypeAlias = Literal["accounts", "erasures"]

LONGEST_NAME: Final = 200
LONGEST_TEXT: Final = 4_000
LARGEST_PICTURE: Final = 48 * 1024
"""In bytes: as large as a picture that pages show may be."""
ID_BYTES: Final = 16

_NOT_SEALED: Final = 0
_MASTER: Final = "SELECT wrapped, sealed FROM master"
_CHECK: Final = ("check", "master")
_OF_A_NEW_STORE: Final = "accounts erasures"
"""What the master row seals: the words of ``SealedPart``, none in a file of before."""
_HASH_BYTES: Final = 16
_PAGE: Final = 1_000
_ASKED_AT_ONCE: Final = 250
PURPOSE: Final = "erasures"
"""Purpose of the key of the hashes."""


class TooLong(Exception):  # noqa: N818 - it says what the text is
    """Error: a name or a text is empty or too long."""


class Persons:
    """Store of names and free texts by random id.

    ``is_lost``: Those of the house cannot be read now.
    """

    is_lost = False

    def __init__(
        self, address: Address, *, random: Random, key: MasterKey | str | Path | None = None
    ) -> None:
        """Open the store, made if it is not there; a file of the first versions is sealed in place.

        ``random``: returns that many secret random bytes. ``key``: the master key or its file, by
        default the one beside a file of names.

        :raises KeyMissing: the names are sealed, and there is no master key
        :raises WrongKey: the master key is not that of these names
        :raises TimeoutError: another process reads what is being sealed
        """
        self._random = random
        self._master = (
            key if isinstance(key, MasterKey) else KeyFile(Path(key or key_path(address)))
        )
        self._db = open_database(address, NAMES_LAYOUT)
        try:
            was_plain = bool(plaintext_tables(self._db))
            self._seal = self._open_seal(self._master)
            self._erasures = Erasures(self._master.derive(PURPOSE))
            self._hash_key = self._master.derive("headers")
            self._sweep_at_start(address, was_plain=was_plain)
        except BaseException:
            self.close()
            raise

    def add_person(self, name: str) -> PersonId:
        """Store a new person with this name; the result is the new id."""
        return self.add_persons([name])[0]

    def add_persons(self, names: Sequence[str]) -> list[PersonId]:
        """Store a new person for each name, all or none; the result is their ids."""
        return self._add("persons", [_check_length(name, LONGEST_NAME) for name in names])

    def rename(self, person: PersonId, name: str) -> bool:
        """Replace the name of a person and erase the old one.

        Returns whether the person had a name.
        """
        row = self._seal.seal_text_under_new_key(
            "persons", person, _check_length(name, LONGEST_NAME)
        )
        with self._db.transaction() as db:
            found = db.execute(
                "UPDATE persons SET wrapped = ?, sealed = ? WHERE id = ?", (*row, person)
            ).rowcount
            if found:
                self._note_bytes_to_erase(db)
        self.erase_bytes_of_deleted_rows()
        return found > 0

    def add_text(self, text: str) -> TextId:
        """Store a text under a new id, which is the result."""
        return self.add_texts([text])[0]

    def add_texts(self, texts: Sequence[str]) -> list[TextId]:
        """Store each text under a new id, all or none; the result is these ids."""
        return self._add("texts", [_check_length(text, LONGEST_TEXT) for text in texts])

    def add_picture(self, picture: bytes) -> TextId:
        """Store a picture under a new id, the result, as a text in base 64; erased as texts are."""
        longest = 4 * -(-LARGEST_PICTURE // 3)
        return self._add("texts", [_check_length(b64encode(picture).decode(), longest)])[0]

    def picture(self, picture: TextId) -> bytes | None:
        """A picture; None if it was erased."""
        found = self.text_by_id(picture)
        return None if found is None else b64decode(found)

    def name(self, person: PersonId) -> str | None:
        """Name of a person; None if erased or never known.

        :raises Altered: the row was not sealed for this person
        """
        return self._find_one("persons", person)

    def is_named(self, person: PersonId) -> bool:
        """Whether a person has a name: not if it was erased, or they were never known."""
        return self.name(person) is not None

    def names_of(self, persons: Iterable[PersonId]) -> dict[PersonId, str | None]:
        """Names of many persons at once; None for one who was erased or never known.

        :raises Altered: the row was not sealed for this person
        """
        return self._find_many("persons", persons)

    def text_by_id(self, text: TextId) -> str | None:
        """A text; None if erased or never known.

        :raises Altered: the row was not sealed for this id
        """
        return self._find_one("texts", text)

    def texts_by_id(self, texts: Iterable[TextId]) -> dict[TextId, str | None]:
        """Many texts at once; None for one that was erased or never known.

        :raises Altered: the row was not sealed for this id
        """
        return self._find_many("texts", texts)

    def person_ids(self) -> list[PersonId]:
        """Id of every person who has a name."""
        with self._db.connection() as db:
            return [key for (key,) in db.execute("SELECT id FROM persons ORDER BY id")]

    def ids_and_names(self) -> list[tuple[PersonId, str]]:
        """Id and name of every person, without rows whose encryption does not fit their id."""
        return self._read_all("persons")

    def ids_and_texts(self) -> list[tuple[TextId, str]]:
        """Id and content of every text, without rows whose encryption does not fit their id.

        Pictures are in base 64.
        """
        return self._read_all("texts")

    def _read_all(self, table: str) -> list[tuple[str, str]]:
        with self._db.connection() as db:
            rows = db.execute(f"SELECT id, wrapped, sealed FROM {table} ORDER BY id").fetchall()  # noqa: S608 - two literals
        found: list[tuple[str, str]] = []
        for key, *sealed in rows:
            with suppress(Altered):
                found.append((key, self._seal.unseal_text(table, key, *sealed)))
        return found

    def keyed_hash(self, what: str, text: str) -> str:
        """Keyed hash for the log, of a text that a client chooses and nobody can erase.

        ``hmac-`` and 128 bits in hex, of HMAC-SHA-256 under a derived key. Equal texts of one kind
        (``what``) have equal hashes. Nobody without the master key can test a guess. With another
        master key it is another hash.
        """
        hashed = hmac.digest(self._hash_key, f"{what} {text}".encode(), "sha256")
        return f"hmac-{hashed[:_HASH_BYTES].hex()}"

    def erase(self, *erased: PersonId | TextId) -> bool:
        """Erase names or texts, with their bytes in the files, and note it.

        Returns whether one was there.

        :raises TimeoutError: erased from the tables, but a reader holds the old bytes; they are
        removed at the next erasure or start
        """
        return self._delete(erased, is_noted=True)

    def discard(self, *stored: PersonId | TextId) -> bool:
        """Erase what the log does not refer to, because its write failed; no erasure is noted.

        :raises TimeoutError: as ``erase`` does
        """
        return self._delete(stored, is_noted=False)

    def check_key_and_store(self) -> None:
        """Test that names can be read with the present key, and that the store can be written.

        :raises PersonsError: the key is missing or wrong
        :raises Exception: of the engine, which cannot read or write
        """
        self._db.check_by_writing()
        self._read_seal(self._master)

    # --- for verification --------------------------------------------------------------------

    def parts_noted_as_sealed(self) -> frozenset[SealedPart]:
        """Which parts of the installation are sealed: the noted erasures, the accounts.

        The master row says so, sealed itself. In a file of before it says nothing.
        """
        with self._db.connection() as db:
            return self._read_sealed_parts(db)

    def note_part_as_sealed(
        self, part: SealedPart, erased: Iterable[PersonId | TextId] = ()
    ) -> None:
        """Note that a part is sealed from now on, and what was erased before that."""
        with self._db.transaction() as db:
            self._erasures.add(db, erased)
            row = self._seal.seal_text_under_new_key(
                *_CHECK, " ".join(sorted({*self._read_sealed_parts(db), part}))
            )
            db.execute("UPDATE master SET wrapped = ?, sealed = ?", row)

    def _read_sealed_parts(self, db: Statements) -> frozenset[SealedPart]:
        row = db.execute("SELECT wrapped, sealed FROM master").fetchone()
        words = set(self._seal.unseal_text(*_CHECK, *row).split())
        return frozenset(one for one in get_args(SealedPart) if one in words)

    def erasures_with_soundness(self) -> dict[PersonId | TextId, bool]:
        """Mapping from every erased id to whether the note of it is genuine."""
        with self._db.connection() as db:
            return self._erasures.read_ids_with_soundness(db)

    def ids_and_soundness(self, table: str) -> Iterator[tuple[PersonId | TextId, bool]]:
        """Every id in one of the two tables, and whether its row is encrypted for that id."""
        statement = f"SELECT id, wrapped, sealed FROM {table} WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608 - two literals
        after = ""
        while True:
            with self._db.connection() as db:
                page = db.execute(statement, (after, _PAGE)).fetchall()
            if not page:
                return
            for key, *sealed in page:
                yield key, self._is_intact(table, key, *sealed)
            after = page[-1][0]

    def _is_intact(self, table: str, key: str, wrapped: bytes, sealed: bytes) -> bool:
        try:
            self._seal.unseal_text(table, key, wrapped, sealed)
        except Altered:
            return False
        return True

    def _delete(self, stored: Sequence[str], *, is_noted: bool) -> bool:
        found: list[str] = []
        with self._db.transaction() as db:
            for table in COLUMN:
                for one in stored:
                    statement = f"DELETE FROM {table} WHERE id = ?"  # noqa: S608 - two literals
                    found += [one] * db.execute(statement, (one,)).rowcount
            if found:
                self._note_bytes_to_erase(db)
            if is_noted:
                self._erasures.add(db, found)
        if not self.erase_bytes_of_deleted_rows():
            raise TimeoutError(*stored)
        return bool(found)

    # --- keeping -----------------------------------------------------------------------------

    def erase_bytes_of_deleted_rows(self) -> bool:
        """Remove the bytes of erased names and texts from the file; returns whether none are left.

        What is erased meanwhile gives the store another number, and is swept in another round.
        """
        while (state := self._store_state_number()) % 2:
            if not self._db.erase_deleted_bytes():
                return False
            with self._db.transaction() as db:
                if self._db.store_state_number(db) == state:
                    self._db.set_store_state_number(db, state + 1)
        return True

    def close(self) -> None:
        """Close the store."""
        self._db.close()

    def _sweep_at_start(self, address: Address, *, was_plain: bool) -> None:
        if not self.erase_bytes_of_deleted_rows() and was_plain:
            raise TimeoutError(f"{address}: another process reads it; stop that, start again")

    def _store_state_number(self) -> int:
        with self._db.connection() as db:
            return self._db.store_state_number(db)

    def _note_bytes_to_erase(self, db: Statements) -> None:
        """Note that bytes of erased rows are still there: the number of the store becomes odd."""
        self._db.set_store_state_number(db, (self._db.store_state_number(db) + 1) | 1)

    def _open_seal(self, key: MasterKey) -> Seal:
        """Encryption of this store.

        The first process creates its key and encrypts names that were in plain text.
        """
        if self._store_state_number() == _NOT_SEALED:
            self._seal_store(Seal(key.read_or_make(self._random), self._random))
        return self._read_seal(key)

    def _read_seal(self, key: MasterKey) -> Seal:
        """Encryption of this store under a master key, if the key fits.

        :raises WrongKey: it is under another key
        """
        with self._db.connection() as db:
            row = db.execute(_MASTER).fetchone()
        return _seal_of_right_key(row, key, self._random)

    def _seal_store(self, seal: Seal) -> None:
        plain = plaintext_tables(self._db)
        with self._db.transaction() as db:
            if self._db.store_state_number(db) != _NOT_SEALED:  # another process was first
                return
            parts = "" if plain else _OF_A_NEW_STORE
            db.execute(
                "INSERT INTO master VALUES (?, ?)", seal.seal_text_under_new_key(*_CHECK, parts)
            )
            for table in plain:
                seal_and_drop_table(db, seal, table)
            self._note_bytes_to_erase(db)

    def _add(self, table: str, values: Sequence[str]) -> list[str]:
        new = [self._random(ID_BYTES).hex() for _ in values]
        rows = [
            (one, *self._seal.seal_text_under_new_key(table, one, value))
            for one, value in zip(new, values, strict=True)
        ]
        with self._db.transaction() as db:
            db.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", rows)  # noqa: S608 - two literals
        return new

    def _find_many(self, table: str, keys: Iterable[str]) -> dict[str, str | None]:
        found: dict[str, str | None] = dict.fromkeys(keys)
        every = list(found)
        for at in range(0, len(every), _ASKED_AT_ONCE):
            some = every[at : at + _ASKED_AT_ONCE]
            marks = ", ".join("?" * len(some))
            statement = f"SELECT id, wrapped, sealed FROM {table} WHERE id IN ({marks})"  # noqa: S608 - literals
            with self._db.connection() as db:
                rows = db.execute(statement, some).fetchall()
            for key, *sealed in rows:
                found[key] = self._seal.unseal_text(table, key, *sealed)
        return found

    def _find_one(self, table: str, key: str) -> str | None:
        return self._find_many(table, [key])[key]


def _check_length(text: str, longest: int) -> str:
    """The text, or an error if it is empty or too long."""
    if not 0 < len(text) <= longest:
        raise TooLong(f"{len(text)} characters, 1 to {longest} allowed")
    return text


def refuse_wrong_key(file: Path, key: MasterKey, random: Random) -> None:
    """Raise an error unless this master key decrypts the names in a file, which is only read.

    :raises KeyMissing: there is no key, and names are sealed
    :raises WrongKey: it is another one
    """
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
        asked = "SELECT 1 FROM sqlite_schema WHERE name = 'master'"  # not in the first versions
        row = db.execute(_MASTER).fetchone() if db.execute(asked).fetchone() else None
    if row:
        _seal_of_right_key(row, key, random)


def _seal_of_right_key(row: tuple[bytes, bytes], key: MasterKey, random: Random) -> Seal:
    """Encryption under a master key, after it decrypted the test row of the store.

    :raises KeyMissing: there is no key
    :raises WrongKey: it is another one
    """
    seal = Seal(key.read(), random)
    try:
        seal.unseal_text(*_CHECK, *row)
    except Altered:
        raise WrongKey(f"{key.place} is not the key of these names") from None
    return seal


class Erasures:
    """Register of erased ids in the store of names, each with a keyed hash.

    ``key``: of the hashes.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def add(self, db: Statements, erased: Iterable[str]) -> None:
        """Record ids as erased."""
        rows = [(one, self._hash_of(one)) for one in erased]
        db.executemany(
            "INSERT INTO erased VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET mark = excluded.mark",
            rows,
        )

    def read_ids_with_soundness(self, db: Statements) -> dict[str, bool]:
        """Mapping from every recorded id to whether its keyed hash is right."""
        rows = db.execute("SELECT id, mark FROM erased").fetchall()
        return {one: mark == self._hash_of(one) for one, mark in rows}

    def _hash_of(self, one: str) -> bytes:
        return hmac.digest(self._key, one.encode(), sha256)
