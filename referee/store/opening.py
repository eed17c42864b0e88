"""The choice of the engine of a store by its address."""

from __future__ import annotations

from referee.log.ports import Address
from referee.log.stores import is_postgres
from referee.store.file import FileDatabase
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
