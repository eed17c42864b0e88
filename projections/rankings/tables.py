"""Tables of rankings, each computed once for a state, where somebody asks for it.

A table of many clubs takes seconds, so the projector writes none: it writes that there is another
state. The tables that were asked for last are kept in memory, with ids in place of names.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Final
from uuid import UUID

from projections.rankings.data import RankingTable
from referee.aggregates.ranking.state import Ranking

KEPT: Final = 4


class RankingTables:
    """The tables of a house that a process computed last."""

    def __init__(self) -> None:
        self._tables: OrderedDict[UUID, RankingTable] = OrderedDict()
        self._computing = threading.Lock()

    def table(
        self, ranking_id: UUID, version: int, ask: Callable[[UUID], Ranking], timeout_s: float
    ) -> RankingTable | None:
        """The table of a ranking at a version or a later one; ``ask`` for the state of now.

        None: another thread has been computing for longer than the time that is given.
        """
        if found := self._find(ranking_id, version):
            return found
        if not self._computing.acquire(timeout=timeout_s):
            return None
        try:
            if found := self._find(ranking_id, version):
                return found
            computed = RankingTable(str(ranking_id), ask(ranking_id))
            self._tables[ranking_id] = computed
            while len(self._tables) > KEPT:
                self._tables.popitem(last=False)
            return computed
        finally:
            self._computing.release()

    def _find(self, ranking_id: UUID, version: int) -> RankingTable | None:
        found = self._tables.get(ranking_id)
        if found is None or found.version < version:
            return None
        with suppress(KeyError):  # another thread may have let it go
            self._tables.move_to_end(ranking_id)
        return found
