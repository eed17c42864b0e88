"""Commands about what is kept: records as text, verification, views, copies."""

from __future__ import annotations

import click

commands: list[click.Command] = []
