"""``guinote ranking``: commands for rankings between clubs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import click
import msgspec

from api.cli.bench import print_json
from api.cli.security import BY, CONSOLE
from api.http.problems import refusal_words
from api.http.services import Services
from api.rankings.publications import (
    Fetch,
    fetch_publication_if_new,
    fetcher_for_setting,
    ranking_state,
    record_publication,
)
from api.server import wiring
from api.webhooks.setting import VARIABLE, parse_webhook_setting
from projections.rankings.computation import PublishedClub, RankedPerson, rank
from projections.rankings.views import RankedClubData, RankedRowData
from referee.aggregates.publication import fingerprint_of_club_key
from referee.audit.house_files import BrokenFile
from referee.audit.result_files import CheckedResults, read_signed_results
from referee.errors import NotFound, Refused
from referee.log.streams import WriteMetadata

_FIGURES: Final = ("place", "rating", "deviation", "played", "won", "level", "lost")
_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


class ShownTable(msgspec.Struct):
    """What a ranking shows, of ``GET /api/v1/rankings/ID``: the clubs, and the rows."""

    clubs: list[RankedClubData]
    rows: list[RankedRowData]


@click.command("verify")
@click.argument("files", nargs=-1, required=True, type=_FILE)
@click.option("--shown", type=_FILE, help="The table of a ranking, to be compared.")
def verify_ranking(files: Sequence[Path], shown: Path | None) -> None:
    """Compute the table again from the publications in FILES.

    Prints a JSON line for each person; with a table that is shown only where it is otherwise, and
    at last whether both are equal. What is not as a club signed it is an error that names the
    field.
    """
    found = _read_publications(files)
    people = _rank(found)
    if shown is None:
        for one in people:
            click.echo(json.dumps(_person_figures(one)))
        return
    try:
        table = msgspec.json.decode(shown.read_bytes(), type=ShownTable)
    except msgspec.MsgspecError as error:
        raise click.ClickException(f"{shown}: {error}") from None
    wrong = [*_club_differences(found, table.clubs), *_row_differences(people, table)]
    for line in wrong:
        click.echo(json.dumps(line))
    click.echo(json.dumps({"equal": not wrong, "clubs": len(found), "people": len(people)}))
    sys.exit(bool(wrong))


def _read_publications(files: Sequence[Path]) -> list[CheckedResults]:
    """Publications in files, one of each club."""
    found: dict[str, CheckedResults] = {}
    for file in files:
        read = _read_publication(file)
        if read.key.text in found:
            raise click.ClickException(f"{file}: another file is of the same club")
        found[read.key.text] = read
    return [*found.values()]


def _rank(found: Sequence[CheckedResults]) -> list[RankedPerson]:
    try:
        return rank(map(_ranking_input_of_club, found))
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        why = f"the table cannot be computed: {type(error).__name__} {error}"
        raise click.ClickException(why) from None


def _read_publication(file: Path) -> CheckedResults:
    try:
        return read_signed_results(file.read_bytes())
    except BrokenFile as broken:
        raise click.ClickException(f"{file}: not as it was signed: {broken.field}") from None


def _ranking_input_of_club(one: CheckedResults) -> PublishedClub:
    people = [person.person_without_name for person in one.signed.people]
    return PublishedClub(fingerprint_of_club_key(one.key.text), people, one.signed.months)


def _person_figures(one: RankedPerson) -> dict[str, Any]:
    members = ["-".join(member) for member in one.members]
    return {"members": members, **{name: getattr(one, name) for name in _FIGURES}}


def _club_differences(
    found: Sequence[CheckedResults], clubs: Sequence[RankedClubData]
) -> Iterator[Mapping[str, Any]]:
    """Clubs whose publication in the shown table differs from the one in the files."""
    given = {one.key.text: one.signed.event.index for one in found}
    taken = {one.key: one.index for one in clubs if one.index >= 0}
    for key in sorted({*given, *taken}):
        if given.get(key) != taken.get(key):
            yield {"club": key, "shown": taken.get(key), "file": given.get(key)}


def _row_differences(
    people: Sequence[RankedPerson], table: ShownTable
) -> Iterator[Mapping[str, Any]]:
    """Persons whose figures differ between the computed and the shown table."""
    keys = {one.club: one.fingerprint for one in table.clubs}
    shown = {
        tuple(sorted((keys.get(each.club, each.club), each.person) for each in row.members)): row
        for row in table.rows
    }
    computed = {one.members: one for one in people}
    for members in sorted({*shown, *computed}):
        one, row = computed.get(members), shown.get(members)
        here = None if one is None else {name: getattr(one, name) for name in _FIGURES}
        there = None if row is None else {name: getattr(row, name) for name in _FIGURES}
        if here != there:
            who = ["-".join(member) for member in members]
            yield {"members": who, "shown": there, "computed": here}


@click.command("read")
@click.argument("ranking", type=click.UUID)
@click.argument("clubs", nargs=-1, metavar="[CLUB]...")
@click.pass_obj
def fetch_publications(data: Path, ranking: UUID, clubs: tuple[str, ...]) -> None:
    """Fetch what CLUBS of a ranking publish at their addresses, and take it; by default every club.

    Prints a JSON line for each club: whether there was another publication, or what prevented it.
    The exit code is 1 if something did. What was taken already changes nothing.
    """
    try:
        fetch = fetcher_for_setting(parse_webhook_setting(os.environ.get(VARIABLE, "")))
    except ValueError as error:
        raise click.ClickException(f"{VARIABLE}: {error}") from None
    services = wiring.LazyServices(wiring.files_of_folder(data), with_projector=False)
    with closing(services):
        try:
            found = list(_fetch_and_record_each(services(), ranking, clubs, fetch))
        except NotFound:
            raise click.ClickException(f"no ranking {ranking}") from None
        except Refused as refused:
            raise click.ClickException(refusal_words(refused, "en")) from None
    for line in found:
        print_json(line)
    sys.exit(any("refused" in line for line in found))


def _fetch_and_record_each(
    here: Services, ranking: UUID, clubs: tuple[str, ...], fetch: Fetch
) -> Iterator[dict[str, Any]]:
    counting = ranking_state(here, ranking).clubs_taking_part
    for club in clubs or [one.id for one in counting if one.address]:
        try:
            checked = fetch_publication_if_new(here, ranking, club, fetch)
            asked = WriteMetadata(BY, CONSOLE, here.clock())
            is_taken = checked is not None and record_publication(
                here, ranking, club, checked, asked
            )
        except Refused as refused:
            yield {"club": club, "refused": refused.rule.value, "why": refusal_words(refused, "en")}
        else:
            yield {"club": club, "taken": bool(is_taken)}


@click.group()
def ranking() -> None:
    """Rankings between clubs, out of what each club signed and published."""


ranking.add_command(fetch_publications)
ranking.add_command(verify_ranking)
