"""A large log, written in bulk: seasons of a club, as the program itself writes them.

Evenings, draws, tables, players, pairs and tournaments are recorded by the application. What is
played at the tables comes from a stock of recorded encuentros (``stock.py`` beside this), with its
leaves, the tree and the receipts, in one transaction an evening, which is not flushed.

    python -m benchmarks.scale.bulk FOLDER --events 10_000_000
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import count, zip_longest
from pathlib import Path
from uuid import UUID

from api.server import wiring
from benchmarks.scale.stock import PROFILE, StockWrite, Table, Write, record_stock
from referee.aggregates.session import draw_by_seed
from referee.aggregates.tournament.entries import commitment_act_for_seed
from referee.application import Referee
from referee.events import (
    PairNamed,
    PlayerCame,
    PlayerListed,
    SeasonOpened,
    SeasonScoring,
    SessionClosed,
    SessionOpened,
)
from referee.events.tournament import (
    DrawCommitted,
    LotsDrawn,
    PairEntered,
    ResultTold,
    RoundDrawn,
    TournamentAct,
    TournamentOpened,
    TournamentPlan,
)
from referee.log.durable import connect
from referee.log.sqlite.recorder import grow_tree
from referee.log.streams import WriteMetadata
from referee.people.persons import Persons

FIRST_DAY = date(1900, 1, 1)
TABLES = 10
EVENINGS = 40
"""Evenings of a season; then comes a tournament of its players."""
MEMBERS = 120
NEW_MEMBERS = 4
"""Players who join with each season."""
ENTRIES = 8
ROUNDS = 3
STOCK = 24
_INSERT_EVENT = "INSERT INTO stored_events VALUES (?, ?, ?, ?, ?)"
_INSERT_RECEIPT = "INSERT INTO receipts VALUES (?, ?, ?)"
_FAST = ("synchronous = OFF", "cache_size = -1000000", "wal_autocheckpoint = 50000")


@dataclass
class BulkClub:
    """A club whose evenings are written in bulk."""

    referee: Referee
    persons: Persons
    log: sqlite3.Connection
    stock: Sequence[Sequence[StockWrite]]
    tables: int = TABLES
    chance: random.Random = field(default_factory=lambda: random.Random(7))
    members: list[str] = field(default_factory=list)
    seasons: list[UUID] = field(default_factory=list)
    day: date = FIRST_DAY

    def season(self) -> None:
        """Open a season, with new players and pairs on the list of the club."""
        joined = NEW_MEMBERS if self.members else max(MEMBERS, 4 * self.tables)
        number = len(self.seasons) + 1
        new = self.persons.add_persons([f"Socio {number}.{n}" for n in range(joined)])
        self.members += new
        acts = [PlayerListed(person) for person in new]
        pairs = [
            PairNamed(
                str(self.referee.new_id()), two, self.persons.add_text(f"Pareja {number}.{n}")
            )
            for n, two in enumerate(zip(new[::2], new[1::2], strict=True))
        ]
        self.referee.players.record([*acts, *pairs], self._meta())
        scoring = SeasonScoring(3, 1, 0, 1, 0, 1)
        opened = SeasonOpened(
            self.persons.add_text(f"Liga {number}"), self.day.isoformat(), scoring=scoring
        )
        self.seasons.append(self.referee.seasons.open_season(opened, self._meta()).id)

    def evening(self) -> None:
        """An evening: who comes, the draw, the tables, and what is played at them."""
        self.day += timedelta(days=1)
        service, meta, day = self.referee.seasons, self._meta(), self.day.isoformat()
        opened = SessionOpened(day, PROFILE, season=str(self.seasons[-1]))
        session = service.open_session(opened, meta).id
        came = self.chance.sample(self.members, self.tables * 4)
        service.record_session_acts(session, [PlayerCame(one) for one in came], meta)
        service.record_session_acts(session, [draw_by_seed(service.session(session), day)], meta)
        service.open_tables(session, meta)
        self._play([UUID(one) for one in service.session(session).encuentro_ids])
        service.record_session_acts(session, [SessionClosed()], meta)

    def _play(self, encuentros: Sequence[UUID]) -> None:
        """Everything at the tables of an evening, a write of each in turn."""
        tables = []
        for one in encuentros:
            seats = dict(self.referee.encuentros.encuentro(one).seats)
            tables.append(Table(one, seats, self.day.isoformat(), self.chance))
        played = [self.chance.choice(self.stock) for _ in tables]
        append(self.log, self._writes(tables, played))

    def _writes(
        self, tables: Sequence[Table], played: Sequence[Sequence[StockWrite]]
    ) -> Iterator[Write]:
        position = self.referee.position()
        for turn in zip_longest(*played):
            for table, stock in zip(tables, turn, strict=True):
                if stock is not None:
                    yield table.write(stock, position)
                    position += len(stock.rows)

    def tournament(self) -> None:
        """A Swiss tournament of pairs, with its results on paper."""
        plan = TournamentPlan("swiss", rounds=ROUNDS)
        name = self.persons.add_text(f"Torneo {len(self.seasons)}")
        service, day = self.referee.tournaments, self.day.isoformat()
        one = service.open(TournamentOpened(name, PROFILE, plan, date=day), self._meta()).id

        def direct(*acts: TournamentAct) -> None:
            service.record(one, acts, self._meta())

        came = self.chance.sample(self.members, ENTRIES * 2)
        direct(*(PairEntered("", two) for two in zip(came[::2], came[1::2], strict=True)))
        seed = f"sorteo de {self.members[0]} {day}"
        direct(
            commitment_act_for_seed(
                service.tournament(one), DrawCommitted(str(one), (), "", ""), seed
            )
        )
        direct(LotsDrawn(seed))
        for number in range(1, ROUNDS + 1):
            direct(RoundDrawn(0, method="ahead"))
            drawn = service.tournament(one).meetings.values()
            for meeting in [each for each in drawn if each.round == number and len(each.pairs) > 1]:
                direct(ResultTold(meeting.id, self.chance.choice(meeting.pairs), (2, 1), (8, 6)))

    def _meta(self) -> WriteMetadata:
        at = datetime(self.day.year, self.day.month, self.day.day, 18, tzinfo=UTC)
        return WriteMetadata("owner", "owner", at)


def append(log: sqlite3.Connection, writes: Iterator[Write]) -> None:
    """Append writes to a log in one transaction, as the writer does one by one."""
    every = list(writes)
    events = [row for one in every for row in one.rows]
    log.execute("BEGIN IMMEDIATE")
    (last,) = log.execute("SELECT COALESCE(MAX(position), 0) FROM stored_events").fetchone()
    log.executemany(_INSERT_EVENT, ((at, *row) for at, row in enumerate(events, last + 1)))
    grow_tree(log.cursor(), events)
    log.executemany(_INSERT_RECEIPT, (one.receipt for one in every))
    log.execute("COMMIT")


def write_log(
    folder: Path,
    events: int,
    *,
    tables: int = TABLES,
    evenings: int = EVENINGS,
    stock: int = STOCK,
) -> BulkClub:
    """A data folder whose log has at least this many events; the last evening is whole."""
    with tempfile.TemporaryDirectory() as recorded:
        encuentros = record_stock(Path(recorded), stock)
    where = wiring.files_of_folder(folder)
    persons, referee = wiring.open_persons(where), wiring.open_referee(where)
    with closing(persons), closing(referee), closing(connect(where.log)) as log:
        for setting in _FAST:
            log.execute(f"PRAGMA {setting}")
        club = BulkClub(referee, persons, log, encuentros, tables)
        began = time.monotonic()
        for number in count():
            if (written := referee.position()) >= events:
                break
            if number % evenings == 0:
                if number:
                    club.tournament()
                club.season()
                report(written, events, time.monotonic() - began)
            club.evening()
        report(referee.position(), events, time.monotonic() - began)
        log.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return club


def report(written: int, events: int, took_s: float) -> None:
    """How far it is."""
    sys.stderr.write(f"{written:,} of {events:,} events in {took_s:.0f} s\n")


def main() -> None:
    """Write a log."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--events", type=int, default=10_000_000)
    asked.add_argument("--tables", type=int, default=TABLES)
    asked.add_argument("--evenings", type=int, default=EVENINGS, help="of a season")
    asked.add_argument("--stock", type=int, default=STOCK, help="encuentros that are recorded")
    given = asked.parse_args()
    write_log(
        given.folder,
        given.events,
        tables=given.tables,
        evenings=given.evenings,
        stock=given.stock,
    )


if __name__ == "__main__":
    main()
