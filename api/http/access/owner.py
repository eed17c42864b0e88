"""The owner's token, with all permissions: a file of the data folder, made at the first start.

A house in PostgreSQL has one token for all its computers: its hash is in the database, and the file
stays where the token was made.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from referee.access.house_token import HouseToken
from referee.system import ports

TOKEN_FILE = "owner.token"  # noqa: S105 - the name of a file


class TokenElsewhere(Exception):  # noqa: N818 - it says where the token is
    """The token of a house was made at another computer. The text says so, and what to do."""

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
            return self._in_file()
        known = self._token_hash()
        if self.file.exists() and self._hash_of(found := self._in_file()) == known:
            return found
        raise TokenElsewhere(self.file)

    def rotate(self) -> str:
        """Replace the token; the old one becomes invalid, at every computer of the house."""
        with self._write_new() as beside:
            made = beside.read_text("ascii").strip()
            if self._house is not None:
                self._house().note(made)
            ports.replace(beside, self.file)
        return made

    def _in_file(self) -> str:
        """The token of the file, which is made if it is not there."""
        if not self.file.exists():
            with self._write_new() as beside, suppress(FileExistsError):
                ports.place_new(beside, self.file)
        return self.file.read_text("ascii").strip()

    @contextmanager
    def _write_new(self) -> Iterator[Path]:
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
        """What a sign-in with this token carries: another one after the token is replaced."""
        return hmac.new(self._token_hash(), b"sign-in", hashlib.sha256).hexdigest()

    def is_marked(self, mark: str) -> bool:
        """Whether a sign-in was made with the current token."""
        return hmac.compare_digest(mark.encode(), self.mark().encode())

    def _hash_of(self, token: str) -> bytes:
        """Hash with which that of the token is compared."""
        if self._house is not None:
            return self._house().hash_of(token)
        return hashlib.sha256(token.encode()).digest()

    def _token_hash(self) -> bytes:
        """Hash of the token: of the house, else of the file, read again when it has changed."""
        if self._house is not None:
            return self._hash_of_house(self._house())
        try:
            about = self.file.stat()
        except FileNotFoundError:
            self._in_file()
            about = self.file.stat()
        seen = (about.st_mtime_ns, about.st_ino)
        if seen != self._seen:
            token = self._in_file() or secrets.token_hex()  # an empty file has no token
            self._hash = self._hash_of(token)
            self._seen = seen
        return self._hash

    def _hash_of_house(self, house: HouseToken) -> bytes:
        """Hash of the token of a house, which is that of the file if none was noted yet."""
        if not (found := house.hash()):
            house.note_first(self._in_file() or secrets.token_hex())
            found = house.hash()
        return found
