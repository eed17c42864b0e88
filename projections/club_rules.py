"""The club's own rules, with all their editions."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, get_args

from projections.runner.projection import EventsUpTo, FoldedBatch, Projection, as_json
from referee.aggregates import club_rules as rules
from referee.aggregates.club_rules import RulesOfClub
from referee.events import RulesAct, RulesId, TextId
from referee.log.mapper import RecordedEvent


class RulesRow(NamedTuple):
    """An edition of a set of rules. ``at``: when it was recorded.

    ``place``: Position of the set in a list.

    ``changes``: changed options as JSON. Name and ``retired`` are those of the whole set.
    """

    rules: RulesId
    edition: int
    place: int
    name: TextId
    base: str
    base_edition: str
    changes: str
    at: str
    retired: bool


def rows_of_club_rules(cursor: sqlite3.Cursor) -> list[RulesRow]:
    """Every edition of every set of rules, in the order the sets were made, the oldest first."""
    cursor.execute(f"SELECT {', '.join(RulesRow._fields)} FROM club_rules ORDER BY place, edition")  # noqa: S608 - names of columns
    return [RulesRow(*row) for row in cursor]


_OURS: Final = frozenset(get_args(RulesAct))


class ClubRulesProjection(Projection):
    """The rows of the club's rules; an edition keeps the moment at which it was first stated."""

    name = "club_rules"
    version = 3
    tables: Mapping[str, str] = {
        "club_rules": "CREATE TABLE club_rules (rules TEXT, edition INTEGER, place INTEGER,"
        " name TEXT, base TEXT, base_edition TEXT, changes TEXT, at TEXT, retired INTEGER,"
        " PRIMARY KEY (rules, edition)) WITHOUT ROWID",
    }

    def __init__(self) -> None:
        self._acts: list[RecordedEvent] = []

    def clear_cache(self) -> None:
        """Clear the cached acts."""
        self._acts = []

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Rewrite all rows if the batch has acts about the club's rules."""
        mine = [one.recorded for one in batch.events if type(one.recorded.event) in _OURS]
        if not mine:
            return
        self._acts = [*self._acts_before(mine[0], batch.streams.history), *mine]
        cursor.execute("DELETE FROM club_rules")
        marks = ", ".join("?" for _ in RulesRow._fields)
        rows = _rows_of_rules_acts(self._acts)
        cursor.executemany(f"INSERT INTO club_rules VALUES ({marks})", rows)  # noqa: S608 - marks alone

    def _acts_before(self, first: RecordedEvent, history: EventsUpTo) -> Sequence[RecordedEvent]:
        """Acts about the club's rules that were recorded before this event."""
        version = first.originator_version
        if version == 1 or len(self._acts) == version - 1:
            return self._acts[: version - 1]
        return list(history(first.originator_id, version - 1))


def _rows_of_rules_acts(acts: Sequence[RecordedEvent]) -> list[RulesRow]:
    """Rows of the sets of rules that acts give."""
    state, moments = rules.INITIAL, dict[tuple[RulesId, int], str]()
    for one in acts:
        assert isinstance(one.event, RulesAct)
        state = rules.evolve(state, one.event)
        known = state.sets[one.event.rules]
        moments.setdefault((one.event.rules, known.newest_edition_number), one.at)
    return _rows_of_state(state, moments)


def _rows_of_state(
    state: RulesOfClub, moments: Mapping[tuple[RulesId, int], str]
) -> list[RulesRow]:
    return [
        RulesRow(
            rules=name,
            edition=number,
            place=place,
            name=known.name,
            base=stated.base,
            base_edition=stated.base_edition,
            changes=as_json(stated.changes),
            at=moments[name, number],
            retired=known.is_retired,
        )
        for place, (name, known) in enumerate(state.sets.items())
        for number, stated in enumerate(known.editions, 1)
    ]
