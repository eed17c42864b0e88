"""Tables of a study as Parquet files, written in row groups: memory does not grow with them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from projections.study.rows import StudyRow
from projections.study.tables import TABLES, VERSION, TableName

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

GROUP: Final = 50_000
"""Rows of a table that are held before they are written."""


def is_there() -> bool:
    """Whether the library that writes the files is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def file_of(folder: Path, table: TableName) -> Path:
    """The file of a table."""
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
    """The file of one table, as it is written."""

    def __init__(self, table: TableName, writer: parquet.ParquetWriter) -> None:
        self._schema, self._writer = schema_of(table), writer
        self._waiting: list[StudyRow] = []
        self.written = 0

    def add(self, rows: Sequence[StudyRow]) -> None:
        """Add rows; whole groups of them go to the file."""
        self._waiting += rows
        if len(self._waiting) >= GROUP:
            self.flush()

    def flush(self) -> None:
        """Write what waits as a group."""
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
    """Files of all tables in a folder; where it does not come to the end, none is left.

    :raises FileExistsError: one is there already
    """
    from pyarrow import parquet  # noqa: PLC0415 - as above

    folder.mkdir(parents=True, exist_ok=True)
    files = {table: file_of(folder, table) for table in TABLES}
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
    """Files that are removed again if what follows fails."""
    made: list[Path] = []
    try:
        yield made
    except BaseException:
        for file in made:
            file.unlink(missing_ok=True)
        raise
