"""Fields for addresses that the house connects to."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from api.http.faults import validation_error
from api.outgoing.transport import BadAddress, OutgoingAddress


class OutgoingAddressField(ma.fields.String):
    """An address that the house connects to."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more).strip()
        try:
            OutgoingAddress(text)
        except BadAddress:
            raise validation_error("not_an_address") from None
        return text
