"""Access as the application reads and writes it: one stream for the whole house."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.access import roles as access
from referee.access.roles import Access
from referee.application.plan import Answer, PendingWrite, WriteMetadata
from referee.application.streams import ACCESS, ACCESS_ID, FreshRepository, Stream
from referee.errors import NotFound
from referee.events import AccessAct


class Admissions:
    """What the application does with access."""

    if TYPE_CHECKING:  # the application has them

        @property
        def _streams(self) -> FreshRepository: ...
        def _write(self, draft: Callable[[], PendingWrite], meta: WriteMetadata) -> Answer: ...

    def access(self) -> Access:
        """Who holds which role now."""
        return self._access().state

    def admit(self, act: AccessAct, meta: WriteMetadata) -> Answer:
        """A grant, a pairing, or a revocation.

        :raises Refused: if it may not be done
        """

        def draft() -> PendingWrite:
            stream = self._access()
            after, placed = ACCESS.grow(stream, access.decide(act, stream.state))
            return PendingWrite(after, placed)

        return self._write(draft, meta)

    def _access(self) -> Stream[Access]:
        try:
            return self._streams.stream(ACCESS, ACCESS_ID)
        except NotFound:  # nobody was let in yet
            return ACCESS.empty(ACCESS_ID)
