"""Attempts to guess a secret over HTTP.

Counted before the secret is checked, and noted if they fail.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Final

from flask import request

from api.http.access.hosts import address_for_counting
from api.http.access.security import note_security
from api.http.problems import Problem
from api.http.services import current_services
from referee.access.attempts import (
    Booking,
    Subjects,
    TooManyAttempts,
    entry_attempt_subjects,
    strong_secret_attempt_subjects,
)
from referee.access.security_log import SecurityKind

MOST_WAITING: Final = 8
WAITING_S: Final = 3.0


class HashingGate:
    """Lets one thread at a time compute a slow hash, and few others wait a short time for it."""

    def __init__(self) -> None:
        self._one = threading.Semaphore(1)
        self._few = threading.Semaphore(MOST_WAITING + 1)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn of this thread to compute a slow hash.

        :raises Problem: too many wait, or it takes too long
        """
        if not self._few.acquire(blocking=False):
            raise _busy_problem()
        try:
            if not self._one.acquire(timeout=WAITING_S):
                raise _busy_problem()
            try:
                yield
            finally:
                self._one.release()
        finally:
            self._few.release()


STRANGERS, FAMILIAR, OVER_LIMIT = HashingGate(), HashingGate(), HashingGate()
"""Known browsers do not wait behind strangers, nor they behind whoever is over a limit."""


@dataclass(slots=True)
class Attempt:
    """An attempt to sign in; it counts as failed unless ``is_right`` is set."""

    is_right: bool = False


def caller_address() -> str:
    """Network address of the caller for counting attempts; empty if it is not known.

    It is not known behind a proxy that does not forward it.
    """
    if "werkzeug.proxy_fix.orig" in request.environ and "X-Forwarded-For" not in request.headers:
        return ""
    return address_for_counting(request.remote_addr or "")


@contextmanager
def attempt_within_limits(subjects: Subjects, gate: HashingGate | None) -> Iterator[Attempt]:
    """Context manager: count an attempt, which the block checks; a right one is taken back.

    ``gate``: None if no slow hash is computed.

    :raises Problem: a limit is reached, or too many wait for their turn
    """
    booking, attempts, attempt = _book_attempt(subjects), current_services().attempts, Attempt()
    if gate is not None and booking.over is not None:
        gate = OVER_LIMIT
    try:
        with gate.turn() if gate is not None else nullcontext():
            yield attempt
    except Problem as problem:
        if problem.problem == "busy":
            attempts.take_back(booking)
        raise
    if attempt.is_right:
        attempts.take_back(booking)
    elif booking.over is not None:
        raise _too_many_problem(attempts.make_and_note_refusal(booking.over), subjects)


def note_wrong_secret(kind: SecurityKind, detail: str = "") -> None:
    """Count a wrong token or other long random secret, and add it to the security log.

    A peer of a Unix socket has no address, and is not counted: it may be everybody.

    :raises Problem: too many from this address
    """
    if place := caller_address():
        subjects = strong_secret_attempt_subjects(place)
        if (over := _book_attempt(subjects).over) is not None:
            raise _too_many_problem(
                current_services().attempts.make_and_note_refusal(over), subjects
            )
    note_security(kind, detail=detail)


def count_entry_by_address() -> None:
    """Count the entry of a pair for a tournament against the address of the caller.

    :raises Problem: too many from this address
    """
    if place := caller_address():
        _book_attempt(entry_attempt_subjects(place))


def _book_attempt(subjects: Subjects) -> Booking:
    try:
        return current_services().attempts.book_or_refuse(subjects)
    except TooManyAttempts as refused:
        raise _too_many_problem(refused, subjects) from None


def _too_many_problem(refused: TooManyAttempts, subjects: Subjects) -> Problem:
    if refused.is_news:
        note_security("attempts_blocked", detail=subjects[0].name.split()[0])
    return Problem("too_many", headers={"Retry-After": str(math.ceil(refused.retry_after_s))})


def _busy_problem() -> Problem:
    return Problem("busy", headers={"Retry-After": str(math.ceil(WAITING_S))})
