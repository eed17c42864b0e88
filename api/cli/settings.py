"""``guinote settings``: what the club chose for all its tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, get_args

import click
from msgspec.structs import asdict

from api.accounts.settings import security_detail_of_choice, settings_acts, settings_data
from api.brand.brand import (
    LONGEST_CLUB_NAME,
    clean_logo,
    draft_brand_acts,
    is_valid_brand_colour,
    is_valid_club_name,
)
from api.brand.png import NoPicture
from api.cli.security import BY, CONSOLE, note_command
from api.http import moments
from api.http.services import PendingTexts
from api.server import wiring
from referee.events import (
    DealLuck,
    FourEyes,
    LeagueAudience,
    PuzzleAudience,
    RecordAudience,
    StudyConsent,
)
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
@click.option(
    "--puzzle-audience",
    type=click.Choice(get_args(PuzzleAudience)),
    help="Who is shown the problem of the week: everybody, the club, or nobody (there is none).",
)
@click.option(
    "--deal-luck",
    type=click.Choice(get_args(DealLuck)),
    help="Whether seasons show the luck of the deals beside what pairs made.",
)
@click.option(
    "--record-audience",
    type=click.Choice(get_args(RecordAudience)),
    help="Who sees decided partidas card by card: everybody, who has the code, or the club.",
)
@click.option(
    "--study-consent",
    type=click.Choice(get_args(StudyConsent)),
    help="Whether decided partidas may be exported for study: card by card, and without anybody.",
)
@click.option("--club-name", metavar="NAME", help="What every page calls the club; '' for none.")
@click.option("--club-colour", metavar="COLOUR", help="As '#1f5c43'; '' for that of the program.")
@click.option(
    "--club-logo",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A PNG of 256 by 256 pixels at most.",
)
@click.option("--no-club-logo", is_flag=True, help="Take the logo away.")
@click.pass_obj
def change_and_show_settings(data: Path, /, **chosen: Any) -> None:
    """Print the settings of the club as JSON, after setting those that the options give."""
    zone = chosen["time_zone"]
    if zone is not None and not moments.is_time_zone(zone):
        raise click.BadParameter(f"{zone!r} is no time zone", param_hint="--time-zone")
    where, brand = wiring.files_of_folder(data), _club_brand_of_options(chosen)
    with ExitStack() as kept:
        referee = kept.enter_context(closing(wiring.open_referee(where)))
        acts = settings_acts(chosen)
        if any(one is not None for one in brand.values()):
            persons = kept.enter_context(closing(wiring.open_persons(where)))
            acts += draft_brand_acts(PendingTexts(persons), **brand)
        if acts:
            referee.settings.record_settings_acts(acts, WriteMetadata(BY, CONSOLE, wiring.now()))
        held = referee.settings.settings()
    for act in acts:
        note_command(data, "settings_changed", detail=security_detail_of_choice(act))
    brand_held = {"has_club_name": bool(held.name), "has_club_logo": bool(held.logo)}
    click.echo(
        json.dumps({**asdict(settings_data(held)), "club_colour": held.colour, **brand_held})
    )


def _club_brand_of_options(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Name, colour and logo of the club that the options set.

    :raises click.BadParameter: pages cannot show it
    """
    name, colour, file = (chosen[f"club_{one}"] for one in ("name", "colour", "logo"))
    if name is not None and not is_valid_club_name(name):
        raise click.BadParameter(f"at most {LONGEST_CLUB_NAME} letters", param_hint="--club-name")
    if colour is not None and not is_valid_brand_colour(colour):
        raise click.BadParameter(f"{colour!r} is no colour", param_hint="--club-colour")
    try:
        logo = clean_logo(file.read_bytes()) if file is not None else None
    except NoPicture as bad:
        why = f"no PNG that pages can show: {bad}"
        raise click.BadParameter(why, param_hint="--club-logo") from None
    return {"name": name, "colour": colour, "logo": b"" if chosen["no_club_logo"] else logo}
