"""The log as it was at a position, for rows that are worked out again at the position of others."""

from __future__ import annotations

from uuid import UUID

from projections.runner.log import LogReader
from referee.log.mapper import CODEC, LoggedEvent, RecordedEvent
from referee.log.ports import AuditedRows

_PAGE = 1_000


class PastLog(LogReader):
    """Events of a log up to a position; what came later is not seen, in no stream.

    ``rows``: a log that is read in one of its moments, so that no event comes while it is read.
    """

    def __init__(self, rows: AuditedRows, upto: int) -> None:
        self._codec = CODEC
        self._rows = rows
        self._upto = upto
        self._later: dict[UUID, int] = {}
        position = upto
        while page := super().since(position + 1, _PAGE):
            for one in page:
                recorded = one.recorded
                self._later.setdefault(recorded.originator_id, recorded.originator_version)
            position = page[-1].position

    def since(self, position: int, limit: int) -> list[LoggedEvent]:
        """Events from this position on, inclusive, that were there."""
        page = super().since(position, limit)
        return [one for one in page if one.position <= self._upto]

    def history(self, stream: UUID, upto: int) -> list[RecordedEvent]:
        """Events of a stream up to a store version, that were there."""
        first_later = self._later.get(stream)
        return super().history(stream, upto if first_later is None else min(upto, first_later - 1))

    def last(self) -> int:
        """The position."""
        return self._upto
