"""The start of ``guinote``: the system first, since the program imports what Windows lacks."""

from __future__ import annotations

from referee.needs import require_posix


def run() -> None:
    """Run a command."""
    require_posix()
    from api.cli.main import main  # noqa: PLC0415 - see above

    main(prog_name="guinote")
