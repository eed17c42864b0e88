"""Uploaded publications.

Those that come in pieces, and those that wait until a club's key was compared.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

from api.backups.places import BackupPlaces
from api.http.problems import Problem
from api.http.services import house_component_or_none
from api.rankings.publications import LARGEST
from api.uploads.pieces import UNFINISHED, UPLOADS, BadUpload, OutOfTurn, PiecedFile
from referee.aggregates.ranking import RankingRule
from referee.errors import Refused

_ID_BYTES: Final = 8
_MOST_KEPT: Final = 20


def put_piece(one: str, size: int, at: int, piece: bytes) -> int:
    """Add a piece to an uploaded file, and return how many bytes it has.

    A piece out of turn is left out.

    :raises Refused: the file can never be taken
    :raises Problem: the disk has no room for it
    """
    if at == 0:
        _delete_oldest(_folder())
    try:
        return PiecedFile(_folder(), one, size, LARGEST).add(at, piece)
    except OutOfTurn as turn:
        return turn.there
    except BadUpload as bad:
        if bad.fault == "no_room":
            raise Problem("disk_full") from None
        if bad.fault == "too_large":
            raise Refused(RankingRule.PUBLICATION_LARGE, most=LARGEST // 1024**2) from None
        raise Refused(RankingRule.UPLOAD_BAD) from None


def keep_file(content: bytes) -> str:
    """Keep a file for an hour, and return its id."""
    one = secrets.token_hex(_ID_BYTES)
    put_piece(one, len(content), 0, content)
    return one


def content_of(one: str) -> bytes:
    """Content of an uploaded file, once it is whole.

    :raises Refused: it is not there any more
    """
    try:
        return _file_path(one).read_bytes()
    except OSError:
        raise Refused(RankingRule.UPLOAD_GONE) from None


def delete_file(one: str) -> None:
    """Delete an uploaded file."""
    _file_path(one).unlink(missing_ok=True)


def _folder() -> Path:
    places: BackupPlaces = house_component_or_none("backups")
    return places.folder / UPLOADS


def _file_path(one: str) -> Path:
    try:
        return PiecedFile(_folder(), one, 1, LARGEST).file
    except BadUpload:
        raise Refused(RankingRule.UPLOAD_GONE) from None


def _delete_oldest(folder: Path) -> None:
    """Delete the files that were uploaded first, so that only the last few stay."""
    kept = sorted(folder.glob(f"{UNFINISHED}*"), key=lambda file: file.stat().st_mtime)
    for file in kept[: 1 - _MOST_KEPT]:
        file.unlink(missing_ok=True)
