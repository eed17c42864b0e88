"""Export for study.

Every decided partida of the clubs that agreed, in an order that does not tell when it was played.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID

from projections.runner.log import LogReader
from projections.study.tables import TABLES, VERSION, StudyRow, TableName, study_rows_of_partida
from referee.aggregates.partida import Partida
from referee.aggregates.settings import INITIAL
from referee.kinds import PARTIDA, SETTINGS, SETTINGS_ID
from referee.log.ports import Address
from referee.log.stores import open_rows

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

GROUP: Final = 50_000
"""Rows of a table that are held before they are written."""


def has_parquet_library() -> bool:
    """Whether the library for Parquet files is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def file_path_of(folder: Path, table: TableName) -> Path:
    """Path of the Parquet file of a table."""
    return folder / f"{table}.parquet"


def schema_of(table: TableName) -> pa.Schema:
    """Columns of a table, each with what it means; the version of the tables is beside them."""
    import pyarrow as pa  # noqa: PLC0415 - an extra, which most houses do not have

    columns = [
        pa.field(one.name, getattr(pa, one.type)(), one.may_lack, {"about": one.about})
        for one in TABLES[table]
    ]
    return pa.schema(columns, {"guinote.study": str(VERSION), "guinote.table": table})


class TableWriter:
    """Writer of the Parquet file of one table."""

    def __init__(self, table: TableName, writer: parquet.ParquetWriter) -> None:
        self._schema, self._writer = schema_of(table), writer
        self._waiting: list[StudyRow] = []
        self.written = 0

    def add(self, rows: Sequence[StudyRow]) -> None:
        """Add rows, and write complete groups of rows to the file."""
        self._waiting += rows
        if len(self._waiting) >= GROUP:
            self.flush()

    def flush(self) -> None:
        """Write the waiting rows as a group."""
        import pyarrow as pa  # noqa: PLC0415 - as above

        if not self._waiting:
            return
        columns = zip(*self._waiting, strict=True)
        arrays = [
            pa.array(values, one.type) for one, values in zip(self._schema, columns, strict=True)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        self.written += len(self._waiting)
        self._waiting.clear()


@contextmanager
def table_writers(folder: Path) -> Iterator[Mapping[TableName, TableWriter]]:
    """Context with a writer for each table in a folder; after an error the files are removed.

    :raises FileExistsError: one is there already
    """
    from pyarrow import parquet  # noqa: PLC0415 - as above

    folder.mkdir(parents=True, exist_ok=True)
    files = {table: file_path_of(folder, table) for table in TABLES}
    with ExitStack() as open_files, _removal_after_a_fault() as made:
        found = {}
        for table, file in files.items():
            sink = open_files.enter_context(file.open("xb"))
            made.append(file)
            writer = parquet.ParquetWriter(sink, schema_of(table), compression="zstd")
            found[table] = TableWriter(table, open_files.enter_context(writer))
        yield found
        for one in found.values():
            one.flush()


@contextmanager
def _removal_after_a_fault() -> Iterator[list[Path]]:
    """Context with a list of files, which are removed if an error occurs inside it."""
    made: list[Path] = []
    try:
        yield made
    except BaseException:
        for file in made:
            file.unlink(missing_ok=True)
        raise


_BATCH: Final = 5_000
_EVERY_VERSION: Final = 2**62
_OPENED: Final = "PartidaOpened."


class StudyLog(NamedTuple):
    """Log of a club that agreed to the export.

    ``key``: Secret by which its partidas are put in order.
    """

    key: bytes
    address: Address


class StudyExport(NamedTuple):
    """Result of an export: number of clubs, and rows of each table."""

    clubs: int
    rows: Mapping[TableName, int]


def study_log_if_agreed(address: Address) -> StudyLog | None:
    """Where the log of a club is, with a key for the export; None if the club has not agreed."""
    with closing(LogReader(address)) as log:
        settings = INITIAL
        for one in log.history(SETTINGS_ID, _EVERY_VERSION):
            settings = SETTINGS.evolve(settings, one.event)
        if settings.study_consent_in_force != "given":
            return None
    with closing(open_rows(address)) as rows:
        first = next(iter(rows.read_from(1, 1)))
    return StudyLog(sha256(b"guinote-study\n" + first[-1]).digest(), address)


def export_study(
    logs: Iterable[StudyLog], folder: Path, report: Callable[[int, int], None]
) -> StudyExport:
    """Write the tables of these clubs into a folder. ``report``: partidas read, and all.

    :raises FileExistsError: a table is there already
    """
    chosen = sorted(logs)
    partidas = [
        (club, one.address, _partida_ids_as_bytes(one)) for club, one in enumerate(chosen, 1)
    ]
    total, done, number = sum(len(ids) // 16 for *_, ids in partidas), 0, 0
    with table_writers(folder) as writers:
        for club, address, ids in partidas:
            for state in _present_state_of_each_partida(address, ids):
                done += 1
                if state.table.decided is not None:
                    number += 1
                    for table, rows in study_rows_of_partida(number, club, state).items():
                        writers[table].add(rows)
                report(done, total)
    return StudyExport(len(chosen), {table: one.written for table, one in writers.items()})


def _partida_ids_as_bytes(log: StudyLog) -> bytes:
    """Ids of all partidas of a log, 16 bytes each, in an order that hides when they were played."""
    found: list[bytes] = []
    with closing(open_rows(log.address)) as rows:
        last, at = rows.last_position(), 1
        while at <= last:
            batch = list(rows.read_from(at, _BATCH))
            found += (
                bytes.fromhex(one)
                for _, one, _, name, _ in batch
                if _is_name_of_partida_opening(name)
            )
            at = batch[-1][0] + 1
    return b"".join(sorted(found, key=lambda one: sha256(log.key + one).digest()))


def _is_name_of_partida_opening(name: str) -> bool:
    return name.startswith(_OPENED)


def _present_state_of_each_partida(address: Address, ids: bytes) -> Iterator[Partida]:
    """Yield the present state of each partida; ``ids``: 16 bytes for each."""
    with closing(LogReader(address)) as log:
        for at in range(0, len(ids), 16):
            state = PARTIDA.initial
            for one in log.history(UUID(bytes=ids[at : at + 16]), _EVERY_VERSION):
                state = PARTIDA.evolve(state, one.event)
            yield state
