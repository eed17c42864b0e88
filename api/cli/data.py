"""Commands about the data folder: text records, verification, views, backups."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final
from uuid import UUID

import click

from api.backups.places import backup_name, delete_old
from api.cli.bench import print_json
from api.cli.persons import open_names
from api.cli.security import BY, CONSOLE, note_command
from api.encuentros.record_export import text_record_of_encuentro
from api.encuentros.record_import import (
    import_as_new_encuentro,
    read_encuentro_record,
    read_valid_record,
)
from api.server import backup as backups
from api.server import wiring
from api.server.clubs.folder import ClubsFolder
from api.server.data_folder import DEFAULT_FOLDER, KEY_VARIABLE, Files
from api.server.faults.exits import end_process
from api.server.house import (
    house_facts,
    names_fault,
    refuse_closed_house,
)
from api.server.moving.house_file import PackedHouse, pack_and_close_house, unpack_house
from api.server.moving.move import (
    CannotMove,
    MovedHouse,
    NotTheSame,
    destination_files,
    move_house,
    printable_place,
)
from api.server.own_schema import PERSONS
from api.server.restoration.swap import repeat_erasures
from api.server.side_processes import notary_folder_of
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.study import export as study_export
from projections.study.export import export_study, study_log_if_agreed
from referee.errors import NotFound
from referee.log.ports import HouseMoved, InUse
from referee.log.stores import is_there, might_exist
from referee.log.streams import WriteMetadata
from referee.people.persons import PersonsError, refuse_wrong_key
from referee.record import BadRecord, print_record, read_record
from referee.record.errors import RecordError
from referee.record.profiles import CannotImport
from referee.system import exits

AUTHOR = "guinote"
notary_option = click.option(
    "--notary",
    "keys",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the notary's key; by default the one of the data folder.",
)


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr that follows *done of all*."""
    with click.progressbar(length=1, label=label, file=sys.stderr) as bar:

        def report_progress(done: int, total: int) -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        yield report_progress


@click.command()
@click.argument("target", type=click.Path(path_type=Path), metavar="FILE|FOLDER")
@click.option("--daily", type=click.IntRange(min=0), help="Days of which a folder keeps a backup.")
@click.option("--weekly", type=click.IntRange(min=0), help="Weeks of which it keeps one.")
@click.option("--without-names", is_flag=True, help="Do without names that are not there.")
@click.pass_obj
def backup(
    data: Path, target: Path, *, daily: int | None, weekly: int | None, without_names: bool
) -> None:
    """Copy log and names into one file, while the service runs.

    In an existing folder the file is named by the moment. With --daily or --weekly, older
    backups of the folder are deleted then.
    """
    folder = target if target.is_dir() else None
    if folder is not None:
        target = folder / backup_name(wiring.now())
    elif daily is not None or weekly is not None:
        raise click.UsageError(f"{target} is no folder whose backups could be kept or deleted")
    where = wiring.files_of_folder(data)
    refuse_closed_house(house_facts(where))
    if might_exist(where.persons) and not names_fault(where):
        with open_names(data):
            pass  # encrypt and clean up, in case an older version or a crash left plain text
    if where.elsewhere:
        wiring.open_accounts(where).close()  # take over what an older version left in a file
    try:
        with progress_bar("backup") as report:
            made = backups.write_backup(where, target, report, without_names=without_names)
        print_json(made)
    except backups.BadBackup as bad:
        raise click.ClickException(str(bad)) from None
    note_command(data, "exported", detail="backup")
    if folder is not None and (daily is not None or weekly is not None):
        for old in delete_old(folder, daily or 0, weekly or 0):
            click.echo(f"deleted: {old}", err=True)
    if PERSONS in made.files:
        click.echo(
            f"its names open with {where.master_key_source.place} alone: keep it apart", err=True
        )
    else:
        click.echo("it has no names", err=True)


