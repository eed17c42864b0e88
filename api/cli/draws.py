"""Commands for the draw of a tournament: commit, make, verify. No store is opened."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import click
import msgspec

from api.cli.bench import bytes_of_file_or_stdin
from referee.aggregates.tournament.lots import (
    Lots,
    LotsCommitment,
    RevealedLots,
    commitment_of_lots,
    lots_differences,
    reveal_lots,
)
from referee.errors import Refused
from referee.log.durable import FILE_MODE

_T = TypeVar("_T")
_SEED_BYTES = 16


@click.group()
def draw() -> None:
    """The draw of a tournament: committed to before, revealed after, verified by anybody."""


@draw.command("commit")
@click.argument("file", default="-")
@click.option(
    "--seed-file",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the secret seed is written; a file that is there is never written over.",
)
def commit_to_draw(file: str, seed_file: Path) -> None:
    """Print the commitment of a draw, to be published, and keep its seed in a file."""
    lots = _read_value(file, Lots)
    seed = secrets.token_hex(_SEED_BYTES)
    with _refusals_as_errors(file):
        found = commitment_of_lots(lots, seed)
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(seed_file, flags, FILE_MODE), "w", encoding="utf-8") as kept:
            kept.write(seed + "\n")
    except OSError as error:
        raise click.ClickException(f"{seed_file}: {error.strerror}") from None
    _print(found)


@draw.command("make")
@click.argument("file", default="-")
@click.option(
    "--seed-file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The seed that was kept secret until now.",
)
@click.option("--word", default="", help="What was said once the commitment was published.")
def reveal_draw(file: str, seed_file: Path, word: str) -> None:
    """Make a draw from its commitment and its seed, and print it with all that proves it."""
    before = _read_value(file, LotsCommitment)
    seed = bytes_of_file_or_stdin(str(seed_file)).decode("utf-8", "replace").strip()
    with _refusals_as_errors(file):
        _print(reveal_lots(before, seed, word))


@draw.command("verify")
@click.argument("file", default="-")
@click.option("--commitment", help="The commitment as it was published, to compare with.")
@click.pass_context
def verify_draw(context: click.Context, file: str, commitment: str | None) -> None:
    """Compute a draw again and print the differences; exit code 1 if there are any."""
    revealed = _read_value(file, RevealedLots)
    with _refusals_as_errors(file):
        found = lots_differences(revealed, commitment and commitment.strip().lower())
    if commitment is None:
        click.echo("no --commitment: whether it is the one published is not looked at", err=True)
    _print({"verified": not found, "commitment": revealed.commitment, "differences": found})
    context.exit(1 if found else 0)


def _read_value(file: str, kind: type[_T]) -> _T:
    """The value in a file, decoded as ``kind``."""
    try:
        return msgspec.json.decode(bytes_of_file_or_stdin(file), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise click.ClickException(f"{file}: {wrong}") from None


@contextmanager
def _refusals_as_errors(file: str) -> Iterator[None]:
    """Convert a refused draw into one line."""
    try:
        yield
    except Refused as wrong:
        facts = ", ".join(f"{name} {value!r}" for name, value in wrong.facts.items())
        raise click.ClickException(f"{file}: {wrong.rule.value}: {facts}".rstrip(": ")) from None


def _print(value: object) -> None:
    click.echo(json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=1))
