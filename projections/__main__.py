"""The projector as a process of its own: ``python -m projections LOG VIEWS``."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading

from projections.every import every_view
from projections.follow import Follower
from projections.log import LogReader
from projections.views import Views
from referee.log_stores import create_tables


def main(arguments: list[str]) -> None:
    """Follow a log until the process is told to end."""
    parser = argparse.ArgumentParser(prog="projections", description=__doc__)
    parser.add_argument("log", help="file of the log, or its postgresql:// address")
    parser.add_argument("views", help="file of the views")
    asked = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    create_tables(asked.log)
    log = LogReader(asked.log)
    views = Views(asked.views, every_view())
    Follower(log, views).run(stop)
    views.close()
    log.close()


if __name__ == "__main__":
    main(sys.argv[1:])
