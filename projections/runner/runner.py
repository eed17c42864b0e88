"""Follower of the log: every event reaches every projection exactly once, in order.

Rows and position change in one transaction, so a crash neither loses nor repeats an event. One
process follows and the others stand by. If two followed, the position is read under the write lock,
so each event would still be applied once.

``ProjectionRunner`` and ``TrackingRecorder`` of ``eventsourcing`` follow with one event in a
transaction, and a process for each view. Here a batch of events is one transaction for all views:
an event takes 660 to 840 µs in batches of three, and 212 in those of a rebuild (the page on
performance).
"""

from __future__ import annotations

import gc
import logging
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from projections.runner.log import LogReader
from projections.runner.projection import Projection, Streams
from projections.runner.views import OutdatedViews, Views
from referee.log.durable import create_private_file_if_missing
from referee.log.faults import FaultLog
from referee.log.mapper import LoggedEvent, UnknownName
from referee.log.ports import NewerData
from referee.system import ports

RunProgress: TypeAlias = Callable[[int, int], None]
"""Called with the events read so far and the position of the last one."""
OnNewerData: TypeAlias = Callable[[NewerData], None]
"""Called once, when a later release has written what this one cannot read; following has ended."""

BATCH: Final = 500
REBUILD_BATCH: Final = 5_000
"""Batch of a rebuild: larger, so that each row is written once or twice and not every few acts."""
SELDOM: Final = (200_000, 20, 20)
"""Thresholds of the garbage collector.

Views create very many values, none of them in cycles. With the usual thresholds the slowest result
of a tournament with 512 pairs takes the projector a fifth to two fifths longer.
"""
GATHER_S: Final = 0.03
GATHER_AN_EVENT_S: Final = 0.002
LONGEST_GATHER_S: Final = 0.1
"""Pause under load, longer the more there is, so that a batch holds several acts of each table."""
INTERVAL_S: Final = 0.005
LONGEST_INTERVAL_S: Final = 0.02
SLOWER: Final = 1.02
"""Factor by which polling slows down while nobody writes: every 20 ms after a second."""
STANDBY_S: Final = 0.2
RETRY_S: Final = 1.0

_log = logging.getLogger(__name__)


