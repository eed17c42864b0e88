"""The log as those inside see it, whatever holds it: its address, its receipts, its rows."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, TypeAlias
from uuid import UUID

import msgspec
from eventsourcing.persistence import ApplicationRecorder

from referee.log.merkle import Tree

Address: TypeAlias = str | Path
"""Where a log is: the path of an SQLite file, or a ``postgresql://`` URL."""

Row: TypeAlias = tuple[int, str, int, str, bytes]
"""Position, hex id of the stream, place in the stream, stored name, stored bytes."""


class NoTables(Exception):  # noqa: N818 - it says what is not there
    """A store without the tables of this program, or with those of another version."""


class Unsound(Exception):  # noqa: N818 - as above
    """A store that does not hold what it should in the form that it should."""


class InUse(Exception):  # noqa: N818 - as above
    """A log that another program has open."""


class Receipt(msgspec.Struct, frozen=True):
    """What answers an idempotency key for ever: a digest of the request, and its events.

    ``streams``: hex id, first and last store version of each stream that was written.
    """

    digest: str
    version: int = 0
    lines: tuple[int, ...] = ()
    streams: tuple[tuple[str, int, int], ...] = ()
    position: int = 0


class Log(ApplicationRecorder):
    """What writes a log: events, receipt and guards of one write are one transaction.

    ``insert_events`` takes ``key`` and ``receipt``, and ``guards``: store versions that other
    streams must still have. Whoever sees a position has seen every one before it.
    """

    @abstractmethod
    def receipt(self, key: str) -> Receipt | None:
        """Receipt of a key, if a write with it was ever recorded."""

    @abstractmethod
    def trail(self, stream: UUID, after: int, upto: int, limit: int) -> Sequence[Row]:
        """Rows of a stream after a place in it and up to a position, in order."""

    @abstractmethod
    def max_notification_id(self) -> int:
        """Position of the latest event; 0 of an empty log."""

    @abstractmethod
    def turn(self) -> AbstractContextManager[None]:
        """The right to write, alone among all processes; its holder may enter again."""

    @abstractmethod
    def close(self) -> None:
        """Close every connection; no thread may use one any more."""


class Rows(Protocol):
    """What reads a log: one connection, for one thread, which cannot write."""

    def since(self, position: int, limit: int) -> Iterable[Row]:
        """Rows from this position on, itself among them."""
        ...

    def history(self, stream: UUID, upto: int) -> Iterable[tuple[int, str, bytes]]:
        """Place, stored name and bytes of the events of a stream up to a place."""
        ...

    def last(self) -> int:
        """Position of the latest event; 0 of an empty log."""
        ...

    def commits(self) -> int:
        """A number that is another one after anybody has written to the log."""
        ...

    def has_moved(self, commits: int, bell: threading.Event, interval_s: float) -> bool:
        """Wait a moment; whether the bell rang, or somebody wrote since that number of commits.

        ``interval_s``: how long to wait where nobody tells of a write.
        """
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class AuditedRows(Rows, Protocol):
    """What reads a log together with the tree over it."""

    def moment(self) -> AbstractContextManager[None]:
        """What is read within is the log of one moment, whatever others write meanwhile."""
        ...

    def faults(self) -> Iterable[str]:
        """What the store itself finds wrong with what it holds, and whatever acts by itself."""
        ...

    def tree(self) -> Tree:
        """The tree over the log."""
        ...

    def leaves(self, first: int, limit: int) -> Iterable[tuple[int, str, int, bytes]]:
        """Leaves from an index on: index, hex id of the stream, place in it, hash."""
        ...

    def leaves_of(self, stream: UUID) -> Iterable[int]:
        """Indices of the leaves of a stream, by place in it."""
        ...

    def receipts(self) -> Iterable[tuple[str, str, str]]:
        """Every receipt: key, digest, JSON of a ``Receipt``."""
        ...
