"""A backup that a page brings in pieces: each goes to the disk at once, and the whole is checked.

Nothing of it is offered before that, and what is of no use leaves nothing behind.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from api.backups.backup_files import backups_in, moment_of, name_at
from api.backups.places import BackupPlaces, CannotBackUp
from api.uploads.pieces import BadUpload, PiecedFile

LARGEST: Final = 1024 * 1024 * 1024
_MOST_KEPT: Final = 5


class Upload(PiecedFile):
    """A backup that comes in pieces."""

    def __init__(self, places: BackupPlaces, one: str, size: int) -> None:
        """Begin, or go on.

        :raises BadUpload: it can never be taken
        """
        super().__init__(places.brought, one, size, LARGEST)
        self._places = places

    def finish(self, called: str, now: datetime) -> str:
        """Check the whole file, and keep it; its name. ``called``: as it was called elsewhere.

        :raises BadUpload: it is of no use, and nothing is left of it
        """
        try:
            content = self._places.content(self.file)
            if not content.is_ours:
                raise BadUpload("other_house")
        except CannotBackUp as cannot:
            raise BadUpload(cannot.fault) from None
        else:
            moment = moment_of(called) or now
            while self._places.find(name_at(moment)):
                moment += timedelta(seconds=1)
            self.file.replace(self._places.brought / name_at(moment))
            self._keep_few()
            return name_at(moment)
        finally:
            self.drop()

    def _keep_few(self) -> None:
        """Delete those that were brought first, if there are many."""
        kept = sorted(
            backups_in(self._places.brought).values(), key=lambda file: file.stat().st_mtime
        )
        for file in kept[:-_MOST_KEPT]:
            file.unlink(missing_ok=True)
