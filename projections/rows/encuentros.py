"""Rows of encuentros, partidas, cases, seasons: all rows of a changed stream are rewritten."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, TypeAlias, get_args
from uuid import UUID

import msgspec

from projections.follower.views import EventsUpTo
from projections.official import cases, findings, scores
from projections.official.scores import EncuentroData, encuentro_view
from projections.official.table import PartidaData
from projections.public.board import PublicEncuentroData, PublicTableData, public_encuentro
from projections.rows import analysed, seasons
from projections.rows.partidas import as_json, write_partidas
from projections.seasons import pairs, ratings, results
from projections.seasons.club import kept_in
from referee.analysis.engine import is_installed
from referee.club import season, session
from referee.club.season import Season
from referee.club.session import Session
from referee.encuentro import case, encuentro, partida
from referee.encuentro.case import Case
from referee.encuentro.encuentro import Encuentro
from referee.encuentro.partida import Partida
from referee.events import (
    AccessAct,
    CaseOpened,
    ClubAct,
    EncuentroOpened,
    Event,
    HouseAct,
    PartidaOpened,
    PlayersMerged,
    RulesAct,
    SeasonOpened,
    SessionOpened,
    SettingsAct,
    TournamentEvent,
)
from referee.log.mapper import LoggedEvent, RecordedEvent

AggregateState: TypeAlias = Partida | Encuentro | Case | Season | Session
KEPT: Final = 512
_IS_PLAYED: Final = "json_extract(official, '$.is_called_off') IS NULL"
_EVERY_VERSION: Final = 2**62
_OF_OTHERS: Final = frozenset(
    (
        *get_args(AccessAct),
        *get_args(ClubAct),
        *get_args(RulesAct),
        *get_args(TournamentEvent),
        *get_args(SettingsAct),
        *get_args(HouseAct),
    )
)
"""Events without rows here: some are read from the log, others have views of their own."""
_FIRSTS: Final[dict[type[object], AggregateState]] = {
    PartidaOpened: partida.INITIAL,
    CaseOpened: case.INITIAL,
    EncuentroOpened: encuentro.INITIAL,
    SeasonOpened: season.INITIAL,
    SessionOpened: session.INITIAL,
}
_EVOLVE: Final[dict[type[object], Callable[[Any, Any], AggregateState]]] = {
    Partida: partida.evolve,
    Case: case.evolve,
    Encuentro: encuentro.evolve,
    Season: season.evolve,
    Session: session.evolve,
}


class EncuentroRows:
    """Official and public rows."""

    name = "tables"
    version = 22 + is_installed()
    """Even without the engine of the analysis; with it the same events give more rows."""
    tables: Mapping[str, str] = {
        "partida": "CREATE TABLE partida (id TEXT PRIMARY KEY, encuentro TEXT, number INTEGER,"
        " official TEXT, public TEXT) WITHOUT ROWID",
        "encuentro": "CREATE TABLE encuentro (id TEXT PRIMARY KEY, opened INTEGER, date TEXT,"
        " running INTEGER, official TEXT, public TEXT) WITHOUT ROWID",
        "finding": findings.TABLE,
        "deal_score": scores.TABLE,
        "case_file": cases.TABLE,
        "warning": cases.WARNINGS,
        "held": results.held_table("held"),
        "feat": results.TALLIES,
        "rating": ratings.TABLE,
        "rated_day": ratings.DAYS,
        **analysed.TABLES,
        **pairs.TABLES,
        **seasons.TABLES,
    }
    indexes: Sequence[str] = (
        "CREATE INDEX partida_of ON partida (encuentro, number)",
        "CREATE INDEX encuentro_opened ON encuentro (opened)",
        "CREATE INDEX encuentro_current ON encuentro (date, running)",
        "CREATE INDEX case_of ON case_file (encuentro, number)",
        "CREATE INDEX warning_of ON warning (encuentro, side)",
        *analysed.INDEXES,
        *results.INDEXES,
        ratings.INDEX,
        *pairs.INDEXES,
        *seasons.INDEXES,
    )

    def __init__(self) -> None:
        self._history: EventsUpTo | None = None
        self._states: OrderedDict[UUID, AggregateState] = OrderedDict()

    def attach(self, history: EventsUpTo) -> None:
        """Set the function that reads a stream whose state is not cached."""
        self._history = history

    def forget(self) -> None:
        """Clear the cache of states."""
        self._states.clear()

    def apply(self, batch: Sequence[LoggedEvent], cursor: sqlite3.Cursor) -> None:
        """Fold the batch, then write each stream that it touched once."""
        touched: dict[UUID, AggregateState] = {}
        is_merged = False
        for logged in batch:
            kind = type(logged.recorded.event)
            if kind in _OF_OTHERS:
                is_merged = is_merged or kind is PlayersMerged
                continue
            stream = logged.recorded.originator_id
            before = touched.get(stream) or self._state(logged.recorded)
            touched[stream] = _evolved(before, logged.recorded.event)
            if kind is EncuentroOpened:
                cursor.execute(
                    "INSERT OR REPLACE INTO encuentro VALUES (?, ?, '', 1, '', '')",
                    (str(stream), logged.position),
                )
        for stream, state in touched.items():
            self._keep(stream, state)
        self._write(touched, cursor, is_merged=is_merged)

    def _write(
        self, touched: Mapping[UUID, AggregateState], cursor: sqlite3.Cursor, *, is_merged: bool
    ) -> None:
        """Write rows of the changed streams, then the counts over several of them.

        ``is_merged``: players were merged, so all ratings are computed again.
        """
        matches = {str(s): one for s, one in touched.items() if isinstance(one, Encuentro)}
        partidas = sorted(
            ((str(s), one) for s, one in touched.items() if isinstance(one, Partida)),
            key=itemgetter(0),
        )
        write_partidas(cursor, partidas)
        for encuentro_id in results.write_seat_tallies(cursor, partidas):
            if encuentro_id not in matches:
                matches[encuentro_id] = self._match(UUID(encuentro_id))
        for stream, state in touched.items():
            match state:
                case Case():
                    cases.write_case(cursor, str(stream), state)
                case Encuentro():
                    _write_encuentro(cursor, str(stream), state)
                case Season():
                    seasons.write_season(cursor, str(stream), state)
                case Session():
                    seasons.write_session(cursor, str(stream), state)
                case _:
                    pass
        days = [results.write_player_results(cursor, one, state) for one, state in matches.items()]
        for one, state in matches.items():
            pairs.write_pair_results(cursor, one, state)
        dated = [day for day in days if day]
        if dated or is_merged:
            ratings.rerate(cursor, "" if is_merged else min(dated), kept_in(cursor))

    def _match(self, stream: UUID) -> Encuentro:
        """An encuentro that the batch did not change."""
        state = self._states.get(stream) or self._folded(stream, _EVERY_VERSION)
        assert isinstance(state, Encuentro), "a partida is of an encuentro"
        return state

    def _state(self, recorded: RecordedEvent) -> AggregateState | None:
        """State of the stream before an event."""
        stream, version = recorded.originator_id, recorded.originator_version
        if version == 1:
            return None
        if stream in self._states:
            return self._states[stream]
        return self._folded(stream, version - 1)

    def _folded(self, stream: UUID, upto: int) -> AggregateState | None:
        """State of a stream at a store version, from the log."""
        assert self._history is not None, "a view is attached to a log before it follows it"
        state: AggregateState | None = None
        for earlier in self._history(stream, upto):
            state = _evolved(state, earlier.event)
        return state

    def _keep(self, stream: UUID, state: AggregateState) -> None:
        self._states[stream] = state
        self._states.move_to_end(stream)
        if len(self._states) > KEPT:
            self._states.popitem(last=False)


def _evolved(state: AggregateState | None, event: Event) -> AggregateState:
    before = _FIRSTS[type(event)] if state is None else state
    return _EVOLVE[type(before)](before, event)


def _write_encuentro(cursor: sqlite3.Cursor, stream: str, state: Encuentro) -> None:
    public = public_encuentro(stream, state)
    cursor.execute(
        "UPDATE encuentro SET date = ?, running = ?, official = ?, public = ? WHERE id = ?",
        (
            public["date"],
            public["decided"] is None and not state.is_called_off,
            as_json(encuentro_view(stream, state)),
            as_json(public),
            stream,
        ),
    )


# --- questions -----------------------------------------------------------------------------------


def _one(cursor: sqlite3.Cursor, sql: str, *key: object) -> str | None:
    row = cursor.execute(sql, key).fetchone()
    return None if row is None else str(row[0])


def partida_row(cursor: sqlite3.Cursor, partida_id: UUID) -> PartidaData | None:
    """Official view of a partida."""
    found = _one(cursor, "SELECT official FROM partida WHERE id = ?", str(partida_id))
    view: PartidaData | None = None if found is None else msgspec.json.decode(found)
    return view


def encuentro_row(cursor: sqlite3.Cursor, encuentro_id: UUID) -> EncuentroData | None:
    """Official view of an encuentro."""
    found = _one(cursor, "SELECT official FROM encuentro WHERE id = ?", str(encuentro_id))
    view: EncuentroData | None = None if found is None else msgspec.json.decode(found)
    return view


def encuentro_rows(
    cursor: sqlite3.Cursor, before: int | None, limit: int
) -> list[tuple[int, EncuentroData]]:
    """Encuentros opened before a position, latest first, with the position of their opening.

    Those that were called off are left out.
    """
    cursor.execute(
        "SELECT opened, official FROM encuentro WHERE opened < ?"  # noqa: S608 - a constant alone
        f" AND {_IS_PLAYED} ORDER BY opened DESC LIMIT ?",
        (2**62 if before is None else before, limit),
    )
    return [(opened, msgspec.json.decode(doc)) for opened, doc in cursor]


def latest_seated(cursor: sqlite3.Cursor, encuentros: int) -> list[str]:
    """Persons who sat in the last ``encuentros`` opened, each once, the latest first."""
    cursor.execute(
        "SELECT json_extract(official, '$.seats') FROM encuentro ORDER BY opened DESC LIMIT ?",
        (encuentros,),
    )
    seats = (msgspec.json.decode(doc, type=dict[str, str]) for (doc,) in cursor if doc)
    return list(dict.fromkeys(person for one in seats for person in one.values()))


def playing_rows(cursor: sqlite3.Cursor, persons: Collection[str], day: str) -> list[str]:
    """Encuentros of a day, or without one, at which exactly these persons sit and that run."""
    cursor.execute(
        "SELECT id, json_extract(official, '$.seats') FROM encuentro"
        " WHERE date IN (?, '') AND running = 1 ORDER BY opened",
        (day,),
    )
    rows = [(one, msgspec.json.decode(seats, type=dict[str, str])) for one, seats in cursor]
    return [one for one, seats in rows if seats and set(seats.values()) == set(persons)]


def public_row(cursor: sqlite3.Cursor, encuentro_id: UUID) -> PublicTableData | None:
    """Public view of an encuentro, its latest partida in it."""
    key = str(encuentro_id)
    found = _one(cursor, "SELECT public FROM encuentro WHERE id = ?", key)
    if found is None:
        return None
    latest = _one(
        cursor, "SELECT public FROM partida WHERE encuentro = ? ORDER BY number DESC LIMIT 1", key
    )
    view: PublicEncuentroData = msgspec.json.decode(found)
    return {**view, "partida": None if latest is None else msgspec.json.decode(latest)}


def current_rows(cursor: sqlite3.Cursor, since: str, limit: int) -> list[PublicTableData]:
    """Public views of the encuentros since a day (``2026-11-20``), with the latest partida of each.

    Running ones come first, in the order in which they were opened; without a day, only those. If
    there are more than ``limit``, the latest opened are returned.
    """
    cursor.execute(
        "SELECT id FROM (SELECT id, opened, running FROM encuentro WHERE date >= ?"  # noqa: S608 - a constant alone
        f" AND (running = 1 OR {_IS_PLAYED})"
        " UNION ALL SELECT id, opened, running FROM encuentro WHERE date = '' AND running = 1"
        " ORDER BY running DESC, opened DESC LIMIT ?) ORDER BY running DESC, opened",
        (since, limit),
    )
    found = [public_row(cursor, UUID(one)) for (one,) in cursor.fetchall()]
    return [view for view in found if view is not None]


def decided_rows(cursor: sqlite3.Cursor, limit: int) -> list[PublicTableData]:
    """Public views of the encuentros that were decided, the latest opened first."""
    cursor.execute(
        f"SELECT id FROM encuentro WHERE running = 0 AND {_IS_PLAYED} ORDER BY opened DESC LIMIT ?",  # noqa: S608 - a constant alone
        (limit,),
    )
    found = [public_row(cursor, UUID(one)) for (one,) in cursor.fetchall()]
    return [view for view in found if view is not None]


def etag(view: Mapping[str, object]) -> str:
    """Hash of a public view; it changes if and only if the view does."""
    return hashlib.sha256(as_json(view).encode()).hexdigest()[:32]