class Runner:
    """Applies the events of a log to the views."""

    def __init__(
        self, log: LogReader, views: Views, *, batch: int = BATCH, interval_s: float = INTERVAL_S
    ) -> None:
        self._events = log
        self._views = views
        self._streams = Streams(log.history)
        self._batch = batch
        self._interval_s = interval_s
        self._bell = threading.Event()
        self._at = -1
        self._has_rested = True
        self.is_leading = False

    # --- one step ------------------------------------------------------------------------------

    def apply_next_batch(self) -> int:
        """Apply the next batch; returns the number of events, 0 if there is nothing new."""
        with self._views.reading(of_any_version=True) as cursor:
            standing = self._views.read_position(cursor)
            outdated = self._views.find_outdated_projections(cursor)
        batch = self._events.read_from(standing.position, self._batch + 1)
        if not _has_event_at(batch, standing.position, standing.mark):
            _log.error(
                "the log has lost what the views had read up to %d: they are rebuilt, and the "
                "service does not start again before somebody has said so: guinote house",
                standing.position,
            )
            return self.rebuild()
        if outdated or standing.fingerprint != self._views.fingerprint:
            names = [one.name for one in outdated]
            _log.warning("rows of another version are rebuilt: %s", ", ".join(names))
            return self.rebuild(only=names)
        if standing.position:
            batch = batch[1:]
        return self._apply_batch_in_transaction(batch, standing.position) if batch else 0

    def _apply_batch_in_transaction(self, batch: Sequence[LoggedEvent], position: int) -> int:
        try:
            with self._views.writing() as cursor:
                if self._views.read_position(cursor).position != position:
                    return 1  # another follower was first: read again
                if self._at != position:
                    self._clear_caches()
                self._apply_events(batch, cursor, self._views.projections)
                self._views.record_position_of_event(cursor, batch[-1])
        except BaseException:
            self._at = -1
            raise
        self._set_position_and_wake(batch[-1].position)
        return len(batch)

    def _apply_events(
        self, batch: Sequence[LoggedEvent], cursor: sqlite3.Cursor, chosen: Iterable[Projection]
    ) -> None:
        folded = self._streams.fold_batch(batch)
        for one in chosen:
            one.apply(folded, cursor)

    def _clear_caches(self) -> None:
        self._streams.forget()
        self._views.clear_caches()

    def rebuild(
        self,
        progress: RunProgress | None = None,
        *,
        only: Collection[str] | None = None,
        batch: int = REBUILD_BATCH,
    ) -> int:
        """Drop the rows and read the whole log again; returns the number of events.

        ``only``: names of projections; the rows of the others stay, and so does their position.
        It is one transaction: until it ends, readers see the old rows. Where the file turns out to
        be damaged, it is set aside, and the rows are written to another one.
        """
        try:
            return self._rebuild(progress, only, batch)
        except OutdatedViews:
            return self._rebuild(progress, None, batch)

    def _rebuild(
        self, progress: RunProgress | None, only: Collection[str] | None, batch: int
    ) -> int:
        self._at, done = -1, 0
        self._clear_caches()
        every = self._views.projections
        with self._views.rewriting() as cursor:
            chosen = [one for one in every if only is None or one.name in only]
            upto = None if len(chosen) == len(every) else self._views.read_position(cursor).position
            self._views.recreate_tables(cursor, chosen)
            if upto is None:
                self._note_event_if_lost(cursor)
                self._views.record_position_of_event(cursor, None)
            for read in self._batches(upto, batch):
                self._apply_events(read, cursor, chosen)
                if upto is None:
                    self._views.record_position_of_event(cursor, read[-1])
                done += len(read)
                if progress:
                    progress(done, read[-1].position)
            self._views.record_built_versions(cursor)
            position = self._views.read_position(cursor).position
        self._set_position_and_wake(position)
        return done

    def _note_event_if_lost(self, cursor: sqlite3.Cursor) -> None:
        """Record the last event that the views read, if the log does not have it any more."""
        at = self._views.read_position(cursor)
        if not _has_event_at(self._events.read_from(at.position, 1), at.position, at.mark):
            self._views.note_last_event_as_lost(cursor)

    def _batches(self, upto: int | None, size: int) -> Iterator[Sequence[LoggedEvent]]:
        """Every event of the log in batches, or those up to a position."""
        position = 0
        while read := self._events.read_from(position + 1, size):
            position = read[-1].position
            if upto is not None and position > upto:
                read = [one for one in read if one.position <= upto]
                if read:
                    yield read
                return
            yield read

    def _set_position_and_wake(self, position: int) -> None:
        self._at = position
        self._views.wake_waiters()

    # --- running ------------------------------------------------------------------------------

    def wake(self, *_: object) -> None:
        """Tell the follower that this process has written to the log."""
        self._bell.set()

    def run(self, stop: threading.Event, on_newer: OnNewerData) -> None:
        """Follow the log until ``stop`` is set, despite errors.

        Wait while another process follows it.
        """
        faults = FaultLog(_log)
        while not stop.is_set():
            try:
                with runner_lock(self._views.path, stop) as is_leading:
                    self.is_leading = is_leading
                    while not stop.is_set():
                        self._apply_or_wait(stop)
            except OutdatedViews:  # the views have said why, and have another file by now
                stop.wait(RETRY_S)
            except NewerData as error:
                on_newer(error)
                return
            except Exception as error:  # noqa: BLE001 - it is logged, and following must go on
                if isinstance(error, UnknownName) and (
                    newer := self._events.error_of_newer_release()
                ):
                    on_newer(newer)
                    return
                faults.note("following stopped; it is tried again", error)
                stop.wait(RETRY_S)
            finally:
                self.is_leading = False
                self._views.close()

    def _apply_or_wait(self, stop: threading.Event) -> None:
        self._bell.clear()
        commits = self._events.last_write_marker()
        if taken := self.apply_next_batch():
            if taken < self._batch and not self._has_rested:
                gathering_s = min(taken * GATHER_AN_EVENT_S, LONGEST_GATHER_S)
                stop.wait(max(GATHER_S, gathering_s))
            self._has_rested = False
            return
        interval_s = self._interval_s
        while not (
            stop.is_set() or self._events.wait_for_write_or_bell(commits, self._bell, interval_s)
        ):
            self._has_rested = True
            if self._views.is_replaced():  # by a reader that found the file damaged
                return
            interval_s = min(interval_s * SLOWER, LONGEST_INTERVAL_S)

    @contextmanager
    def follow_in_thread(
        self, after_s: float = 0.0, on_newer: OnNewerData = _log.error
    ) -> Iterator[Runner]:
        """Context in which a thread of this process follows the log.

        ``after_s``: Delay before it starts.
        """
        stop = threading.Event()

        def run() -> None:
            if not stop.wait(after_s):
                self.run(stop, on_newer)

        thread = threading.Thread(target=run, name="follow", daemon=True)
        thread.start()
        try:
            yield self
        finally:
            stop.set()
            self.wake()
            thread.join()


def collect_garbage_seldom() -> None:
    """Let Python collect garbage less often, for a process that only follows the log."""
    gc.set_threshold(*SELDOM)


@contextmanager
def runner_lock(views: Path, stop: threading.Event) -> Iterator[bool]:
    """Context that holds the lock file of the one process that follows.

    Yields False if ``stop`` is set before.

    Yields whether the lock was obtained before ``stop`` was set.
    """
    lock = Path(f"{views}.leader")
    create_private_file_if_missing(lock)
    with lock.open("a") as file:
        while True:
            if ports.try_lock(file.fileno()):
                yield True
                return
            if stop.wait(STANDBY_S):
                yield False
                return


def _has_event_at(batch: Sequence[LoggedEvent], position: int, mark: str) -> bool:
    """Whether the log still has the event that was read last, at this position and with this salt.

    It does not after an older copy of the log was restored.
    """
    if position == 0:
        return True
    return bool(batch) and batch[0].position == position and batch[0].recorded.salt == mark
