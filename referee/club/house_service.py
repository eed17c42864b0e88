"""The house: one stream for the whole log."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from referee.club import house
from referee.club.house import House
from referee.events import HouseAct, HouseFounded, HouseRestored
from referee.log.streams import PendingWrite, StreamKind, WriteMetadata
from referee.log.writer import Writer

HOUSE: StreamKind[House] = StreamKind(house.INITIAL, house.evolve, HouseAct)
HOUSE_ID: Final = UUID("1f0d9a53-6f2b-5d0e-8a41-63617361676e")
"""Id of the stream of the house."""


class HouseService:
    """Founds the house, and records that an older copy of its log was taken back."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def house(self) -> House:
        """The house as it stands now."""
        return self._writer.stream_or_empty(HOUSE, HOUSE_ID).state

    def found(self, meta: WriteMetadata) -> None:
        """Record the founding, unless it is on the log. It is made for a log without events."""
        if not self.house().version:
            self._record(HouseFounded(), meta, only_first=True)

    def restored(self, signed: int, kept: int, meta: WriteMetadata) -> None:
        """Record that the log has fewer events than were signed, on purpose."""
        self._record(HouseRestored(signed, kept), meta)

    def _record(self, act: HouseAct, meta: WriteMetadata, *, only_first: bool = False) -> None:
        def draft() -> PendingWrite:
            stream = self._writer.stream_or_empty(HOUSE, HOUSE_ID)
            acts = () if only_first and stream.state.version else (act,)
            after, placed = HOUSE.grow(stream, acts)
            return PendingWrite(after, placed)

        self._writer.write(draft, meta)
