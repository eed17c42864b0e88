"""Commands to the house: its founding, its notary."""

from __future__ import annotations

from collections.abc import Callable

from referee.aggregates.house import House
from referee.events import HouseAct, HouseFounded, HouseRestored, NotaryNamed
from referee.handlers.handler import Handler
from referee.kinds import HOUSE, HOUSE_ID
from referee.log.streams import PendingWrite, WriteMetadata


class HouseHandler(Handler):
    """Founds the house, names its notary, and records that an older copy was taken back."""

    def house(self) -> House:
        """The house as it stands now."""
        return self._writer.stream_or_empty(HOUSE, HOUSE_ID).state

    def found(self, meta: WriteMetadata) -> None:
        """Record the founding, unless it is on the log. It is made for a log without events."""
        if not self.house().version:
            self._record(HouseFounded(), meta, lambda house: not house.version)

    def note_restoration(self, signed: int, kept: int, meta: WriteMetadata) -> None:
        """Record that the log has fewer events than were signed, on purpose."""
        self._record(HouseRestored(signed, kept), meta)

    def name_notary(self, key: str, meta: WriteMetadata, *, instead_of: str) -> None:
        """Record whose checkpoints are those of the log, unless another was named meanwhile."""
        self._record(NotaryNamed(key), meta, lambda house: house.notary == instead_of)

    def _record(
        self, act: HouseAct, meta: WriteMetadata, only: Callable[[House], bool] = lambda _: True
    ) -> None:
        self._writer.write(self._plan, meta, act, only)

    def _plan(self, act: HouseAct, only: Callable[[House], bool]) -> PendingWrite:
        stream = self._writer.stream_or_empty(HOUSE, HOUSE_ID)
        return PendingWrite(*HOUSE.grow(stream, (act,) if only(stream.state) else ()))
