"""A plugin of pytest that tries mutants: the tests are collected once, and run in a fork for each.

``--mutants`` names a file with a mutant a line; what came out is added to the JSON beside it. A fork
runs the tests that mutmut saw entering the function of its mutant, the quickest first, until one
fails or its CPU time is up; the rest are left to the second look. A busy machine kills nothing.
"""

from __future__ import annotations

import json
import os
import resource
from itertools import takewhile
from pathlib import Path
from time import process_time

import pytest
from _pytest.runner import runtestprotocol
from mutmut.mutation.trampoline import set_mutant_under_test

AT_A_TIME = 2
NO_MUTANT, EVERY_FUNCTION_FAILS = "", "fail"
QUICK_S = 10
"""CPU time after which no further test of a mutant is begun."""
ENDLESS_S = 60
"""CPU time after which a test is an endless loop: none takes a tenth of it without a mutant."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The file with the names of the mutants."""
    parser.addoption("--mutants", required=True, type=Path)


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Try the mutants, in place of one run of the tests."""
    assert not session.testsfailed, "a file of tests cannot be collected"
    file: Path = session.config.getoption("--mutants")
    stats = json.loads(Path("mutmut-stats.json").read_text(encoding="utf-8"))
    duration, entering = stats["duration_by_test"], stats["tests_by_mangled_function_name"]
    items = sorted(session.items, key=lambda item: duration.get(item.nodeid, 0.0))
    trials = Trials(file.with_suffix(".json"))
    trials.begin(NO_MUTANT, items)
    trials.end_one()
    assert not trials.killed[NO_MUTANT], "the tests fail without any mutant"
    trials.begin(EVERY_FUNCTION_FAILS, items)
    trials.end_one()
    assert trials.killed[EVERY_FUNCTION_FAILS], "the tests do not run on the mutants"
    for mutant in file.read_text(encoding="utf-8").split():
        near = set(entering.get(mutant.rpartition("__mutmut_")[0], ()))
        trials.begin(mutant, [item for item in items if item.nodeid in near])
    while trials.running:
        trials.end_one()
    return True


class Trials:
    """The mutants that were tried, and those that are being tried, by process."""

    def __init__(self, written: Path) -> None:
        known = written.read_text(encoding="utf-8") if written.exists() else "{}"
        self.killed: dict[str, bool] = json.loads(known)
        self.running: dict[int, str] = {}
        self._written = written

    def begin(self, mutant: str, items: list[pytest.Item]) -> None:
        """Start to try a mutant, as soon as there is room for another."""
        while len(self.running) >= AT_A_TIME:
            self.end_one()
        pid = os.fork()
        if pid:
            self.running[pid] = mutant
            return
        has_failed = True
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (ENDLESS_S, ENDLESS_S))
            set_mutant_under_test(mutant)
            quick = takewhile(lambda _: process_time() < QUICK_S, items)
            has_failed = any(map(_fails, quick))
        finally:
            os._exit(has_failed)

    def end_one(self) -> None:
        """Wait for one of those that are being tried."""
        pid, status = os.wait()
        mutant = self.running.pop(pid)
        self.killed[mutant] = status != 0
        self._written.write_text(json.dumps(self.killed, indent=1), encoding="utf-8")


def _fails(item: pytest.Item) -> bool:
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))
