"""Commands of the demonstration: fill a data folder with it, or serve it temporarily."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from api.cli.data import open_referee_and_persons
from api.demo.content import Demo
from api.demo.pages import DEMONSTRATION_BIND
from api.http.languages import LANGUAGES
from api.server import wiring
from referee.errors import Stale
from referee.events import LeagueAudienceChosen
from referee.log.streams import WriteMetadata
from referee.system import ports

if TYPE_CHECKING:
    from collections.abc import Iterator

_language = click.option(
    "--lang", type=click.Choice(LANGUAGES), default="es", show_default=True, help="Of its texts."
)


@click.command("demo")
@_language
@click.pass_obj
def fill_with_demo(data: Path, lang: str) -> None:
    """Fill the data folder with a season, a tournament and a disputed hand to look around in."""
    with open_referee_and_persons(data) as (referee, persons):
        try:
            Demo(referee, persons, wiring.now(), lang).fill()
        except Stale:
            raise click.ClickException(f"{data} has the demonstration already") from None
    click.echo(f"filled: {data}", err=True)


@click.command("demonstration")
@_language
@click.option("--bind", default=DEMONSTRATION_BIND, show_default=True)
def serve_demonstration(lang: str, bind: str) -> None:
    """Serve an invented club beside the real one, and delete it at the end.

    It has a folder and a port of its own. Settings of the real service are not used, so that
    nothing made-up gets into its log.
    """
    for name in [name for name in os.environ if name.startswith("GUINOTE_")]:
        del os.environ[name]
    with TemporaryDirectory(prefix="guinote-demonstration-") as folder:
        data = Path(folder) / "data"
        with open_referee_and_persons(data) as (referee, persons):
            Demo(referee, persons, wiring.now(), lang).fill()
            shown = WriteMetadata("demo", "demo", wiring.now())
            referee.settings.record_settings_acts([LeagueAudienceChosen("everybody")], shown)
        click.echo("a made-up club; Ctrl-C ends it and deletes all of it", err=True)
        command = ("-m", "api.cli", "--data", str(data), "serve", "--bind", bind, "--no-notary")
        with _stop_with_this_process(subprocess.Popen([sys.executable, *command])) as server:  # noqa: S603 - our own
            code = server.wait()
    sys.exit(max(code, 0))  # negative: a signal ended it, as was asked


@contextmanager
def _stop_with_this_process(server: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Stop the server when a signal would end this process, and wait for it."""
    before = [signal.signal(one, lambda *_: server.terminate()) for one in ports.ENDS]
    try:
        yield server
    finally:
        server.terminate()
        server.wait()
        for one, handler in zip(ports.ENDS, before, strict=True):
            signal.signal(one, handler)
