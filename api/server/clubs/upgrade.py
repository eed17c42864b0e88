"""The clubs of an installation, brought to this release one after another.

A club that somebody asks for is brought to it then. Here nobody has to wait for that, and what
cannot be brought to it is found while the clubs before it are served already.
"""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from pathlib import Path

from api.backups.releases import read_last_opening_or_none, record_running_release
from api.server import wiring
from api.server.backup_file import CopyProgress
from api.server.clubs.birth import lock_store_opening
from api.server.clubs.folder import ClubsFolder
from api.server.data_folder import Files
from api.server.house import names_fault
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from referee.people.missing_names import NamesLost
from referee.release import RELEASE


def needs_upgrade(folder: Path) -> bool:
    """Whether a club has no record of its release and views, or one that is not of this program."""
    last = read_last_opening_or_none(folder)
    return last is None or (last.release, last.views) != (RELEASE, _current_projection_versions())


def upgrade_club(folder: ClubsFolder, name: str, now: datetime, progress: CopyProgress) -> int:
    """Upgrade the stores and the views of a club to this release.

    Returns the number of its events. What prevents it is raised, whatever it is.
    """
    where = folder.files(name)
    with lock_store_opening(where.folder):
        wiring.initialise_house(where)
    if why := names_fault(where):
        raise NamesLost(why)
    last = _catch_up_views(where, progress)
    record_running_release(where.folder, _current_projection_versions(), now)
    return last


def _current_projection_versions() -> dict[str, int]:
    return {one.name: one.version for one in every_projection()}


def _catch_up_views(where: Files, progress: CopyProgress) -> int:
    """Update the views of a club to the end of its log; returns the last position."""
    with closing(LogReader(where.log)) as log, closing(wiring.open_views(where)) as views:
        runner, last = Runner(log, views), log.last_position()
        with views.reading(of_any_version=True) as cursor:
            outdated = [one.name for one in views.find_outdated_projections(cursor)]
        if outdated:
            runner.rebuild(lambda _, position: progress(position, last), only=outdated)
        while runner.apply_next_batch():
            progress(views.position(), last)
        progress(last, last)
    return last
