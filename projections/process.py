"""The projector as a process of its own: ``python -m projections [LOG [VIEWS]]``.

Without arguments it uses ``GUINOTE_LOG`` and the folder ``GUINOTE_DATA`` of the environment.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Final, NoReturn

from eventsourcing.persistence import PersistenceError

from api.monitoring.log_lines import set_up_logging
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner, collect_garbage_seldom
from projections.runner.views import Views
from referee.log.faults import StoreFault, error_in_one_line, store_fault_or_none
from referee.log.ports import Address, NewerData, NoTables, Unsound
from referee.log.stores import NoDriver, create_tables, is_postgres

_OF_A_STORE: Final = (NoTables, NoDriver, Unsound, PersistenceError)
_AWAITED: Final = (StoreFault.LOST, StoreFault.BUSY)
RETRY_S: Final = 1.0


def main(arguments: list[str]) -> None:
    """Follow a log until the process gets a signal to end.

    A database that does not answer is asked again, which a line says.
    """
    folder = Path(os.environ.get("GUINOTE_DATA") or "var")
    log_there = os.environ.get("GUINOTE_LOG") or str(folder / "log.sqlite")
    parser = argparse.ArgumentParser(prog="projections", description=__doc__)
    parser.add_argument("log", nargs="?", default=log_there, help="file, or postgresql:// address")
    parser.add_argument("views", nargs="?", default=folder / "views.sqlite", help="their file")
    parser.add_argument("--attached", action="store_true", help="end with standard input")
    asked = parser.parse_args(arguments)
    set_up_logging()
    stop = event_of_stop_signal()
    if asked.attached:
        threading.Thread(target=wait_for_input_end_and_stop, args=(stop,), daemon=True).start()
    Path(asked.views).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    refused: list[NewerData] = []
    try:
        log = _open_log_when_reachable(asked.log, stop)
        if log is None:
            return
        views = Views(asked.views, every_projection())
    except Exception as error:
        if store_fault_or_none(error) is None and not isinstance(error, _OF_A_STORE):
            raise
        _exit_with_error(error, asked.log)
    collect_garbage_seldom()
    Runner(log, views).run(stop, refused.append)
    views.close()
    log.close()
    for one in refused:
        _exit_with_error(one, asked.log)


def _open_log_when_reachable(address: Address, stop: threading.Event) -> LogReader | None:
    """The log, once its database answers; None if the process has to end first."""
    has_said = False
    while not stop.is_set():
        try:
            create_tables(address)
            return LogReader(address)
        except PersistenceError as error:
            if not (is_postgres(address) and store_fault_or_none(error) in _AWAITED):
                raise
            if not has_said:
                sys.stderr.write(f"no views yet, it is tried again: {error_in_one_line(error)}\n")
                has_said = True
        stop.wait(RETRY_S)
    return None


def _exit_with_error(error: Exception, log: Address) -> NoReturn:
    """End the process with the exit code for an error of a store."""
    from api.server.faults.exits import end_process, exit_line_and_code  # noqa: PLC0415 - a projector that runs needs none of it

    end_process(*exit_line_and_code(error, log))


def event_of_stop_signal() -> threading.Event:
    """Threading event that is set when the process gets a signal to end."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop


def wait_for_input_end_and_stop(stop: threading.Event) -> None:
    """Set the event ``stop`` when the process that started this one ends."""
    os.read(sys.stdin.fileno(), 1)  # nothing is sent: the input ends with the parent process
    stop.set()
