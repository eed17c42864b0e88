"""Schemas of a ranking: how it is opened, and what each of its acts holds."""

from __future__ import annotations

from typing import Final

import marshmallow as ma
from marshmallow import validate

from api.http.bodies import MAX_BYTES
from api.http.fields import MAX_NAME, RequestSchema, Text
from api.outgoing.fields import OutgoingAddressField
from api.outgoing.transport import LONGEST_ADDRESS

MOST_ACTS: Final = 100
_LONGEST_KEY: Final = 400


def _club() -> ma.fields.String:
    return ma.fields.String(required=True, validate=validate.Regexp(r"\A[0-9]{1,4}\Z"))


def _address() -> OutgoingAddressField:
    return OutgoingAddressField(validate=validate.Length(1, LONGEST_ADDRESS))


class RankingIn(RequestSchema):
    """A new ranking between clubs."""

    name = Text(MAX_NAME, required=True)
    contact = Text(lines=True)


class ClubAdmitIn(RequestSchema):
    """A club that takes part, by its key, which was compared with the one that it shows."""

    name = Text(MAX_NAME, required=True)
    key = ma.fields.String(required=True, validate=validate.Length(1, _LONGEST_KEY))
    address = _address()


class ClubAddressIn(RequestSchema):
    """Where the publication of a club is from now on; none if it comes as a file."""

    club = _club()
    address = _address()


class ClubDropIn(RequestSchema):
    """A club that takes part no more."""

    club = _club()


class PublicationTakeIn(RequestSchema):
    """What a club publishes: the file that it signed, as text."""

    club = _club()
    file = ma.fields.String(required=True, validate=validate.Length(1, MAX_BYTES))
