"""Public views with their tags."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from api.http.live import BoardMessage
from projections.rows import encuentros as tables


class Board(NamedTuple):
    """A public view, and its tag: a hash of it."""

    view: dict[str, Any]
    tag: str

    def shown(self) -> BoardMessage:
        """The same, for a stream."""
        return BoardMessage(self.tag, msgspec.json.encode(self.view))


def _board(view: dict[str, Any]) -> Board:
    return Board(view, tables.etag(view))
