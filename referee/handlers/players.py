"""Commands to the club: its players and pairs."""

from __future__ import annotations

from collections.abc import Sequence

from referee.aggregates import club
from referee.aggregates.club import Club
from referee.events import ClubAct
from referee.handlers.handler import Handler
from referee.kinds import CLUB, CLUB_ID
from referee.log.streams import (
    Answer,
    PendingWrite,
    WriteMetadata,
)


class PlayerHandler(Handler):
    """Reads and records the club's players and pairs."""

    def club(self) -> Club:
        """Players, merges and pairs as they stand now."""
        return self._writer.stream_or_empty(CLUB, CLUB_ID).state

    def enrol(
        self, acts: Sequence[ClubAct], meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Record acts of the club, one or thousands, in one transaction.

        :raises Refused: one of them cannot be so
        :raises Stale: the club is at another version than expected
        """
        assert acts
        return self._writer.write(self._plan, meta, acts, expected)

    def _plan(self, acts: Sequence[ClubAct], expected: int | None) -> PendingWrite:
        stream = self._writer.stream_or_empty(CLUB, CLUB_ID, expected)
        return PendingWrite(*CLUB.grow_by(stream, acts, club.decide))
