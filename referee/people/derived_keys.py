"""Keys for one purpose each, all derived from the master key of an installation.

Every keyed hash of the program uses such a key, so that there is one key to keep, and a value
made for one purpose is worth nothing for another.
"""

from __future__ import annotations

from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES: Final = 32


def derive_key(master: bytes, purpose: str) -> bytes:
    """Key of 32 bytes for a purpose (HKDF-SHA256): the same for the same master key and purpose.

    >>> derive_key(bytes(32), "accounts") == derive_key(bytes(32), "accounts")
    True
    >>> derive_key(bytes(32), "accounts") == derive_key(bytes(32), "erasures")
    False
    """
    hkdf = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=f"guinote {purpose}".encode())
    return hkdf.derive(master)
