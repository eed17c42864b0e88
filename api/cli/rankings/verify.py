"""A ranking between clubs computed again from publications alone. No store is opened."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from projections.rankings.computation import PublishedClub, RankedPerson, rank
from projections.rankings.views import RankedClubData, RankedRowData
from referee.aggregates.publication.joints import fingerprint_of
from referee.audit.house_files import BrokenFile
from referee.audit.result_files import CheckedResults, read_signed_results

_FIGURES: Final = ("place", "rating", "deviation", "played", "won", "level", "lost")
_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


class ShownTable(msgspec.Struct):
    """What a ranking shows, of ``GET /api/v1/rankings/ID``: the clubs, and the rows."""

    clubs: list[RankedClubData]
    rows: list[RankedRowData]


@click.command()
@click.argument("files", nargs=-1, required=True, type=_FILE)
@click.option("--shown", type=_FILE, help="The table of a ranking, to be compared.")
def verify(files: Sequence[Path], shown: Path | None) -> None:
    """Compute the table again from the publications in FILES.

    Prints a JSON line for each person; with a table that is shown only where it is otherwise, and
    at last whether both are equal. What is not as a club signed it is an error that names the
    field.
    """
    found = _read_all(files)
    people = _rank(found)
    if shown is None:
        for one in people:
            click.echo(json.dumps(_figures(one)))
        return
    try:
        table = msgspec.json.decode(shown.read_bytes(), type=ShownTable)
    except msgspec.MsgspecError as error:
        raise click.ClickException(f"{shown}: {error}") from None
    wrong = [*_other_clubs(found, table.clubs), *_other_rows(people, table)]
    for line in wrong:
        click.echo(json.dumps(line))
    click.echo(json.dumps({"equal": not wrong, "clubs": len(found), "people": len(people)}))
    sys.exit(bool(wrong))


def _read_all(files: Sequence[Path]) -> list[CheckedResults]:
    """The publications in files, each of another club."""
    found: dict[str, CheckedResults] = {}
    for file in files:
        read = _read(file)
        if read.key.text in found:
            raise click.ClickException(f"{file}: another file is of the same club")
        found[read.key.text] = read
    return [*found.values()]


def _rank(found: Sequence[CheckedResults]) -> list[RankedPerson]:
    try:
        return rank(map(_club, found))
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        why = f"the table cannot be computed: {type(error).__name__} {error}"
        raise click.ClickException(why) from None


def _read(file: Path) -> CheckedResults:
    try:
        return read_signed_results(file.read_bytes())
    except BrokenFile as broken:
        raise click.ClickException(f"{file}: not as it was signed: {broken.field}") from None


def _club(one: CheckedResults) -> PublishedClub:
    people = [person.stated for person in one.signed.people]
    return PublishedClub(fingerprint_of(one.key.text), people, one.signed.months)


def _figures(one: RankedPerson) -> dict[str, Any]:
    members = ["-".join(member) for member in one.members]
    return {"members": members, **{name: getattr(one, name) for name in _FIGURES}}


def _other_clubs(
    found: Sequence[CheckedResults], clubs: Sequence[RankedClubData]
) -> Iterator[Mapping[str, Any]]:
    """Clubs of which the table has another publication, or only one of both has any."""
    given = {one.key.text: one.signed.event.index for one in found}
    taken = {one.key: one.index for one in clubs if one.index >= 0}
    for key in sorted({*given, *taken}):
        if given.get(key) != taken.get(key):
            yield {"club": key, "shown": taken.get(key), "file": given.get(key)}


def _other_rows(people: Sequence[RankedPerson], table: ShownTable) -> Iterator[Mapping[str, Any]]:
    """Persons whose figures are others, or who are in one of both tables only."""
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
