"""Publications that come in pieces, or wait until somebody has compared the key of their club."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

from api.backups.places import BackupPlaces
from api.http.problems import Problem
from api.http.services import house_part
from api.rankings.publications import LARGEST
from api.uploads.pieces import UNFINISHED, UPLOADS, BadUpload, OutOfTurn, PiecedFile
from referee.aggregates.ranking.rules import RankingRule
from referee.errors import Refused

_ID_BYTES: Final = 8
_MOST_KEPT: Final = 20


def put_piece(one: str, size: int, at: int, piece: bytes) -> int:
    """Put a piece behind the others; how many bytes are there, also if it was out of turn.

    :raises Refused: the file can never be taken
    :raises Problem: the disk has no room for it
    """
    if at == 0:
        _keep_few(_folder())
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


def keep(content: bytes) -> str:
    """Keep a file for an hour; its id."""
    one = secrets.token_hex(_ID_BYTES)
    put_piece(one, len(content), 0, content)
    return one


def content_of(one: str) -> bytes:
    """A file that was kept, or has come whole.

    :raises Refused: it is not there any more
    """
    try:
        return _file(one).read_bytes()
    except OSError:
        raise Refused(RankingRule.UPLOAD_GONE) from None


def drop(one: str) -> None:
    """Leave nothing of a file."""
    _file(one).unlink(missing_ok=True)


def _folder() -> Path:
    places: BackupPlaces = house_part("backups")
    return places.folder / UPLOADS


def _file(one: str) -> Path:
    try:
        return PiecedFile(_folder(), one, 1, LARGEST).file
    except BadUpload:
        raise Refused(RankingRule.UPLOAD_GONE) from None


def _keep_few(folder: Path) -> None:
    """Delete those that came first, if there are many."""
    kept = sorted(folder.glob(f"{UNFINISHED}*"), key=lambda file: file.stat().st_mtime)
    for file in kept[: 1 - _MOST_KEPT]:
        file.unlink(missing_ok=True)
