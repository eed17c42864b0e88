"""Hashes of passwords that cost nothing, for the processes of the tests that do without the price."""

from __future__ import annotations

from referee.access import keys


def hash_cheaply() -> None:
    """Hash the passwords of this process with the least work that the method takes."""
    keys.HASH_METHOD = "scrypt:256:8:1"
