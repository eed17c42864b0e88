"""What is counted and measured while the service runs, under the names that Prometheus knows."""

from __future__ import annotations

import mmap
import threading
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Final, Literal, TypeAlias

from referee.access.security_log import SECURITY_KINDS, SecurityKind
from referee.aggregates.league.state import LeagueRule
from referee.aggregates.partida import Partida
from referee.aggregates.publication import PublicationRule
from referee.aggregates.ranking import RankingRule
from referee.aggregates.road import RoadRule
from referee.aggregates.tournament.rules import TournamentRule
from referee.errors import Refused
from referee.events import Act
from referee.log.streams import Answer
from referee.rules.articles import Rule
from referee.rules.draw import SeatDrawRule

BUCKETS_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the parts into which times are sorted, in seconds."""
CLASSES: Final = {digit: f"{digit}xx" for digit in "12345"}
NO_ROUTE: Final = ("none", "other")
"""Labels of a request for an unknown address, or by an unknown method."""

Labels: TypeAlias = tuple[str, ...]
MetricKind: TypeAlias = Literal["counter", "gauge"]
MOST_ROWS: Final = 64
"""Workers at one time, those that are about to end included."""
_BYTES: Final = 8


class Counted:
    """A metric with a number for each value of its labels.

    ``kind``: A counter, or a gauge, which goes down as well.
    """

    def __init__(
        self,
        numbers: SharedNumbers,
        name: str,
        text: str,
        labels: Labels = (),
        series: Iterable[Labels] = ((),),
        *,
        kind: MetricKind = "counter",
    ) -> None:
        self.name, self.text, self.labels, self.kind = name, text, labels, kind
        self._numbers = numbers
        self._series = list(dict.fromkeys(series))
        self._first = numbers.reserve_columns(len(self._series), is_momentary=kind == "gauge")
        self._columns = {one: self._first + at for at, one in enumerate(self._series)}

    def add(self, *values: str, amount: float = 1.0) -> None:
        """Add to the number of these values of the labels."""
        self._numbers.add((self._columns[values], amount))

    def set_gauge_of_process(self, value: float) -> None:
        """Set the number that this process contributes to a gauge."""
        self._numbers.set_column(self._first, value)

    def samples(self) -> Iterator[tuple[Labels, float]]:
        """Values of the labels, and the sum over all processes."""
        return zip(
            self._series,
            self._numbers.sums_over_workers(self._first, len(self._series)),
            strict=True,
        )


class Timed:
    """A metric of durations, counted by length, for each value of its labels."""

    def __init__(
        self,
        numbers: SharedNumbers,
        name: str,
        text: str,
        labels: Labels = (),
        series: Iterable[Labels] = ((),),
    ) -> None:
        self.name, self.text, self.labels = name, text, labels
        self._numbers, self._width = numbers, len(BUCKETS_S) + 2
        self._columns = {one: numbers.reserve_columns(self._width) for one in dict.fromkeys(series)}

    def add(self, seconds: float, *values: str) -> None:
        """Count one more duration."""
        first = self._columns[values]
        bucket = first + bisect_left(BUCKETS_S, seconds)
        self._numbers.add((bucket, 1.0), (first + self._width - 1, seconds))

    def samples(self) -> Iterator[tuple[Labels, Sequence[float], float]]:
        """Values of the labels, how many took up to each bound and longer, sum of the seconds.

        What never happened has no row.
        """
        for labels, first in self._columns.items():
            *counts, seconds = self._numbers.sums_over_workers(first, self._width)
            if any(counts):
                yield labels, counts, seconds


RULES: Final = (
    *(Rule, TournamentRule, LeagueRule, RoadRule, SeatDrawRule),
    *(PublicationRule, RankingRule),
)
"""Families of rules by which something is refused."""


class Measures:
    """Everything that is counted since ``began``. ``routes``: template and method of each.

    Made before the workers are forked; each of them then takes a row.
    """

    def __init__(self, routes: Iterable[Labels]) -> None:
        self.began = time.time()
        self.numbers = numbers = SharedNumbers()
        self.routes = frozenset(routes)
        every = [*sorted(self.routes), NO_ROUTE]
        rules = [(rule.value,) for kind in RULES for rule in kind]
        self.requests = Timed(
            *(numbers, "guinote_request_seconds", "Time until an answer begins."),
            ("route", "method", "status"),
            ((*one, status) for one in every for status in CLASSES.values()),
        )
        self.acts = Counted(numbers, "guinote_acts", "Acts recorded.")
        self.refusals = Counted(
            numbers, "guinote_refusals", "Writes refused, by rule.", ("rule",), rules
        )
        self.findings = Counted(
            numbers, "guinote_findings", "What was noticed by acts, by rule.", ("rule",), rules
        )
        self.security = Counted(
            *(numbers, "guinote_security_events", "Entries of the security log."),
            ("kind",),
            ((kind,) for kind in SECURITY_KINDS),
        )
        self.write_wait_s = Timed(
            numbers, "guinote_write_wait_seconds", "Time that a writer waited for its turn."
        )
        self.writers_waiting = Counted(
            numbers, "guinote_writers_waiting", "Writers that wait for their turn.", kind="gauge"
        )
        self.streams = Counted(
            numbers, "guinote_streams_open", "Live boards that are followed.", kind="gauge"
        )
        self.webhooks = Counted(
            *(numbers, "guinote_webhook_messages", "Messages of webhooks, by how they ended."),
            ("outcome",),
            (("delivered",), ("failed",)),
        )
        numbers.allocate_memory()

    def count_answer(self, route: Labels, status: str, seconds: float) -> None:
        """Count a request to a known route, or to none. ``status``: the three digits."""
        self.requests.add(seconds, *route, CLASSES[status[0]])

    def count_acts_and_findings(self, answer: Answer) -> None:
        """Count what a write recorded, and what was noticed by it."""
        acts = sum(isinstance(one.event, Act) for one in answer.events)
        if acts:
            self.acts.add(amount=acts)
        if isinstance(answer.state, Partida):
            for finding in answer.state.table.findings:
                if finding.known_at in answer.lines:
                    self.findings.add(finding.rule.value)

    def count_refusal(self, refused: Refused) -> None:
        """Count a refusal."""
        self.refusals.add(refused.rule.value)

    def count_security(self, kind: SecurityKind) -> None:
        """Count an entry of the security log."""
        self.security.add(kind)

    def count_delivery_attempt(self, *, is_delivered: bool) -> None:
        """Count an attempt to deliver a message of a webhook."""
        self.webhooks.add("delivered" if is_delivered else "failed")

    @contextmanager
    def measure_write_wait(self) -> Iterator[None]:
        """Measure how long a writer waits for its turn, and how many wait."""
        began = time.perf_counter()
        self.writers_waiting.add()
        try:
            yield
        finally:
            self.writers_waiting.add(amount=-1.0)
            self.write_wait_s.add(time.perf_counter() - began)


class SharedNumbers:
    """Numbers in memory that worker processes share, a row for each.

    Columns are reserved before the processes fork.
    """

    def __init__(self) -> None:
        self._columns = 1  # the first number of the first row: how many rows are in use
        self._momentary: list[int] = []
        self._turn = threading.Lock()
        self._start = 0

    def reserve_columns(self, columns: int, *, is_momentary: bool = False) -> int:
        """Reserve some columns, and return the first.

        ``is_momentary``: Their numbers end with their worker.
        """
        first = self._columns
        self._columns += columns
        if is_momentary:
            self._momentary += range(first, first + columns)
        return first

    def allocate_memory(self) -> None:
        """Allocate the shared memory, all of it zero; only pages that are written take any."""
        self._memory = mmap.mmap(-1, MOST_ROWS * self._columns * _BYTES)
        self._numbers = memoryview(self._memory).cast("d")
        self._numbers[0] = 1.0

    def find_free_row(self, taken: Iterable[int]) -> int:
        """Find a row that no worker has; called by the process that forks the workers."""
        used = frozenset(taken)
        row = min(next(row for row in count() if row not in used), MOST_ROWS - 1)
        self._numbers[0] = max(self._numbers[0], row + 1.0)
        return row

    def use_row(self, row: int) -> None:
        """Use this row from now on; numbers that ended with its last worker are set to zero."""
        self._start = row * self._columns
        for column in self._momentary:
            self._numbers[self._start + column] = 0.0

    def add(self, *amounts: tuple[int, float]) -> None:
        """Add each amount to its column of this worker."""
        numbers, start = self._numbers, self._start
        with self._turn:
            for column, amount in amounts:
                numbers[start + column] += amount

    def set_column(self, column: int, value: float) -> None:
        """Set a column of this worker."""
        self._numbers[self._start + column] = value

    def sums_over_workers(self, first: int, columns: int) -> Iterator[float]:
        """Sums over all workers of some columns."""
        starts = range(first, int(self._numbers[0]) * self._columns, self._columns)
        rows = [self._numbers[start : start + columns].tolist() for start in starts]
        return map(sum, zip(*rows, strict=True))
