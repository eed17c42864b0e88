"""Comparison of the stored views with a rebuild from the log, table by table and row by row.

Views that are only behind the log have no difference: the rebuild ends at their position.
"""

from __future__ import annotations

import math
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from uuid import UUID

import msgspec

from projections.runner.log import LogReader
from projections.runner.projection import Projection
from projections.runner.runner import Runner, RunProgress
from projections.runner.views import HOUSE_TABLE, Views, ViewsPosition
from referee.log.mapper import CODEC, LoggedEvent, RecordedEvent
from referee.log.ports import AuditedRows

ViewsProblem: TypeAlias = Literal[
    "views_unsound",
    "views_of_another_log",
    "view_schema_differs",
    "view_row_missing",
    "view_row_extra",
    "view_row_differs",
]
Key: TypeAlias = tuple[Any, ...]
_Order: TypeAlias = tuple[tuple[int, Any], ...]

_SCHEMA: Final = "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
_SAME: Final = 1e-9
"""Relative difference of two numbers that another processor or library may give."""
_PAGE = 1_000


class ViewDifference(msgspec.Struct, frozen=True):
    """A difference between the stored views and a rebuild of them from the log.

    ``key``: the primary key of the row. ``column``: with a path, if the column holds JSON.
    ``stored`` and ``computed``: plain values; None where there is nothing.
    """

    what: ViewsProblem
    view: str = ""
    table: str = ""
    key: tuple[Any, ...] = ()
    column: str = ""
    stored: Any = None
    computed: Any = None


class NotCompared(Exception):  # noqa: N818 - it says what was not done
    """Error.

    The stored views cannot be compared, since there are none or another version wrote them.
    """


def compare_views(
    path: Path,
    log: AuditedRows,
    every_projection: Callable[[], Sequence[Projection]],
    progress: RunProgress | None = None,
) -> Iterator[ViewDifference]:
    """Differences between a file of views and a rebuild at its position.

    The file is read in one snapshot, so a service may write to it meanwhile. ``log``: not read yet,
    so that it has every event that the views have.

    :raises NotCompared: there are no views, or another version of the program wrote them
    """
    if not path.exists():
        raise NotCompared("there are no views")
    try:
        with closing(_connect_to_snapshot(path)) as stored:
            yield from _compare_with_rebuild(stored, log, every_projection, progress)
    except sqlite3.DatabaseError as error:
        yield ViewDifference("views_unsound", stored=str(error))


def _compare_with_rebuild(
    stored: sqlite3.Connection,
    log: AuditedRows,
    every_projection: Callable[[], Sequence[Projection]],
    progress: RunProgress | None,
) -> Iterator[ViewDifference]:
    faults = [text for (text,) in stored.execute("PRAGMA integrity_check") if text != "ok"]
    yield from (ViewDifference("views_unsound", stored=text) for text in faults)
    found = stored.execute("SELECT position, mark, fingerprint FROM followed").fetchone()
    standing = ViewsPosition(*found)
    with tempfile.TemporaryDirectory() as folder, log.hold_snapshot():
        with closing(Views(Path(folder) / "views.sqlite", every_projection())) as views:
            if standing.fingerprint != views.fingerprint:
                raise NotCompared("another version of the program wrote the views")
            if not _has_last_event(log, standing):
                yield ViewDifference("views_of_another_log", stored=standing.position)
                return
            Runner(PastLog(log, standing.position), views).rebuild(progress)
        with closing(_connect_to_snapshot(views.path)) as computed:
            yield from _differences_of_views(stored, computed, views.projections)


def _connect_to_snapshot(path: Path) -> sqlite3.Connection:
    """Read-only connection to one snapshot of a file of views."""
    found = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=10, isolation_level=None
    )
    found.execute("PRAGMA query_only = ON")
    found.execute("BEGIN")
    return found


def _has_last_event(log: AuditedRows, standing: ViewsPosition) -> bool:
    """Whether the log still has the event that the views read last."""
    if standing.position == 0:
        return True
    rows = [row for row in log.read_from(standing.position, 1) if row[0] == standing.position]
    return bool(rows) and msgspec.json.decode(rows[0][4])["salt"] == standing.mark


# --- tables --------------------------------------------------------------------------------------


def _differences_of_views(
    stored: sqlite3.Connection, computed: sqlite3.Connection, views: Sequence[Projection]
) -> Iterator[ViewDifference]:
    """Differences of the statements that made the tables, and of the rows of those that agree."""
    view_of = {table: view.name for view in views for table in view.tables}
    made, expected = (
        {name: sql for name, _, sql in one.execute(_SCHEMA)} for one in (stored, computed)
    )
    for name in sorted({*made, *expected} - {HOUSE_TABLE}):  # files of before lack it
        if made.get(name) != expected.get(name):
            view = view_of.get(name, "")
            yield ViewDifference(
                "view_schema_differs", view, name, (), "", made.get(name), expected.get(name)
            )
    for table, view in view_of.items():
        if made.get(table) == expected.get(table):
            yield from _differences_of_table(stored, computed, view, table)


