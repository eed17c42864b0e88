"""What clubs publish, read at their addresses and taken into a ranking of this house."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import click

from api.cli.bench import print_json
from api.cli.security import BY, CONSOLE
from api.http.problems import words_of
from api.http.services import Services
from api.rankings.addresses import fetch_by
from api.rankings.publications import Fetch, read_at, state_of, take
from api.server import wiring
from api.webhooks.setting import VARIABLE, read_setting
from referee.errors import NotFound, Refused
from referee.log.streams import WriteMetadata


@click.command()
@click.argument("ranking", type=click.UUID)
@click.argument("clubs", nargs=-1, metavar="[CLUB]...")
@click.pass_obj
def read(data: Path, ranking: UUID, clubs: tuple[str, ...]) -> None:
    """Read what CLUBS of a ranking publish at their addresses; without a number every club.

    Prints a JSON line for each club: whether there was another publication, or what prevented it.
    The exit code is 1 if something did. What was taken already changes nothing.
    """
    try:
        fetch = fetch_by(read_setting(os.environ.get(VARIABLE, "")))
    except ValueError as error:
        raise click.ClickException(f"{VARIABLE}: {error}") from None
    services = wiring.LazyServices(wiring.files(data), with_projector=False)
    with closing(services):
        try:
            found = list(_read_clubs(services(), ranking, clubs, fetch))
        except NotFound:
            raise click.ClickException(f"no ranking {ranking}") from None
        except Refused as refused:
            raise click.ClickException(words_of(refused, "en")) from None
    for line in found:
        print_json(line)
    sys.exit(any("refused" in line for line in found))


def _read_clubs(
    here: Services, ranking: UUID, clubs: tuple[str, ...], fetch: Fetch
) -> Iterator[dict[str, Any]]:
    counting = state_of(here, ranking).counting
    for club in clubs or [one.id for one in counting if one.address]:
        try:
            checked = read_at(here, ranking, club, fetch)
            asked = WriteMetadata(BY, CONSOLE, here.clock())
            is_taken = checked is not None and take(here, ranking, club, checked, asked)
        except Refused as refused:
            yield {"club": club, "refused": refused.rule.value, "why": words_of(refused, "en")}
        else:
            yield {"club": club, "taken": bool(is_taken)}
