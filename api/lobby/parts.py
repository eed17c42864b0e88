"""What the pages of the lobby share: its parts, its addresses, and words for sizes and moments."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, NamedTuple, cast

from flask import current_app, request
from werkzeug.exceptions import TooManyRequests

from api.http.access.attempts import address
from api.http.access.owner import Owner
from api.http.access.prefix import prefix
from api.http.languages import LANGUAGES, language, say
from api.lobby.book import LobbyBook
from api.lobby.ports import InstalledClubs
from api.monitoring.readiness import Report
from referee.access.attempts import Attempts, TooManyAttempts, strong_secret_subjects

LOBBY: Final = "lobby"
_KIB: Final = 1024


class LobbyParts(NamedTuple):
    """Parts of a lobby."""

    clubs: InstalledClubs
    book: Callable[[], LobbyBook]
    attempts: Callable[[], Attempts]
    owner: Owner
    report: Callable[[], Report]


def lobby() -> LobbyParts:
    """The parts of the lobby that answers."""
    return cast("LobbyParts", current_app.extensions[LOBBY])


def here(path: str) -> str:
    """An address of the lobby, in the language that was chosen in the address: it has no cookie."""
    asked = request.args.get("lang", "")
    return f"{prefix()}{path}" + (f"?lang={asked}" if asked in LANGUAGES else "")


def address_of(club: str) -> str:
    """Address of a club, by the port and the scheme of the request."""
    _, colon, port = request.host.rpartition(":")
    own_port = f":{port}" if colon and port.isdecimal() else ""
    clubs = lobby().clubs
    if clubs.is_by_path:
        return f"{request.url_root}{club}"
    return f"{request.scheme}://{club}.{clubs.domain}{own_port}"


def count_wrong_secret() -> None:
    """Count a wrong code or token.

    :raises HTTPException: too many from this address
    """
    if not (place := address()):
        return
    attempts = lobby().attempts()
    try:
        over = attempts.book(strong_secret_subjects(place)).over
        if over is not None:
            raise attempts.refusal(over)
    except TooManyAttempts as refused:
        raise TooManyRequests(retry_after=math.ceil(refused.retry_after_s)) from None


def size_words(size: int) -> str:
    """Bytes, in kB, MB or GB.

    >>> size_words(2_400)
    '2 kB'
    """
    number, unit = size / _KIB, "kB"
    for larger in ("MB", "GB"):
        if number >= _KIB:
            number, unit = number / _KIB, larger
    return f"{number:.0f} {unit}"


def moment_of(moment: datetime | float | None) -> str:
    """A moment in figures, in UTC: clubs of several time zones are in one list."""
    if moment is None:
        return say("lobby.never", language())
    at = datetime.fromtimestamp(moment, UTC) if isinstance(moment, float) else moment
    return f"{at:%d/%m/%Y %H:%M}"