def _differences_of_table(
    stored: sqlite3.Connection, computed: sqlite3.Connection, view: str, table: str
) -> Iterator[ViewDifference]:
    about = computed.execute(f'PRAGMA table_info("{table}")').fetchall()
    columns = [name for _, name, *_ in about]
    places = [at for *_, at in about]
    key = [places.index(number) for number in range(1, max(places) + 1)]
    by_key = ", ".join(f'"{columns[at]}"' for at in key)
    statement = f'SELECT * FROM "{table}" ORDER BY {by_key}'  # noqa: S608 - names of our views
    with _texts_as_bytes(stored), _texts_as_bytes(computed):
        for have, want in _unequal_rows(
            stored.execute(statement), computed.execute(statement), key
        ):
            named = tuple(_decode_value_to_print((have or want or ())[at]) for at in key)
            if have is None or want is None:
                what: ViewsProblem = "view_row_missing" if have is None else "view_row_extra"
                one, other = (row and _values_by_column(columns, row) for row in (have, want))
                yield ViewDifference(what, view, table, named, "", one, other)
                continue
            for path, one, other in _unequal_columns(columns, have, want):
                yield ViewDifference("view_row_differs", view, table, named, path, one, other)


@contextmanager
def _texts_as_bytes(connection: sqlite3.Connection) -> Iterator[None]:
    """Context in which SQLite returns texts as bytes, compared without decoding."""
    connection.text_factory = bytes
    try:
        yield
    finally:
        connection.text_factory = str


def _unequal_rows(
    stored: Iterator[Key], computed: Iterator[Key], key: Sequence[int]
) -> Iterator[tuple[Key | None, Key | None]]:
    """Rows that differ between two tables sorted by key, in pairs.

    None where a table has no such row.
    """

    def sort_key(row: Key) -> _Order:
        return tuple((_type_order(row[at]), row[at]) for at in key)

    have, want = next(stored, None), next(computed, None)
    while have is not None or want is not None:
        if have == want:
            have, want = next(stored, None), next(computed, None)
        elif want is None or (have is not None and sort_key(have) < sort_key(want)):
            yield have, None
            have = next(stored, None)
        elif have is None or sort_key(want) < sort_key(have):
            yield None, want
            want = next(computed, None)
        else:
            yield have, want
            have, want = next(stored, None), next(computed, None)


def _type_order(value: Any) -> int:
    """Position of the type of a value in SQLite's sort order."""
    return 0 if value is None else 1 if isinstance(value, int | float) else 2


# --- values --------------------------------------------------------------------------------------


def _values_by_column(columns: Sequence[str], row: Key) -> dict[str, Any]:
    return {name: _decode_value_to_print(value) for name, value in zip(columns, row, strict=True)}


def _unequal_columns(
    columns: Sequence[str], have: Key, want: Key
) -> Iterator[tuple[str, Any, Any]]:
    """Columns of a row that differ, or the members of JSON in them, each with both values."""
    for name, stored, computed in zip(columns, have, want, strict=True):
        if stored != computed:
            yield from _unequal_members(
                name, _decode_value_to_print(stored), _decode_value_to_print(computed)
            )


def _unequal_members(path: str, stored: Any, computed: Any) -> Iterator[tuple[str, Any, Any]]:
    """Innermost members of two JSON values that differ, each with its path and both values."""
    if isinstance(stored, dict) and isinstance(computed, dict):
        for name in sorted({*stored, *computed}):
            yield from _unequal_members(f"{path}.{name}", stored.get(name), computed.get(name))
    elif isinstance(stored, list) and isinstance(computed, list) and len(stored) == len(computed):
        for number, (one, other) in enumerate(zip(stored, computed, strict=True)):
            yield from _unequal_members(f"{path}[{number}]", one, other)
    elif stored != computed and not _is_nearly_equal(stored, computed):
        yield path, stored, computed


def _is_nearly_equal(one: Any, other: Any) -> bool:
    are_numbers = isinstance(one, float) and isinstance(other, float)
    return are_numbers and math.isclose(one, other, rel_tol=_SAME)


def _decode_value_to_print(value: Any) -> Any:
    """A stored value for printing: JSON is decoded, other bytes become text."""
    if not isinstance(value, bytes):
        return value
    if value[:1] in (b"{", b"["):
        try:
            return msgspec.json.decode(value)
        except msgspec.DecodeError:
            pass
    return value.decode("utf-8", "replace")


class PastLog(LogReader):
    """A log as it was at a position: later events are left out, in every stream.

    ``rows``: a log that is read in one of its moments, so that no event comes while it is read.
    """

    def __init__(self, rows: AuditedRows, upto: int) -> None:
        self._codec = CODEC
        self._rows = rows
        self._upto = upto
        self._later: dict[UUID, int] = {}
        position = upto
        while page := super().read_from(position + 1, _PAGE):
            for one in page:
                recorded = one.recorded
                self._later.setdefault(recorded.originator_id, recorded.originator_version)
            position = page[-1].position

    def read_from(self, position: int, limit: int) -> list[LoggedEvent]:
        """At most ``limit`` events from this position on, without those after the past state."""
        page = super().read_from(position, limit)
        return [one for one in page if one.position <= self._upto]

    def history(self, stream: UUID, upto: int) -> list[RecordedEvent]:
        """Events of a stream up to a store version, that were there."""
        first_later = self._later.get(stream)
        return super().history(stream, upto if first_later is None else min(upto, first_later - 1))

    def last_position(self) -> int:
        """The log position of this past state."""
        return self._upto
