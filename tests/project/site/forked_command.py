"""The ``guinote`` of the blocks: forked from a process that has read the program, so that no command reads it again.

It hands words, folder, environment and open files to that process, and ends with the code of the fork. How a new process starts is tested in ``tests/api/cli`` and ``tests/deploy``.
"""

from __future__ import annotations

import gc
import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory

from api.cli.entry import run
from api.cli.main import PLACES
from tests.support.places import ROOT
from tests.support.waiting import wait_for

COMMAND = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect({address!r})
    socket.send_fds(asked, [b"files"], [0, 1, 2])
    asked.sendall(json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode())
    asked.shutdown(socket.SHUT_WR)
    sys.exit(asked.recv(1)[0])
"""


@contextmanager
def folder_of_command() -> Iterator[Path]:
    """A folder with a ``guinote``, to be one of ``PATH``."""
    with TemporaryDirectory() as folder:
        address, file = Path(folder, "socket"), Path(folder, "guinote")
        file.write_text(COMMAND.format(python=sys.executable, address=str(address)), "utf-8")
        file.chmod(0o755)
        command = [sys.executable, "-m", __spec__.name, str(address)]
        with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL) as process:
            wait_for(address.exists, "the process to fork from")
            try:
                yield Path(folder)
            finally:
                process.terminate()


def _serve(address: str) -> None:
    """Fork for each command that comes: one that waits for another that runs it."""
    for place in PLACES.values():
        resolve_name(place)
    gc.collect()
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        while True:
            asked, _ = listening.accept()
            if not os.fork():
                break
            asked.close()
    with asked:
        _, files, _, _ = socket.recv_fds(asked, len(b"files"), 3)
        words, folder, environment = json.load(asked.makefile("rb"))
        if runs := os.fork():
            code = os.waitstatus_to_exitcode(os.waitpid(runs, 0)[1])
            asked.sendall(bytes([code % 256]))
            return
    _run(files, words, folder, environment)


def _run(files: list[int], words: list[str], folder: str, environment: dict[str, str]) -> None:
    """Be the command."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    random.seed()
    sys.argv = words
    run()


if __name__ == "__main__":
    _serve(sys.argv[1])
