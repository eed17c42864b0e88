"""Child process of ``test_persons_kill``: dies at the n-th step of SQLite."""

from __future__ import annotations

import os
import secrets
import signal
import sqlite3
import sys

from referee.log import durable
from referee.people import persons
from referee.store import databases as store_file


def main(path: str, erased: str, deadly: int) -> None:
    """Open a file of names and erase somebody; say how many steps it took, if it lives."""
    taken = 0

    def step() -> int:
        nonlocal taken
        taken += 1
        if taken == deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    def connect(file: str) -> sqlite3.Connection:
        made = durable.connect(file)
        made.set_progress_handler(step, 1)
        return made

    store_file.connect = connect
    opened = persons.Persons(path, random=secrets.token_bytes)
    if erased:
        print("erased", opened.erase(erased))
    print("steps", taken)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
