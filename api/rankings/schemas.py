"""Schemas of a ranking: how it is opened, and what each of its acts holds."""

from __future__ import annotations

from typing import Any, Final

import marshmallow as ma
from marshmallow import validate

from api.http.bodies import MAX_BYTES, Body
from api.http.faults import FieldFault
from api.http.fields import MAX_NAME, Int, RequestSchema, Text
from api.outgoing.fields import OutgoingAddressField
from api.outgoing.transport import LONGEST_ADDRESS
from api.rankings.publications import LARGEST

MOST_ACTS: Final = 100
_LONGEST_KEY: Final = 400


def _club() -> ma.fields.String:
    return ma.fields.String(required=True, validate=validate.Regexp(r"\A[0-9]{1,4}\Z"))


def _upload(**more: Any) -> ma.fields.String:
    return ma.fields.String(validate=validate.Regexp(r"\A[0-9a-f]{16}\Z"), **more)


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
    """What a club publishes: the file that it signed, as text or as an upload that is whole."""

    club = _club()
    file = ma.fields.String(validate=validate.Length(1, MAX_BYTES))
    upload = _upload()

    @ma.validates_schema
    def refuse_none_or_both(self, data: Body, **_: object) -> None:
        """It is one of both."""
        if ("file" in data) == ("upload" in data):
            raise ma.ValidationError({"file": [FieldFault("required")]})


class RankingFileIn(RequestSchema):
    """A piece of a file of signed results that is larger than a request.

    ``upload``: an id that the sender chose; ``at``: bytes before it; ``size``: bytes in all.
    """

    upload = _upload(required=True)
    at = Int(0, LARGEST, required=True)
    size = Int(1, LARGEST, required=True)
    piece = ma.fields.String(required=True, validate=validate.Length(1, MAX_BYTES))
