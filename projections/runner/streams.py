"""Folded states of the streams: each event is folded once, for all projections."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar, get_args
from uuid import UUID

from referee.aggregates.case import Case
from referee.aggregates.club import Club
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.league.state import TeamLeague
from referee.aggregates.partida import Partida
from referee.aggregates.road import Road
from referee.aggregates.season import Season
from referee.aggregates.session import Session
from referee.aggregates.tournament.state import Tournament
from referee.events import Event
from referee.events.ranking import RankingAct
from referee.kinds import (
    ACCESS,
    CASE,
    CLUB,
    ENCUENTRO,
    HOUSE,
    LEAGUE,
    PARTIDA,
    PUBLICATION,
    ROAD,
    RULES,
    SEASON,
    SESSION,
    SETTINGS,
    TOURNAMENT,
    WEBHOOKS,
)
from referee.log.mapper import LoggedEvent, RecordedEvent
from referee.log.streams import StreamKind

StreamState: TypeAlias = (
    Partida | Encuentro | Case | Season | Session | Tournament | TeamLeague | Road | Club
)
AnyState = TypeVar("AnyState", bound=StreamState)
EventsUpTo: TypeAlias = Callable[[UUID, int], Iterable[RecordedEvent]]
"""Events of a stream up to a store version."""
KEPT: Final = 512
_EVERY_VERSION: Final = 2**62
_FOLDED: Final = (
    PARTIDA,
    ENCUENTRO,
    CASE,
    SEASON,
    SESSION,
    TOURNAMENT,
    LEAGUE,
    ROAD,
    CLUB,
)
"""Kinds of which a projection needs the state."""


def _first_types(kind: StreamKind[Any]) -> Iterable[type[object]]:
    """Events that may begin a stream of a kind."""
    return get_args(kind.first) or (kind.first,)


_FIRST: Final[Mapping[type[object], StreamState]] = {
    event: kind.initial for kind in _FOLDED for event in _first_types(kind)
}
"""State before an event that may begin a stream."""
_NOT_FOLDED: Final = frozenset(
    event
    for kind in (ACCESS, RULES, SETTINGS, PUBLICATION, WEBHOOKS, HOUSE)
    for event in _first_types(kind)
) | frozenset(get_args(RankingAct))
"""Events of streams of which no projection needs the state."""
_EVOLVE: Final[Mapping[type[object], Callable[[Any, Any], StreamState]]] = {
    type(kind.initial): kind.evolve for kind in _FOLDED
}


@dataclass(frozen=True, slots=True)
class FoldedBatch:
    """A batch of events, and the state after it of each stream that it changed.

    ``opened``: log position of the first event of each stream that begins in the batch.
    """

    events: Sequence[LoggedEvent]
    states: Mapping[UUID, StreamState]
    opened: Mapping[UUID, int]
    streams: Streams

    def of(self, kind: type[AnyState]) -> list[tuple[str, AnyState]]:
        """Id and state of the changed streams of a kind, by id."""
        found = [(str(one), state) for one, state in self.states.items() if type(state) is kind]
        return sorted(found, key=lambda one: one[0])

    def first_positions(self, kind: type[StreamState]) -> list[tuple[str, int]]:
        """Id of each stream of a kind that begins in the batch, and its first log position."""
        return [
            (str(one), at) for one, at in self.opened.items() if type(self.states.get(one)) is kind
        ]

    def state(self, stream: UUID, kind: type[AnyState]) -> AnyState:
        """State of any stream."""
        state = self.states.get(stream) or self.streams.state(stream)
        assert isinstance(state, kind), f"{stream} is no {kind.__name__}"
        return state


class Streams:
    """The states of the streams that changed last, by a reader of earlier events."""

    def __init__(self, history: EventsUpTo) -> None:
        self.history = history
        self._states: OrderedDict[UUID, StreamState] = OrderedDict()

    def take(self, events: Sequence[LoggedEvent]) -> FoldedBatch:
        """Fold events, which continue what was taken before."""
        states: dict[UUID, StreamState] = {}
        opened: dict[UUID, int] = {}
        for logged in events:
            recorded = logged.recorded
            stream = recorded.originator_id
            if recorded.originator_version == 1:
                opened[stream] = logged.position
            before = states.get(stream) or self._before(recorded)
            if before is not None:
                states[stream] = _evolve(before, recorded.event)
        for stream, state in states.items():
            self._keep(stream, state)
        return FoldedBatch(events, states, opened, self)

    def state(self, stream: UUID) -> StreamState | None:
        """State of a stream, now."""
        return self._states.get(stream) or self._fold(stream, _EVERY_VERSION)

    def forget(self) -> None:
        """Forget every state, after the log was read from elsewhere."""
        self._states.clear()

    def _before(self, recorded: RecordedEvent) -> StreamState | None:
        """State of a stream before an event; None if its events are not folded."""
        kind = type(recorded.event)
        if kind in _NOT_FOLDED:
            return None
        stream, version = recorded.originator_id, recorded.originator_version
        if version == 1:
            return _FIRST[kind]
        if stream in self._states:
            return self._states[stream]
        return self._fold(stream, version - 1)

    def _fold(self, stream: UUID, upto: int) -> StreamState | None:
        """State of a stream at a store version, from the log."""
        state: StreamState | None = None
        for earlier in self.history(stream, upto):
            before = _FIRST[type(earlier.event)] if state is None else state
            state = _evolve(before, earlier.event)
        return state

    def _keep(self, stream: UUID, state: StreamState) -> None:
        self._states[stream] = state
        self._states.move_to_end(stream)
        if len(self._states) > KEPT:
            self._states.popitem(last=False)


def _evolve(state: StreamState, event: Event) -> StreamState:
    return _EVOLVE[type(state)](state, event)
