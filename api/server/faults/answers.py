"""Answers of requests whose store fails: a problem in words that says what, never an error of ours.

Whatever fails for every request is one line a minute in the log.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

from flask import Flask, Response

from api.http import problems
from api.http.access.guard import NO_WRITES_RETRY_AFTER_S
from api.http.problems import Problem
from api.http.services import house_part
from referee.log.faults import FaultLog, StoreFault, fault_of

RETRY_AFTER_S: Final = 1
_OF_THE_SYSTEM: Final = (sqlite3.DatabaseError, OSError)
"""Errors that are a fault of a store if their code says so."""


class FaultProblem(NamedTuple):
    """Code of a problem, and the seconds after which to try again."""

    code: str
    retry_after_s: int

    def problem(self) -> Problem:
        """The problem itself."""
        return Problem(self.code, headers={"Retry-After": str(self.retry_after_s)})


_PROBLEMS: Final[dict[StoreFault | None, FaultProblem]] = {
    StoreFault.FULL: FaultProblem("disk_full", NO_WRITES_RETRY_AFTER_S),
    StoreFault.READ_ONLY: FaultProblem("read_only", NO_WRITES_RETRY_AFTER_S),
}


def problem_of(fault: StoreFault | None) -> FaultProblem:
    """What a client is told of a fault.

    >>> problem_of(StoreFault.FULL).code, problem_of(StoreFault.LOST).code
    ('disk_full', 'unavailable')
    """
    return _PROBLEMS.get(fault, FaultProblem("unavailable", RETRY_AFTER_S))


def register(app: Flask, unusable: Sequence[type[Exception]]) -> None:
    """Answer errors of the stores. ``unusable``: errors that always mean one of them failed.

    Damage has the log checked at once, if it is.
    """
    log = FaultLog(app.logger)

    def answer_fault(error: Exception) -> Response:
        fault = fault_of(error)
        if fault is None and not isinstance(error, tuple(unusable)):
            raise error
        log.note("a store cannot be used", error)
        if fault is StoreFault.DAMAGED and (check := house_part("log_check")) is not None:
            check.meet()
        return problems.answer_http_error(problem_of(fault).problem())

    for kind in (*unusable, *_OF_THE_SYSTEM):
        app.register_error_handler(kind, answer_fault)
