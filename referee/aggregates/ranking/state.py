"""The state of a ranking between clubs: its clubs, and the last publication of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from referee.events import TextId
from referee.events.publication import Month, PublicId, StatedResult
from referee.events.ranking import PublicationTaken, RankedClubId, RankingOpened


class RankedClub(msgspec.Struct, frozen=True):
    """A club of a ranking. ``taken``: its last publication, with the results of all its months."""

    id: RankedClubId
    name: TextId
    key: str
    address: TextId = ""
    taken: PublicationTaken | None = None
    is_dropped: bool = False

    @property
    def months(self) -> Mapping[Month, tuple[StatedResult, ...]]:
        """Results of each month; none before a publication was taken."""
        return {} if self.taken is None else self.taken.months


class Ranking(msgspec.Struct, frozen=True):
    """A ranking folded from its log; ``version`` counts its acts.

    ``latest``: by key, the highest index that was taken; also of clubs that were dropped since.
    ``erased``: by key, the persons who were erased in this house, each with the text that was
    their name.
    """

    opened: RankingOpened | None = None
    clubs: Mapping[RankedClubId, RankedClub] = {}
    version: int = 0
    latest: Mapping[str, int] = {}
    erased: Mapping[str, Mapping[PublicId, TextId]] = {}

    @property
    def counting(self) -> tuple[RankedClub, ...]:
        """Clubs that take part."""
        return tuple(one for one in self.clubs.values() if not one.is_dropped)


INITIAL: Final = Ranking()
