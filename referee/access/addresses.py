"""Private addresses: a secret for each table, pair, team of a league and record, not stored.

A secret is the HMAC of the evening, league or tournament, the subject and how often its address was
renewed, under a key that is derived from the master key of the installation. So whoever reads the
log or the files of names cannot make one without that key.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from referee.aggregates.league.state import LeagueTeam, TeamLeague
from referee.aggregates.session import AddressSubject, Session, subjects_of

PURPOSE: Final = "addresses of an evening"
"""What the key is derived for."""
SECRET_BYTES: Final = 12
_ID_BYTES: Final = 16
LENGTH: Final = 38
"""Characters of an address: id of the evening and secret, in base64url."""


class PrivateAddress(NamedTuple):
    """What an address says, right or wrong: id of its evening or league in hex, and its secret."""

    session_id: str
    secret: bytes


def read_address(text: str) -> PrivateAddress | None:
    """The parts of an address; None if it has another form.

    >>> read_address("A" * 38).session_id
    '00000000000000000000000000000000'
    >>> read_address("/") is None
    True
    """
    try:
        whole = urlsafe_b64decode(text + "==")
    except ValueError:
        return None
    if (
        len(whole) != _ID_BYTES + SECRET_BYTES
        or urlsafe_b64encode(whole).rstrip(b"=").decode() != text
    ):
        return None
    return PrivateAddress(whole[:_ID_BYTES].hex(), whole[_ID_BYTES:])


class Addresses:
    """Addresses under the key of an installation. ``key`` returns its 32 bytes."""

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = key

    def of(self, session_id: str, state: Session, subject: AddressSubject) -> str:
        """The address of a subject of an evening, as it stands after its renewals.

        ``session_id``: 32 hexadecimal digits.
        """
        secret = self._secret(session_id, subject, state.renewed.get(subject, 0))
        return urlsafe_b64encode(bytes.fromhex(session_id) + secret).rstrip(b"=").decode()

    def subject(self, given: PrivateAddress, state: Session) -> AddressSubject | None:
        """The subject of an evening whose address this is; None of a wrong or a renewed one.

        Every subject is compared, so the time taken does not tell which it is.
        """
        found = None
        for one in subjects_of(state):
            secret = self._secret(given.session_id, one, state.renewed.get(one, 0))
            if hmac.compare_digest(secret, given.secret):
                found = one
        return found

    def of_team(self, league_id: str, team: LeagueTeam) -> str:
        """The address of a team of a league; ``league_id``: 32 hexadecimal digits."""
        secret = self._secret(league_id, f"team {team.id}", team.renewals)
        return urlsafe_b64encode(bytes.fromhex(league_id) + secret).rstrip(b"=").decode()

    def team(self, given: PrivateAddress, state: TeamLeague) -> LeagueTeam | None:
        """The team of a league whose address this is; None of a wrong or a renewed one."""
        found = None
        for one in state.teams.values():
            secret = self._secret(given.session_id, f"team {one.id}", one.renewals)
            if hmac.compare_digest(secret, given.secret):
                found = one
        return found

    def of_entries(self, tournament_id: str, closings: int) -> str:
        """The address where pairs enter a tournament by themselves, as often as it was closed."""
        secret = self._secret(tournament_id, "entries", closings)
        return urlsafe_b64encode(bytes.fromhex(tournament_id) + secret).rstrip(b"=").decode()

    def of_entrant(self, tournament_id: str, pair: str) -> str:
        """The address of a pair of a tournament; ``tournament_id``: 32 hexadecimal digits."""
        secret = self._secret(tournament_id, f"entrant {pair}", 0)
        return urlsafe_b64encode(bytes.fromhex(tournament_id) + secret).rstrip(b"=").decode()

    def is_of_entries(self, given: PrivateAddress, closings: int) -> bool:
        """Whether an address is the one where pairs enter a tournament by themselves now."""
        secret = self._secret(given.session_id, "entries", closings)
        return hmac.compare_digest(secret, given.secret)

    def entrant(self, given: PrivateAddress, pairs: Iterable[str]) -> str:
        """The pair of a tournament whose address this is; empty of a wrong one."""
        found = ""
        for one in pairs:
            secret = self._secret(given.session_id, f"entrant {one}", 0)
            if hmac.compare_digest(secret, given.secret):
                found = one
        return found

    def code_of_record(self, encuentro_id: str) -> str:
        """The code of the record of an encuentro; ``encuentro_id``: 32 hexadecimal digits."""
        text = f"guinote record 1 {encuentro_id}"
        secret = hmac.new(self._key(), text.encode(), hashlib.sha256).digest()[:SECRET_BYTES]
        return urlsafe_b64encode(secret).decode()

    def _secret(self, session_id: str, subject: AddressSubject | str, generation: int) -> bytes:
        text = f"guinote address 1 {session_id} {generation} {subject}"
        return hmac.new(self._key(), text.encode(), hashlib.sha256).digest()[:SECRET_BYTES]
