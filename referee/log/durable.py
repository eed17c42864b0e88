"""Durable SQLite files, the queue of their writers, and small files that are replaced whole.

A committed write survives a power cut: WAL with ``synchronous=FULL`` is set on every connection and
read back, since a library or a build of SQLite may ignore it. Deleted rows are overwritten. Writers
wait for a lock of the process and then for a lock file, because SQLite's busy handler does not
serve them in order.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final

from referee.system import ports

BUSY_TIMEOUT_MS: Final = 10_000
FILE_MODE: Final = 0o600

SETTINGS: Final[tuple[tuple[str, str, str | int], ...]] = (
    ("busy_timeout", str(BUSY_TIMEOUT_MS), BUSY_TIMEOUT_MS),
    ("journal_mode", "WAL", "wal"),
    ("synchronous", "FULL", 2),
    ("secure_delete", "ON", 1),
    ("foreign_keys", "ON", 1),
    ("trusted_schema", "OFF", 0),
)
"""Settings of every connection, with the value that it must report."""


class NotDurable(Exception):  # noqa: N818 - it says what the file is
    """Error: the database would lose commits in a power cut.

    The text names the setting that differs.
    """


def connect(
    path: str | Path, factory: type[sqlite3.Connection] = sqlite3.Connection
) -> sqlite3.Connection:
    """Durable connection to an SQLite file: every setting is applied and verified.

    :raises NotDurable: a setting was not applied
    """
    c = sqlite3.connect(
        path,
        timeout=BUSY_TIMEOUT_MS / 1000,
        isolation_level=None,
        check_same_thread=False,
        factory=factory,
    )
    try:
        _apply_and_verify_settings(c)
    except BaseException:
        c.close()
        raise
    return c


def _apply_and_verify_settings(c: sqlite3.Connection) -> None:
    for name, value, _ in SETTINGS:
        c.execute(f"PRAGMA {name} = {value}")
    for name, _, wanted in SETTINGS:
        (found,) = c.execute(f"PRAGMA {name}").fetchone()
        if found != wanted:
            raise NotDurable(f"{name} is {found}, not {wanted}")


class FileMoved(Exception):  # noqa: N818 - it says what became of the file
    """The open database is not the one at its path any more: writes to it would be lost."""


class FilePlace:
    """The file that is at a path now, to be compared with what is there later."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._found = self._file_identity()

    def refuse_moved_file(self) -> None:
        """Raise an error unless the file at the path is still the one that was there at first.

        :raises FileMoved: another one is there, or none
        """
        if self._file_identity() != self._found:
            raise FileMoved(f"{self._path} is not the file that was opened")

    def _file_identity(self) -> tuple[int, int] | None:
        """Device and number of the file at the path; None if there is none."""
        try:
            about = self._path.stat()
        except FileNotFoundError:
            return None
        return about.st_dev, about.st_ino


def rewrite_database_header(c: sqlite3.Connection | sqlite3.Cursor) -> None:
    """Write the first page of a database again as it is; the caller ends the transaction.

    The commit reaches the disk, since SQLite does not compare this number with the one before as it
    does with the columns of a row.
    """
    (version,) = c.execute("PRAGMA user_version").fetchone()
    c.execute(f"PRAGMA user_version = {int(version)}")


class WriteQueue:
    """A fair write lock: between threads of this process, then between processes.

    A thread that holds it may enter again. The kernel frees the lock file of a process that dies.
    ``waiting``: entered while a thread waits for its turn.
    """

    def __init__(self, path: str | Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE)
        self._process = os.getpid()
        self._threads = threading.RLock()
        self._depth = 0
        self.waiting: Callable[[], AbstractContextManager[object]] = nullcontext

    @contextmanager
    def hold_write_lock(self) -> Iterator[None]:
        """Hold the right to write."""
        if os.getpid() != self._process:
            raise RuntimeError("a store opened before a fork cannot be used after it")
        with ExitStack() as held:
            with self.waiting():
                held.enter_context(self._threads)
                if not self._depth:
                    ports.lock(self._file)
                self._depth += 1
                held.callback(self._release_one_hold)
            yield

    def _release_one_hold(self) -> None:
        self._depth -= 1
        if not self._depth:
            ports.unlock(self._file)

    def close(self) -> None:
        """Close the lock file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def lock_path(path: str | Path) -> Path:
    """Path of the lock file that belongs to a database."""
    return Path(f"{path}.lock")


def create_private_file_if_missing(path: str | Path) -> None:
    """Create an empty file that only its owner may read, unless the file exists.

    One that is there is not opened: to close it would free the locks that SQLite has on it in
    this process, and another process could then remove its journal.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE))


@contextmanager
def hold_lock_with_connection(path: str | Path) -> Iterator[sqlite3.Connection]:
    """Context with a connection to a file, made if missing; its lock is held inside, not after.

    Two connections that switch WAL on at the same time fail. The connection stays open.

    :raises NotDurable: a setting was not applied
    """
    queue = WriteQueue(lock_path(path))
    try:
        with queue.hold_write_lock():
            create_private_file_if_missing(path)
            yield connect(path)
    finally:
        queue.close()


@contextmanager
def hold_journals(paths: Iterable[Path]) -> Iterator[None]:
    """Context that keeps the journals of these databases while others open and close them in turn.

    The last connection that closes a database ends its journal, and the next one begins another.
    """
    with ExitStack() as held:
        for path in paths:
            with suppress(sqlite3.Error):  # whoever opens it says what is wrong
                c = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=0)
                held.callback(c.close)
                c.execute("SELECT 1 FROM sqlite_schema").fetchone()
        yield


def write_file_atomically(file: Path, text: str, mode: int) -> None:
    """Replace a file by one with this text, in one atomic step that survives a power cut."""
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            ports.set_mode(descriptor, mode)
            opened.write(text.encode())
            opened.flush()
            os.fsync(descriptor)
        ports.replace(beside, file)
    finally:
        beside.unlink(missing_ok=True)
    ports.sync_folder(file.parent)
