"""Schemas of a road: how it is opened, and what each of its acts holds."""

from __future__ import annotations

from typing import Any, Final

import marshmallow as ma
from marshmallow import validate

from api.http.bodies import MAX_BYTES
from api.http.fields import MAX_NAME, Int, RequestSchema, Text
from api.http.people import PersonIn
from referee.aggregates.road import FEWEST_PLACES, MOST_PLACES

MOST_ACTS: Final = 100
_NUMBER: Final = r"\A[0-9]{1,4}\Z"
_ENTRY: Final = r"\A[0-9]{1,4}-[0-9]{1,4}\Z"
_LONGEST_KEY: Final = 400


def _like(pattern: str) -> ma.fields.String:
    return ma.fields.String(required=True, validate=validate.Regexp(pattern))


def _tournament(*, required: bool) -> ma.fields.UUID:
    return ma.fields.UUID(required=required)


class RoadIn(RequestSchema):
    """A new road to a final of this house."""

    name = Text(MAX_NAME, required=True)
    final = _tournament(required=True)
    places = Int(FEWEST_PLACES, MOST_PLACES, required=True)
    contact = Text(lines=True)


# --- acts, each by its kind ----------------------------------------------------------------------


class QualifierAddIn(RequestSchema):
    """A qualifier; without a tournament of this house its list comes from another."""

    name = Text(MAX_NAME, required=True)
    places = Int(1, MOST_PLACES, required=True)
    tournament = _tournament(required=False)


class QualifierChangeIn(RequestSchema):
    """Another name or number of places of a qualifier."""

    qualifier = _like(_NUMBER)
    name = Text(MAX_NAME, required=True)
    places = Int(1, MOST_PLACES, required=True)


class KeyTrustIn(RequestSchema):
    """The key of another house, compared with the one that it shows."""

    key = ma.fields.String(required=True, validate=validate.Length(1, _LONGEST_KEY))


class ListTakeIn(RequestSchema):
    """The list of a qualifier; of another house the file that it signed, as text."""

    qualifier = _like(_NUMBER)
    file = ma.fields.String(validate=validate.Length(1, MAX_BYTES))
    same = ma.fields.List(Text(MAX_NAME), validate=validate.Length(max=2 * MOST_PLACES))


class PairInviteIn(RequestSchema):
    """A pair that plays the final without a qualifier."""

    players: Any = ma.fields.List(
        ma.fields.Nested(PersonIn), required=True, validate=validate.Length(1, 2)
    )
    reason = Text(lines=True)


class PlaceRenounceIn(RequestSchema):
    """A pair that does not come to the final."""

    entry = _like(_ENTRY)
    reason = Text(lines=True)


class PlaceReclaimIn(RequestSchema):
    """A pair that comes after all."""

    entry = _like(_ENTRY)


class FinalEnterIn(RequestSchema):
    """Those with a place are entered in the final."""
