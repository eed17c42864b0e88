"""How a command ends if a store cannot be used: a line that names file and remedy, and a code.

The codes are those of ``sysexits``, so that whoever supervises the service can tell them apart.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path
from typing import Final, NoReturn

from eventsourcing.persistence import PersistenceError

from referee.log.durable import NotDurable
from referee.log.faults import StoreFault, error_in_one_line, store_fault_or_none
from referee.log.ports import Address, NewerData, NoTables, Unsound
from referee.log.stores import NoDriver, is_postgres
from referee.people.missing_names import NamesLost
from referee.people.persons import PersonsError
from referee.system import exits, ports


class WrongHouse(Exception):  # noqa: N818 - it says what is the case
    """Parts of a house that do not belong together; the text names both, and what to do."""


UNUSABLE: Final = (
    *(PersistenceError, WrongHouse, NoTables, NotDurable),
    *(sqlite3.OperationalError, PersonsError),
)
"""Errors that always mean that a store cannot be used."""
STORE_ERRORS: Final = (*UNUSABLE, NoDriver, Unsound, sqlite3.Error, OSError)
"""What is raised if a store cannot be opened, read or written."""
_CODES: Final[dict[StoreFault, tuple[int, str]]] = {
    StoreFault.FULL: (exits.EX_CANTCREAT, "make room on the disk, then start again"),
    StoreFault.READ_ONLY: (
        exits.EX_CANTCREAT,
        "mount the disk for writing, or name another folder (GUINOTE_DATA)",
    ),
    StoreFault.LOST: (exits.EX_IOERR, "look after the disk"),
    StoreFault.BUSY: (
        exits.EX_TEMPFAIL,
        "another program holds it for too long: end that",
    ),
    StoreFault.DAMAGED: (exits.EX_DATAERR, "put a backup back: guinote restore --force FILE"),
    StoreFault.FORBIDDEN: (
        exits.EX_NOPERM,
        "give it to the user that runs this: chown, chmod u+rwX",
    ),
    StoreFault.MISSING: (exits.EX_NOINPUT, "put it back, or name the folder that is meant"),
}
"""Exit code and remedy of a fault; ``docs/operating/operations.md`` has the same table."""
_REMEDIES: Final[dict[tuple[str, StoreFault], str]] = {
    ("log.sqlite", StoreFault.DAMAGED): (
        "guinote verify names the place; guinote restore --force FILE puts a backup back"
    ),
    ("security.sqlite", StoreFault.DAMAGED): "move it away: a new one is begun",
}
"""A remedy for a file that has a better one."""
_OF_CLASS: Final[tuple[tuple[type[Exception], int, str], ...]] = (
    (NoDriver, exits.EX_UNAVAILABLE, "pip install 'guinote-referee[postgres]'"),
    (NotDurable, exits.EX_CONFIG, "set it so, or use another server"),
    (NoTables, exits.EX_CONFIG, "start the version of the program that made it, or a later one"),
    (
        *(Unsound, exits.EX_DATAERR),
        "move it away, and put a backup back: guinote restore --force FILE",
    ),
    (
        *(PersonsError, exits.EX_CONFIG),
        "put the copy of the key back, or name it in GUINOTE_PERSONS_KEY",
    ),
)
"""Exit code and remedy of errors that are no fault of a disk."""
CODES: Final = frozenset({code for code, _ in _CODES.values()} | {code for _, code, _ in _OF_CLASS})
"""Every code that a command may end with for the sake of a store."""


def exit_line_and_code(error: BaseException, file: Address) -> tuple[str, int]:
    """What a command prints about a store that it cannot use, and its exit code."""
    if isinstance(error, NewerData | WrongHouse):  # it names what is needed
        return f"Error: {error}", exits.EX_CONFIG
    if isinstance(error, NamesLost):
        return f"Error: {error}", exits.EX_DATAERR
    for kind, code, remedy in _OF_CLASS:
        if isinstance(error, kind):
            return _error_line(file, error, remedy), code
    # what SQLite finds no name for, in a file of ours, was made by another program
    fault = _refine_fault(store_fault_or_none(error), file)
    if fault in (StoreFault.LOST, None) and is_postgres(file):
        return _error_line(
            file, error, "start the database, or name another one"
        ), exits.EX_UNAVAILABLE
    code, remedy = _CODES[fault or StoreFault.DAMAGED]
    remedy = _REMEDIES.get((Path(str(file)).name, fault or StoreFault.DAMAGED), remedy)
    return _error_line(file, error, remedy), code


def is_store_fault(error: BaseException) -> bool:
    """Whether an error (of ``STORE_ERRORS``) is a fault of a store, and no defect of ours."""
    return store_fault_or_none(error) is not None or not isinstance(error, sqlite3.Error | OSError)


def _error_line(file: Address, error: BaseException, remedy: str) -> str:
    about = error_in_one_line(error)
    named = "" if store_name_for_messages(file) in about else f"{store_name_for_messages(file)}: "
    return f"{named}{about}; {remedy}"


def store_name_for_messages(file: Address) -> str:
    """Name of a store for messages, without the password that an address may have.

    >>> stores = ("postgresql://club:secret@localhost/guinote", "var/log.sqlite")
    >>> [store_name_for_messages(one) for one in stores]
    ['GUINOTE_LOG', 'var/log.sqlite']
    """
    return "GUINOTE_LOG" if is_postgres(file) else str(file)


def _refine_fault(fault: StoreFault | None, file: Address) -> StoreFault | None:
    """SQLite says of a file without rights that it cannot be opened, or is read-only."""
    path = Path(str(file))  # of a database none is there
    if fault not in (StoreFault.LOST, StoreFault.READ_ONLY) or not path.exists():
        return fault
    if path.is_dir():
        return StoreFault.DAMAGED
    if ports.is_on_read_only_disk(path):
        return StoreFault.READ_ONLY
    return fault if os.access(path, os.R_OK | os.W_OK) else StoreFault.FORBIDDEN


def end_process(line: str, code: int) -> NoReturn:
    """End this process with a line on stderr.

    :raises SystemExit: always
    """
    sys.stderr.write(f"{line}\n")
    raise SystemExit(code)
