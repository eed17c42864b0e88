"""A stock of recorded encuentros, and their rows as those of other tables.

Each was recorded through the application, card by card, one act a write, with its receipts. At
another table the ids, the day and the salts are others; everything else stays as it was written.
"""

from __future__ import annotations

import base64
import random
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import msgspec
from msgspec.structs import replace

from api.server import wiring
from benchmarks.tables import acts_of_partida
from referee.aggregates.commands import Record
from referee.aggregates.encuentro import freeze_profile
from referee.application import Referee
from referee.events import (
    EncuentroOpened,
    PlayersSeated,
    ResultConfirmed,
    ResultMadeOfficial,
    ResultReported,
)
from referee.kinds import partida_id
from referee.log.merkle import StoredRow
from referee.log.ports import Address, Receipt
from referee.log.streams import WriteMetadata
from referee.rules.profile.profile import profile
from referee.rules.seats import SEATS

OPTIONS = profile("club").options(4)
PROFILE = freeze_profile(profile("club"), 4)
STOCK_ID = UUID("00000000-0000-4000-8000-73746f636b00")
START = datetime(2026, 1, 1, 18, tzinfo=UTC)
DAY = slice(7, 17)
"""Place of the day in a stored state, which begins with ``{"at":"``."""
SALT_BYTES = 16
HASH_BYTES = 16
STOCK_DEVICE = b"hmac-" + b"0" * 32
OPENING = 2
"""Events with which an evening opens an encuentro."""
_BETWEEN = (
    "SELECT originator_id, originator_version, topic, state FROM stored_events"
    " WHERE position > ? AND position <= ? ORDER BY position"
)
_MOST_PARTIDAS = 40


@dataclass(frozen=True, slots=True)
class StockRow:
    """A recorded event. ``state``: its stored bytes before and after the salt.

    ``partida``: 0 for the encuentro itself. ``names``: ids in it that are others at each table.
    """

    partida: int
    version: int
    topic: str
    state: tuple[bytes, bytes]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StockWrite:
    """The events of one transaction, and its receipt without streams.

    ``spans``: partida, first and last version of each stream.
    """

    rows: tuple[StockRow, ...]
    spans: tuple[tuple[int, int, int], ...]
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Write:
    """The rows of one transaction: events without their positions, and the receipt."""

    rows: list[StoredRow]
    receipt: tuple[str, str, str]


def seat_name(seat: str) -> str:
    """Who sits in the stock; such an id is replaced by that of a person."""
    return f"stock-person-{seat}"


def record_stock(folder: Path, count: int, seed: int = 0) -> list[list[StockWrite]]:
    """Encuentros recorded in an empty data folder, each to its signed result."""
    where = wiring.files_of_folder(folder)
    chance = random.Random(seed)
    found = []
    with closing(wiring.open_referee(where)) as referee:
        for number in range(count):
            encuentro = UUID(int=STOCK_ID.int + number)
            began = referee.position()
            _record(referee, encuentro, chance)
            found.append(_writes(where.log, encuentro, began + OPENING))
    return found


