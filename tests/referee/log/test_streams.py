"""States of streams that are cached in memory."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from referee.events import PartidaOpened
from referee.kinds import ENCUENTRO, PARTIDA
from referee.log.mapper import RecordedEvent
from referee.log.streams import FreshRepository

OPENED = PartidaOpened("", 1, {}, "")


class CountedStore:
    """Streams of one event each, and which of them were read."""

    def __init__(self) -> None:
        self.read: list[UUID] = []

    def get(self, stream: UUID, **_: Any) -> list[RecordedEvent]:
        self.read.append(stream)
        return [RecordedEvent(stream, 1, 0, "", "", "", "", OPENED)]


def test_the_kind_of_a_stream_is_read_once_and_cached_for_as_many_as_states() -> None:
    store, (first, *others) = CountedStore(), [uuid4() for _ in range(3)]
    repository = FreshRepository(store, size=2)
    assert repository.is_of_kind(PARTIDA, first)
    assert not repository.is_of_kind(ENCUENTRO, first)
    assert store.read == [first]
    assert all(repository.is_of_kind(PARTIDA, one) for one in (*others, first))
    assert store.read == [first, *others, first]
