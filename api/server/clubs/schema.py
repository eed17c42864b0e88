"""Clubs in PostgreSQL: each has a schema of its own, named by a file of its folder.

The name is made by chance and not that of the club: a removed club keeps its schema until its time
is over, and another may have its name meanwhile.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from api.server.data_folder import (
    CLUBS_LOG_VARIABLE,
    FILE_MODE,
    SCHEMA_FILE,
    Files,
    database_address_or_empty,
    schema_name_or_empty,
)
from api.server.faults.exits import end_process
from referee.log.durable import write_file_atomically
from referee.log.stores import is_postgres, is_valid_postgres_url
from referee.system import exits

CONNECTIONS_VARIABLE: Final = "GUINOTE_CLUBS_CONNECTIONS"
_MOST_CONNECTIONS: Final = 20
"""Four processes, and commands beside them, are within the 100 that a server usually takes."""
_ID_BYTES: Final = 8


def prepare_club_storage(folder: Path) -> Files:
    """Files of a new club: its folder, and a new schema where the installation has PostgreSQL."""
    if database := os.environ.get(CLUBS_LOG_VARIABLE):
        from referee.log.postgres.schemas import make_schema  # noqa: PLC0415 - few have the driver

        schema = f"club_{secrets.token_hex(_ID_BYTES)}"
        write_file_atomically(folder / SCHEMA_FILE, f"{schema}\n", FILE_MODE)
        make_schema(database, schema)
    return Files(folder, database_address_or_empty(folder))


def drop_club_schema(folder: Path) -> None:
    """Remove the schema of a club, if it has one; its folder is left."""
    if schema := schema_name_or_empty(folder):
        from referee.log.postgres.schemas import drop_schema  # noqa: PLC0415 - as above

        database_address_or_empty(folder)  # it says what is missing
        drop_schema(os.environ[CLUBS_LOG_VARIABLE], schema)


def size_in_database(where: Files) -> int:
    """Bytes of a club that are in the database; 0 if it is in its folder alone."""
    if not where.elsewhere:
        return 0
    from referee.log.postgres.schemas import size_of_schema  # noqa: PLC0415 - as above

    return size_of_schema(where.elsewhere)


def exit_if_bad_database_setting(clubs: list[Path]) -> None:
    """End the process if the settings of the database cannot be right. ``clubs``: data folders.

    :raises SystemExit: it cannot be one, or clubs are in one that no setting names
    """
    database = os.environ.get(CLUBS_LOG_VARIABLE, "")
    if not database:
        if missed := next(filter(schema_name_or_empty, clubs), None):
            end_process(
                f"{missed} is in PostgreSQL: {CLUBS_LOG_VARIABLE} is to name it", exits.EX_CONFIG
            )
        return
    if not is_postgres(database) or not is_valid_postgres_url(database) or "options=" in database:
        what = "to be postgresql://user@host/database, without options"
        end_process(f"{CLUBS_LOG_VARIABLE} is {what}", exits.EX_CONFIG)


def limit_database_connections() -> None:
    """Limit the number of database connections of this process.

    :raises SystemExit: the setting is no number, or too small
    """
    if not os.environ.get(CLUBS_LOG_VARIABLE):
        return
    from referee.log.postgres.connections import OPEN_AT_ONCE, connection_limit_in_environment  # noqa: PLC0415 - as above

    OPEN_AT_ONCE.most = connection_limit_in_environment(CONNECTIONS_VARIABLE, _MOST_CONNECTIONS)