class _Desk:
    """The device that records one encuentro: a key for each write, a second between them."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._at = START

    def meta(self, by: str = "owner") -> WriteMetadata:
        self._at += timedelta(seconds=self._chance.randrange(1, 4))
        key, digest = (f"hmac-{self._chance.randbytes(HASH_BYTES).hex()}" for _ in range(2))
        return WriteMetadata(by, STOCK_DEVICE.decode(), self._at, key, digest)


def _record(referee: Referee, encuentro: UUID, chance: random.Random) -> None:
    """Everything of an encuentro through the services, one act a write."""
    desk, service = _Desk(chance), referee.encuentros
    service.open(EncuentroOpened(PROFILE), desk.meta(), encuentro)
    seats = {seat: seat_name(seat) for seat in SEATS[4]}
    service.record_encuentro_act(encuentro, PlayersSeated(seats), desk.meta())
    number = 0
    while service.encuentro(encuentro).win is None:
        number += 1
        service.start_partida(encuentro, desk.meta())
        partida = partida_id(encuentro, number)
        opened = service.partida_by_id(partida).opened
        assert opened is not None
        for act in acts_of_partida(chance.getrandbits(32), OPTIONS, opened.dealer_due):
            service.record_partida_acts(partida, [Record(act)], desk.meta())
    service.record_encuentro_act(encuentro, ResultReported(seats["A1"], "A", "tablet"), desk.meta())
    service.record_encuentro_act(
        encuentro, ResultConfirmed(seats["B2"], "B", "phone"), desk.meta("other")
    )
    service.record_encuentro_act(encuentro, ResultMadeOfficial(seats["A1"]), desk.meta())


# --- the stock -----------------------------------------------------------------------------------


def _writes(log: Address, encuentro: UUID, after: int) -> list[StockWrite]:
    """What was written after a position, which is all of one encuentro."""
    ids = {encuentro.hex: 0}
    ids |= {partida_id(encuentro, number).hex: number for number in range(1, _MOST_PARTIDAS)}
    found, written = [], after
    with closing(sqlite3.connect(log)) as db:
        results = db.execute("SELECT result FROM receipts").fetchall()
        receipts = [msgspec.json.decode(result, type=Receipt) for (result,) in results]
        for receipt in sorted(receipts, key=lambda one: one.position):
            if receipt.position <= after:
                continue
            rows = db.execute(_BETWEEN, (written, receipt.position)).fetchall()
            stock = [
                StockRow(ids[stream], version, topic, *_cut(state, encuentro))
                for stream, version, topic, state in rows
            ]
            spans = tuple((ids[stream], *span) for stream, *span in receipt.streams)
            found.append(StockWrite(tuple(stock), spans, replace(receipt, streams=())))
            written = receipt.position
    return found


def _cut(state: bytes, encuentro: UUID) -> tuple[tuple[bytes, bytes], tuple[str, ...]]:
    """A state before and after its salt, and the ids in it."""
    salt = msgspec.json.decode(state)["salt"].encode()
    before, after = state.split(salt)
    named = (str(encuentro), *map(seat_name, SEATS[4]))
    return (before, after), tuple(name for name in named if name.encode() in after)


# --- at another table ----------------------------------------------------------------------------


class Table:
    """A table of an evening, at which a stock encuentro is written as if it were played there.

    ``seats``: the person at each seat.
    """

    def __init__(
        self, encuentro: UUID, seats: Mapping[str, str], day: str, chance: random.Random
    ) -> None:
        self._streams = [encuentro.hex]
        self._streams += (partida_id(encuentro, n).hex for n in range(1, _MOST_PARTIDAS))
        self._persons = {seat_name(seat): person.encode() for seat, person in seats.items()}
        self._encuentro, self._day = str(encuentro).encode(), day.encode()
        self._device = f"hmac-{chance.randbytes(HASH_BYTES).hex()}"
        self._chance = chance

    def write(self, stock: StockWrite, position: int) -> Write:
        """A write of the stock as one of this table. ``position``: of the last event before it."""
        rows = [
            (self._streams[row.partida], row.version, row.topic, self._state(row))
            for row in stock.rows
        ]
        key, digest = (f"hmac-{self._chance.randbytes(HASH_BYTES).hex()}" for _ in range(2))
        streams = tuple((self._streams[at], *span) for at, *span in stock.spans)
        receipt = replace(
            stock.receipt, digest=digest, streams=streams, position=position + len(rows)
        )
        return Write(rows, (f"{self._device}:{key}", digest, msgspec.json.encode(receipt).decode()))

    def _state(self, row: StockRow) -> bytes:
        before, after = row.state
        salt = base64.urlsafe_b64encode(self._chance.randbytes(SALT_BYTES))[:22]
        for name in row.names:
            after = after.replace(name.encode(), self._persons.get(name, self._encuentro))
        whole = before[: DAY.start] + self._day + before[DAY.stop :]
        return whole.replace(STOCK_DEVICE, self._device.encode(), 1) + salt + after
