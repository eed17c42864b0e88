"""Connections to a durable PostgreSQL server; the settings of each are checked.

A thread opens a connection when it needs one, and the connection is kept for reuse. The pool of the
driver is not used: its background threads wait up to minutes after an outage before they retry, and
hide why a connection was refused.
"""

from __future__ import annotations

import os
import re
import select
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, LiteralString, NamedTuple, TypeAlias, cast

import psycopg
from eventsourcing.postgres import PostgresDatastore
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.sql import SQL, Composed, Identifier

from referee.log.durable import NotDurable
from referee.log.mapper import assert_version_readable

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

CHANNEL: Final = "'guinote_log_' || current_schema()::regnamespace::oid"
"""Channel of the house that is notified at each commit; listeners then read the log."""
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

_CLEAN: Final = "RESET ALL; UNLISTEN *; SELECT pg_advisory_unlock_all(); "
_IN_SCHEMA: Final = re.compile(r"(.*[?&]options=-csearch_path%3D)(\w+)")

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


def is_readable_address(address: str) -> bool:
    """Whether the driver can parse an address, with ports that are numbers."""
    try:
        ports = str(conninfo_to_dict(address).get("port", ""))
    except psycopg.ProgrammingError:
        return False
    return all(port.isdecimal() or not port for port in ports.split(","))


def connect(address: str) -> Connection:
    """Durable connection to a PostgreSQL server: every setting is applied and verified.

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


def prepare_nothing(_: Connection) -> None:
    """Do nothing: the connection is used as it is, also while there are no tables yet."""


def require_log_and_mark_in_use(c: Connection) -> None:
    """Refuse a database without a log; else hold a shared lock that marks the log as in use.

    :raises NoTables: there are none, or those of another version
    """
    assert_tables_version(c)
    c.execute(f"SELECT pg_advisory_lock_shared({IN_USE})")


def prepare_to_follow(c: Connection) -> None:
    """Prepare a connection to read a log only, and to be notified of each of its commits."""
    require_log_and_mark_in_use(c)
    found = c.execute(f"SELECT {CHANNEL}").fetchone()
    assert found is not None
    listening = SQL("SET default_transaction_read_only = on; LISTEN {}")
    c.execute(listening.format(Identifier(str(found[0]))), prepare=False)


class Opener(NamedTuple):
    """How the connections of a pool are made.

    ``prepare``: what is done on a connection before it is used.
    """

    address: str
    prepare: Callable[[Connection], None]

    @property
    def schema(self) -> str:
        """Schema that the address names; empty if it names none."""
        return self._address_and_schema()[1]

    def open(self) -> Connection:
        """A new prepared connection, opened without a schema, then put into that of its address.

        So one that is reset sees no house.
        """
        start, schema = self._address_and_schema()
        with _close_on_error(connect(start)) as c:
            self._enter_schema_and_prepare(c, schema)
        return c

    def may_adopt_connection_of(self, other: Opener) -> bool:
        """Whether this pool may use an idle connection of another pool.

        Same server, and this address names a schema.
        """
        (start, schema), (of_other, _) = self._address_and_schema(), other._address_and_schema()
        return bool(schema) and start == of_other

    def adopt_connection(self, c: Connection) -> None:
        """Make an idle connection of another pool usable for this one.

        Nothing of its last house is left on it: no setting, no lock, no notification. After an
        error it is to be closed.
        """
        c.execute(_CLEAN + _SET, prepare=False)
        self._enter_schema_and_prepare(c, self.schema)

    def _enter_schema_and_prepare(self, c: Connection, schema: str) -> None:
        if schema:
            c.execute("SELECT set_config('search_path', %s, false)", (schema,))
        self.prepare(c)

    def _address_and_schema(self) -> tuple[str, str]:
        found = _IN_SCHEMA.fullmatch(self.address)
        return (found[1], found[2]) if found else (self.address, "")


def log_connection_limit() -> int:
    """Limit of connections from one process to a log, by its setting.

    :raises SystemExit: the setting is no number, or too small
    """
    return connection_limit_in_environment(MOST_VARIABLE, DEFAULT_MOST)


def connection_limit_in_environment(variable: str, usual: int) -> int:
    """Number of connections that an environment variable allows; ``usual`` if it is not set.

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


def assert_tables_version(c: Connection) -> None:
    """Raise an error unless a database has tables that this release may read.

    :raises NoTables: it has none, or those of another version
    """
    assert_version_readable(f"database {c.info.dbname}", tables_version(c))


