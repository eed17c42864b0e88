"""Names of a new club: the one that its pages show, and the short one of its address."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from api.brand.brand import is_club_name
from api.html.forms import FieldErrors
from api.http.languages import language, say
from api.lobby.parts import lobby

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
    if not name or not is_club_name(name):
        wrong.append(("name", say("lobby.name_bad", language())))
    if fault := lobby().clubs.fault_of(short):
        wrong.append(("short", say(f"lobby.short_{fault}", language())))
    return wrong
