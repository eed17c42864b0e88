"""Numbers that the workers of a server share, in memory that no file holds.

Each worker writes a row of its own, so none waits for another, and a sum over the rows is that of
the service. The row of a worker that died is taken by the one that replaces it: nothing is lost by
``kill -9``, nothing is left behind, and a full disk cannot stop a worker.
"""

from __future__ import annotations

import mmap
import threading
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Final

MOST_ROWS: Final = 64
"""Workers at one time, those that are about to end included."""
_BYTES: Final = 8


class SharedNumbers:
    """A table of numbers: columns are reserved, then it is shared, then processes fork."""

    def __init__(self) -> None:
        self._columns = 1  # the first number of the first row: how many rows are in use
        self._momentary: list[int] = []
        self._turn = threading.Lock()
        self._start = 0

    def reserve(self, columns: int, *, is_momentary: bool = False) -> int:
        """The first of some new columns. ``is_momentary``: they end with their worker."""
        first = self._columns
        self._columns += columns
        if is_momentary:
            self._momentary += range(first, first + columns)
        return first

    def share(self) -> None:
        """Get the memory, all of it zero; only pages that are written take any."""
        self._memory = mmap.mmap(-1, MOST_ROWS * self._columns * _BYTES)
        self._numbers = memoryview(self._memory).cast("d")
        self._numbers[0] = 1.0

    def free_row(self, taken: Iterable[int]) -> int:
        """A row that no worker has; asked by the process that forks the workers."""
        used = frozenset(taken)
        row = min(next(row for row in count() if row not in used), MOST_ROWS - 1)
        self._numbers[0] = max(self._numbers[0], row + 1.0)
        return row

    def use_row(self, row: int) -> None:
        """Write this row from now on; what only its last worker had is zero again."""
        self._start = row * self._columns
        for column in self._momentary:
            self._numbers[self._start + column] = 0.0

    def add(self, *amounts: tuple[int, float]) -> None:
        """Add to columns."""
        numbers, start = self._numbers, self._start
        with self._turn:
            for column, amount in amounts:
                numbers[start + column] += amount

    def put(self, column: int, value: float) -> None:
        """Set a column of this worker."""
        self._numbers[self._start + column] = value

    def sums(self, first: int, columns: int) -> Iterator[float]:
        """Sums over all workers of some columns."""
        starts = range(first, int(self._numbers[0]) * self._columns, self._columns)
        rows = [self._numbers[start : start + columns].tolist() for start in starts]
        return map(sum, zip(*rows, strict=True))
