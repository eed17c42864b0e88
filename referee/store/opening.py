"""The choice of the engine of a store by its address."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from referee.log.ports import Address
from referee.log.stores import is_postgres, is_there
from referee.store.file import FileDatabase, house_of_file
from referee.store.ports import Database, Layout


def open_database(address: Address, layout: Layout) -> Database:
    """The tables of a store in an SQLite file, or in the PostgreSQL of a ``postgresql://`` URL.

    :raises NewerData: they are of a later release
    :raises NotDurable: the engine is not durable
    """
    if not is_postgres(address):
        return FileDatabase(address, layout)
    from referee.store.server import ServerDatabase  # noqa: PLC0415 - only PostgreSQL needs it

    return ServerDatabase(str(address), layout)


def house_of(address: Address, layout: Layout) -> str:
    """Id of the house that a store belongs to; empty if it noted none, or is not there.

    A file is only read, since it may be of another house.
    """
    if not is_postgres(address):
        return house_of_file(Path(address))
    with closing(open_database(address, layout)) as database, database.connection() as db:
        return database.house(db)


def note_house(address: Address, layout: Layout, house: str) -> None:
    """Note the house of a store that is there, unless it is noted."""
    if house_of(address, layout) == house or not is_there(address):
        return
    with closing(open_database(address, layout)) as database, database.transaction() as db:
        database.set_house(db, house)
