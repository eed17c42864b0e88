"""References of the log to names and texts: which person, which text an event is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeAlias,
    Union,
    get_args,
    get_origin,
)
from uuid import UUID

import msgspec

from referee.events import Fact
from referee.events.base import FieldKind
from referee.log.mapper import CODEC, RecordedEvent
from referee.log.ports import Rows

NamesTable: TypeAlias = Literal["persons", "texts"]
_Found: TypeAlias = Iterator[tuple[NamesTable, str]]

_TABLES: Final[dict[object, NamesTable]] = {
    FieldKind.PERSON: "persons",
    FieldKind.TEXT: "texts",
}
_ALL: Final = 2**62
_PAGE: Final = 1_000


class Reference(NamedTuple):
    """A reference of an event to a row of a table of names."""

    table: NamesTable
    id: str
    event: RecordedEvent


def first_references_in_log(log: Rows) -> Iterator[Reference]:
    """The first reference of a log to each name and to each text, in the order of the log."""
    seen: set[tuple[NamesTable, str]] = set()
    position = 0
    while page := list(log.read_from(position + 1, _PAGE)):
        for _, stream, version, name, state in page:
            recorded = CODEC.decode_row(UUID(stream), version, name, state)
            for found in tables_and_ids_in_fact(recorded.event):
                if found not in seen:
                    seen.add(found)
                    yield Reference(*found, recorded)
        position = page[-1][0]


def tables_and_ids_in_fact(fact: Fact) -> _Found:
    """Pairs of a table and an id to which a fact, or a fact inside it, refers."""
    for field, find in _finders(type(fact)):
        yield from find(getattr(fact, field))


@cache
def _finders(kind: type[Fact]) -> tuple[tuple[str, Callable[[Any], _Found]], ...]:
    """Fields of a fact that can hold references, each with the function that finds them."""
    fields = ((one.name, _finder_or_none(one.type)) for one in msgspec.structs.fields(kind))
    return tuple((name, find) for name, find in fields if find is not None)


def _finder_or_none(kind: Any) -> Callable[[Any], _Found] | None:
    """Function that finds references in values of a type; None if such values never hold any."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        table = next((_TABLES[one] for one in inner[1:] if one in _TABLES), None)
        return None if table is None else (lambda value: iter([(table, value)] if value else []))
    if origin in (Union, UnionType):
        return _find_if_fact if any(_finder_or_none(one) for one in inner) else None
    if isinstance(kind, type) and issubclass(kind, Fact):
        return tables_and_ids_in_fact if _finders(kind) else None
    finders = [_finder_or_none(one) for one in inner]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        of_keys, of_values = finders
        if of_keys is not None:
            return lambda value: _find_in_each(of_keys, value)
        return of_values and (lambda value: _find_in_each(of_values, value.values()))
    find = next((one for one in finders if one is not None), None)
    return find and (lambda value: _find_in_each(find, value))


def _find_in_each(find: Callable[[Any], _Found], values: Iterable[Any]) -> _Found:
    for value in values:
        yield from find(value)


def _find_if_fact(value: Any) -> _Found:
    """References in a value that is a fact, or nothing."""
    if isinstance(value, Fact):
        yield from tables_and_ids_in_fact(value)
