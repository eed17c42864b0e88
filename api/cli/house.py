"""``guinote house``: what belongs together, and the taking back of an older copy of the log."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import click

from api.cli.security import BY, CONSOLE, note_command
from api.server import wiring
from api.server.house import KnownHouse, WrongHouse, assert_one_house, known_house
from referee.log.sqlite.damage import set_aside
from referee.log.streams import WriteMetadata


@click.command("house")
@click.option(
    "--restored",
    is_flag=True,
    help="The log is an older copy on purpose: record this in it, so that the service starts.",
)
@click.pass_obj
def show_house(data: Path, *, restored: bool) -> None:
    """Print the house as JSON: its id in log, names, accounts and views, and the checkpoint."""
    where = wiring.files(data)
    found = known_house(where)
    if restored:
        _record(where, found)
        found = known_house(where)
    view = {**found._asdict(), "parts": [part._asdict() for part in found.parts]}
    click.echo(json.dumps(view))
    try:
        assert_one_house(where)
    except WrongHouse as wrong:
        raise click.ClickException(str(wrong)) from None


def _record(where: wiring.Files, found: KnownHouse) -> None:
    """Record that the log was taken back; views of what came after it are set aside."""
    if not found.lost:
        raise click.ClickException(
            "the log has all that was signed and shown: there is nothing to record"
        )
    kept = min(found.events, found.lost - 1)  # of a copy that went on nobody knows how many
    meta = WriteMetadata(BY, CONSOLE, wiring.now())
    with closing(wiring.open_referee_of_any_house(where)) as referee:
        referee.house.note_restoration(found.lost, kept, meta)
    note_command(where.folder, "restored", detail=f"log: {kept} of {found.lost}")
    if found.missed:
        set_aside(where.views)
