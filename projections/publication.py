"""Confirmed results of the club, as it publishes them for rankings between clubs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from projections.runner.projection import FoldedBatch, Projection, replace_rows
from projections.seasons.results import is_result_counted
from referee.aggregates.encuentro import Encuentro, result_stage
from referee.events import PersonId
from referee.rules.seats import side_of


class ConfirmedResult(NamedTuple):
    """A confirmed result. ``winner``: number of the side that won, from 1; 0: level."""

    day: str
    profile: str
    winner: int
    sides: tuple[tuple[PersonId, ...], ...]


class PublicationProjection(Projection):
    """Confirmed results by encuentro: day, profile, who sat on which side at the end, who won."""

    name = "publication"
    version = 1
    tables: Mapping[str, str] = {
        "confirmed_result": "CREATE TABLE confirmed_result (encuentro TEXT PRIMARY KEY, day TEXT,"
        " profile TEXT, winner INTEGER, sides TEXT) WITHOUT ROWID",
    }
    indexes: Sequence[str] = ("CREATE INDEX confirmed_result_on ON confirmed_result (day)",)

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Write the row of each encuentro that a batch changed."""
        changed = {key: _result_rows(key, state) for key, state in batch.states_of_kind(Encuentro)}
        replace_rows(cursor, "confirmed_result", "encuentro", changed)


def _result_rows(key: str, state: Encuentro) -> Iterable[Sequence[object]]:
    """Row for the confirmed result of an encuentro; empty if it is not confirmed or has no day."""
    opened = state.opened
    if opened is None or not opened.date or state.is_called_off or state.win is None:
        return
    if not is_result_counted(state) or result_stage(state) not in ("confirmed", "official"):
        return
    sides: dict[str, list[str]] = {}
    for seat, person in sorted(dict(state.seats).items()):
        sides.setdefault(side_of(seat), []).append(person)
    winner = sorted(sides).index(state.win.winner) + 1 if state.win.winner in sides else 0
    sat = msgspec.json.encode([sides[one] for one in sorted(sides)]).decode()
    yield key, opened.date, opened.profile.base or opened.profile.id, winner, sat


def results_from_day_on(cursor: sqlite3.Cursor, since: str) -> list[ConfirmedResult]:
    """Confirmed results of encuentros played on a day or later."""
    cursor.execute(
        "SELECT day, profile, winner, sides FROM confirmed_result WHERE day >= ?"
        " ORDER BY day, encuentro",
        (since,),
    )
    kind = tuple[tuple[str, ...], ...]
    return [
        ConfirmedResult(day, profile, winner, msgspec.json.decode(sides, type=kind))
        for day, profile, winner, sides in cursor
    ]
