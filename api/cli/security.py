"""``guinote security``: prints the security log; and entries of the log about commands."""

from __future__ import annotations

import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from api.server import wiring
from referee.access.security_log import SecurityKind

BY: Final = "owner"
CONSOLE: Final = "console"
_PERIOD_S: Final = 1.0
_AT_ONCE: Final = 500


def note_command(data: Path, kind: SecurityKind, *, about: str = "", detail: str = "") -> None:
    """Add an entry to the security log about a command that was run on the server."""
    with closing(wiring.open_security_log(wiring.files_of_folder(data))) as security:
        security.note(kind, by=BY, about=about, address=CONSOLE, detail=detail)


@click.command("security")
@click.option("--since", type=click.DateTime(), help="First moment, in UTC.")
@click.option("--follow", is_flag=True, help="Go on with what is added later, until stopped.")
@click.pass_obj
def show_security_log(data: Path, since: datetime | None, *, follow: bool) -> None:
    """Print the security log, oldest first, one JSON line each."""
    begin, last = since.replace(tzinfo=UTC).timestamp() if since else 0.0, 0
    with closing(wiring.open_security_log(wiring.files_of_folder(data))) as security:
        while True:
            found = security.entries_after(last, since=begin, limit=_AT_ONCE)
            for entry in found:
                click.echo(entry.json_line())
                last = entry.number
            if len(found) < _AT_ONCE:
                if not follow:
                    return
                time.sleep(_PERIOD_S)
