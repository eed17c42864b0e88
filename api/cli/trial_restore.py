"""``guinote trial-restore``: whether the newest backup could be restored today."""

from __future__ import annotations

import json
import os
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

import click

from api.cli.data import progress_bar
from api.cli.verify import print_differences
from api.server import backup as backups
from api.server import wiring
from api.server.retention import kept_backups


@click.command("trial-restore")
@click.argument("source", type=click.Path(exists=True, path_type=Path), metavar="FILE|FOLDER")
@click.option(
    "--days",
    type=click.FloatRange(min=0),
    help="Fail also if the newest backup of the folder is older than this.",
)
@click.pass_context
def trial_restore(context: click.Context, source: Path, *, days: float | None) -> None:
    """Restore a backup, or the newest of a folder, into a temporary folder, and verify it there.

    The folder is made in TMPDIR and deleted afterwards. The data folder is not touched.
    """
    newest = _newest(source, days) if source.is_dir() else source
    with tempfile.TemporaryDirectory(prefix="guinote-trial-") as folder:
        trial = wiring.Files(Path(folder))
        try:
            with progress_bar("restore") as report:
                manifest = backups.restore(newest, trial, report)
        except backups.BadBackup as bad:
            raise click.ClickException(f"{newest} cannot be restored: {bad}") from None
        if wiring.KEY_VARIABLE not in os.environ:
            key = wiring.Files(context.obj).persons_key
            trial.persons_key.symlink_to(key.absolute())  # the key itself stays where it is
        differences = print_differences(trial)
    tried = {"backup": str(newest), "position": manifest.position, "differences": differences}
    click.echo(json.dumps(tried))
    if differences:
        raise click.ClickException(f"{newest} was restored, and differs from what it should be")
    click.echo(f"{newest} can be restored: {manifest.position} events, nothing differs", err=True)


def _newest(folder: Path, days: float | None) -> Path:
    """The newest backup of a folder, which may have to be of the last days."""
    found = kept_backups(folder)
    if not found:
        raise click.ClickException(f"no backup in {folder}")
    moment: datetime = max(found)
    if days is not None and wiring.now() - moment > timedelta(days=days):
        raise click.ClickException(f"the newest backup is of {moment:%Y-%m-%d %H:%M} UTC")
    return found[moment]
