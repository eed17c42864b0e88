"""Facts of the log as plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from referee.events import Fact

FactData: TypeAlias = Mapping[str, Any]
"""A fact by the stored names of its fields; its kind determines the fields."""


def whole(value: Any) -> Any:
    """A fact as plain JSON values with every field, also those that the log omits."""
    if isinstance(value, Fact):
        kind = type(value)
        names = zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True)
        return {stored: whole(getattr(value, name)) for stored, name in names}
    return list(value) if isinstance(value, tuple) else value