@click.command()
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace what the data folder holds.")
@click.option("--without-names", is_flag=True, help="Restore a backup that has no names.")
@click.option("--only-names", is_flag=True, help="Leave all else: the names alone were lost.")
@click.option("--without-key", is_flag=True, help="Restore names whose master key is not here yet.")
@click.pass_obj
def restore(
    data: Path,
    source: Path,
    *,
    force: bool,
    without_names: bool,
    only_names: bool,
    without_key: bool,
) -> None:
    """Restore a backup into the data folder, and rebuild the views.

    Names that the security log says were erased since are erased again. Nothing is restored if the
    master key does not open the names of the backup.
    """
    where = wiring.files_of_folder(data)
    check = backups.accept_any_names if without_key else partial(_exit_if_wrong_key, where)
    try:
        with progress_bar("restore") as report:
            if only_names:
                print_json(_restore_names(where, source, report, check, force=force))
            else:
                print_json(
                    backups.restore_backup(
                        *(source, where, report),
                        force=force,
                        without_names=without_names,
                        check=check,
                    )
                )
    except (backups.BadBackup, backups.NotEmpty, backups.InService) as bad:
        raise click.ClickException(f"{type(bad).__name__}: {bad}") from None
    note_command(data, "restored", detail="names" if only_names else "backup")
    try:
        with open_names(data) as persons:
            again = repeat_erasures(where, persons)
    except PersonsError as shut:
        click.echo(f"restored, but the names stay shut: {shut}", err=True)
    else:
        if again:
            click.echo(f"erased again: {again} names and texts", err=True)


def _exit_if_wrong_key(where: Files, names_there: Path) -> None:
    """End before anything is restored if the master key does not open the names of a backup.

    :raises SystemExit: see above
    """
    try:
        refuse_wrong_key(names_there, where.master_key_source, secrets.token_bytes)
    except PersonsError as shut:
        end_process(
            f"nothing is restored: {shut}; put the copy of the key there first, or name it in "
            f"{KEY_VARIABLE} (with --without-key all is restored, and the service does not "
            "start before the key is there)",
            exits.EX_CONFIG,
        )


def _restore_names(
    where: Files,
    source: Path,
    report: backups.CopyProgress,
    check: backups.NamesCheck,
    *,
    force: bool,
) -> backups.Manifest:
    """Restore the names of a backup only, if those of the house are lost.

    :raises NotEmpty: they can be read, and ``force`` is not set
    """
    if not names_fault(where) and might_exist(where.persons) and not force:
        raise backups.NotEmpty(f"the names in {where.folder} can be read")
    return backups.restore_names(source, where, house_facts(where).house, report, check=check)


@click.command()
@click.argument("target", metavar="ADDRESS")
@click.pass_obj
def move(data: Path, target: str) -> None:
    """Move the house to PostgreSQL (postgresql://…), or from there into the data folder (files).

    It is the house of the data folder and of GUINOTE_LOG. Pages go on meanwhile; writers wait.
    """
    source = wiring.files_of_folder(data)
    with _move_faults_as_errors("moved"):
        goal = destination_files(source, target)
        with progress_bar("move") as report:
            moved = move_house(source, goal, report)
    print_json(moved._asdict())
    _note_move(goal)
    setting = "with that GUINOTE_LOG" if goal.elsewhere else "without GUINOTE_LOG"
    click.echo(
        f"start the service again {setting}. What is left at {printable_place(source)} is closed, "
        "and has names: delete it when all is well",
        err=True,
    )


@click.command()
@click.argument("target", type=click.Path(path_type=Path), metavar="FILE")
@notary_option
@click.pass_obj
def pack(data: Path, target: Path, keys: Path | None) -> None:
    """Pack the whole house into one file, to go on elsewhere; here it is closed.

    A copy of a house that stays here is guinote backup.
    """
    pack_house_with_progress(
        wiring.files_of_folder(data), keys or notary_folder_of(data, Path(DEFAULT_FOLDER)), target
    )
    click.echo(
        f"it goes on where guinote unpack {target.name} is run. What is left in {data} is closed, "
        "and has names: delete it when all is well",
        err=True,
    )


