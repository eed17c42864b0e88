"""The demonstration, from the command line."""

from __future__ import annotations

from pathlib import Path

import click

from api.cli.data import open_writer_and_texts
from api.demo.filling import Demo
from api.http.languages import LANGUAGES
from api.server import wiring
from referee.errors import Stale


@click.command()
@click.option("--lang", type=click.Choice(LANGUAGES), default="es", show_default=True)
@click.pass_obj
def demo(data: Path, lang: str) -> None:
    """Fill the data folder with a season, a tournament and a disputed hand to look around in."""
    with open_writer_and_texts(data) as (referee, persons):
        try:
            Demo(referee, persons, wiring.now(), lang).fill()
        except Stale:
            raise click.ClickException(f"{data} has the demonstration already") from None
    click.echo(f"filled: {data}", err=True)
