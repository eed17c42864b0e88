"""Players and pairs: one stream for the whole club."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from referee.club import players as club
from referee.club.players import Club
from referee.events import ClubAct
from referee.log.streams import (
    Answer,
    PendingWrite,
    StreamKind,
    WriteMetadata,
    refuse_stale,
)
from referee.log.writer import Writer

CLUB: StreamKind[Club] = StreamKind(club.INITIAL, club.evolve, ClubAct)
CLUB_ID: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-6a756761646f")
"""Id of the one stream of a club in which its players are recorded."""


class PlayerService:
    """Reads and records the club's players and pairs."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

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

        def draft() -> PendingWrite:
            stream = self._writer.stream_or_empty(CLUB, CLUB_ID)
            refuse_stale(stream.state.version, expected)
            return PendingWrite(*CLUB.grow_by(stream, acts, club.decide))

        return self._writer.write(draft, meta)
