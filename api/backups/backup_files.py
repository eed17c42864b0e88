"""Backups of a folder: named by their moment, and which of them are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

_NAME: Final = "%Y%m%dT%H%M%SZ.guinote"


def name_at(moment: datetime) -> str:
    """Name of a backup that is made now.

    >>> name_at(datetime(2026, 11, 24, 4, 30, tzinfo=UTC))
    '20261124T043000Z.guinote'
    """
    return moment.astimezone(UTC).strftime(_NAME)


def moment_of(name: str) -> datetime | None:
    """The moment by which a backup is named; None if it is called otherwise.

    >>> moment_of("20261124T043000Z.guinote"), moment_of("copia (1).guinote")
    (datetime.datetime(2026, 11, 24, 4, 30, tzinfo=datetime.timezone.utc), None)
    """
    with suppress(ValueError):
        return datetime.strptime(name, _NAME).replace(tzinfo=UTC)
    return None


def backups_in(folder: Path) -> dict[datetime, Path]:
    """Backups of a folder by their moment, the oldest first; other files are left out."""
    found: dict[datetime, Path] = {}
    for path in folder.iterdir():
        if moment := moment_of(path.name):
            found[moment] = path
    return dict(sorted(found.items()))


def moments_to_keep(moments: Iterable[datetime], daily: int, weekly: int) -> set[datetime]:
    """Moments to keep: the newest of each of the last days and weeks that have one.

    ``daily``, ``weekly``: how many days and weeks (Monday to Sunday, in UTC). The newest moment of
    all is always kept.
    """
    newest_first = sorted(moments, reverse=True)
    by_day = _newest_of_each(newest_first, lambda moment: moment.date().toordinal(), daily)
    by_week = _newest_of_each(newest_first, lambda moment: moment.isocalendar()[:2], weekly)
    return {*newest_first[:1], *by_day, *by_week}


def _newest_of_each(
    newest_first: Iterable[datetime], period: Callable[[datetime], object], most: int
) -> list[datetime]:
    newest: dict[object, datetime] = {}
    for moment in newest_first:
        newest.setdefault(period(moment), moment)
    return list(newest.values())[:most]


def delete_old(folder: Path, daily: int, weekly: int) -> list[Path]:
    """Delete the backups of a folder that are not to be kept; they are returned."""
    found = backups_in(folder)
    old = [found[moment] for moment in found.keys() - moments_to_keep(found, daily, weekly)]
    for path in old:
        path.unlink()
    return sorted(old)