class OpenAtOnce:
    """Limit on the open connections of all pools of one process, and the idle ones among them.

    ``most``: 0 for no bound. At the bound the connection that is idle for longest goes to the pool
    that needs one.
    """

    def __init__(self) -> None:
        self.most = 0
        self.forget_connections()

    def forget_connections(self) -> None:
        """Forget every connection: after a fork those of the parent may not be used."""
        self.count = 0
        self._changed = threading.Condition()
        self._idle: OrderedDict[Connection, Connections] = OrderedDict()

    def take(self, pool: Connections) -> Connection:
        """Take a connection for one thread alone; ``put_back`` or ``close`` must follow.

        :raises OperationalError: every one is in use for long
        """
        while found := self._take_idle_or_reserve(pool):
            c, of = found
            try:
                if _is_alive(c):
                    if of is not pool:
                        pool.opener.adopt_connection(c)
                    return c
            except BaseException:
                self.close_connection(c)
                raise
            self.close_connection(c)
        try:
            return pool.opener.open()
        except BaseException:
            self._release()
            raise

    def put_back(self, c: Connection, pool: Connections) -> None:
        """Return a connection to the idle ones; one that is still in a transaction is closed."""
        with self._changed:
            if c.info.transaction_status == TransactionStatus.IDLE and not pool.is_closed:
                self._idle[c] = pool
                self._changed.notify()
            else:
                self._close_and_release(c)

    def close_idle_of_pool(self, pool: Connections) -> None:
        """Close the connections of a pool that nobody uses."""
        with self._changed:
            for c in [one for one, of in self._idle.items() if of is pool]:
                del self._idle[c]
                self._close_and_release(c)

    def close_connection(self, c: Connection) -> None:
        """Close one connection that was taken, and free its place."""
        with self._changed:
            self._close_and_release(c)

    def _take_idle_or_reserve(self, pool: Connections) -> tuple[Connection, Connections] | None:
        """An idle connection and the pool that had it, taken out of the idle ones.

        None if a new one may be opened, after waiting if need be.
        """
        end = time.monotonic() + BUSY_TIMEOUT_S
        with self._changed:
            while True:
                if found := self._find_idle_or_make_room(pool):
                    del self._idle[found[0]]
                    return found
                if not self.most or self.count < self.most:
                    self.count += 1
                    return None
                if not self._changed.wait(max(0.0, end - time.monotonic())):
                    raise psycopg.OperationalError("every connection of this process is in use")

    def _find_idle_or_make_room(self, pool: Connections) -> tuple[Connection, Connections] | None:
        """The idle connection that this pool used last.

        At the limit, if it has none, the one that is idle longest.
        """
        for c, of in reversed(self._idle.items()):
            if of is pool:
                return c, of
        if self._idle and self.most and self.count >= self.most:
            c, of = next(iter(self._idle.items()))
            if pool.opener.may_adopt_connection_of(of.opener):
                return c, of
            del self._idle[c]
            self._close_and_release(c)
        return None

    def _close_and_release(self, c: Connection) -> None:
        c.close()
        self._release()

    def _release(self) -> None:
        with self._changed:
            self.count -= 1
            self._changed.notify()


OPEN_AT_ONCE: Final = OpenAtOnce()
"""Of this process."""
os.register_at_fork(after_in_child=OPEN_AT_ONCE.forget_connections)


class Connections:
    """A pool of connections: a thread takes the one used last, or opens one."""

    def __init__(self, opener: Opener, most: int) -> None:
        self.opener = opener
        self.is_closed = False
        self._places = threading.BoundedSemaphore(most)
        self._process = os.getpid()
        self._mine = threading.local()

    def open(self, *_: object) -> None:
        """Does nothing: each connection is opened when it is needed."""

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
            c = OPEN_AT_ONCE.take(self)
            try:
                yield c
            finally:
                OPEN_AT_ONCE.put_back(c, self)
        finally:
            self._places.release()

    @contextmanager
    def use_in_thread(self, c: Connection) -> Iterator[None]:
        """Context in which every statement of this thread uses the given connection."""
        was = getattr(self._mine, "held", None)
        self._mine.held = c
        try:
            yield
        finally:
            self._mine.held = was

    def close(self) -> None:
        """Close the idle connections now; those in use are closed when they are returned."""
        self.is_closed = True
        OPEN_AT_ONCE.close_idle_of_pool(self)


class PostgresLogDatastore(PostgresDatastore):
    """The database of a log, with a pool of connections."""

    def __init__(
        self,
        address: str,
        prepare: Callable[[Connection], None] = prepare_nothing,
        *,
        most: int | None = None,
    ) -> None:
        super().__init__("", "", "", "", "")
        places = log_connection_limit() if most is None else most
        self._connections = Connections(Opener(address, prepare), places)
        self.pool = cast("Any", self._connections)

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection; errors of the driver are raised as those of the library."""
        with self.get_connection() as found:
            yield cast("Connection", found)

    @contextmanager
    def connection_for_thread(self) -> Iterator[Connection]:
        """A connection that this thread uses for everything in this context."""
        with self.connection() as c, self._connections.use_in_thread(c):
            yield c

    def query_rows(
        self, statement: LiteralString | Composed, values: Sequence[object]
    ) -> list[tuple[Any, ...]]:
        """Rows that a statement with these values returns; it is its own transaction."""
        with self.connection() as c:
            return c.execute(statement, values, binary=True).fetchall()


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
