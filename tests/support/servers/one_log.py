"""A log with one encuentro and its first partida, with helpers for tests of the store."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

from referee.aggregates.commands import Record
from referee.application import Referee
from referee.events import EncuentroOpened, FrozenProfile, IncidentNoted, ResultEntered
from referee.kinds import partida_id
from referee.log.ports import Address
from referee.log.stores import create_tables
from referee.log.streams import WriteMetadata

NOW = datetime(2026, 11, 21, 20, 15, tzinfo=UTC)
META = WriteMetadata("owner", "tablet", NOW)
PROFILE = FrozenProfile("club", "2026", "hash-of-club", {"players": 4, "deck": 40})
ENCUENTRO = UUID(int=1)
PARTIDA = partida_id(ENCUENTRO, 1)
LATE = Record(IncidentNoted("late", "A1"))
A_WINS = Record(ResultEntered("A"))


def keyed(key: str, digest: str = "body") -> WriteMetadata:
    """Metadata of a write with a key."""
    return WriteMetadata("owner", "tablet", NOW, key, digest)


def new_ids() -> Callable[[], UUID]:
    """Ids from 1000."""
    numbers = itertools.count(1000)
    return lambda: UUID(int=next(numbers))


def new_referee(path: Address, first_salt: int = 1) -> Referee:
    """An application over a log that exists, with salts that count up."""
    numbers = itertools.count(first_salt)
    return Referee(path, salt=lambda n: next(numbers).to_bytes(n, "big"), new_id=new_ids())


def new_log(path: Address, first_salt: int = 1) -> Referee:
    """An application over a new log: one encuentro, and its first partida begun."""
    create_tables(path)
    referee = new_referee(path, first_salt)
    referee.encuentros.open(EncuentroOpened(PROFILE), META, ENCUENTRO)
    referee.encuentros.start_partida(ENCUENTRO, META)
    return referee


def assert_contiguous(referee: Referee, stream: UUID) -> None:
    """Assert that a stream has no gap and no duplicate."""
    history = referee.history(stream)
    assert [r.originator_version for r in history] == list(range(1, len(history) + 1))
