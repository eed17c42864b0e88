"""Erasures that an older copy has brought back, done again."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import Final

from api.server import wiring
from api.server.data_folder import Files
from referee.people.persons import Persons

_EVERY: Final = 2**31


def erase_again(where: Files, found: Persons) -> int:
    """Erase what the security log says was erased, and a copy of before has brought back."""
    with closing(wiring.open_security(where)) as security:
        about = {one.about for one in security.latest_entries(_EVERY, kind="erased")}
    with closing(wiring.open_referee_of_any_house(where)) as referee:
        club = referee.players.club()
        erased = [name for one in about for name in club.erasure_with(one)]
    before = found.erasures()
    with suppress(TimeoutError):  # a reader holds the old bytes; the next start sweeps them
        found.erase(*erased)
    return len(found.erasures()) - len(before)
