"""Tables of rankings, each computed once for a state, where somebody asks for it.

A table of many clubs takes seconds, so the projector writes none: it writes that there is another
state. The tables that were asked for last are kept in memory, with ids in place of names.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Final
from uuid import UUID

import msgspec

from projections.rankings.data import BrokenClub, RankingTable
from referee.aggregates.ranking.state import Ranking
from referee.log.mapper import UnknownName

KEPT: Final = 4
UNREADABLE: Final = (msgspec.MsgspecError, UnknownName, LookupError, TypeError, ValueError)
"""What is raised where the events of a ranking cannot be read."""

_log = logging.getLogger(__name__)


class NotComputed(Exception):  # noqa: N818 - an answer about a table
    """A table that cannot be computed, at a version of its ranking.

    ``club``, ``field``: which part is not as that club signed it; empty: something else is wrong.
    """

    def __init__(self, version: int, club: str = "", field: str = "") -> None:
        super().__init__(version, club, field)
        self.version, self.club, self.field = version, club, field


class RankingTables:
    """The tables of a house that a process computed last."""

    def __init__(self) -> None:
        self._tables: OrderedDict[UUID, RankingTable | NotComputed] = OrderedDict()
        self._computing = threading.Lock()

    def table(
        self, ranking_id: UUID, version: int, ask: Callable[[UUID], Ranking], timeout_s: float
    ) -> RankingTable | None:
        """The table of a ranking at a version or a later one; ``ask`` for the state of now.

        None: another thread has been computing for longer than the time that is given.

        :raises NotComputed: it cannot be computed, of which the log says more
        """
        if found := self._find(ranking_id, version):
            return _table_in(found)
        if not self._computing.acquire(timeout=timeout_s):
            return None
        try:
            if found := self._find(ranking_id, version):
                return _table_in(found)
            computed = _compute(ranking_id, version, ask)
            self._tables[ranking_id] = computed
            while len(self._tables) > KEPT:
                self._tables.popitem(last=False)
            return _table_in(computed)
        finally:
            self._computing.release()

    def _find(self, ranking_id: UUID, version: int) -> RankingTable | NotComputed | None:
        found = self._tables.get(ranking_id)
        if found is None or found.version < version:
            return None
        with suppress(KeyError):  # another thread may have let it go
            self._tables.move_to_end(ranking_id)
        return found


def _compute(
    ranking_id: UUID, version: int, ask: Callable[[UUID], Ranking]
) -> RankingTable | NotComputed:
    """The table of a ranking, or why there is none: it is not computed again for every reader."""
    try:
        state = ask(ranking_id)
    except UNREADABLE:
        _log.exception("ranking %s cannot be read", ranking_id)
        return NotComputed(version)
    try:
        return RankingTable(str(ranking_id), state)
    except BrokenClub as broken:
        _log.error("ranking %s: club %s: %s", ranking_id, broken.club, broken.field)
        return NotComputed(state.version, broken.club, broken.field)
    except Exception:  # noqa: BLE001 - whatever the log of a house may hold
        _log.exception("ranking %s cannot be computed", ranking_id)
        return NotComputed(state.version)


def _table_in(found: RankingTable | NotComputed) -> RankingTable:
    if isinstance(found, NotComputed):
        raise NotComputed(found.version, found.club, found.field)
    return found
