"""Functions that commands share: reading a file of partidas, opening a log, printing JSON."""

from __future__ import annotations

import json
import secrets
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from referee.application import Referee
from referee.log.ports import Address
from referee.log.stores import create_tables


def bytes_of_file_or_stdin(file: str) -> bytes:
    """Bytes of a file, or of the standard input."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from None


def print_json(value: object) -> None:
    """Print a view, or what JSON has, as one line."""
    click.echo(json.dumps(msgspec.to_builtins(value), ensure_ascii=False))


@contextmanager
def open_referee_or_temporary(store: str | None) -> Iterator[Referee]:
    """Open the write side on this log, or on a temporary one, within the block."""
    with tempfile.TemporaryDirectory() as folder:
        address: Address = store or Path(folder) / "log.sqlite"
        create_tables(address)
        found = Referee(address, salt=secrets.token_bytes, new_id=uuid.uuid4)
        try:
            yield found
        finally:
            found.close()
