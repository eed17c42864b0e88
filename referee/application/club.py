"""The club as the application reads and writes it: one stream for the whole house."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from referee.application.plan import Answer, PendingWrite, WriteMetadata
from referee.application.streams import CLUB, CLUB_ID, FreshRepository, PlacedEvent, Stream
from referee.club import players as club
from referee.club.players import Club
from referee.errors import NotFound, Stale
from referee.events import ClubAct


class Membership:
    """What the application does with the club."""

    if TYPE_CHECKING:  # the application has them

        @property
        def _streams(self) -> FreshRepository: ...
        def _write(self, draft: Callable[[], PendingWrite], meta: WriteMetadata) -> Answer: ...

    def club(self) -> Club:
        """Players, merges and pairs as they stand now."""
        return self._club().state

    def enrol(
        self, acts: Sequence[ClubAct], meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Acts of the club, one or thousands, all or none.

        :raises Refused: one of them cannot be so
        :raises Stale: the club is at another version than expected
        """
        assert acts

        def draft() -> PendingWrite:
            stream = self._club()
            if expected is not None and expected != stream.state.version:
                raise Stale(stream.state.version)
            placed: list[PlacedEvent] = []
            for act in acts:
                stream, more = CLUB.grow(stream, club.decide(act, stream.state))
                placed += more
            return PendingWrite(stream, tuple(placed))

        return self._write(draft, meta)

    def _club(self) -> Stream[Club]:
        try:
            return self._streams.stream(CLUB, CLUB_ID)
        except NotFound:  # nobody was listed yet
            return CLUB.empty(CLUB_ID)
