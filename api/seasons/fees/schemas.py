"""Schemas of fees, prizes and payments."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import validate

from api.http.fields import Bool, Int, RequestSchema, error_with_fault_code
from api.http.people import PERSON_ID
from api.money.amounts import MOST_CENTS, MOST_PRIZES, PrizeIn


class FeesIn(RequestSchema):
    """What each pays, in cents, what of it is the club's, and the prizes by place."""

    fee = Int(0, MOST_CENTS, load_default=0, metadata={"description": "in cents; 0: nothing"})
    kept = Int(
        0,
        MOST_CENTS,
        load_default=0,
        metadata={"description": "of each fee, for the club; in cents"},
    )
    prizes = ma.fields.List(
        ma.fields.Nested(PrizeIn), load_default=list, validate=validate.Length(max=MOST_PRIZES)
    )

    @ma.validates_schema
    def _refuse_share_above_fee(self, data: dict[str, Any], **_more: object) -> None:
        if data.get("kept", 0) > data.get("fee", 0):
            raise ma.ValidationError({"kept": error_with_fault_code("more_than_the_fee").messages})


class PaymentIn(RequestSchema):
    """Whether a person, or a pair where pairs play, has paid."""

    person = ma.fields.String(validate=PERSON_ID)
    pair = ma.fields.String(validate=PERSON_ID)
    paid = Bool(required=True)

    @ma.validates_schema
    def _require_exactly_one(self, data: dict[str, Any], **_more: object) -> None:
        if ("person" in data) == ("pair" in data):
            raise error_with_fault_code("person_or_pair")
