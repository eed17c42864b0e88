"""One fault after another under writers, and what must be true after each."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from tests.chaos.checks import assert_whole
from tests.chaos.houses import ChaosHouse
from tests.chaos.writers import Writer
from tests.support.waiting import wait_for

WRITERS = 4
MORE = 5
"""Acts of each writer before a fault, and after it."""

H = TypeVar("H", bound=ChaosHouse)


@contextmanager
def written(house: ChaosHouse) -> Iterator[list[Writer]]:
    """Writers that rest; they end with the context."""
    house.writers = writers = [Writer(house.computers, number) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    try:
        yield writers
    finally:
        for writer in writers:
            writer.end()


def strike(
    fault: Callable[[H], str | None], house: H, writers: Sequence[Writer], *, within_s: float
) -> str:
    """Do it, check everything, and return a line of what happened."""
    before = [Counter(one.answers) for one in writers]
    for writer in writers:
        writer.go_on()
    _write_more(writers)
    began = time.monotonic()
    seen = fault(house)
    over = time.monotonic()
    _write_more(writers)
    back = time.monotonic()
    for writer in writers:
        writer.rest()
    caught_up = assert_whole(house, writers, within_s=within_s)
    answers = sum((one.answers - was for one, was in zip(writers, before, strict=True)), Counter())
    said = ", ".join(f"{number} x {status}" for status, number in sorted(answers.items()))
    return (
        f"{over - began:5.1f} s, all write after {back - over:4.1f} s, views after"
        f" {caught_up:3.1f} s; {said}; {f'{seen}; ' if seen else ''}lost 0, doubled 0"
    )


def without_check(fault: Callable[[H], str], house: H, writers: Sequence[Writer]) -> str:
    """Do it to a house that is not served any more afterwards, and return what it says."""
    for writer in writers:
        writer.go_on()
    _write_more(writers)
    return fault(house)


def _write_more(writers: Sequence[Writer]) -> None:
    """Wait until each has acknowledged some acts more."""
    due = [(one, one.acknowledged + MORE) for one in writers]
    wait_for(
        lambda: all(one.acknowledged >= goal or one.wrong for one, goal in due),
        "acts of each writer",
    )
