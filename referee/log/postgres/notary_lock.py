"""Locks of a log in PostgreSQL, of its notary and of others: advisory ones of a connection."""

from __future__ import annotations

from typing import Final

import psycopg
from eventsourcing.persistence import OperationalError

from referee.log.postgres.connections import Connection, connect

_TRY: Final = "SELECT pg_try_advisory_lock(hashtext(%s), hashtext(current_schema()))"


class ServerLock:
    """Advisory lock in PostgreSQL that one process holds by its connection, and loses with it.

    ``of``: name of the lock.
    """

    def __init__(self, address: str, of: str = "notary") -> None:
        self._address, self._of = address, of
        self._holding: Connection | None = None

    def try_acquire(self) -> bool:
        """Take the lock if it is free; returns whether this process holds it.

        :raises OperationalError: the server does not answer
        """
        try:
            if self._holding is not None and self._is_alive_or_close(self._holding):
                return True
            c = connect(self._address)
            if c.execute(_TRY, (f"guinote {self._of}",)).fetchone() == (True,):
                self._holding = c
            else:
                c.close()
        except psycopg.Error as error:
            raise OperationalError(str(error)) from error
        return self._holding is not None

    def close(self) -> None:
        """Release the lock, if this process holds it."""
        if self._holding is not None:
            self._holding.close()
            self._holding = None

    def _is_alive_or_close(self, c: Connection) -> bool:
        try:
            c.execute("")
        except psycopg.Error:
            self.close()
            return False
        return True
