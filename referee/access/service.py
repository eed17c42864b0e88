"""Access: one stream for the whole club."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from referee.access import roles
from referee.access.roles import Access
from referee.events import AccessAct
from referee.log.streams import Answer, PendingWrite, StreamKind, WriteMetadata
from referee.log.writer import Writer

ACCESS: StreamKind[Access] = StreamKind(roles.INITIAL, roles.evolve, AccessAct)
ACCESS_ID: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-6775696e6f74")
"""Id of the only stream in which access is recorded."""


class AccessService:
    """Reads and records roles."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def access(self) -> Access:
        """Who holds which role now."""
        return self._writer.stream_or_empty(ACCESS, ACCESS_ID).state

    def admit(self, act: AccessAct, meta: WriteMetadata) -> Answer:
        """Record a grant, a pairing or a revocation.

        :raises Refused: if it may not be done
        """

        def draft() -> PendingWrite:
            stream = self._writer.stream_or_empty(ACCESS, ACCESS_ID)
            after, placed = ACCESS.grow(stream, roles.decide(act, stream.state))
            return PendingWrite(after, placed)

        return self._writer.write(draft, meta)
