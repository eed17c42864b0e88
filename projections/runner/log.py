"""The log for the read side: events in the order of their positions."""

from __future__ import annotations

import threading
from uuid import UUID

from referee.log.mapper import CODEC, Codec, LoggedEvent, RecordedEvent
from referee.log.ports import Address, NewerData
from referee.log.stores import create_tables, open_rows


class LogReader:
    """One read-only connection to a log, for one thread."""

    def __init__(self, address: Address, codec: Codec = CODEC) -> None:
        self._address, self._codec = address, codec
        self._rows = open_rows(address)

    def read_from(self, position: int, limit: int) -> list[LoggedEvent]:
        """At most ``limit`` events from this position on, itself among them."""
        decode = self._codec.decode_row
        return [
            LoggedEvent(place, name, decode(UUID(stream), version, name, state))
            for place, stream, version, name, state in self._rows.read_from(position, limit)
        ]

    def history(self, stream: UUID, upto: int) -> list[RecordedEvent]:
        """Events of a stream up to a store version."""
        decode = self._codec.decode_row
        return [
            decode(stream, version, name, state)
            for version, name, state in self._rows.stream_rows_to_version(stream, upto)
        ]

    def last_position(self) -> int:
        """Position of the latest event; 0 of an empty log."""
        return self._rows.last_position()

    def last_write_marker(self) -> int:
        """A number that changes with every write to the log."""
        return self._rows.last_write_marker()

    def wait_for_write_or_bell(
        self, commits: int, bell: threading.Event, interval_s: float
    ) -> bool:
        """Wait for a new write to the log.

        Returns whether there was one since ``commits`` were counted, or the bell rang.
        """
        return self._rows.wait_for_write_or_bell(commits, bell, interval_s)

    def error_of_newer_release(self) -> NewerData | None:
        """The error to report if a later release has written to the log since it was opened.

        Else None.
        """
        try:
            create_tables(self._address)
        except NewerData as newer:
            return newer
        return None

    def close(self) -> None:
        """Close the connection."""
        self._rows.close()
