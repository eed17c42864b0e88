"""Commands about persons: list, add, erase."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from api.cli.bench import print_json
from api.cli.security import note_command
from api.club.mentions import mentions
from api.club.phones.book import phone_ids_left_at_entry
from api.server import wiring
from api.server.file_upgrades import missing_names
from api.server.house import names_fault
from referee.log.sqlite.schema import set_aside
from referee.people.persons import Altered, Persons, TooLong

_EVERY = 2**31


@contextmanager
def open_names(data: Path) -> Iterator[Persons]:
    """The store of names of a data folder, open within the block."""
    with closing(wiring.open_persons(wiring.files_of_folder(data))) as found:
        yield found


@click.group()
def persons() -> None:
    """Commands for the names of persons: list, add, erase."""


@persons.command("list")
@click.pass_context
def list_persons(context: click.Context) -> None:
    """List every person who has a name, one JSON line each."""
    has_failed = False
    with open_names(context.obj) as found:
        for person in found.person_ids():
            try:
                line = {"person": person, "name": found.name(person)}
            except Altered:
                has_failed, line = True, {"person": person, "error": "altered"}
            print_json(line)
    context.exit(1 if has_failed else 0)


@persons.command("add")
@click.argument("name")
@click.pass_obj
def add_person(data: Path, name: str) -> None:
    """Add a person and print the id; NAME may be ``-`` for the first line of stdin."""
    given = sys.stdin.readline().strip() if name == "-" else name
    with open_names(data) as found:
        try:
            click.echo(json.dumps({"person": found.add_person(given)}))
        except TooLong as bad:
            raise click.ClickException(str(bad)) from None


@persons.command("give-up")
@click.pass_obj
def start_without_names(data: Path) -> None:
    """Give up the names of a house that are lost and in no backup, and begin with none.

    What the log refers to counts as erased from then on: the pages show seats. A damaged file is
    set aside.
    """
    where = wiring.files_of_folder(data)
    if not names_fault(where):
        raise click.ClickException("the names are not lost: guinote persons list shows them")
    set_aside(Path(where.persons))
    with closing(wiring.open_persons_though_lost(where)) as found:
        missing = missing_names(where.log, found)
        found.note_part_as_sealed("erasures", missing)
    click.echo(json.dumps({"given_up": len(missing)}))
    note_command(data, "erased", about="persons", detail=str(len(missing)))


@persons.command("mentions")
@click.argument("person", metavar="ID")
@click.pass_obj
def list_mentions(data: Path, person: str) -> None:
    """List free texts with the name of a person in them, one JSON line each.

    What ``erase`` erases with the person is left out. Without a ``text`` one cannot be erased.
    """
    where = wiring.files_of_folder(data)
    with (
        closing(wiring.open_referee(where)) as referee,
        closing(wiring.open_accounts(where)) as keys,
        open_names(data) as found,
    ):
        for one in mentions(referee, found, keys.account_names(), person):
            print_json(one._asdict())


@persons.command("erase")
@click.argument("person", metavar="ID")
@click.pass_obj
def erase_person(data: Path, person: str) -> None:
    """Erase a person under every name, or a text, by its id, for ever."""
    with closing(wiring.open_referee(wiring.files_of_folder(data))) as referee:
        club = referee.players.club()
        ids = club.ids_of_player(club.id_after_merges(person))
        phones = phone_ids_left_at_entry(referee, ids)
        published = referee.publication.publication().every_name_id_of_persons(ids)
        erased = (*club.ids_to_erase(person), *phones, *published)
    with open_names(data) as found:
        try:
            if not found.erase(*erased):
                raise click.ClickException(f"no name or text {person!r}")
        except TimeoutError:
            raise click.ClickException(
                "erased, but another process still reads the old bytes; end it, then erase anything"
                " else or start again"
            ) from None
        click.echo(json.dumps({"erased": person}))
    for one in (person, *phones):
        note_command(data, "erased", about=one)
