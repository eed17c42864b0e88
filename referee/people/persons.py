"""Names of persons and free texts: the only data that can be erased.

They are in a file of their own, never in the log, which refers to them by random ids. Each is
encrypted with a key of its own. Erasing one deletes text and key: no byte of either stays in the
file or its journal.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from referee.events import PersonId, TextId
from referee.log.durable import FILE_MODE, WriteQueue, connect, lock_file
from referee.people.derived_keys import KEY_BYTES, derived_key
from referee.people.erasures import PURPOSE, Erasures
from referee.people.key_file import (
    KeyFile,
    KeyMissing,
    PersonsError,
    Random,
    WrongKey,
    key_file,
)

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
    "key_file",
]

SealedPart: TypeAlias = Literal["accounts", "erasures"]

LONGEST_NAME: Final = 200
LONGEST_TEXT: Final = 4_000
ID_BYTES: Final = 16

_COLUMN: Final = {"persons": "name", "texts": "text"}
_PLAIN, _UNSWEPT, _SWEPT = 0, 1, 2
"""Values of ``user_version``: not sealed; sealed, old bytes may be left; sealed, none are left."""
_CHECK: Final = ("check", "master")
_OF_A_NEW_FILE: Final = "accounts erasures"
"""What the master row seals: the words of ``SealedPart``, none in a file of before."""
_PAGE: Final = 1_000


class TooLong(Exception):  # noqa: N818 - it says what the text is
    """A name or a text beyond its bound, or an empty one."""


class Persons:
    """Names and texts by random id."""

    def __init__(self, path: str | Path, *, random: Random, key: str | Path | None = None) -> None:
        """Open the file, made if it is not there; one of an older version is sealed in place.

        ``random``: returns that many secret random bytes. ``key``: file of the master key.

        :raises KeyMissing: the file is sealed, and there is no master key
        :raises WrongKey: the master key is not that of this file
        :raises TimeoutError: another process reads what is being sealed
        """
        self._random = random
        self._queue = WriteQueue(lock_file(path))
        self._turn = threading.Lock()
        try:
            with self._queue.turn():
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE))
                self._db = connect(path)
                self._db.execute("PRAGMA temp_store = MEMORY")  # VACUUM writes no file beside
                was_plain = _version(self._db) == _PLAIN
                keys = KeyFile(Path(key or key_file(path)))
                self._seal = self._opened(keys)
                self._erasures = Erasures(self._db, keys.derived(PURPOSE))
            self._swept_at_start(path, was_plain=was_plain)
        except BaseException:
            self.close()
            raise

    def add_person(self, name: str) -> PersonId:
        """A person with a name, under a new id."""
        return self.add_persons([name])[0]

    def add_persons(self, names: Sequence[str]) -> list[PersonId]:
        """A new person for each name: all or none."""
        return self._add("persons", [_bounded(name, LONGEST_NAME) for name in names])

    def rename(self, person: PersonId, name: str) -> bool:
        """Replace a name and erase the old one; returns whether the person had a name."""
        row = self._seal.close("persons", person, _bounded(name, LONGEST_NAME))
        with self._queue.turn(), self._turn, _whole(self._db):
            found = self._db.execute(
                "UPDATE persons SET wrapped = ?, sealed = ? WHERE id = ?", (*row, person)
            ).rowcount
            if found:
                self._db.execute(f"PRAGMA user_version = {_UNSWEPT}")
        self.sweep()
        return found > 0

    def put_text(self, text: str) -> TextId:
        """A text under a new id."""
        return self.put_texts([text])[0]

    def put_texts(self, texts: Sequence[str]) -> list[TextId]:
        """A new id for each text: all or none."""
        return self._add("texts", [_bounded(text, LONGEST_TEXT) for text in texts])

    def name(self, person: PersonId) -> str | None:
        """Name of a person; None if erased or never known.

        :raises Altered: the row was not sealed for this person
        """
        return self._one("persons", person)

    def names_of(self, persons: Iterable[PersonId]) -> dict[PersonId, str | None]:
        """Names of many persons at once; None for one who was erased or never known.

        :raises Altered: the row was not sealed for this person
        """
        return self._many("persons", persons)

    def text(self, text: TextId) -> str | None:
        """A text; None if erased or never known.

        :raises Altered: the row was not sealed for this id
        """
        return self._one("texts", text)

    def texts_of(self, texts: Iterable[TextId]) -> dict[TextId, str | None]:
        """Many texts at once; None for one that was erased or never known.

        :raises Altered: the row was not sealed for this id
        """
        return self._many("texts", texts)

    def persons(self) -> list[PersonId]:
        """Id of every person who has a name."""
        with self._turn:
            return [key for (key,) in self._db.execute("SELECT id FROM persons ORDER BY id")]

    def names(self) -> list[tuple[PersonId, str]]:
        """Names by person, without rows that were not sealed for their id."""
        with self._turn:
            rows = self._db.execute(
                "SELECT id, wrapped, sealed FROM persons ORDER BY id"
            ).fetchall()
        found: list[tuple[PersonId, str]] = []
        for key, *sealed in rows:
            with suppress(Altered):
                found.append((key, self._seal.open("persons", key, *sealed)))
        return found

    def keyed_hash(self, what: str, text: str) -> str:
        """Hash of a text for the log: 128 bits in hex, of HMAC-SHA-256 under a derived key.

        Equal texts of one kind (``what``) have equal hashes. Nobody without the master key can
        test a guess. With another master key it is another hash.
        """
        return self._seal.keyed_hash(f"{what} {text}")

    def erase(self, *erased: PersonId | TextId) -> bool:
        """Erase a name or a text, also its bytes in the files; returns whether it was there.

        :raises TimeoutError: erased from the tables, but a reader holds the old bytes; they are
        removed at the next erasure or start
        """
        return self._delete(erased, is_noted=True)

    def discard(self, *stored: PersonId | TextId) -> bool:
        """Erase what the log does not refer to, because its write failed; no erasure is noted.

        :raises TimeoutError: as ``erase`` does
        """
        return self._delete(stored, is_noted=False)

    # --- for verification --------------------------------------------------------------------

    def sealed_parts(self) -> frozenset[SealedPart]:
        """What of this installation is sealed: every erasure is noted, every account has its seal.

        The master row says so, sealed itself. In a file of before it says nothing.
        """
        with self._turn:
            return self._parts()

    def note_sealed(self, part: SealedPart, erased: Iterable[PersonId | TextId] = ()) -> None:
        """Note that a part is sealed from now on, and what was erased before that."""
        with self._queue.turn(), self._turn, _whole(self._db):
            self._erasures.add(erased)
            row = self._seal.close(*_CHECK, " ".join(sorted({*self._parts(), part})))
            self._db.execute("UPDATE master SET wrapped = ?, sealed = ?", row)

    def _parts(self) -> frozenset[SealedPart]:
        row = self._db.execute("SELECT wrapped, sealed FROM master").fetchone()
        words = set(self._seal.open(*_CHECK, *row).split())
        return frozenset(one for one in get_args(SealedPart) if one in words)

    def erasures(self) -> dict[PersonId | TextId, bool]:
        """Every id that was erased, and whether this program noted it."""
        with self._turn:
            return self._erasures.noted()

    def rows(self, table: str) -> Iterator[tuple[PersonId | TextId, bool]]:
        """Every id of a table, ``persons`` or ``texts``, and whether its row was sealed for it."""
        statement = f"SELECT id, wrapped, sealed FROM {table} WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608 - two literals
        after = ""
        while True:
            with self._turn:
                page = self._db.execute(statement, (after, _PAGE)).fetchall()
            if not page:
                return
            for key, *sealed in page:
                yield key, self._is_intact(table, key, *sealed)
            after = page[-1][0]

    def _is_intact(self, table: str, key: str, wrapped: bytes, sealed: bytes) -> bool:
        try:
            self._seal.open(table, key, wrapped, sealed)
        except Altered:
            return False
        return True

    def _delete(self, stored: Sequence[str], *, is_noted: bool) -> bool:
        found: list[str] = []
        with self._queue.turn():
            with self._turn, _whole(self._db):
                for table in _COLUMN:
                    for one in stored:
                        statement = f"DELETE FROM {table} WHERE id = ?"  # noqa: S608 - two literals
                        found += [one] * self._db.execute(statement, (one,)).rowcount
                if found:
                    self._db.execute(f"PRAGMA user_version = {_UNSWEPT}")
                if is_noted:
                    self._erasures.add(found)
            if not self.sweep():
                raise TimeoutError(*stored)
        return bool(found)

    # --- keeping -----------------------------------------------------------------------------

    def sweep(self) -> bool:
        """Remove erased bytes from file and journal; returns whether none are left.

        Zeros written over a row do not reach the copies that SQLite leaves when it moves rows
        between pages; a file written anew does.
        """
        with self._queue.turn(), self._turn:
            if _version(self._db) == _SWEPT:
                return not self._busy()
            self._db.execute("VACUUM")
            if self._busy():
                return False
            self._db.execute(f"PRAGMA user_version = {_SWEPT}")
            return not self._busy()

    def close(self) -> None:
        """Close the file."""
        with self._turn:
            if hasattr(self, "_db"):
                self._db.close()
        self._queue.close()

    def _swept_at_start(self, path: str | Path, *, was_plain: bool) -> None:
        if not self.sweep() and was_plain:
            raise TimeoutError(f"{path}: another process reads it; stop that, start again")

    def _opened(self, key: KeyFile) -> Seal:
        """The seal of this file; an older file is sealed first."""
        if _version(self._db) != _PLAIN:
            seal = Seal(key.read(), self._random)
            wrapped, sealed = self._db.execute("SELECT wrapped, sealed FROM master").fetchone()
            try:
                seal.open(*_CHECK, wrapped, sealed)
            except Altered:
                raise WrongKey(f"{key.path} is not the key of these names") from None
            return seal
        seal = Seal(key.read_or_made(self._random), self._random)
        is_new = not self._db.execute("SELECT 1 FROM sqlite_schema").fetchall()
        with _whole(self._db):
            self._db.execute("CREATE TABLE master (wrapped BLOB NOT NULL, sealed BLOB NOT NULL)")
            self._db.execute(
                "INSERT INTO master VALUES (?, ?)",
                seal.close(*_CHECK, _OF_A_NEW_FILE if is_new else ""),
            )
            for table, column in _COLUMN.items():
                _seal_table(self._db, seal, table, column)
            self._db.execute(f"PRAGMA user_version = {_UNSWEPT}")
        return seal

    def _busy(self) -> bool:
        """Whether a reader prevents the journal from being truncated."""
        (busy, _, _) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return bool(busy)

    def _add(self, table: str, values: Sequence[str]) -> list[str]:
        new = [self._random(ID_BYTES).hex() for _ in values]
        rows = [
            (one, *self._seal.close(table, one, value))
            for one, value in zip(new, values, strict=True)
        ]
        with self._queue.turn(), self._turn, _whole(self._db):
            self._db.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", rows)  # noqa: S608 - two literals
        return new

    def _many(self, table: str, keys: Iterable[str]) -> dict[str, str | None]:
        found: dict[str, str | None] = dict.fromkeys(keys)
        asked = "SELECT value FROM json_each(?)"
        statement = f"SELECT id, wrapped, sealed FROM {table} WHERE id IN ({asked})"  # noqa: S608 - two literals
        with self._turn:
            rows = self._db.execute(statement, (json.dumps([*found]),)).fetchall()
        for key, *sealed in rows:
            found[key] = self._seal.open(table, key, *sealed)
        return found

    def _one(self, table: str, key: str) -> str | None:
        statement = f"SELECT wrapped, sealed FROM {table} WHERE id = ?"  # noqa: S608 - two literals
        with self._turn, closing(self._db.execute(statement, (key,))) as rows:
            row: tuple[bytes, bytes] | None = rows.fetchone()
        return self._seal.open(table, key, *row) if row else None


@contextmanager
def _whole(db: sqlite3.Connection) -> Iterator[None]:
    """A transaction that writes: all of it or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _version(db: sqlite3.Connection) -> int:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return int(version)


