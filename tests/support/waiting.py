"""Waiting for what another process or thread does."""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from typing import IO, Final, TypeVar

LONGEST_S: Final = 60.0
LONGEST_MS: Final = 1000 * LONGEST_S
NAP_S: Final = 0.02

Found = TypeVar("Found")


def wait_for(
    look: Callable[[], Found], what: str, *ignored: type[Exception], at_most_s: float = LONGEST_S
) -> Found:
    """What ``look`` returns, once that is true.

    ``what`` names the awaited state in the message of a failure. ``ignored``: errors of ``look``
    that mean "not yet".
    """
    end = time.monotonic() + at_most_s
    while True:
        try:
            if found := look():
                return found
        except ignored:
            pass
        assert time.monotonic() < end, f"not within {at_most_s} s: {what}"
        time.sleep(NAP_S)


def has_input(file: int | IO[str], timeout_s: float | None) -> bool:
    """Whether a file or a descriptor can be read within a time, whatever its number is."""
    poll = select.poll()
    poll.register(file, select.POLLIN)
    return bool(poll.poll(None if timeout_s is None else 1000 * timeout_s))
