"""The clubs of an installation, brought to this release one after another.

A club that somebody asks for is brought to it then. Here nobody has to wait for that, and what
cannot be brought to it is found while the clubs before it are served already.
"""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from pathlib import Path

from api.backups.releases import last_opening, note_opening
from api.server import wiring
from api.server.backup_file import CopyProgress
from api.server.clubs.birth import one_at_a_time
from api.server.clubs.folder import ClubsFolder
from api.server.data_folder import Files
from api.server.house import names_fault
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from referee.people.missing_names import NamesLost
from referee.release import RELEASE


def needs_upgrade(folder: Path) -> bool:
    """Whether another release was the last one that a club was brought to."""
    last = last_opening(folder)
    return last is None or (last.release, last.views) != (RELEASE, _versions())


def upgrade_club(folder: ClubsFolder, name: str, now: datetime, progress: CopyProgress) -> int:
    """Bring a club to this release: its stores, and its views to the end of its log.

    Returns the number of its events. What prevents it is raised, whatever it is.
    """
    where = folder.files(name)
    with one_at_a_time(where.folder):
        wiring.settle_house(where)
    if why := names_fault(where):
        raise NamesLost(why)
    last = _follow(where, progress)
    note_opening(where.folder, _versions(), now)
    return last


def _versions() -> dict[str, int]:
    return {one.name: one.version for one in every_projection()}


def _follow(where: Files, progress: CopyProgress) -> int:
    """Apply what the views lack; returns the position of the last event."""
    with closing(LogReader(where.log)) as log, closing(wiring.open_views(where)) as views:
        runner, last = Runner(log, views), log.last()
        with views.reading(of_any_version=True) as cursor:
            outdated = [one.name for one in views.find_outdated(cursor)]
        if outdated:
            runner.rebuild(lambda _, position: progress(position, last), only=outdated)
        while runner.catch_up():
            progress(views.position(), last)
        progress(last, last)
    return last
