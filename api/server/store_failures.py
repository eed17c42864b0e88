"""Answers of requests whose store fails: a problem in words that says what, never an error of ours.

Whatever fails for every request is one line a minute in the log.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

from flask import Flask, Response

from api.http import problems
from api.http.problems import Problem
from referee.log.faults import FaultLog, StoreFault, fault_of

RETRY_AFTER_S: Final = 1
FULL_RETRY_AFTER_S: Final = 10
"""Somebody has to make room first."""
_PROBLEMS: Final[dict[StoreFault | None, tuple[str, int]]] = {
    StoreFault.FULL: ("disk_full", FULL_RETRY_AFTER_S),
    StoreFault.READ_ONLY: ("read_only", FULL_RETRY_AFTER_S),
}
"""Code of the problem of a fault, and seconds after which to try again; else ``unavailable``."""
_OF_THE_SYSTEM: Final = (sqlite3.DatabaseError, OSError)
"""Errors that are a fault of a store if their code says so."""


def register(app: Flask, unusable: Sequence[type[Exception]]) -> None:
    """Answer errors of the stores. ``unusable``: errors that always mean one of them failed."""
    log = FaultLog(app.logger)

    def failed(error: Exception) -> Response:
        fault = fault_of(error)
        if fault is None and not isinstance(error, tuple(unusable)):
            raise error
        log.note("a store cannot be used", error)
        return answer(fault)

    for kind in (*unusable, *_OF_THE_SYSTEM):
        app.register_error_handler(kind, failed)


def answer(fault: StoreFault | None) -> Response:
    """The problem that a client is told."""
    code, seconds = _PROBLEMS.get(fault, ("unavailable", RETRY_AFTER_S))
    return problems.of_http(Problem(code, headers={"Retry-After": str(seconds)}))
