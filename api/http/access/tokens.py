"""The owner's token, with all permissions: a file of the data folder, made at the first start.

A house in PostgreSQL has one token for all its computers: its hash is in the database, and the file
stays where the token was made.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from referee.access.house_token import HouseToken
from referee.access.keys import Keys, OpenToken
from referee.aggregates.access import OWNER, Access, Holder
from referee.system import ports

WITHIN_S: Final = 60.0
MOST_REQUESTS: Final = 600
"""Ten a second: far more than a table makes, or a page that is read by a person."""


class TokenPace:
    """Counts of requests of each token in the present minute."""

    def __init__(self, most: int = MOST_REQUESTS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._begun = float("-inf")
        self._counts: dict[str, int] = {}

    def count_and_give_wait(self, token: str, now: float) -> float:
        """Count a request of a token.

        Returns seconds to wait, 0 if the token is within its rate.
        """
        with self._lock:
            if now >= self._begun + WITHIN_S:
                self._begun, self._counts = now, {}
            count = self._counts[token] = self._counts.get(token, 0) + 1
            return 0.0 if count <= self._most else self._begun + WITHIN_S - now


TOKEN_FILE = "owner.token"  # noqa: S105 - the name of a file


class TokenElsewhere(Exception):  # noqa: N818 - it says where the token is
    """The owner's token of this house is at another computer. The text says so, and the remedy."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            f"{file}: the owner's token of this house was made at another computer: use the one "
            "there, or make another one for all computers: guinote token rotate"
        )


class Owner:
    """The owner's token in its file, readable by nobody else; made at the first start.

    ``house``: the token of a house in PostgreSQL, asked at its first use.
    """

    def __init__(self, folder: Path, house: Callable[[], HouseToken] | None = None) -> None:
        self.file = folder / TOKEN_FILE
        self._house = house
        self._seen: tuple[int, int] | None = None
        self._hash = b""

    def token(self) -> str:
        """The token; made if there is none yet.

        :raises TokenElsewhere: the file of it is at another computer of the house
        """
        if self._house is None:
            return self._read_or_make_token_file()
        known = self._token_hash()
        if self.file.exists() and self._hash_of(found := self._read_or_make_token_file()) == known:
            return found
        raise TokenElsewhere(self.file)

    def rotate(self) -> str:
        """Replace the token; the old one becomes invalid, at every computer of the house."""
        with self._write_temporary_token_file() as beside:
            made = beside.read_text("ascii").strip()
            if self._house is not None:
                self._house().store_hash(made)
            ports.replace(beside, self.file)
        return made

    def _read_or_make_token_file(self) -> str:
        """Token in the file, which is made if it is missing."""
        if not self.file.exists():
            with self._write_temporary_token_file() as beside, suppress(FileExistsError):
                ports.rename_if_free(beside, self.file)
        return self.file.read_text("ascii").strip()

    @contextmanager
    def _write_temporary_token_file(self) -> Iterator[Path]:
        """A temporary file with a new token, flushed to the disk before it is renamed."""
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = self.file.with_name(f"{self.file.name}.{secrets.token_hex(8)}")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(32) + "\n")
                file.flush()
                os.fsync(descriptor)
            yield beside
        finally:
            beside.unlink(missing_ok=True)

    def knows(self, token: str) -> bool:
        """Whether this is the owner's token, compared in constant time."""
        return bool(token) and hmac.compare_digest(self._hash_of(token), self._token_hash())

    def mark(self) -> str:
        """Mark for sign-ins with the present token; it changes when the token is replaced."""
        return hmac.new(self._token_hash(), b"sign-in", hashlib.sha256).hexdigest()

    def is_mark_current(self, mark: str) -> bool:
        """Whether a sign-in has the mark of the present token."""
        return hmac.compare_digest(mark.encode(), self.mark().encode())

    def _hash_of(self, token: str) -> bytes:
        """Hash of a token, to compare with the stored one."""
        if self._house is not None:
            return self._house().hash_of(token)
        return hashlib.sha256(token.encode()).digest()

    def _token_hash(self) -> bytes:
        """Hash of the token: of the house, else of the file, read again when it has changed."""
        if self._house is not None:
            return self._read_or_store_token_hash(self._house())
        try:
            about = self.file.stat()
        except FileNotFoundError:
            self._read_or_make_token_file()
            about = self.file.stat()
        seen = (about.st_mtime_ns, about.st_ino)
        if seen != self._seen:
            token = (
                self._read_or_make_token_file() or secrets.token_hex()
            )  # an empty file has no token
            self._hash = self._hash_of(token)
            self._seen = seen
        return self._hash

    def _read_or_store_token_hash(self, house: HouseToken) -> bytes:
        """Hash of the owner's token that the database has.

        That of the file is stored if it has none.
        """
        if not (found := house.read_hash_or_empty()):
            house.store_hash_if_none(self._read_or_make_token_file() or secrets.token_hex())
            found = house.read_hash_or_empty()
        return found


class LiveToken(NamedTuple):
    """A valid token of an app, without its secret, and what it may do."""

    row: OpenToken
    held: Holder


def valid_app_tokens(access: Access, keys: Keys, owner: Owner) -> list[LiveToken]:
    """Valid tokens of apps, the newest first."""
    rows = [one for one in keys.all_valid_tokens() if one.kind == "app"]
    found = [
        LiveToken(row, held)
        for row in rows
        if (held := access.active_holder(row.holder)) is not None
        and is_valid_by_owner_token(held, row.mark, owner)
    ]
    return sorted(found, key=lambda one: -(one.row.since or 0))


def is_valid_by_owner_token(held: Holder, mark: str, owner: Owner) -> bool:
    """Whether a token of an app is valid as far as the owner's own token decides.

    Not if the owner made it with a token that was replaced.
    """
    return held.by != OWNER or owner.is_mark_current(mark)