def _seal_table(db: sqlite3.Connection, seal: Seal, table: str, column: str) -> None:
    """Make a table of sealed rows, out of the older one in plain text if there is one."""
    db.execute(f"CREATE TABLE IF NOT EXISTS {table} (id TEXT PRIMARY KEY, {column} TEXT)")
    db.execute(f"ALTER TABLE {table} RENAME TO plain")
    db.execute(
        f"CREATE TABLE {table} (id TEXT PRIMARY KEY, wrapped BLOB NOT NULL, sealed BLOB NOT NULL)"
        " WITHOUT ROWID"
    )
    for key, text in db.execute(f"SELECT id, {column} FROM plain"):  # noqa: S608 - two literals
        row = (key, *seal.close(table, key, text))
        db.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", row)  # noqa: S608 - two literals
    db.execute("DROP TABLE plain")


def _bounded(text: str, longest: int) -> str:
    if not 0 < len(text) <= longest:
        raise TooLong(f"{len(text)} characters, 1 to {longest} allowed")
    return text


_NONCE_BYTES: Final = 12


_HASH_DIGITS: Final = 32


class Altered(PersonsError):  # noqa: N818 - it says what is wrong
    """A row that was not sealed for this id: swapped, cut, or changed. Holds the id."""


class Seal:
    """Seals and opens under a master key of 32 bytes."""

    def __init__(self, master: bytes, random: Random) -> None:
        self._master = AESGCM(master)
        self._hash_key = derived_key(master, "headers")
        self._random = random

    def close(self, table: str, key: str, text: str) -> tuple[bytes, bytes]:
        """A new key for this text, wrapped (60 bytes), and the text under it (28 bytes more)."""
        own = self._random(KEY_BYTES)
        wrapped = self._sealed(self._master, own, _bound("key", table, key))
        return wrapped, self._sealed(AESGCM(own), text.encode(), _bound("text", table, key))

    def open(self, table: str, key: str, wrapped: bytes, sealed: bytes) -> str:
        """The text of a row.

        :raises Altered: it was not sealed for this id of this table, under this master key
        """
        try:
            own = _opened(self._master, wrapped, _bound("key", table, key))
            return _opened(AESGCM(own), sealed, _bound("text", table, key)).decode()
        except (InvalidTag, ValueError, TypeError):
            raise Altered(key) from None

    def keyed_hash(self, text: str) -> str:
        """The first half of the HMAC of a text, in hex, under a key derived from the master key."""
        return hmac.new(self._hash_key, text.encode(), hashlib.sha256).hexdigest()[:_HASH_DIGITS]

    def _sealed(self, cipher: AESGCM, content: bytes, bound: bytes) -> bytes:
        nonce = self._random(_NONCE_BYTES)
        return nonce + cipher.encrypt(nonce, content, bound)


def _opened(cipher: AESGCM, sealed: bytes, bound: bytes) -> bytes:
    return cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], bound)


def _bound(what: str, table: str, key: str) -> bytes:
    """Associated data of a ciphertext: what it stands for."""
    return f"guinote {what} {table} {key}".encode()
