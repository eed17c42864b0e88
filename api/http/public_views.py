"""Public views with their tags."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, NamedTuple, TypeVar

import msgspec

from api.http.live import BoardMessage
from projections.board.queries import etag

ViewT = TypeVar("ViewT", bound=Mapping[str, object])


class Board(NamedTuple, Generic[ViewT]):
    """A public view, and its tag: a hash of it."""

    view: ViewT
    tag: str

    def shown(self) -> BoardMessage:
        """The same, for a stream."""
        return BoardMessage(self.tag, msgspec.json.encode(self.view))


def _board(view: ViewT) -> Board[ViewT]:
    return Board(view, etag(view))