def pack_house_with_progress(where: Files, keys: Path, target: Path) -> None:
    """Pack the house of a place, and print what was packed."""
    with suppress(HouseMoved):  # of a move that is ended now
        note_command(where.folder, "exported", detail="move")
    with _move_faults_as_errors("packed"), progress_bar("pack") as report:
        made = pack_and_close_house(where, keys, target, report)
    print_json({**_facts_of_pack(made), "file": str(target.absolute())})
    click.echo(f"{target} is secret: who has it has every name, and signs as this house", err=True)
    if not made.has_notary:
        click.echo(f"the key of its notary is not in it: there is none in {keys}", err=True)


def _facts_of_pack(made: PackedHouse) -> dict[str, object]:
    return {"house": made.house, "events": made.events, "root": made.root}


@click.command()
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@notary_option
@click.pass_obj
def unpack(data: Path, source: Path, keys: Path | None) -> None:
    """Have a packed house go on here: in an empty data folder, or in the one that it left."""
    keys = keys or notary_folder_of(data, Path(DEFAULT_FOLDER))
    print_json(unpack_house_at(source, wiring.files_of_folder(data), keys)._asdict())


def unpack_house_at(source: Path, where: Files, keys: Path) -> MovedHouse:
    """Unpack a packed house into a place."""
    with _move_faults_as_errors("unpacked"), progress_bar("unpack") as report:
        moved = unpack_house(source, where, keys, report)
    _note_move(where)
    click.echo(f"{source} is secret, and needed no more: delete it when all is well", err=True)
    return moved


@contextmanager
def _move_faults_as_errors(done: str) -> Iterator[None]:
    """Convert errors of a move into one line."""
    try:
        yield
    except (CannotMove, NotTheSame, InUse, backups.BadBackup, backups.InService) as cannot:
        why = " is in use: stop the service first" * isinstance(cannot, backups.InService)
        raise click.ClickException(f"not {done}: {cannot}{why}") from None


def _note_move(where: Files) -> None:
    with closing(wiring.open_security_log(where)) as security:
        security.note("restored", by=BY, address=CONSOLE, detail="move")


def _open_log(where: Files) -> LogReader:
    if not is_there(where.log):
        raise click.ClickException(f"no log in {where.folder}")
    return LogReader(where.log)


PROJECTIONS: Final = tuple(one.name for one in every_projection())


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(PROJECTIONS), metavar="[NAME]...")
@click.pass_obj
def rebuild(data: Path, names: tuple[str, ...]) -> None:
    r"""Drop the views and work them out again from the log: all, or these projections alone.

    \b
    NAME is one of: audit_trail, board, cases, club_rules, legality, players,
    puzzles, ratings, scores, seasons, tournaments.
    """
    where = wiring.files_of_folder(data)
    log, views = _open_log(where), wiring.open_views(where)
    try:
        last = log.last_position()
        with progress_bar("rebuild") as report:
            events = Runner(log, views).rebuild(
                lambda _, position: report(position, last), only=names or None
            )
    finally:
        views.close()
        log.close()
    print_json({"events": events})


@contextmanager
def open_referee_and_persons(data: Path) -> Iterator[Any]:
    """The write side and the store of names of a data folder, open within the block."""
    where = wiring.files_of_folder(data)
    with ExitStack() as stack:
        referee, persons = wiring.open_referee(where), stack.enter_context(open_names(data))
        stack.callback(referee.close)
        yield referee, persons


