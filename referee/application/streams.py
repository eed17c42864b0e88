"""Streams: a folded state with its place in the log, and the repository that keeps them fresh."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import UnionType
from typing import Any, Final, Generic, Protocol, TypeVar
from uuid import UUID, uuid5

from eventsourcing.application import AggregateNotFoundError, LRUCache, Repository

from referee.access import roles as access
from referee.access.roles import Access
from referee.club import players as club
from referee.club import season, session
from referee.club.players import Club
from referee.club.season import Season
from referee.club.session import Session
from referee.encuentro import case, encuentro, partida
from referee.encuentro.case import Case
from referee.encuentro.encuentro import Encuentro
from referee.encuentro.partida import Partida
from referee.errors import NotFound
from referee.events import (
    AccessAct,
    CaseOpened,
    ClubAct,
    EncuentroOpened,
    Event,
    PartidaOpened,
    SeasonOpened,
    SessionOpened,
    TournamentOpened,
)
from referee.log.mapper import RecordedEvent
from referee.tournament import folding
from referee.tournament.state import INITIAL as NO_TOURNAMENT
from referee.tournament.state import Tournament


class State(Protocol):
    """A folded stream; ``version`` counts its acts."""

    @property
    def version(self) -> int:
        """Acts recorded."""
        ...


StateT = TypeVar("StateT", bound=State)


@dataclass(frozen=True, slots=True)
class Stream(Generic[StateT]):
    """A stream up to one of its events. ``version`` is the store's: it counts every event."""

    id: UUID
    version: int
    state: StateT


@dataclass(frozen=True, slots=True)
class PlacedEvent:
    """An event with the place it will take in its stream."""

    stream: UUID
    version: int
    line: int
    event: Event


@dataclass(frozen=True, slots=True)
class Kind(Generic[StateT]):
    """What a stream is a stream of: how it begins and how it folds."""

    initial: StateT
    evolve: Callable[[StateT, Any], StateT]
    first: type[Any] | UnionType

    def empty(self, stream_id: UUID) -> Stream[StateT]:
        """A stream of which nothing is recorded."""
        return Stream(stream_id, 0, self.initial)

    def fold(
        self, stream: Stream[StateT] | None, history: Iterable[RecordedEvent]
    ) -> Stream[StateT] | None:
        """A stream with more of its history.

        :raises NotFound: the history is that of another kind of stream
        """
        state = self.initial if stream is None else stream.state
        evolve, last = self.evolve, None
        for last in history:
            if last.originator_version == 1 and not isinstance(last.event, self.first):
                raise NotFound(str(last.originator_id))
            state = evolve(state, last.event)
        return (
            stream if last is None else Stream(last.originator_id, last.originator_version, state)
        )

    def grow(
        self, stream: Stream[StateT], events: Iterable[Event]
    ) -> tuple[Stream[StateT], tuple[PlacedEvent, ...]]:
        """A stream with new events: an act takes the next line, a conclusion the line reached."""
        state, version = stream.state, stream.version
        placed: list[PlacedEvent] = []
        for event in events:
            version += 1
            state = self.evolve(state, event)
            placed.append(PlacedEvent(stream.id, version, state.version, event))
        return Stream(stream.id, version, state), tuple(placed)


PARTIDA: Kind[Partida] = Kind(partida.INITIAL, partida.evolve, PartidaOpened)
ENCUENTRO: Kind[Encuentro] = Kind(encuentro.INITIAL, encuentro.evolve, EncuentroOpened)
CASE: Kind[Case] = Kind(case.INITIAL, case.evolve, CaseOpened)
ACCESS: Kind[Access] = Kind(access.INITIAL, access.evolve, AccessAct)
CLUB: Kind[Club] = Kind(club.INITIAL, club.evolve, ClubAct)
SEASON: Kind[Season] = Kind(season.INITIAL, season.evolve, SeasonOpened)
SESSION: Kind[Session] = Kind(session.INITIAL, session.evolve, SessionOpened)
TOURNAMENT: Kind[Tournament] = Kind(NO_TOURNAMENT, folding.evolve, TournamentOpened)

ACCESS_ID: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-6775696e6f74")
"""Id of the one stream of a house in which access is recorded."""

CLUB_ID: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-6a756761646f")
"""Id of the one stream of a house in which its players are recorded."""


def partida_id(encuentro_id: UUID, number: int) -> UUID:
    """Id of the n-th partida of an encuentro: it follows from both."""
    return uuid5(encuentro_id, str(number))


def case_id(encuentro_id: UUID, number: int) -> UUID:
    """Id of the n-th case of an encuentro: it follows from both."""
    return uuid5(encuentro_id, f"case {number}")


def table_id(session_id: UUID, version: int, number: int) -> UUID:
    """Id of the encuentro of a table that a session opens with its act of this version."""
    return uuid5(session_id, f"table {version} {number}")


class FreshRepository(Repository[UUID]):
    """States as the log has them now: a kept one is always carried forward, never changed."""

    def __init__(self, event_store: Any, size: int) -> None:
        super().__init__(event_store)
        self._kept: LRUCache[UUID, Any] = LRUCache(maxsize=size)

    def stream(self, kind: Kind[StateT], stream_id: UUID) -> Stream[StateT]:
        """A stream with everything recorded in it.

        :raises NotFound: nothing of this kind is recorded under the id
        """
        kept = self.kept(kind, stream_id)
        rows: Any = self.event_store.get(stream_id, gt=None if kept is None else kept.version)
        fresh = kind.fold(kept, rows)
        if fresh is None:
            raise NotFound(str(stream_id))
        if fresh is not kept:
            self.keep(fresh)
        return fresh

    def kept(self, kind: Kind[StateT], stream_id: UUID) -> Stream[StateT] | None:
        """A stream as it was kept, if it was; there may be more of it in the log.

        :raises NotFound: it is a stream of another kind
        """
        try:
            kept: Stream[StateT] = self._kept.get(stream_id)
        except KeyError:
            return None
        if not isinstance(kept.state, type(kind.initial)):
            raise NotFound(str(stream_id))
        return kept

    def get(self, aggregate_id: UUID, **_: Any) -> Any:
        """The library's way to ask; here the kind has to be said."""
        raise AggregateNotFoundError(aggregate_id)

    def keep(self, stream: Stream[Any]) -> None:
        """Keep a state that is in the log; an older one put by a slower thread does no harm."""
        self._kept.put(stream.id, stream)
