"""A function that makes a view of one type from a view of another."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

WideT = TypeVar("WideT", bound=msgspec.Struct)


def view_as(kind: type[WideT], view: msgspec.Struct, **more: Any) -> WideT:
    """A view of this type with the fields of another view, and with further or replaced fields."""
    common = set(view.__struct_fields__) & set(kind.__struct_fields__)
    return kind(**{name: getattr(view, name) for name in common} | more)
