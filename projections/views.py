"""What views have in common: a kind with more fields made from one with fewer."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

WideT = TypeVar("WideT", bound=msgspec.Struct)


def widen(kind: type[WideT], view: msgspec.Struct, **more: Any) -> WideT:
    """A view of a wider kind: the fields of another view that it has too, and more, or instead."""
    common = set(view.__struct_fields__) & set(kind.__struct_fields__)
    return kind(**{name: getattr(view, name) for name in common} | more)
