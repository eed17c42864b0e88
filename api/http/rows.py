"""Rows of the read side: waiting for them, paging, texts in place of their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, Generic, NamedTuple, TypeVar, get_type_hints
from uuid import UUID

import msgspec

from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.live import BoardMessage
from api.http.problems import Problem
from api.http.services import VIEWS_TIMEOUT_S, current_services
from projections.board.projection import etag
from referee.errors import NotFound
from referee.events import TextId

ERASED_TEXT: Final = "…"
"""In place of a text that was erased: it was there all the same."""
RowT = TypeVar("RowT")
ReadT = TypeVar("ReadT", bound="msgspec.Struct | list[Any]")


_LONGEST_CURSOR = 15
ViewT = TypeVar("ViewT")


def await_row_or_not_found(ask: Callable[[Any], RowT | None], stream: UUID) -> RowT:
    """A row of the read side; waits for one that is not written yet.

    :raises NotFound: there is none
    """
    here = current_services()
    for is_last in (False, True):
        with here.reads.reading() as rows:
            row = ask(rows)
        if row is not None:
            return row
        last = here.referee.position()
        if not is_last and not here.reads.wait(last, VIEWS_TIMEOUT_S):
            here.referee.history(stream)
            raise Problem("not_yet", headers={"Retry-After": "1"})
    raise NotFound(str(stream))


def with_texts(view: ReadT) -> ReadT:
    """Copy of a view with texts in place of the ids of texts."""
    texts = current_services().persons.texts_by_id(set(_text_ids(view)))
    return _fill_texts(view, texts)  # type: ignore[no-any-return]  # it is of the type that came in


def _text_ids(value: Any) -> Iterator[TextId]:
    """Ids of texts within a view."""
    if isinstance(value, list):
        for one in value:
            yield from _text_ids(one)
    elif isinstance(value, msgspec.Struct):
        kind = type(value)
        for name in kind.__struct_fields__:
            found = getattr(value, name)
            if found and name in _text_id_fields(kind):
                yield found
            else:
                yield from _text_ids(found)


def _fill_texts(value: Any, texts: Mapping[TextId, str | None]) -> Any:
    if isinstance(value, list):
        return [_fill_texts(one, texts) for one in value]
    if not isinstance(value, msgspec.Struct):
        return value
    kind = type(value)
    values = {name: getattr(value, name) for name in kind.__struct_fields__}
    for name, found in values.items():
        if found and name in _text_id_fields(kind):
            values[name] = texts[found] or ERASED_TEXT
        else:
            values[name] = _fill_texts(found, texts)
    return kind(**values)


@cache
def _text_id_fields(kind: type[msgspec.Struct]) -> frozenset[str]:
    """Fields of a type that hold an id of a text."""
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(name for name, hint in hints.items() if hint == TextId)


class ListPageData(msgspec.Struct, Generic[RowT], frozen=True):
    """One page of a list; ``next``: cursor of the next page, None at the end."""

    items: Sequence[RowT]
    next: str | None


def page_of_list(found: Sequence[RowT], query: Body) -> ListPageData[RowT]:
    """One page of a list in memory."""
    start, limit = parse_cursor(query.get("cursor", "")) or 0, query["limit"]
    more = str(start + limit) if len(found) > start + limit else None
    return ListPageData(items=found[start : start + limit], next=more)


def parse_cursor(cursor: str) -> int | None:
    """Index in a list where a page begins, parsed from a cursor; None without one."""
    if not cursor:
        return None
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= _LONGEST_CURSOR):
        raise Problem("invalid", errors={"query": {"cursor": [FieldFault("cursor")]}})
    return int(cursor)


def id_text_or_problem(
    one: UUID, no_such: dict[str, list[FieldFault]], ask: Callable[[UUID], object]
) -> str:
    """Id as text, after a check that the thing exists.

    :raises Problem: it does not exist; ``no_such``: the faults by field
    """
    try:
        ask(one)
    except NotFound:
        raise Problem("invalid", errors={"json": no_such}) from None
    return str(one)


class Board(NamedTuple, Generic[ViewT]):
    """A public view, and its tag: a hash of it."""

    view: ViewT
    tag: str

    def message(self) -> BoardMessage:
        """Content of the board as a message for a stream."""
        return BoardMessage(self.tag, msgspec.json.encode(self.view))


def _board_with_tag(view: ViewT) -> Board[ViewT]:
    return Board(view, etag(view))
