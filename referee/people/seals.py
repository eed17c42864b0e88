"""The seal of names and texts: each under a key of its own, which is wrapped by the master key."""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from referee.people.key_file import KEY_BYTES, PersonsError, Random

_NONCE_BYTES: Final = 12


class Altered(PersonsError):  # noqa: N818 - it says what is wrong
    """A row that was not sealed for this id: swapped, cut, or changed. Holds the id."""


class Seal:
    """Seals and opens under a master key of 32 bytes."""

    def __init__(self, master: bytes, random: Random) -> None:
        self._master = AESGCM(master)
        self._random = random

    def close(self, table: str, key: str, text: str) -> tuple[bytes, bytes]:
        """A new key for this text, wrapped (60 bytes), and the text under it (28 bytes more)."""
        own = self._random(KEY_BYTES)
        wrapped = self._encrypt(self._master, own, _binding("key", table, key))
        return wrapped, self._encrypt(AESGCM(own), text.encode(), _binding("text", table, key))

    def open(self, table: str, key: str, wrapped: bytes, sealed: bytes) -> str:
        """The text of a row.

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
    """Associated data of a ciphertext: what it stands for."""
    return f"guinote {what} {table} {key}".encode()
