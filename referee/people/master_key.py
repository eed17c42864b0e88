"""The master key of an installation: in a file beside the names or elsewhere, or given as text."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from referee.log.durable import FILE_MODE
from referee.system import ports

Random: TypeAlias = Callable[[int], bytes]
"""Returns that many secret random bytes."""
KEY_BYTES: Final = 32


def key_path(path: str | Path) -> Path:
    """Path of the file with the master key of a store of names, unless another is configured."""
    return Path(path).with_suffix(".key")


class PersonsError(Exception):
    """Error: names cannot be read; the text names the file or row, and the remedy."""


class KeyMissing(PersonsError):  # noqa: N818 - it says what is wrong
    """Error: names are sealed, and the master key is not where it should be."""


class WrongKey(PersonsError):  # noqa: N818 - it says what is wrong
    """Error: a file holds no master key or another one, or others may read it."""


class MasterKey(ABC):
    """The master key, wherever it is stored. ``place``: where, in words for the administrator."""

    place: str

    @abstractmethod
    def is_there(self) -> bool:
        """Whether a key exists, even a damaged one."""

    @abstractmethod
    def read(self) -> bytes:
        """Bytes of the master key.

        :raises KeyMissing: it is not there
        :raises WrongKey: others may read it, or there is no key in it
        """

    @abstractmethod
    def read_or_make(self, random: Random) -> bytes:
        """Bytes of the master key, created if it does not exist and may be created here."""

    def derive(self, purpose: str) -> bytes:
        """Key of 32 bytes for another purpose, derived from the master key.

        Always the same in one installation.

        :raises KeyMissing: it is not there
        :raises WrongKey: others may read it, or there is no key in it
        """
        return derive_key(self.read(), purpose)

    def _parse_key(self, text: str) -> bytes:
        with suppress(ValueError):
            key = bytes.fromhex(text)
            if len(key) == KEY_BYTES:
                return key
        raise WrongKey(f"{self.place} holds no key: {2 * KEY_BYTES} hexadecimal digits are wanted")


class GivenKey(MasterKey):
    """A master key that every computer of a house gets in an environment variable."""

    def __init__(self, variable: str, text: str) -> None:
        self.place, self._text = variable, text

    def is_there(self) -> bool:
        """True: the key was given."""
        return True

    def read(self) -> bytes:
        """Bytes of the master key.

        :raises WrongKey: there is no key in it
        """
        return self._parse_key(self._text)

    def read_or_make(self, random: Random) -> bytes:
        """Bytes of the master key, which is never created here."""
        return self.read()


class KeyFile(MasterKey):
    """The master key in its file: 64 hexadecimal digits, readable by its owner only."""

    def __init__(self, path: Path) -> None:
        self.path, self.place = path, str(path)

    def is_there(self) -> bool:
        """Whether the file is there."""
        return self.path.exists()

    def read(self) -> bytes:
        """Bytes of the master key.

        :raises KeyMissing: no such file
        :raises WrongKey: others may read it, or there is no key in it
        """
        try:
            mode, text = self.path.stat().st_mode, self.path.read_text("ascii")
        except FileNotFoundError:
            raise KeyMissing(f"the names are sealed and {self.path} is not there") from None
        except (OSError, UnicodeDecodeError) as error:
            raise WrongKey(f"{self.path} cannot be read: {error}") from None
        if ports.is_mode_open_to_others(mode):
            raise WrongKey(f"{self.path} may be read by others: chmod 600 {self.path}")
        return self._parse_key(text)

    def read_or_make(self, random: Random) -> bytes:
        """Bytes of the master key; a missing one is created and flushed to the disk first."""
        if not self.path.exists():
            beside = self.path.with_name(f"{self.path.name}.{random(8).hex()}")
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
            try:
                with os.fdopen(descriptor, "w", encoding="ascii") as file:
                    file.write(random(KEY_BYTES).hex() + "\n")
                    file.flush()
                    os.fsync(descriptor)
                with suppress(FileExistsError):
                    ports.rename_if_free(beside, self.path)
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


_NONCE_BYTES: Final = 12


class Altered(PersonsError):  # noqa: N818 - it says what is wrong
    """Error: a row is not encrypted for this id: it was swapped, cut or changed. Holds the id."""


class Seal:
    """Encrypts and decrypts names and texts under a master key of 32 bytes."""

    def __init__(self, master: bytes, random: Random) -> None:
        self._master = AESGCM(master)
        self._random = random

    def seal_text_under_new_key(self, table: str, key: str, text: str) -> tuple[bytes, bytes]:
        """Encrypt a text under a new key.

        Returns that key, encrypted by the master key, and the encrypted text.
        """
        own = self._random(KEY_BYTES)
        wrapped = self._encrypt(self._master, own, _binding("key", table, key))
        return wrapped, self._encrypt(AESGCM(own), text.encode(), _binding("text", table, key))

    def unseal_text(self, table: str, key: str, wrapped: bytes, sealed: bytes) -> str:
        """Decrypt the text of a row.

        :raises Altered: it was not sealed for this id of this table, under this master key
        """
        try:
            own = _decrypt(self._master, wrapped, _binding("key", table, key))
            return _decrypt(AESGCM(own), sealed, _binding("text", table, key)).decode()
        except (InvalidTag, ValueError, TypeError):
            raise Altered(key) from None

    def _encrypt(self, cipher: AESGCM, content: bytes, bound: bytes) -> bytes:
        nonce = self._random(_NONCE_BYTES)
        return nonce + cipher.encrypt(nonce, content, bound)


def _decrypt(cipher: AESGCM, sealed: bytes, bound: bytes) -> bytes:
    return cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], bound)


def _binding(what: str, table: str, key: str) -> bytes:
    """Associated data that binds a ciphertext to its table and id."""
    return f"guinote {what} {table} {key}".encode()
