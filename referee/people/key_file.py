"""The master key of an installation: in a file beside the names or elsewhere, or given as text."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from referee.log.durable import FILE_MODE
from referee.system import ports

Random: TypeAlias = Callable[[int], bytes]
"""Returns that many secret random bytes."""
KEY_BYTES: Final = 32


def key_file(path: str | Path) -> Path:
    """Where the master key of a file of names is kept unless another place is named."""
    return Path(path).with_suffix(".key")


class PersonsError(Exception):
    """Names cannot be read; the text names the file or row, and the remedy."""


class KeyMissing(PersonsError):  # noqa: N818 - it says what is wrong
    """Names are sealed, and the master key is not where it should be."""


class WrongKey(PersonsError):  # noqa: N818 - it says what is wrong
    """A file that holds no master key, or another one, or that others may read."""


class MasterKey(ABC):
    """The master key, wherever it is. ``place``: its name for whoever looks after the house."""

    place: str

    @abstractmethod
    def is_there(self) -> bool:
        """Whether there is a key, sound or not."""

    @abstractmethod
    def read(self) -> bytes:
        """The key.

        :raises KeyMissing: it is not there
        :raises WrongKey: others may read it, or there is no key in it
        """

    @abstractmethod
    def read_or_made(self, random: Random) -> bytes:
        """The key, made if it may be made here and is not there."""

    def derive(self, purpose: str) -> bytes:
        """A key of 32 bytes for another purpose, always the same in one installation.

        :raises KeyMissing: it is not there
        :raises WrongKey: others may read it, or there is no key in it
        """
        return derive_key(self.read(), purpose)

    def _key_in(self, text: str) -> bytes:
        with suppress(ValueError):
            key = bytes.fromhex(text)
            if len(key) == KEY_BYTES:
                return key
        raise WrongKey(f"{self.place} holds no key: {2 * KEY_BYTES} hexadecimal digits are wanted")


class GivenKey(MasterKey):
    """The master key as a variable of the environment gives it to each computer of a house."""

    def __init__(self, variable: str, text: str) -> None:
        self.place, self._text = variable, text

    def is_there(self) -> bool:
        """Whether there is a key: it was given."""
        return True

    def read(self) -> bytes:
        """The key.

        :raises WrongKey: there is no key in it
        """
        return self._key_in(self._text)

    def read_or_made(self, random: Random) -> bytes:
        """The key."""
        return self.read()


class KeyFile(MasterKey):
    """The master key in its file: 64 hexadecimal digits, readable by its owner only."""

    def __init__(self, path: Path) -> None:
        self.path, self.place = path, str(path)

    def is_there(self) -> bool:
        """Whether the file is there."""
        return self.path.exists()

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
        if ports.others_may_read(mode):
            raise WrongKey(f"{self.path} may be read by others: chmod 600 {self.path}")
        return self._key_in(text)

    def read_or_made(self, random: Random) -> bytes:
        """The key; if there is none it is made and flushed to the disk before its first use."""
        if not self.path.exists():
            beside = self.path.with_name(f"{self.path.name}.{random(8).hex()}")
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
            try:
                with os.fdopen(descriptor, "w", encoding="ascii") as file:
                    file.write(random(KEY_BYTES).hex() + "\n")
                    file.flush()
                    os.fsync(descriptor)
                with suppress(FileExistsError):
                    ports.place_new(beside, self.path)
            finally:
                beside.unlink(missing_ok=True)
            ports.sync_folder(self.path.parent)
        return self.read()


def derive_key(master: bytes, purpose: str) -> bytes:
    """Key of 32 bytes for a purpose (HKDF-SHA256): the same for the same master key and purpose.

    >>> derive_key(bytes(32), "accounts") == derive_key(bytes(32), "accounts")
    True
    >>> derive_key(bytes(32), "accounts") == derive_key(bytes(32), "erasures")
    False
    """
    hkdf = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=f"guinote {purpose}".encode())
    return hkdf.derive(master)
