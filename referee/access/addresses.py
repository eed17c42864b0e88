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
from typing import Final, NamedTuple, TypeVar

from referee.aggregates.league.state import LeagueTeam, TeamLeague
from referee.aggregates.session import AddressSubject, Session, address_subjects
from referee.events import PersonId

_T = TypeVar("_T")
PURPOSE: Final = "addresses of an evening"
"""What the key is derived for."""
SECRET_BYTES: Final = 12
_ID_BYTES: Final = 16
LENGTH: Final = 38
"""Characters of an address: id of the evening and secret, in base64url."""


class PrivateAddress(NamedTuple):
    """Parts of a private web address: whose it is and its secret, which may be wrong.

    ``owner_id``: id of its evening, league, tournament or person in hex.
    """

    owner_id: str
    secret: bytes


def parse_private_address(text: str) -> PrivateAddress | None:
    """Owner's id and unchecked secret in a private web address; None if the text has another form.

    >>> parse_private_address("A" * 38).owner_id
    '00000000000000000000000000000000'
    >>> parse_private_address("/") is None
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
    """Makes and checks private web addresses under the key of an installation.

    ``key`` returns its 32 bytes.
    """

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = key

    def secret_address_of_table_or_pair(
        self, session_id: str, state: Session, subject: AddressSubject
    ) -> str:
        """Secret address of a table or a pair of an evening, by how often it was renewed.

        ``session_id``: 32 hexadecimal digits.
        """
        return self._address(session_id, subject, state.renewed.get(subject, 0))

    def find_table_or_pair(self, given: PrivateAddress, state: Session) -> AddressSubject | None:
        """The table or pair of an evening to which a private web address belongs.

        None if it is wrong or was renewed.
        """
        return self._find_by_secret(
            given,
            ((one, one, state.renewed.get(one, 0)) for one in address_subjects(state)),
        )

    def secret_address_of_team(self, league_id: str, team: LeagueTeam) -> str:
        """Code in the private link of a team of a league; ``league_id``: 32 hexadecimal digits."""
        return self._address(league_id, f"team {team.id}", team.renewals)

    def find_team(self, given: PrivateAddress, state: TeamLeague) -> LeagueTeam | None:
        """The team of a league to which a private web address belongs.

        None if it is wrong or was renewed.
        """
        teams = state.teams.values()
        return self._find_by_secret(given, ((one, f"team {one.id}", one.renewals) for one in teams))

    def secret_address_for_entries(self, tournament_id: str, closings: int) -> str:
        """Code in the private link where pairs enter a tournament by themselves.

        Each closing of entries changes it.
        """
        return self._address(tournament_id, "entries", closings)

    def is_secret_address_for_entries(self, given: PrivateAddress, closings: int) -> bool:
        """Whether a web address is the present one where pairs enter a tournament by themselves."""
        return bool(self._find_by_secret(given, [(True, "entries", closings)]))

    def secret_address_of_entrant(self, tournament_id: str, pair: str) -> str:
        """Code in the private link of a pair of a tournament.

        ``tournament_id``: 32 hexadecimal digits.
        """
        return self._address(tournament_id, f"entrant {pair}", 0)

    def find_entrant_or_empty(self, given: PrivateAddress, pairs: Iterable[str]) -> str:
        """The pair of a tournament to which a private web address belongs; empty if it is wrong."""
        return self._find_by_secret(given, ((one, f"entrant {one}", 0) for one in pairs)) or ""

    def secret_address_of_person(self, person: PersonId, renewals: int) -> str:
        """Code in the private link where a person decides about their own data.

        Each renewal changes it.
        """
        return self._address(person, "person", renewals)

    def is_secret_address_of_person(self, given: PrivateAddress, renewals: int) -> bool:
        """Whether a web address is the present private one of its person."""
        return bool(self._find_by_secret(given, [(True, "person", renewals)]))

    def secret_code_of_record(self, encuentro_id: str) -> str:
        """Secret code by which the record of an encuentro can be read.

        ``encuentro_id``: 32 hexadecimal digits.
        """
        text = f"guinote record 1 {encuentro_id}"
        secret = hmac.new(self._key(), text.encode(), hashlib.sha256).digest()[:SECRET_BYTES]
        return urlsafe_b64encode(secret).decode()

    def _address(self, owner_id: str, subject: object, generation: int) -> str:
        secret = self._secret_of_subject(owner_id, subject, generation)
        return urlsafe_b64encode(bytes.fromhex(owner_id) + secret).rstrip(b"=").decode()

    def _find_by_secret(
        self, given: PrivateAddress, subjects: Iterable[tuple[_T, object, int]]
    ) -> _T | None:
        """The candidate that has the secret of the given web address; None if no secret fits.

        Every one is compared, so the time taken does not tell which it is.
        """
        found = None
        for one, subject, generation in subjects:
            secret = self._secret_of_subject(given.owner_id, subject, generation)
            if hmac.compare_digest(secret, given.secret):
                found = one
        return found

    def _secret_of_subject(self, owner_id: str, subject: object, generation: int) -> bytes:
        text = f"guinote address 1 {owner_id} {generation} {subject}"
        return hmac.new(self._key(), text.encode(), hashlib.sha256).digest()[:SECRET_BYTES]
