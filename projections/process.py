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
from typing import NoReturn

from api.monitoring.log_lines import set_up_logging
from projections.every import every_view
from projections.follower.follower import Follower, collect_seldom
from projections.follower.log import LogReader
from projections.follower.views import Views
from referee.log.faults import fault_of, in_one_line
from referee.log.ports import NewerData
from referee.log.stores import create_tables


def main(arguments: list[str]) -> None:
    """Follow a log until the process gets a signal to end."""
    folder = Path(os.environ.get("GUINOTE_DATA") or "var")
    log_there = os.environ.get("GUINOTE_LOG") or str(folder / "log.sqlite")
    parser = argparse.ArgumentParser(prog="projections", description=__doc__)
    parser.add_argument("log", nargs="?", default=log_there, help="file, or postgresql:// address")
    parser.add_argument("views", nargs="?", default=folder / "views.sqlite", help="their file")
    parser.add_argument("--attached", action="store_true", help="end with standard input")
    asked = parser.parse_args(arguments)
    set_up_logging()
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    if asked.attached:
        threading.Thread(target=_stop_at_end_of_input, args=(stop,), daemon=True).start()
    Path(asked.views).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    refused: list[NewerData] = []
    try:
        create_tables(asked.log)
        log, views = LogReader(asked.log), Views(asked.views, every_view())
    except NewerData as newer:
        _refuse(newer)
    except Exception as error:  # noqa: BLE001 - what is no fault of a store is raised again
        _give_up(error)
    collect_seldom()
    Follower(log, views).run(stop, refused.append)
    views.close()
    log.close()
    for one in refused:
        _refuse(one)


def _give_up(error: Exception) -> NoReturn:
    """End with a line if a store cannot be opened; a worker then follows the log, when it can."""
    if fault_of(error) is None:
        raise error
    sys.stderr.write(f"no projector: {in_one_line(error)}\n")
    raise SystemExit(os.EX_TEMPFAIL)


def _refuse(newer: NewerData) -> NoReturn:
    sys.stderr.write(f"Error: {newer}\n")
    raise SystemExit(os.EX_CONFIG)


def _stop_at_end_of_input(stop: threading.Event) -> None:
    os.read(sys.stdin.fileno(), 1)  # nothing is sent: the input ends with the parent process
    stop.set()
