"""The export of a study: every decided partida of the clubs that agreed, in an order of no time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

from projections.runner.log import LogReader
from projections.study.parquet import table_writers
from projections.study.rows import rows_of
from projections.study.tables import TableName
from referee.aggregates.partida import Partida
from referee.aggregates.settings import INITIAL
from referee.kinds import PARTIDA, SETTINGS, SETTINGS_ID
from referee.log.ports import Address
from referee.log.stores import open_rows

_BATCH: Final = 5_000
_EVERY_VERSION: Final = 2**62
_OPENED: Final = "PartidaOpened."


class StudyLog(NamedTuple):
    """The log of a club that agreed. ``key``: what its partidas are put in order by."""

    key: bytes
    address: Address


class StudyExport(NamedTuple):
    """What was exported: clubs, and rows of each table."""

    clubs: int
    rows: Mapping[TableName, int]


def study_log(address: Address) -> StudyLog | None:
    """The log of a club as it can be exported; None if the club has not agreed."""
    with closing(LogReader(address)) as log:
        settings = INITIAL
        for one in log.history(SETTINGS_ID, _EVERY_VERSION):
            settings = SETTINGS.evolve(settings, one.event)
        if settings.study_consent_in_force != "given":
            return None
    with closing(open_rows(address)) as rows:
        first = next(iter(rows.since(1, 1)))
    return StudyLog(sha256(b"guinote-study\n" + first[-1]).digest(), address)


def export_study(
    logs: Iterable[StudyLog], folder: Path, report: Callable[[int, int], None]
) -> StudyExport:
    """Write the tables of these clubs into a folder. ``report``: partidas read, and all.

    :raises FileExistsError: a table is there already
    """
    chosen = sorted(logs)
    partidas = [(club, one.address, _partidas_of(one)) for club, one in enumerate(chosen, 1)]
    total, done, number = sum(len(ids) // 16 for *_, ids in partidas), 0, 0
    with table_writers(folder) as writers:
        for club, address, ids in partidas:
            for state in _states(address, ids):
                done += 1
                if state.table.decided is not None:
                    number += 1
                    for table, rows in rows_of(number, club, state).items():
                        writers[table].add(rows)
                report(done, total)
    return StudyExport(len(chosen), {table: one.written for table, one in writers.items()})


def _partidas_of(log: StudyLog) -> bytes:
    """Ids of all partidas of a log, 16 bytes each; nobody without the log can tell their order."""
    found: list[bytes] = []
    with closing(open_rows(log.address)) as rows:
        last, at = rows.last(), 1
        while at <= last:
            batch = list(rows.since(at, _BATCH))
            found += (bytes.fromhex(one) for _, one, _, name, _ in batch if _is_opening(name))
            at = batch[-1][0] + 1
    return b"".join(sorted(found, key=lambda one: sha256(log.key + one).digest()))


def _is_opening(name: str) -> bool:
    return name.startswith(_OPENED)


def _states(address: Address, ids: bytes) -> Iterator[Partida]:
    """Each partida as it stands now."""
    with closing(LogReader(address)) as log:
        for at in range(0, len(ids), 16):
            state = PARTIDA.initial
            for one in log.history(UUID(bytes=ids[at : at + 16]), _EVERY_VERSION):
                state = PARTIDA.evolve(state, one.event)
            yield state
