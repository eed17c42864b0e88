"""The security log: sign-ins, failures, grants, revocations, exports, erasures, restores.

It is a store of its own, which only grows, until an entry is too old. An entry has ids, never a
name, a password, a token or a code, so that it says nothing of a person who was erased. A backup
neither has it nor replaces it: a restore must not remove what happened before it.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec

from referee.log.ports import Address
from referee.store.databases import open_database
from referee.store.ports import Layout

SecurityKind: TypeAlias = Literal[
    "sign_in",
    "sign_in_failed",
    "sign_out",
    "token_failed",
    "code_failed",
    "address_failed",
    "attempts_blocked",
    "forbidden",
    "account_opened",
    "device_paired",
    "token_made",
    "offer_made",
    "offer_withdrawn",
    "granted",
    "revoked",
    "password_changed",
    "second_factor_changed",
    "owner_token_changed",
    "exported",
    "erased",
    "restored",
    "settings_changed",
    "sealed",
    "damaged",
]
"""What an entry is about. A new one needs its words: ``security.kind`` in ``api/accounts/lang``."""
SECURITY_KINDS: Final[tuple[SecurityKind, ...]] = get_args(SecurityKind)
LOGGER: Final = "guinote.security"
RETENTION_S: Final = 366 * 86_400.0
FAILURES: Final[tuple[SecurityKind, ...]] = (
    "sign_in_failed",
    "token_failed",
    "code_failed",
    "address_failed",
    "attempts_blocked",
    "forbidden",
)
"""Kinds that a stranger or a single device can cause as often as they like."""
MOST_FAILURES_KEPT: Final = 100_000
"""Beyond this number the oldest failures go first: a stranger neither fills the disk nor drives out
any other entry."""
_PRUNED_EVERY: Final = 1000
_SELECT: Final = "SELECT number, at, kind, by, about, address, detail FROM entry"
_INSERT: Final = """
INSERT INTO entry (number, at, kind, by, about, address, detail)
SELECT COALESCE(MAX(number), 0) + 1, ?, ?, ?, ?, ?, ? FROM entry RETURNING number
"""
_TOO_OLD: Final = "DELETE FROM entry WHERE at < ? AND number < (SELECT MAX(number) FROM entry)"
"""The newest entry stays, so that no number is used twice."""
_FAILURES: Final = f"kind IN ({', '.join('?' * len(FAILURES))})"
_TOO_MANY: Final = f"""
DELETE FROM entry WHERE {_FAILURES} AND number <= (
    SELECT number FROM entry WHERE {_FAILURES} ORDER BY number DESC LIMIT 1 OFFSET ?)
"""  # noqa: S608 - question marks
_FILE: Final = """
CREATE TABLE IF NOT EXISTS entry
    (number INTEGER PRIMARY KEY AUTOINCREMENT, at REAL, kind TEXT, by TEXT, about TEXT,
     address TEXT, detail TEXT);
CREATE INDEX IF NOT EXISTS entry_kind ON entry (kind, number);
CREATE INDEX IF NOT EXISTS entry_at ON entry (at);
CREATE TRIGGER IF NOT EXISTS entry_stays BEFORE UPDATE ON entry
    BEGIN SELECT RAISE(ABORT, 'an entry of the security log is never changed'); END;
"""
_SERVER: Final = (
    """CREATE TABLE entry (number bigint PRIMARY KEY, at double precision, kind text, by text,
    about text, address text, detail text)""",
    "CREATE INDEX entry_kind ON entry (kind, number)",
    "CREATE INDEX entry_at ON entry (at)",
    """CREATE FUNCTION entry_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'an entry of the security log is never changed'; END $$""",
    """CREATE TRIGGER entry_stays BEFORE UPDATE ON entry
    FOR EACH ROW EXECUTE FUNCTION entry_stays()""",
)


def _create_file_tables(db: sqlite3.Connection) -> None:
    db.executescript(_FILE)


SECURITY_LAYOUT: Final = Layout("security", ("entry",), _create_file_tables, (_SERVER,))

_log = logging.getLogger(LOGGER)


class SecurityEntry(NamedTuple):
    """One entry. ``at``: seconds since 1970, UTC; ``by``: a holder's id, ``owner``, or empty.

    ``about``: id of a holder, a person or an encuentro. ``address``: network address of the caller,
    or ``console``. ``detail``: a short word of the program, such as a role, never a text of a user.
    """

    number: int
    at: float
    kind: SecurityKind
    by: str = ""
    about: str = ""
    address: str = ""
    detail: str = ""

    def json_line(self) -> str:
        """The entry as one line of JSON for a log collector, with its moment in ISO 8601."""
        moment = datetime.fromtimestamp(self.at, UTC).isoformat(timespec="milliseconds")
        return msgspec.json.encode({**self._asdict(), "at": moment}).decode()


class SecurityLog:
    """Log of security events in a database shared by all processes.

    Each entry also goes to a logger.
    """

    def __init__(self, address: Address, *, clock: Callable[[], float]) -> None:
        """Open the log, made if it is not there. ``clock``: seconds since 1970, UTC."""
        self._clock = clock
        self.on_note: list[Callable[[SecurityKind], None]] = []
        self._database = open_database(address, SECURITY_LAYOUT)
        self._prune()

    def close(self) -> None:
        """Close the database of the security log."""
        self._database.close()

    def check_by_writing(self) -> None:
        """Read, and commit a write to the disk that changes nothing.

        :raises Exception: of the engine, which cannot read or write
        """
        self._database.check_by_writing()

    def note(
        self,
        kind: SecurityKind,
        *,
        by: str = "",
        about: str = "",
        address: str = "",
        detail: str = "",
    ) -> None:
        """Add an entry to the security log; it is on the disk when this returns."""
        row = (self._clock(), kind, by, about, address, detail)
        with self._database.transaction() as db:
            (number,) = db.execute(_INSERT, row).fetchone()
        _log.info(SecurityEntry(number, *row).json_line())
        for listener in self.on_note:
            listener(kind)
        if number % _PRUNED_EVERY == 0:
            self._prune()

    def latest_entries(
        self, limit: int, *, before: int | None = None, kind: SecurityKind | None = None
    ) -> list[SecurityEntry]:
        """Entries of a kind or of all, newest first; ``before``: those with a smaller number."""
        asked = {"number < ?": before, "kind = ?": kind}
        given = {which: value for which, value in asked.items() if value is not None}
        which = f"WHERE {' AND '.join(given)}" if given else ""
        return self._find_entries(f"{which} ORDER BY number DESC LIMIT ?", *given.values(), limit)

    def entries_after(self, number: int, *, since: float = 0.0, limit: int) -> list[SecurityEntry]:
        """Entries with a greater number, not older than ``since``, oldest first."""
        return self._find_entries(
            "WHERE number > ? AND at >= ? ORDER BY number LIMIT ?", number, since, limit
        )

    def _find_entries(self, which: str, *values: object) -> list[SecurityEntry]:
        with self._database.connection() as db:
            return [SecurityEntry(*row) for row in db.execute(f"{_SELECT} {which}", values)]

    def _prune(self) -> None:
        """Delete entries that are too old, and the oldest of too many."""
        with self._database.transaction() as db:
            db.execute(_TOO_OLD, (self._clock() - RETENTION_S,))
            db.execute(_TOO_MANY, (*FAILURES, *FAILURES, MOST_FAILURES_KEPT))
