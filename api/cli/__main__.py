"""The ``guinote`` command, as ``python -m api.cli``."""

from api.cli.main import main

main(prog_name="guinote")
