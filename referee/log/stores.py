"""The choice of the store by the address of a log.

Modules that only PostgreSQL needs are imported when an address names it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from eventsourcing.persistence import InfrastructureFactory
from eventsourcing.utils import Environment

from referee.log.ports import Address, AuditedRows, Log, NewerData, NoTables, Rows
from referee.log.sqlite import recorder as sqlite
from referee.log.sqlite.rows import SQLiteRows


class NoDriver(Exception):  # noqa: N818 - it says what is not there
    """The address names PostgreSQL, and its driver is not installed."""


def is_postgres(address: Address) -> bool:
    """Whether a log is in PostgreSQL.

    :raises NoDriver: it is, and the driver is missing

    >>> is_postgres("postgresql://club@localhost/guinote"), is_postgres("var/log.sqlite")
    (True, False)
    """
    if not str(address).startswith(("postgresql://", "postgres://")):
        return False
    if find_spec("psycopg") is None:
        raise NoDriver("a log in PostgreSQL needs guinote-referee[postgres]")
    return True


def is_valid_postgres_url(address: str) -> bool:
    """Whether an address is a ``postgresql://`` URL that the driver can parse.

    What the driver says of another one may have a password in it.

    :raises NoDriver: the driver is missing

    >>> is_valid_postgres_url("postgresql://club@a,b/guinote"), is_valid_postgres_url("mysql://club@localhost/guinote")
    (True, False)
    >>> is_valid_postgres_url("postgresql://club:se%cret@db/x"), is_valid_postgres_url("postgresql://club:se/cret@db/x")
    (False, False)
    """
    if not is_postgres(address):
        return False
    from referee.log.postgres import connections  # noqa: PLC0415 - see above

    return connections.is_readable_address(address)


def create_tables(address: Address) -> None:
    """Make the tables of a log if they are not there; safe to call from many processes.

    :raises NoTables: tables of another version are there
    :raises Unsound: the file is a database of another program
    """
    if is_postgres(address):
        from referee.log.postgres import recorder as postgres  # noqa: PLC0415 - see above

        postgres.create_tables(str(address))
    else:
        sqlite.create_tables(address)


def open_log(address: Address) -> Log:
    """Open a log for writing.

    :raises NoTables: the tables are not there
    :raises NotDurable: the store is not durable
    """
    if is_postgres(address):
        from referee.log.postgres import recorder as postgres  # noqa: PLC0415 - see above

        return postgres.open_log(str(address))
    return sqlite.SQLiteLogRecorder(sqlite.SQLiteLogDatastore(str(address)))


def open_rows(address: Address) -> Rows:
    """Open a log for reading."""
    if is_postgres(address):
        from referee.log.postgres.rows import PostgresRows  # noqa: PLC0415 - see above

        return PostgresRows(str(address))
    return SQLiteRows(address)


def open_for_audit(address: Address) -> AuditedRows:
    """Open a log for an audit: rows together with the Merkle tree over them.

    :raises NoTables: there is no tree over it
    """
    if is_postgres(address):
        from referee.log.postgres.rows import PostgresAudited  # noqa: PLC0415 - see above

        return PostgresAudited(str(address))
    sqlite.assert_tables_version(address)
    return SQLiteRows(address)


def might_exist(address: Address) -> bool:
    """Whether a log might exist at an address: a file does.

    Of a database it is known only when it is opened.
    """
    return is_postgres(address) or Path(address).exists()


def is_there(address: Address) -> bool:
    """Whether there is a log at an address.

    :raises NewerData: there is, in a database, and of a later release
    """
    if not is_postgres(address):
        return Path(address).exists()
    from referee.log.postgres import recorder as postgres  # noqa: PLC0415 - see above

    try:
        postgres.open_log(str(address)).close()
    except NewerData:
        raise
    except NoTables:
        return False
    return True


def refuse_newer_log(address: Address) -> None:
    """Refuse a log to which a later release has written; nothing stays open.

    :raises NewerData: one has
    """
    if is_there(address) and not is_postgres(address):
        SQLiteRows(address).close()


def count_log_rows(address: Address) -> int:
    """Number of rows that a copy of a log in PostgreSQL has, over all its tables."""
    from referee.log.postgres import copy as postgres_copy  # noqa: PLC0415 - see above

    return postgres_copy.count_log_rows(str(address))


def copy_log_to_file(address: Address, path: Path, progress: Callable[[int], None]) -> None:
    """Write a snapshot of a log in PostgreSQL into a new SQLite file.

    ``progress`` is called with the rows copied since it was called last.
    """
    from referee.log.postgres import copy as postgres_copy  # noqa: PLC0415 - see above

    postgres_copy.copy_log_to_file(str(address), path, progress)


def replace_log_by_file(path: Path, address: Address) -> None:
    """Replace the rows of a log in PostgreSQL with those of an SQLite file, all or none.

    :raises InUse: a program has the log open
    """
    from referee.log.postgres import copy as postgres_copy  # noqa: PLC0415 - see above

    postgres_copy.replace_log_by_file(path, str(address))


class LogFactory(InfrastructureFactory[Any]):
    """Factory that gives an application its log."""

    def __init__(self, log: Log) -> None:
        super().__init__(Environment("referee", {}))
        self._log = log

    def application_recorder(self) -> Log:
        """The log, over tables that exist already."""
        return self._log

    def close(self) -> None:
        """Close the log."""
        self._log.close()

    def aggregate_recorder(self, purpose: str = "events") -> Any:
        """Not provided: aggregate states are not stored."""
        raise NotImplementedError(purpose)

    def tracking_recorder(self, tracking_recorder_class: Any = None) -> Any:
        """Not provided: the views track their position in a file of their own."""
        raise NotImplementedError(tracking_recorder_class)

    def process_recorder(self) -> Any:
        """Not provided: the views are in a file of their own."""
        raise NotImplementedError