@click.command("export")
@click.argument("encuentro", type=click.UUID, required=False)
@click.option(
    "--parquet",
    "tables",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write the finished partidas of a club that agreed as tables into a folder.",
)
@click.option(
    "--clubs",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The same of all clubs of an installation that agreed.",
)
@click.pass_obj
def export_record_or_tables(
    data: Path, encuentro: UUID | None, tables: Path | None, clubs: Path | None
) -> None:
    """Print an encuentro as a text record, or write tables for study (docs/study)."""
    if (encuentro is None) == (tables is None) or (clubs and tables is None):
        raise click.UsageError("either an encuentro, or --parquet FOLDER")
    if tables is not None:
        _export_tables(
            [data] if clubs is None else _folders_of_open_clubs(ClubsFolder(clubs)), tables
        )
        return
    assert encuentro is not None
    with open_referee_and_persons(data) as (referee, persons):
        try:
            click.echo(
                print_record(text_record_of_encuentro(referee, persons, encuentro)), nl=False
            )
        except NotFound:
            raise click.ClickException(f"no encuentro {encuentro}") from None
    note_command(data, "exported", about=str(encuentro), detail="record")


def _folders_of_open_clubs(folder: ClubsFolder) -> list[Path]:
    """Data folders of the clubs of an installation that may be entered."""
    return [folder.data_folder(name) for name in folder.names() if folder.may_enter(name)]


def _export_tables(houses: list[Path], target: Path) -> None:
    """Write tables for study of the clubs that have agreed.

    :raises click.ClickException: none did, or they cannot be written
    """
    if not study_export.has_parquet_library():
        raise click.ClickException(
            "tables need pyarrow, which is an extra: pip install 'guinote-referee[study]'"
        )
    agreed = []
    for data in houses:
        where = wiring.files_of_folder(data)
        refuse_closed_house(house_facts(where))
        if is_there(where.log) and (found := study_log_if_agreed(where.log)):
            agreed.append((data, found))
    if not agreed:
        raise click.ClickException(
            "no club has agreed: its admin does so in /casa/ajustes, or guinote settings "
            "--study-consent given"
        )
    try:
        with progress_bar("export") as report:
            made = export_study([log for _, log in agreed], target, report)
    except FileExistsError as there:
        raise click.ClickException(f"{there.filename} is there already") from None
    for data, _ in agreed:
        note_command(data, "exported", detail="study")
    print_json(made._asdict())


@click.command("import")
@click.argument("source", type=click.File("rb"), default="-", metavar="FILE")
@click.pass_context
def import_text_record(context: click.Context, source: BinaryIO) -> None:
    """Record an encuentro from a text record, and print its id."""
    try:
        record = read_encuentro_record(source.read())
        meta = WriteMetadata(by=AUTHOR, device="cli", at=wiring.now())
        with open_referee_and_persons(context.obj) as (referee, persons):
            print_json({"encuentro": str(import_as_new_encuentro(referee, persons, record, meta))})
    except BadRecord as bad:
        _fail_with_errors(context, bad.errors)
    except CannotImport as cannot:
        print_json({"error": {"code": cannot.code, "field": cannot.field, "detail": cannot.detail}})
        context.exit(1)


@click.group()
def record() -> None:
    """Commands for text records: check one, or print it in canonical form."""


@record.command("check")
@click.argument("source", type=click.File("rb"), default="-", metavar="FILE")
@click.pass_context
def check_text_record(context: click.Context, source: BinaryIO) -> None:
    """List each malformed, ambiguous or impossible place of a text record, with line and column."""
    try:
        read_valid_record(source.read())
    except BadRecord as bad:
        _fail_with_errors(context, bad.errors)


@record.command("print")
@click.argument("source", type=click.File("rb"), default="-", metavar="FILE")
@click.pass_context
def print_canonical_record(context: click.Context, source: BinaryIO) -> None:
    """Print a text record in its canonical form."""
    try:
        click.echo(print_record(read_record(source.read()).record), nl=False)
    except BadRecord as bad:
        _fail_with_errors(context, bad.errors)


def _fail_with_errors(context: click.Context, errors: tuple[RecordError, ...]) -> None:
    for error in errors:
        print_json({"error": error})
    context.exit(1)
