"""``guinote settings``: what the club chose for all its tables."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import cast, get_args

import click

from api.cli.security import BY, CONSOLE, note_command
from api.server import wiring
from referee.events import FourEyes, FourEyesChosen
from referee.log.streams import WriteMetadata


@click.command("settings")
@click.option(
    "--four-eyes",
    type=click.Choice(get_args(FourEyes)),
    help="Two principals where the law wants two persons: required, or one of them noted.",
)
@click.pass_obj
def show_settings(data: Path, four_eyes: str | None) -> None:
    """Print the settings of the club as JSON, after a choice if one is given."""
    with closing(wiring.open_referee(wiring.files(data))) as referee:
        if four_eyes is not None:
            act = FourEyesChosen(cast("FourEyes", four_eyes))
            referee.settings.choose(act, WriteMetadata(BY, CONSOLE, wiring.now()))
            note_command(data, "settings_changed", detail=f"four_eyes {four_eyes}")
        held = referee.settings.settings()
    chosen = held.four_eyes is not None
    click.echo(json.dumps({"four_eyes": held.four_eyes_in_force, "chosen": chosen}))
