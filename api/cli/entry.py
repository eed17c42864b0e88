"""Entry point of the ``guinote`` command."""

from __future__ import annotations

import io
import os
import sys


def run() -> None:
    """Run the ``guinote`` command."""
    if os.name == "nt":
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8")  # Windows has a code page, without most names
    from api.cli.main import main  # noqa: PLC0415 - the streams first

    main(prog_name="guinote")
