"""The seal on names and texts: each under a key of its own, those keys under one master key.

AES-256-GCM throughout. What is sealed is bound to its table and its id, so one row cannot stand
for another.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from referee.log.durable import FILE_MODE

Random: TypeAlias = Callable[[int], bytes]
"""So many unguessable bytes."""

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_OTHERS: Final = 0o077


class PersonsError(Exception):
    """Names that cannot be read; the text says which file or row, and what helps."""


class KeyMissing(PersonsError):  # noqa: N818 - it says what is wrong
    """Names are sealed, and the master key is not where it should be."""


class WrongKey(PersonsError):  # noqa: N818 - it says what is wrong
    """A file that holds no master key, or another one, or that others may read."""


class Altered(PersonsError):  # noqa: N818 - it says what is wrong
    """A row that was not sealed for this id: swapped, cut, or changed. Holds the id."""


class KeyFile:
    """The master key in its file: 64 hexadecimal digits, readable by its owner only."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> bytes:
        """The key.

        :raises KeyMissing: no such file
        :raises WrongKey: others may read it, or there is no key in it
        """
        try:
            mode, text = self.path.stat().st_mode, self.path.read_text("ascii")
        except FileNotFoundError:
            raise KeyMissing(f"the names are sealed and {self.path} is not there") from None
        except (OSError, UnicodeDecodeError) as error:
            raise WrongKey(f"{self.path} cannot be read: {error}") from None
        if mode & _OTHERS:
            raise WrongKey(f"{self.path} may be read by others: chmod 600 {self.path}")
        with suppress(ValueError):
            key = bytes.fromhex(text)
            if len(key) == KEY_BYTES:
                return key
        raise WrongKey(f"{self.path} holds no key: {2 * KEY_BYTES} hexadecimal digits are wanted")

    def read_or_made(self, random: Random) -> bytes:
        """The key; made, and on the disk before anything is sealed with it, if there is none."""
        if not self.path.exists():
            beside = self.path.with_name(f"{self.path.name}.{random(8).hex()}")
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
            try:
                with os.fdopen(descriptor, "w", encoding="ascii") as file:
                    file.write(random(KEY_BYTES).hex() + "\n")
                    file.flush()
                    os.fsync(descriptor)
                with suppress(FileExistsError):
                    os.link(beside, self.path)  # unlike a replacement, it leaves one that is there
            finally:
                beside.unlink(missing_ok=True)
            _sync(self.path.parent)
        return self.read()


def _sync(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


class Seal:
    """Seals and opens under a master key of 32 bytes."""

    def __init__(self, master: bytes, random: Random) -> None:
        self._master = AESGCM(master)
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

    def _sealed(self, cipher: AESGCM, content: bytes, bound: bytes) -> bytes:
        nonce = self._random(_NONCE_BYTES)
        return nonce + cipher.encrypt(nonce, content, bound)


def _opened(cipher: AESGCM, sealed: bytes, bound: bytes) -> bytes:
    return cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], bound)


def _bound(what: str, table: str, key: str) -> bytes:
    """What a ciphertext stands for."""
    return f"guinote {what} {table} {key}".encode()
