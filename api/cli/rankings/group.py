"""``guinote ranking``: rankings between clubs, out of what each club signed and published."""

from __future__ import annotations

import click

from api.cli.rankings.addresses import read
from api.cli.rankings.verify import verify


@click.group()
def ranking() -> None:
    """Rankings between clubs, out of what each club signed and published."""


ranking.add_command(read)
ranking.add_command(verify)
