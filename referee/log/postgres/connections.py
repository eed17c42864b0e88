"""Connections to a durable PostgreSQL server; the settings of each are checked.

A thread opens a connection when it needs one, and the connection is kept for reuse. The pool of the
driver is not used: its background threads wait up to minutes after an outage before they retry, and
hide why a connection was refused.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, LiteralString, TypeAlias, cast

import psycopg
from eventsourcing.postgres import PostgresDatastore
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.sql import Composed

from referee.log.durable import NotDurable
from referee.log.mapper import assert_readable

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

CHANNEL: Final = "guinote_log"
"""Channel that is notified at each commit; listeners then read the log."""
IN_USE: Final = "'log_head'::regclass::oid::bigint"
"""Advisory lock that each connection holds as shared, so that a log in use is not replaced."""
MOST_VARIABLE: Final = "GUINOTE_CONNECTIONS"
DEFAULT_MOST: Final = 24
LEAST: Final = 2
"""A writer that reads in its transaction, and a reader beside it."""
BUSY_TIMEOUT_S: Final = 5

DEFAULTS: Final[dict[str, str]] = {
    "application_name": "guinote",
    "connect_timeout": str(BUSY_TIMEOUT_S),
    "target_session_attrs": "read-write",
    "keepalives_idle": "20",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
"""Defaults of an address. A standby server may be behind, so it is not read."""

_SET: Final = """SELECT set_config('lock_timeout', '5s', false),
    set_config('idle_in_transaction_session_timeout', '1min', false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('tcp_keepalives_idle', '10', false),
    set_config('tcp_keepalives_interval', '5', false),
    set_config('tcp_keepalives_count', '3', false),
    set_config('tcp_user_timeout', '15s', false),
    set_config('synchronous_commit', CASE current_setting('synchronous_commit')
        WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)"""
"""With the usual keepalives a server believes for two hours in a computer that is gone, and in its
locks.
"""

SETTINGS: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    ("fsync", frozenset({"on"})),
    ("full_page_writes", frozenset({"on"})),
    ("synchronous_commit", frozenset({"on", "remote_apply"})),
    ("default_transaction_isolation", frozenset({"read committed"})),
    ("lock_timeout", frozenset({"5s"})),
)
"""Settings that every connection must have; only the server can set the first two."""

_IS_THERE: Final = "SELECT 1 FROM pg_class WHERE relname = 'log_head' AND pg_table_is_visible(oid)"
"""Reads the catalogue: a look-up by name may return what was true before a lock was obtained."""

_ASK: Final = "SELECT " + ", ".join(f"current_setting('{name}')" for name, _ in SETTINGS)


def is_readable(address: str) -> bool:
    """Whether an address can be read, and its ports are numbers, so that no error repeats it."""
    try:
        ports = str(conninfo_to_dict(address).get("port", ""))
    except psycopg.ProgrammingError:
        return False
    return all(port.isdecimal() or not port for port in ports.split(","))


def connect(address: str) -> Connection:
    """A connection with every setting applied and read back.

    :raises NotDurable: the server is not durable
    """
    settings: dict[str, Any] = {**DEFAULTS, **conninfo_to_dict(address)}
    with _close_on_error(psycopg.connect(**settings, autocommit=True)) as c:
        c.execute(_SET)
        found = c.execute(_ASK).fetchone()
        assert found is not None
        for (name, wanted), value in zip(SETTINGS, found, strict=True):
            if value not in wanted:
                raise NotDurable(f"{name} is {value}, not {' or '.join(sorted(wanted))}")
    return c


def connect_to_log(address: str) -> Connection:
    """A connection to a log whose tables are there.

    :raises NoTables: there are none, or those of another version
    """
    with _close_on_error(connect(address)) as c:
        assert_tables(c)
        c.execute(f"SELECT pg_advisory_lock_shared({IN_USE})")
    return c


def connect_reader(address: str) -> Connection:
    """A read-only connection to a log that is notified of every commit."""
    with _close_on_error(connect_to_log(address)) as c:
        c.execute("SET default_transaction_read_only = on")
        c.execute(f"LISTEN {CHANNEL}")
    return c


def most_connections() -> int:
    """Most connections of one process to a log; the default limit of a server is 100 for all.

    :raises SystemExit: the setting is no number, or too small
    """
    return number_of(MOST_VARIABLE, DEFAULT_MOST)


def number_of(variable: str, usual: int) -> int:
    """A number of connections that a setting gives.

    :raises SystemExit: it is no number, or too small
    """
    given = os.environ.get(variable, str(usual))
    most = int(given) if given.isascii() and given.isdigit() else 0
    if most < LEAST:
        raise SystemExit(f"{variable}: a number, at least {LEAST}")
    return most


@contextmanager
def _close_on_error(c: Connection) -> Iterator[Connection]:
    try:
        yield c
    except BaseException:
        c.close()
        raise


def tables_version(c: Connection) -> int:
    """Version of the tables that a connection sees; 0 if there are none."""
    if c.execute(_IS_THERE).fetchone() is None:
        return 0
    found = c.execute("SELECT version FROM log_head").fetchone()
    return 0 if found is None else int(found[0])


def assert_tables(c: Connection) -> None:
    """Check that a database has tables that this release may read.

    :raises NoTables: it has none, or those of another version
    """
    assert_readable(f"database {c.info.dbname}", tables_version(c))


class OpenAtOnce:
    """Connections of all pools of a process, which are bounded where they are of many houses.

    ``most``: 0 for no bound. At the bound the connection is closed that is idle for longest.
    """

    def __init__(self) -> None:
        self.most, self.count, self._waiting = 0, 0, 0
        self._changed = threading.Condition()
        self._idle: OrderedDict[Connection, Connections] = OrderedDict()

    def reserve(self) -> None:
        """A place for one more connection.

        :raises OperationalError: every one is in use for long
        """
        with self._changed:
            end = time.monotonic() + BUSY_TIMEOUT_S
            self._waiting += 1
            try:
                while self.most and self.count >= self.most and not self._close_idle():
                    if not self._changed.wait(max(0.0, end - time.monotonic())):
                        raise psycopg.OperationalError("every connection of this process is in use")
            finally:
                self._waiting -= 1
            self.count += 1

    def release(self) -> None:
        """A connection was closed, or not opened."""
        with self._changed:
            self.count -= 1
            self._changed.notify()

    def note_idle(self, c: Connection, pool: Connections) -> bool:
        """Nobody uses a connection now; false if its place is wanted for another."""
        with self._changed:
            if not self._waiting:
                self._idle[c] = pool
            return not self._waiting

    def note_use(self, c: Connection) -> bool:
        """Somebody uses it again; false if it was closed just now."""
        with self._changed:
            return self._idle.pop(c, None) is not None

    def _close_idle(self) -> bool:
        if not self._idle:
            return False
        c, pool = self._idle.popitem(last=False)
        pool.forget(c)
        c.close()
        self.count -= 1
        return True


OPEN_AT_ONCE: Final = OpenAtOnce()
"""Of this process."""


class Connections:
    """A pool of connections: a thread takes the one used last, or opens one."""

    def __init__(self, opener: Callable[[], Connection], most: int) -> None:
        self._opener = opener
        self._idle: list[Connection] = []
        self._is_closed = False
        self._places = threading.BoundedSemaphore(most)
        self._process = os.getpid()
        self._mine = threading.local()

    def open(self, *_: object) -> None:
        """Nothing: a connection is opened when it is needed."""

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection of this thread alone: the one that it holds, if it holds one."""
        held: Connection | None = getattr(self._mine, "held", None)
        if held is not None:
            yield held
            return
        if os.getpid() != self._process:
            raise RuntimeError("a store opened before a fork cannot be used after it")
        if not self._places.acquire(timeout=BUSY_TIMEOUT_S):
            raise psycopg.OperationalError("every connection is in use")
        try:
            c = self._take()
            try:
                yield c
            finally:
                self._put_back(c)
        finally:
            self._places.release()

    @contextmanager
    def holding(self, c: Connection) -> Iterator[None]:
        """Use this connection for everything that this thread does in this context."""
        was = getattr(self._mine, "held", None)
        self._mine.held = c
        try:
            yield
        finally:
            self._mine.held = was

    def _take(self) -> Connection:
        while self._idle:
            try:
                c = self._idle.pop()
            except IndexError:  # another thread took it
                break
            if not OPEN_AT_ONCE.note_use(c):
                continue
            if _is_alive(c):
                return c
            _close(c)
        OPEN_AT_ONCE.reserve()
        try:
            return self._opener()
        except BaseException:
            OPEN_AT_ONCE.release()
            raise

    def _put_back(self, c: Connection) -> None:
        is_good = c.info.transaction_status == TransactionStatus.IDLE and not self._is_closed
        if is_good and OPEN_AT_ONCE.note_idle(c, self):
            self._idle.append(c)
        else:
            _close(c)

    def forget(self, c: Connection) -> None:
        """Let nobody take an idle connection, which is closed for another pool."""
        with suppress(ValueError):  # a thread has just taken it, and will see that it is closed
            self._idle.remove(c)

    def close(self) -> None:
        """Close every connection; those in use are closed when they are returned."""
        self._is_closed = True
        while self._idle:
            c = self._idle.pop()
            if OPEN_AT_ONCE.note_use(c):
                _close(c)


class PostgresLogDatastore(PostgresDatastore):
    """The database of a log, with a pool of connections."""

    def __init__(self, opener: Callable[[], Connection], *, most: int | None = None) -> None:
        super().__init__("", "", "", "", "")
        self._connections = Connections(opener, most_connections() if most is None else most)
        self.pool = cast("Any", self._connections)

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection; errors of the driver are raised as those of the library."""
        with self.get_connection() as found:
            yield cast("Connection", found)

    @contextmanager
    def own_connection(self) -> Iterator[Connection]:
        """A connection that this thread uses for everything in this context."""
        with self.connection() as c, self._connections.holding(c):
            yield c

    def rows(
        self, statement: LiteralString | Composed, values: Sequence[object]
    ) -> list[tuple[Any, ...]]:
        """Rows of one statement, which is its own transaction."""
        with self.connection() as c:
            return c.execute(statement, values, binary=True).fetchall()


def _close(c: Connection) -> None:
    c.close()
    OPEN_AT_ONCE.release()


def _is_alive(c: Connection) -> bool:
    """Whether a kept connection can be used.

    A server that closed the connection leaves a message or an end of stream to be read. Nothing
    else arrives unrequested, so a round trip is only made if there is something to read.
    """
    if c.closed:
        return False
    readable = select.poll()
    readable.register(c.fileno(), select.POLLIN)
    if not readable.poll(0):
        return True
    try:
        c.execute("")
    except psycopg.Error:
        return False
    return True
