"""Interfaces of the log, independent of the store: address, receipts, rows."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, Protocol, TypeAlias
from uuid import UUID

import msgspec
from eventsourcing.persistence import ApplicationRecorder

from referee.log.merkle import Tree
from referee.release import RELEASE

Address: TypeAlias = str | Path
"""Where a log is: the path of an SQLite file, or a ``postgresql://`` URL."""

Row: TypeAlias = tuple[int, str, int, str, bytes]
"""Position, hex id of the stream, place in the stream, stored name, stored bytes."""


class NoTables(Exception):  # noqa: N818 - it says what is not there
    """Error: a store has no tables of this program, or tables of an unknown version."""


class NewerData(NoTables):
    """Error: a later release of the program wrote the data.

    The text says which release, and what to do.
    """

    def __init__(self, what: object, needed: str) -> None:
        super().__init__(
            f"{what} was written by guinote {needed}, and this is guinote {RELEASE}, which may"
            " misread it: install that release or a later one, or restore a backup of before the"
            " upgrade (docs/operating/upgrade.md)"
        )


class HouseMoved(NoTables):
    """Error: the store can be read but not written, because the house has moved."""


MOVED: Final = 1_000_000
"""Added to the version of a log that was moved, or that a move has not filled yet."""


class Unsound(Exception):  # noqa: N818 - the name states the condition
    """Error: the content of a store is damaged."""


class InUse(Exception):  # noqa: N818 - the name states the condition
    """Error: another program has the log open."""


class Receipt(msgspec.Struct, frozen=True):
    """The stored answer to an idempotency key: a digest of the request, and its events.

    ``streams``: hex id, first and last store version of each stream that was written.
    """

    digest: str
    version: int = 0
    lines: tuple[int, ...] = ()
    streams: tuple[tuple[str, int, int], ...] = ()
    position: int = 0


class Log(ApplicationRecorder):
    """Writing side of a log: events, receipt and guards of one write are one transaction.

    ``insert_events`` takes ``key`` and ``receipt``, and ``guards``: store versions that other
    streams must still have. A reader that sees a position can also see every position before it.
    """

    @abstractmethod
    def receipt_by_keys_or_none(self, *keys: str) -> Receipt | None:
        """Receipt of a write by any of the keys it may have been recorded under, or None."""

    @abstractmethod
    def rows_of_stream(self, stream: UUID, after: int, upto: int, limit: int) -> Sequence[Row]:
        """Rows of a stream after a stream version and up to a log position, in order."""

    @abstractmethod
    def max_notification_id(self) -> int:
        """Position of the latest event; 0 of an empty log."""

    @abstractmethod
    def check_by_writing(self) -> None:
        """Test that the log can be read and written: read, and commit a write that changes nothing.

        :raises Exception: of the store, which cannot be read or written
        """

    @abstractmethod
    def set_waiting_context(self, waiting: Callable[[], AbstractContextManager[object]]) -> None:
        """Set the context that is entered whenever a writer waits for its turn."""

    @abstractmethod
    def set_closed_by_move(self, *, is_moved: bool) -> None:
        """Close the log for writing because the house moved, or open it again.

        The caller must hold the write lock.
        """

    @abstractmethod
    def hold_write_lock(self) -> AbstractContextManager[None]:
        """Context that holds the write lock of the log among all processes.

        It may be entered again inside itself.
        """

    @abstractmethod
    def close(self) -> None:
        """Close every connection; no thread may use one any more."""


class Rows(Protocol):
    """Reading side of a log: one read-only connection for one thread."""

    def read_from(self, position: int, limit: int) -> Iterable[Row]:
        """At most ``limit`` rows from this position on, inclusive, in order."""
        ...

    def stream_rows_to_version(self, stream: UUID, upto: int) -> Iterable[tuple[int, str, bytes]]:
        """Version, stored name and bytes of each event of a stream, up to a version."""
        ...

    def last_position(self) -> int:
        """Position of the latest event; 0 of an empty log."""
        ...

    def last_write_marker(self) -> int:
        """A number that changes with every write to the log."""
        ...

    def wait_for_write_or_bell(
        self, commits: int, bell: threading.Event, interval_s: float
    ) -> bool:
        """Wait for a new write to the log.

        Returns whether there was one since ``commits``, a ``last_write_marker``, or the bell rang.

        ``interval_s``: how long to wait if the store cannot notify of writes.
        """
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class AuditedRows(Rows, Protocol):
    """Reading side of a log together with the tree over it."""

    def hold_snapshot(self) -> AbstractContextManager[None]:
        """Context in which every read sees the log as it was at one moment."""
        ...

    def fault_texts(self) -> Iterable[str]:
        """Damage that the store itself reports, and triggers or rules that change data."""
        ...

    def tree(self) -> Tree:
        """Merkle tree over the log, as it is stored."""
        ...

    def log_version(self) -> int:
        """Version number of the log, which says from which release on it can be read."""
        ...

    def leaf_rows(self, first: int, limit: int) -> Iterable[tuple[int, str, int, bytes]]:
        """At most ``limit`` leaves of the Merkle tree from an index on, as rows.

        Index, hex id of the stream, version in it, hash.
        """
        ...

    def leaf_indices_of_stream(self, stream: UUID) -> Iterable[int]:
        """Indices of the leaves of a stream, in the order of its versions."""
        ...

    def row_by_stream_and_version(self, stream: str, version: int) -> Row | None:
        """Row of an event, by the hex id of its stream and its version there.

        None if it does not exist.
        """
        ...

    def receipt_rows(self) -> Iterable[tuple[str, str, str]]:
        """Every receipt: key, digest, JSON of a ``Receipt``."""
        ...
