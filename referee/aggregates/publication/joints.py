"""Codes by which a person joins themselves to themselves in another club, and fingerprints."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final, NamedTuple

from referee.aggregates.publication.rules import PublicationRule
from referee.errors import Refused
from referee.events.publication import JointId, PublicId

ID_BYTES: Final = 16


def fingerprint_of(key: str) -> str:
    """Fingerprint of the public key of a club: 128 bits of its SHA-256, in hex.

    >>> fingerprint_of("club.example/mesas+9f86d081+AQAB")
    '956bcf308d9c45b216441911b1a5d030'
    """
    return hashlib.sha256(key.strip().encode()).hexdigest()[: 2 * ID_BYTES]


class JointCode(NamedTuple):
    """What a code says: the joint, the fingerprint of a club, a person of it by public id."""

    joint: JointId
    key: str
    person: PublicId

    @property
    def text(self) -> str:
        """The code as it is copied: 64 characters.

        >>> JointCode("00" * 16, "00" * 16, "00" * 16).text
        'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
        """
        return urlsafe_b64encode(bytes.fromhex("".join(self))).decode()


def read_joint_code(text: str) -> JointCode:
    """The parts of a code.

    :raises Refused: it is none
    """
    try:
        whole = urlsafe_b64decode("".join(text.split()))
    except ValueError:
        whole = b""
    if len(whole) != 3 * ID_BYTES:
        raise Refused(PublicationRule.CODE_BROKEN)
    parts = (whole[at : at + ID_BYTES].hex() for at in range(0, len(whole), ID_BYTES))
    return JointCode(*parts)
