"""``guinote settings``: what the club chose for all its tables."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import get_args

import click

from api.accounts.settings import acts_of, detail_of, settings_view
from api.cli.security import BY, CONSOLE, note_command
from api.http import moments
from api.server import wiring
from referee.events import FourEyes, LeagueAudience
from referee.log.streams import WriteMetadata


@click.command("settings")
@click.option(
    "--four-eyes",
    type=click.Choice(get_args(FourEyes)),
    help="Two principals where the law wants two persons: required, or one of them noted.",
)
@click.option(
    "--time-zone",
    metavar="ZONE",
    help="Time zone of pages, sheets and files: a name of the tz database, as Europe/Madrid.",
)
@click.option(
    "--league-audience",
    type=click.Choice(get_args(LeagueAudience)),
    help="Who finds seasons, evenings and results: everybody without an account, or the club.",
)
@click.pass_obj
def show_settings(
    data: Path, four_eyes: str | None, time_zone: str | None, league_audience: str | None
) -> None:
    """Print the settings of the club as JSON, after the choices that are given."""
    if time_zone is not None and not moments.is_zone(time_zone):
        raise click.BadParameter(f"{time_zone!r} is no time zone", param_hint="--time-zone")
    acts = acts_of(four_eyes, time_zone, league_audience)
    with closing(wiring.open_referee(wiring.files(data))) as referee:
        if acts:
            referee.settings.choose(acts, WriteMetadata(BY, CONSOLE, wiring.now()))
        held = referee.settings.settings()
    for act in acts:
        note_command(data, "settings_changed", detail=detail_of(act))
    click.echo(json.dumps(settings_view(held)))
