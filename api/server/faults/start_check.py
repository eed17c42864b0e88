"""The check before the workers are forked: every store is opened once, or the program ends.

A worker that cannot open a store would be replaced by another that cannot, again and again.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final, TypeAlias

from api.server import wiring
from api.server.data_folder import Files
from api.server.faults.exits import (
    STORE_ERRORS,
    WrongHouse,
    end_process,
    exit_line_and_code,
    is_store_fault,
)
from api.server.faults.read_only import READABLE, error_of_trial_write
from api.server.house import assert_one_house, names_fault
from referee.log.faults import StoreFault, store_fault_or_none
from referee.log.ports import Address, Unsound
from referee.log.sqlite.schema import ANY_TABLE, damage_of_file_or_empty
from referee.log.stores import is_postgres, might_exist
from referee.people.missing_names import NamesLost

_Opened: TypeAlias = Callable[[Files], Any]
_TABLES: Final = {
    "persons.sqlite": "persons",
    "access.sqlite": "account",
    "security.sqlite": "entry",
}
"""A table that every version of a file has; the log and the views look for theirs themselves."""


def _store_openers(where: Files) -> Iterator[tuple[Address, _Opened]]:
    yield where.persons, _open_names
    yield where.accounts, wiring.open_accounts
    yield where.log, wiring.open_referee
    yield where.security_log, wiring.open_security_log
    yield where.views, wiring.open_views


def check_stores_or_exit(where: Files) -> None:
    """Open every store once, then begin a new house; end the process if one cannot be used.

    It goes on where what is stored can at least be read, which a line says; and where a database
    does not answer yet: then each request asks it again.

    :raises SystemExit: see above
    """
    _exit_if_other_house(where)
    is_whole = True
    for file, found in _unusable_stores(where):
        is_whole = False
        error = _refine_opening_error(found, file, where)
        fault = store_fault_or_none(error)
        line, code = exit_line_and_code(error, file)
        if fault in READABLE and wiring.has_stores(where):
            sys.stderr.write(f"{line}; until then it can be read, and nothing is recorded\n")
            return
        if fault not in (StoreFault.LOST, StoreFault.BUSY) or not is_postgres(file):
            end_process(line, code)
        sys.stderr.write(f"{line}\n")
    if is_whole:
        try:
            wiring.initialise_house(where)
        except STORE_ERRORS as error:  # such as a key that only what stands for lost names reads
            end_process(
                *(failure_line_and_code(error, where) or exit_line_and_code(error, where.folder))
            )
        if why := names_fault(where):
            sys.stderr.write(f"{why}; until then seats are shown, and no name is recorded\n")


def _refine_opening_error(error: Exception, file: Address, where: Files) -> Exception:
    """The error that says most about a store that cannot be opened.

    SQLite may say no more than that it cannot open a file: one that is another user's, or beside
    which it has no room for another.
    """
    if store_fault_or_none(error) is StoreFault.LOST and not is_postgres(file):
        if (forbidden := _permission_error_in_folder(where.folder)) is not None:
            return forbidden
        of_writing = error_of_trial_write(where.folder)
        if of_writing is not None and store_fault_or_none(of_writing) in READABLE:
            return of_writing
    return error


def _permission_error_in_folder(folder: Path) -> PermissionError | None:
    """Error of the first database in a folder that this user may not open.

    None if all may be opened.
    """
    for one in sorted(folder.glob("*.sqlite*")):
        try:
            with one.open("r+b"):
                pass
        except PermissionError as error:
            return error
        except OSError:
            continue
    return None


def _open_names(where: Files) -> ExitStack:
    """Open the store of names unless it is lost; the stack closes it."""
    stack = ExitStack()
    if not names_fault(where):
        _refuse_foreign_database(Path(str(where.persons)))
        stack.callback(wiring.open_persons(where).close)
    return stack


def _exit_if_other_house(where: Files) -> None:
    """End the process if a folder belongs to another house than the log."""
    try:
        assert_one_house(where)
    except WrongHouse as wrong:
        end_process(*exit_line_and_code(wrong, where.log))
    except STORE_ERRORS:
        pass  # which of them it is, and what to do, is said by opening each


def failure_line_and_code(error: BaseException, where: Files) -> tuple[str, int] | None:
    """Line and exit code about the store for which a command failed; None if none is to blame.

    The error of a library does not say which file it is about, so each that is there is tried.
    """
    if isinstance(error, WrongHouse | NamesLost):
        return exit_line_and_code(error, where.log)
    found = next(_unusable_stores(where, might_exist), None)
    if found is not None:
        return exit_line_and_code(found[1], found[0])
    if store_fault_or_none(error) is StoreFault.DAMAGED:
        files = (Path(file) for file, _ in _store_openers(where) if not is_postgres(file))
        return exit_line_and_code(error, next(filter(_is_damaged, files), where.folder))
    return exit_line_and_code(error, where.folder) if is_store_fault(error) else None


def _is_damaged(file: Path) -> bool:
    try:
        return damage_of_file_or_empty(file, ANY_TABLE, wholly=True) != ""
    except sqlite3.DatabaseError:  # it cannot be read for another reason
        return False


def _unusable_stores(
    where: Files, is_asked: Callable[[Address], bool] = lambda _: True
) -> Iterator[tuple[Address, Exception]]:
    """Stores that cannot be opened, with the error."""
    for file, opened in _store_openers(where):
        if not is_asked(file):
            continue
        try:
            if file != where.persons:
                _refuse_foreign_database(Path(str(file)))
            opened(where).close()
        except STORE_ERRORS as error:
            yield file, error


def _refuse_foreign_database(file: Path) -> None:
    """Refuse a database that another program made.

    :raises Unsound: it is
    """
    table = _TABLES.get(file.name)
    if table is None or not file.exists():
        return
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True)) as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
    if names and table not in names:
        raise Unsound(f"{file} is a database of another program")
