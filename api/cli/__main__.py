"""The ``guinote`` command, as ``python -m api.cli``."""

from api.cli.entry import run

run()
