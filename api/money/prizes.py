"""A prize as a request has it."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from api.http.faults import validation_error
from api.http.fields import MAX_NAME, Int, RequestSchema, Text
from api.money.amounts import MOST_CENTS


class PrizeIn(RequestSchema):
    """What a place is worth: an amount of money, or words."""

    amount = Int(1, MOST_CENTS, metadata={"description": "in cents"})
    words = Text(MAX_NAME, metadata={"description": "as *un jamón*"})

    @ma.validates_schema
    def _one_of_them(self, data: dict[str, Any], **_more: object) -> None:
        if len(data) != 1:
            raise validation_error("amount_or_words")
