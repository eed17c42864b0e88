"""Seasons and sessions on a log, decided again act by act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args
from uuid import UUID

from msgspec.structs import replace

from referee import events as ev
from referee.aggregates import season, session
from referee.aggregates.session_tables import seats_of
from referee.audit.verify.streams import Histories, StreamDifference, difference, find_misplaced
from referee.errors import Refused
from referee.log.mapper import RecordedEvent

_OF_SEASON, _OF_SESSION = get_args(ev.SeasonAct), get_args(ev.SessionAct)
_OPENING = 2
"""Events with which an encuentro of a session begins: opened, seated."""


def verify_season(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Acts that were impossible when they were recorded, and events not about a season."""
    yield from find_misplaced(history, ev.SeasonOpened)
    state = season.INITIAL
    for at in history:
        event = at.event
        if not isinstance(event, _OF_SEASON):
            yield difference(at, "foreign_event", event)
            return
        try:
            season.decide(event, state)
        except Refused:
            yield difference(at, "impossible_act", event)
            return
        state = season.evolve(state, event)


def verify_session(history: Sequence[RecordedEvent], log: Histories) -> Iterator[StreamDifference]:
    """The same for a session; its draws are repeated, and its tables compared with the draws."""
    yield from find_misplaced(history, ev.SessionOpened)
    state = session.INITIAL
    for at in history:
        event = at.event
        if not isinstance(event, _OF_SESSION):
            yield difference(at, "foreign_event", event)
            return
        try:
            session.decide(event, state)
        except Refused:
            yield difference(at, "impossible_act", event)
            return
        if isinstance(event, ev.TablesOpened):
            yield from _badly_opened(at, event, state, log)
        state = session.evolve(state, event)


def _badly_opened(
    at: RecordedEvent, event: ev.TablesOpened, state: session.Session, log: Histories
) -> Iterator[StreamDifference]:
    """Tables whose encuentro is not there, or began otherwise. Those of before have no number."""
    drawn, opened = state.waiting, state.opened
    assert drawn is not None, "refused before"
    assert opened is not None, "a session begins with it"
    begun = ev.EncuentroOpened(opened.profile, opened.place, opened.date, str(at.originator_id))
    players = session.players_of(state)
    there = [_first_events(one, log) for one in event.encuentros]
    has_numbers = all(
        isinstance(one, ev.EncuentroOpened) and one.table for one, *_ in filter(None, there)
    )
    due = [
        [
            replace(begun, table=table.number if has_numbers else 0),
            ev.PlayersSeated(seats_of(table, players)),
        ]
        for table in drawn.tables
    ]
    if there != due:
        yield difference(at, "tables_wrong", there, due)


def _first_events(encuentro: str, log: Histories) -> list[object]:
    """First events of an encuentro."""
    return [one.event for one in log.history(UUID(encuentro), _OPENING)]
