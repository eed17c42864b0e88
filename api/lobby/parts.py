"""What the pages of the lobby share: its parts, its addresses, and words for sizes and moments."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, NamedTuple, cast

from flask import current_app, request
from werkzeug.exceptions import TooManyRequests

from api.brand.brand import is_valid_club_name
from api.html.forms import FieldErrors
from api.http.access.attempts import caller_address
from api.http.access.prefix import prefix
from api.http.access.tokens import Owner
from api.http.languages import LANGUAGES, language, say
from api.lobby.book import LobbyBook
from api.lobby.ports import InstalledClubs
from api.monitoring.readiness import Report
from referee.access.attempts import Attempts, TooManyAttempts, strong_secret_attempt_subjects

LOBBY: Final = "lobby"
_KIB: Final = 1024


class LobbyParts(NamedTuple):
    """Parts of a lobby."""

    clubs: InstalledClubs
    book: Callable[[], LobbyBook]
    attempts: Callable[[], Attempts]
    owner: Owner
    report: Callable[[], Report]


def lobby_parts() -> LobbyParts:
    """The parts of the lobby that answers the current request."""
    return cast("LobbyParts", current_app.extensions[LOBBY])


def lobby_address(path: str) -> str:
    """Address of a page of the lobby, with the language of the request: no cookie keeps it."""
    asked = request.args.get("lang", "")
    return f"{prefix()}{path}" + (f"?lang={asked}" if asked in LANGUAGES else "")


def club_address(club: str) -> str:
    """Address of a club, by the port and the scheme of the request."""
    _, colon, port = request.host.rpartition(":")
    own_port = f":{port}" if colon and port.isdecimal() else ""
    clubs = lobby_parts().clubs
    if clubs.is_by_path:
        return f"{request.url_root}{club}"
    return f"{request.scheme}://{club}.{clubs.domain}{own_port}"


def count_wrong_secret() -> None:
    """Count a wrong code or token.

    :raises HTTPException: too many from this address
    """
    if not (place := caller_address()):
        return
    attempts = lobby_parts().attempts()
    try:
        over = attempts.book_or_refuse(strong_secret_attempt_subjects(place)).over
        if over is not None:
            raise attempts.make_and_note_refusal(over)
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


def print_moment(moment: datetime | float | None) -> str:
    """Date and time as figures, in UTC, or *never*: clubs of several time zones are in one list."""
    if moment is None:
        return say("lobby.never", language())
    at = datetime.fromtimestamp(moment, UTC) if isinstance(moment, float) else moment
    return f"{at:%d/%m/%Y %H:%M}"


_LONGEST: Final = 30
_OTHERS: Final = re.compile(r"[^a-z0-9]+")


def short_name_of(name: str) -> str:
    """A short name that follows from a name.

    >>> short_name_of("Peña L'Amistad, 1º B"), short_name_of("¡!")
    ('pena-l-amistad-1o-b', '')
    """
    plain = unicodedata.normalize("NFKD", name.lower())
    letters = "".join(one for one in plain if not unicodedata.combining(one))
    return _OTHERS.sub("-", letters).strip("-")[:_LONGEST].rstrip("-")


def faults_of_names(name: str, short: str) -> FieldErrors:
    """What is wrong with the names of a new club, by their fields."""
    wrong: FieldErrors = []
    if not name or not is_valid_club_name(name):
        wrong.append(("name", say("lobby.name_bad", language())))
    if fault := lobby_parts().clubs.short_name_fault(short):
        wrong.append(("short", say(f"lobby.short_{fault}", language())))
    return wrong
