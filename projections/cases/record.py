"""The record of one encuentro, computed from its streams alone, without any rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple
from uuid import UUID

from projections.audit_trail import Read, TrailEntry, trail_of_events
from projections.cases.projection import WarningRow, warnings_of_partida
from projections.cases.views import CaseData, case_view
from projections.scores.encuentros import EncuentroData, encuentro_view
from referee.aggregates import case, encuentro, partida
from referee.events import EncuentroOpened
from referee.kinds import case_id, partida_id
from referee.log.mapper import CODEC, LoggedEvent

_EVERY_EVENT = 2**31 - 1


class EncuentroRecord(NamedTuple):
    """An encuentro computed from its streams.

    Official views, warnings, and the audit trail of each stream.

    ``partidas`` and ``cases``: trails and views by rising number.
    """

    view: EncuentroData
    trail: tuple[TrailEntry, ...]
    partidas: tuple[tuple[TrailEntry, ...], ...]
    cases: tuple[CaseData, ...]
    case_trails: tuple[tuple[TrailEntry, ...], ...]
    warnings: tuple[WarningRow, ...]


def record_of_encuentro(read: Read, encuentro_id: UUID, upto: int) -> EncuentroRecord | None:
    """The record of an encuentro up to a log position; None if no encuentro has the id.

    ``read``: rows of a stream. The views are those of the read side, of states folded here.
    """
    events = _stream_events(read, encuentro_id, upto)
    if not events or not isinstance(events[0].recorded.event, EncuentroOpened):
        return None
    state = _state_after_events(events, encuentro.INITIAL, encuentro.evolve)
    partidas = list(_events_of_partidas_or_cases(read, encuentro_id, upto, partida_id))
    cases = list(_events_of_partidas_or_cases(read, encuentro_id, upto, case_id))
    return EncuentroRecord(
        encuentro_view(str(encuentro_id), state),
        trail_of_events(events),
        tuple(map(trail_of_events, partidas)),
        tuple(case_view(_state_after_events(one, case.INITIAL, case.evolve)) for one in cases),
        tuple(map(trail_of_events, cases)),
        tuple(
            warning
            for one in partidas
            for warning in warnings_of_partida(
                _state_after_events(one, partida.INITIAL, partida.evolve)
            )
        ),
    )


def _events_of_partidas_or_cases(
    read: Read, encuentro_id: UUID, upto: int, id_of: Callable[[UUID, int], UUID]
) -> Iterator[list[LoggedEvent]]:
    """Events of each partida or case of an encuentro, in the order of their numbers."""
    for number in count(1):
        events = _stream_events(read, id_of(encuentro_id, number), upto)
        if not events:
            return
        yield events


def _stream_events(read: Read, stream: UUID, upto: int) -> list[LoggedEvent]:
    return [
        LoggedEvent(position, name, CODEC.decode_row(stream, version, name, state))
        for position, _, version, name, state in read(stream, 0, upto, _EVERY_EVENT)
    ]


def _state_after_events(
    events: list[LoggedEvent], state: Any, evolve: Callable[[Any, Any], Any]
) -> Any:
    """State after the events of a stream."""
    for one in events:
        state = evolve(state, one.recorded.event)
    return state
