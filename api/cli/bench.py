"""Shared by commands that record partidas from files: reading the file, opening a log."""

from __future__ import annotations

import secrets
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from referee.application import Referee
from referee.log.ports import Address
from referee.log.stores import create_tables


def content_of(file: str) -> bytes:
    """Bytes of a file, or of the standard input."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from None


@contextmanager
def referee_over(store: str | None) -> Iterator[Referee]:
    """The write side with this log, or with a temporary one."""
    with tempfile.TemporaryDirectory() as folder:
        address: Address = store or Path(folder) / "log.sqlite"
        create_tables(address)
        found = Referee(address, salt=secrets.token_bytes, new_id=uuid.uuid4)
        try:
            yield found
        finally:
            found.close()
