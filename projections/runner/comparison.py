"""The views compared with a rebuild: table by table, row by row, in the order of the keys.

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
    """Views that are rebuilt at the next start anyway: none yet, or of another version."""


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
        with closing(_open(path)) as stored:
            yield from _compare(stored, log, every_projection, progress)
    except sqlite3.DatabaseError as error:
        yield ViewDifference("views_unsound", stored=str(error))


def _compare(
    stored: sqlite3.Connection,
    log: AuditedRows,
    every_projection: Callable[[], Sequence[Projection]],
    progress: RunProgress | None,
) -> Iterator[ViewDifference]:
    faults = [text for (text,) in stored.execute("PRAGMA integrity_check") if text != "ok"]
    yield from (ViewDifference("views_unsound", stored=text) for text in faults)
    found = stored.execute("SELECT position, mark, fingerprint FROM followed").fetchone()
    standing = ViewsPosition(*found)
    with tempfile.TemporaryDirectory() as folder, log.snapshot():
        with closing(Views(Path(folder) / "views.sqlite", every_projection())) as views:
            if standing.fingerprint != views.fingerprint:
                raise NotCompared("another version of the program wrote the views")
            if not _is_of(log, standing):
                yield ViewDifference("views_of_another_log", stored=standing.position)
                return
            Runner(PastLog(log, standing.position), views).rebuild(progress)
        with closing(_open(views.path)) as computed:
            yield from _differences(stored, computed, views.projections)


def _open(path: Path) -> sqlite3.Connection:
    """A connection with one snapshot of a file, which nothing is written to."""
    found = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=10, isolation_level=None
    )
    found.execute("PRAGMA query_only = ON")
    found.execute("BEGIN")
    return found


def _is_of(log: AuditedRows, standing: ViewsPosition) -> bool:
    """Whether the log has the event that the views read last."""
    if standing.position == 0:
        return True
    rows = [row for row in log.since(standing.position, 1) if row[0] == standing.position]
    return bool(rows) and msgspec.json.decode(rows[0][4])["salt"] == standing.mark


# --- tables --------------------------------------------------------------------------------------


def _differences(
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
    with _as_bytes(stored), _as_bytes(computed):
        for have, want in _side_by_side(
            stored.execute(statement), computed.execute(statement), key
        ):
            named = tuple(_plain((have or want or ())[at]) for at in key)
            if have is None or want is None:
                what: ViewsProblem = "view_row_missing" if have is None else "view_row_extra"
                one, other = (row and _by_column(columns, row) for row in (have, want))
                yield ViewDifference(what, view, table, named, "", one, other)
                continue
            for path, one, other in _unequal(columns, have, want):
                yield ViewDifference("view_row_differs", view, table, named, path, one, other)


@contextmanager
def _as_bytes(connection: sqlite3.Connection) -> Iterator[None]:
    """Texts as bytes: compared without decoding, and whatever they are."""
    connection.text_factory = bytes
    try:
        yield
    finally:
        connection.text_factory = str


def _side_by_side(
    stored: Iterator[Key], computed: Iterator[Key], key: Sequence[int]
) -> Iterator[tuple[Key | None, Key | None]]:
    """Rows of both that are not equal, in the order of their keys; None where one has none."""

    def order(row: Key) -> _Order:
        return tuple((_rank(row[at]), row[at]) for at in key)

    have, want = next(stored, None), next(computed, None)
    while have is not None or want is not None:
        if have == want:
            have, want = next(stored, None), next(computed, None)
        elif want is None or (have is not None and order(have) < order(want)):
            yield have, None
            have = next(stored, None)
        elif have is None or order(want) < order(have):
            yield None, want
            want = next(computed, None)
        else:
            yield have, want
            have, want = next(stored, None), next(computed, None)


def _rank(value: Any) -> int:
    """Place of the type of a value in the order of SQLite."""
    return 0 if value is None else 1 if isinstance(value, int | float) else 2


# --- values --------------------------------------------------------------------------------------


def _by_column(columns: Sequence[str], row: Key) -> dict[str, Any]:
    return {name: _plain(value) for name, value in zip(columns, row, strict=True)}


def _unequal(columns: Sequence[str], have: Key, want: Key) -> Iterator[tuple[str, Any, Any]]:
    """Columns, and members of JSON in them, that differ in a row."""
    for name, stored, computed in zip(columns, have, want, strict=True):
        if stored != computed:
            yield from _members(name, _plain(stored), _plain(computed))


def _members(path: str, stored: Any, computed: Any) -> Iterator[tuple[str, Any, Any]]:
    """The innermost values that differ, each with its path."""
    if isinstance(stored, dict) and isinstance(computed, dict):
        for name in sorted({*stored, *computed}):
            yield from _members(f"{path}.{name}", stored.get(name), computed.get(name))
    elif isinstance(stored, list) and isinstance(computed, list) and len(stored) == len(computed):
        for number, (one, other) in enumerate(zip(stored, computed, strict=True)):
            yield from _members(f"{path}[{number}]", one, other)
    elif stored != computed and not _is_near(stored, computed):
        yield path, stored, computed


def _is_near(one: Any, other: Any) -> bool:
    are_numbers = isinstance(one, float) and isinstance(other, float)
    return are_numbers and math.isclose(one, other, rel_tol=_SAME)


def _plain(value: Any) -> Any:
    """A stored value as it is printed: JSON as its value, other bytes as text."""
    if not isinstance(value, bytes):
        return value
    if value[:1] in (b"{", b"["):
        try:
            return msgspec.json.decode(value)
        except msgspec.DecodeError:
            pass
    return value.decode("utf-8", "replace")


class PastLog(LogReader):
    """Events of a log up to a position; what came later is not seen, in no stream.

    ``rows``: a log that is read in one of its moments, so that no event comes while it is read.
    """

    def __init__(self, rows: AuditedRows, upto: int) -> None:
        self._codec = CODEC
        self._rows = rows
        self._upto = upto
        self._later: dict[UUID, int] = {}
        position = upto
        while page := super().since(position + 1, _PAGE):
            for one in page:
                recorded = one.recorded
                self._later.setdefault(recorded.originator_id, recorded.originator_version)
            position = page[-1].position

    def since(self, position: int, limit: int) -> list[LoggedEvent]:
        """Events from this position on, inclusive, that were there."""
        page = super().since(position, limit)
        return [one for one in page if one.position <= self._upto]

    def history(self, stream: UUID, upto: int) -> list[RecordedEvent]:
        """Events of a stream up to a store version, that were there."""
        first_later = self._later.get(stream)
        return super().history(stream, upto if first_later is None else min(upto, first_later - 1))

    def last(self) -> int:
        """The position."""
        return self._upto
