"""What views have in common: a view of one kind made from a view of another."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

WideT = TypeVar("WideT", bound=msgspec.Struct)


def widen(kind: type[WideT], view: msgspec.Struct, **more: Any) -> WideT:
    """A view of a kind with the fields that another view shares with it, and more, or instead."""
    common = set(view.__struct_fields__) & set(kind.__struct_fields__)
    return kind(**{name: getattr(view, name) for name in common} | more)
