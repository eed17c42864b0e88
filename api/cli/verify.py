"""Verification of the log, its conclusions, names, accounts and views; trial of a backup.

Facts of a house.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime, timedelta
from functools import reduce
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from api.backups.places import backups_by_moment
from api.cli.bench import print_json
from api.cli.data import progress_bar
from api.cli.security import BY, CONSOLE, note_command
from api.server import backup as backups
from api.server import wiring
from api.server.data_folder import KEY_VARIABLE, Files
from api.server.faults.exits import WrongHouse, store_name_for_messages
from api.server.house import KnownHouse, assert_one_house, house_facts
from api.server.own_schema import KEYS, PERSONS
from projections.every import every_projection
from projections.runner.comparison import NotCompared, compare_views
from referee.aggregates.access import INITIAL, Access, evolve
from referee.audit.auditor import AuditedHistories
from referee.audit.verification import differences_of_write_receipts
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.audit.verify.stores import (
    AccountDifference,
    NameDifference,
    differences_in_accounts,
    differences_in_names,
    missing_account_differences,
)
from referee.kinds import ACCESS_ID
from referee.log.faults import error_in_one_line
from referee.log.ports import Unsound
from referee.log.sqlite.schema import set_aside
from referee.log.stores import is_there, might_exist, open_for_audit
from referee.log.streams import WriteMetadata
from referee.people.missing_names import NamesLost
from referee.people.persons import PersonsError

_EARLIER_LAW = "earlier_law"
_EVERY = 2**62


@click.command()
@click.pass_context
def verify(context: click.Context) -> None:
    """Work everything out again from the log and list the differences, one JSON line each.

    That is: conclusions, receipts, names, accounts and views. The service may run meanwhile.
    What only today's law would conclude otherwise is listed too, and is no difference.
    """
    where = wiring.files_of_folder(context.obj)
    if not is_there(where.log):
        raise click.ClickException(f"no log in {where.folder}")
    context.exit(1 if print_and_count_differences(where) else 0)


def print_and_count_differences(where: Files) -> int:
    """Print the differences of a data folder, one JSON line each; returns their number."""
    found = earlier = 0
    for one in _differences(where):
        is_earlier = getattr(one, "what", "") == _EARLIER_LAW
        found, earlier = found + (not is_earlier), earlier + is_earlier
        print_json(one)
    click.echo(f"{found} differences, {earlier} partidas of an earlier law", err=True)
    return found


class LogDamage(msgspec.Struct, frozen=True):
    """Damage of the log, because of which nothing else is verified.

    ``at``: the place, as the store says it, or the event.
    """

    what: Literal["log_unsound"]
    file: str
    at: str


def _differences(where: Files) -> Iterator[Any]:
    found = False
    for one in _log_damage(where):
        found = True
        yield one
    if found:
        click.echo("the log is damaged: nothing else was verified", err=True)
        return
    try:
        yield from _conclusion_differences(where)
        yield from _name_differences(where)
        yield from _account_differences(where)
        yield from _view_differences(where)
    except Unsound as unsound:
        yield LogDamage("log_unsound", store_name_for_messages(where.log), str(unsound))


def _log_damage(where: Files) -> Iterator[LogDamage]:
    """Damage of the log that the store reports; else the position up to which it can be read."""
    file, read = store_name_for_messages(where.log), 0
    try:
        with closing(open_for_audit(where.log)) as log, log.hold_snapshot():
            with suppress(sqlite3.DatabaseError):
                yield from (LogDamage("log_unsound", file, fault) for fault in log.fault_texts())
                return
            for position, *_ in log.read_from(1, _EVERY):
                read = position
            yield LogDamage("log_unsound", file, "an index, or what is beside the events")
    except (sqlite3.DatabaseError, Unsound) as error:
        yield LogDamage("log_unsound", file, f"{error_in_one_line(error)}, after position {read}")


def _conclusion_differences(where: Files) -> Iterator[Any]:
    with (
        closing(open_for_audit(where.log)) as log,
        log.hold_snapshot(),
        progress_bar("conclusions") as report,
    ):
        yield from differences_in_all_streams(AuditedHistories(log), report)
        yield from differences_of_write_receipts(log)


def _name_differences(where: Files) -> Iterator[Any]:
    """Differences of names and texts.

    One difference if the store is missing or cannot be opened.
    """
    if not might_exist(where.persons):
        yield NameDifference("names_unreadable", id=PERSONS)
        return
    try:
        with (
            closing(open_for_audit(where.log)) as log,
            log.hold_snapshot(),
            progress_bar("names") as report,
        ):
            log.last_position()  # the moment begins before the names are read
            with closing(wiring.open_persons(where)) as persons:
                yield from differences_in_names(log, persons)
            report(1, 1)
    except (PersonsError, TimeoutError, sqlite3.DatabaseError) as shut:
        click.echo(str(shut), err=True)
        yield NameDifference("names_unreadable", id=PERSONS)


def _account_differences(where: Files) -> Iterator[Any]:
    """Differences of accounts and keys; without their file every granted account is missing."""
    with closing(open_for_audit(where.log)) as log:

        def read_access() -> Access:
            history: Any = (one.event for one in AuditedHistories(log).history(ACCESS_ID, _EVERY))
            return reduce(evolve, history, INITIAL)

        if not might_exist(where.accounts):
            yield from missing_account_differences(read_access())
            return
        try:
            with closing(wiring.open_accounts(where)) as keys:
                are_sealed = _are_accounts_sealed(where)
                yield from differences_in_accounts(read_access, keys, are_sealed=are_sealed)
        except (PersonsError, TimeoutError, sqlite3.DatabaseError) as shut:
            click.echo(str(shut), err=True)
            yield AccountDifference("accounts_unreadable", id=KEYS)


def _are_accounts_sealed(where: Files) -> bool:
    """Whether every account must have a seal; the store of names says so."""
    try:
        with closing(wiring.open_persons(where)) as persons:
            return "accounts" in persons.parts_noted_as_sealed()
    except NamesLost:
        return True


def _view_differences(where: Files) -> Iterator[Any]:
    with closing(open_for_audit(where.log)) as log, progress_bar("views") as report:
        last = log.last_position()
        try:
            yield from compare_views(
                where.views, log, every_projection, lambda _, position: report(position, last)
            )
        except NotCompared as why:
            click.echo(f"views not compared: {why}", err=True)


@click.command("trial-restore")
@click.argument("source", type=click.Path(exists=True, path_type=Path), metavar="FILE|FOLDER")
@click.option(
    "--days",
    type=click.FloatRange(min=0),
    help="Fail also if the newest backup of the folder is older than this.",
)
@click.pass_context
def trial_restore(context: click.Context, source: Path, *, days: float | None) -> None:
    """Restore a backup, or the newest of a folder, into a temporary folder, and verify it there.

    The folder is made in TMPDIR and deleted afterwards. The data folder is not touched.
    """
    newest = _newest_backup(source, days) if source.is_dir() else source
    with tempfile.TemporaryDirectory(prefix="guinote-trial-") as folder:
        trial = Files(Path(folder))
        try:
            with progress_bar("restore") as report:
                manifest = backups.restore_backup(newest, trial, report)
        except backups.BadBackup as bad:
            raise click.ClickException(f"{newest} cannot be restored: {bad}") from None
        if KEY_VARIABLE not in os.environ:
            key = Files(context.obj).master_key_file
            trial.master_key_file.symlink_to(key.absolute())  # the key itself stays where it is
        differences = print_and_count_differences(trial)
    tried = {"backup": str(newest), "position": manifest.position, "differences": differences}
    click.echo(json.dumps(tried))
    if differences:
        raise click.ClickException(f"{newest} was restored, and differs from what it should be")
    click.echo(f"{newest} can be restored: {manifest.position} events, nothing differs", err=True)


def _newest_backup(folder: Path, days: float | None) -> Path:
    """Newest backup of a folder; refused if it is older than ``days``."""
    found = backups_by_moment(folder)
    if not found:
        raise click.ClickException(f"no backup in {folder}")
    moment: datetime = max(found)
    if days is not None and wiring.now() - moment > timedelta(days=days):
        raise click.ClickException(f"the newest backup is of {moment:%Y-%m-%d %H:%M} UTC")
    return found[moment]


@click.command("house")
@click.option(
    "--restored",
    is_flag=True,
    help="The log is an older copy on purpose: record this in it, so that the service starts.",
)
@click.pass_obj
def show_house_facts(data: Path, *, restored: bool) -> None:
    """Print the house as JSON: its id in log, names, accounts and views, and the checkpoint."""
    where = wiring.files_of_folder(data)
    found = house_facts(where)
    if restored:
        _record_restoration(where, found)
        found = house_facts(where)
    view = {**found._asdict(), "parts": [part._asdict() for part in found.parts]}
    click.echo(json.dumps(view))
    try:
        assert_one_house(where)
    except WrongHouse as wrong:
        raise click.ClickException(str(wrong)) from None


def _record_restoration(where: Files, found: KnownHouse) -> None:
    """Record on the log that an older copy was restored, and set aside views of lost events."""
    if not found.lost_event_count:
        raise click.ClickException(
            "the log has all that was signed and shown: there is nothing to record"
        )
    kept = min(
        found.events, found.lost_event_count - 1
    )  # of a copy that went on nobody knows how many
    meta = WriteMetadata(BY, CONSOLE, wiring.now())
    with closing(wiring.open_referee_of_any_house(where)) as referee:
        referee.house.note_restoration(found.lost_event_count, kept, meta)
    note_command(where.folder, "restored", detail=f"log: {kept} of {found.lost_event_count}")
    if found.missed:
        set_aside(where.views)
