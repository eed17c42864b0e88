"""The house: one stream for the whole log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import UUID

from referee.club import house
from referee.club.house import House
from referee.events import HouseAct, HouseFounded, HouseRestored, NotaryNamed
from referee.log.streams import PendingWrite, StreamKind, WriteMetadata
from referee.log.writer import Writer

HOUSE: StreamKind[House] = StreamKind(house.INITIAL, house.evolve, HouseAct)
HOUSE_ID: Final = UUID("1f0d9a53-6f2b-5d0e-8a41-63617361676e")
"""Id of the stream of the house."""


class HouseService:
    """Founds the house, names its notary, and records that an older copy was taken back."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def house(self) -> House:
        """The house as it stands now."""
        return self._writer.stream_or_empty(HOUSE, HOUSE_ID).state

    def found(self, meta: WriteMetadata) -> None:
        """Record the founding, unless it is on the log. It is made for a log without events."""
        if not self.house().version:
            self._record(HouseFounded(), meta, lambda house: not house.version)

    def restored(self, signed: int, kept: int, meta: WriteMetadata) -> None:
        """Record that the log has fewer events than were signed, on purpose."""
        self._record(HouseRestored(signed, kept), meta)

    def name_notary(self, key: str, meta: WriteMetadata, *, instead_of: str) -> None:
        """Record whose checkpoints are those of the log, unless another was named meanwhile."""
        self._record(NotaryNamed(key), meta, lambda house: house.notary == instead_of)

    def _record(
        self, act: HouseAct, meta: WriteMetadata, only: Callable[[House], bool] = lambda _: True
    ) -> None:
        def draft() -> PendingWrite:
            stream = self._writer.stream_or_empty(HOUSE, HOUSE_ID)
            acts = (act,) if only(stream.state) else ()
            after, placed = HOUSE.grow(stream, acts)
            return PendingWrite(after, placed)

        self._writer.write(draft, meta)
