"""Tokens of apps that may be used now."""

from __future__ import annotations

from typing import NamedTuple

from api.http.access.owner import Owner
from referee.access.keys import Keys, OpenToken
from referee.aggregates.access import OWNER, Access, Holder


class LiveToken(NamedTuple):
    """A token of an app that may be used now, without its secret, and what it may do."""

    row: OpenToken
    held: Holder


def live_tokens(access: Access, keys: Keys, owner: Owner) -> list[LiveToken]:
    """Every such token, the newest first."""
    rows = [one for one in keys.tokens() if one.kind == "app"]
    found = [
        LiveToken(row, held)
        for row in rows
        if (held := access.active(row.holder)) is not None and is_current(held, row.mark, owner)
    ]
    return sorted(found, key=lambda one: -(one.row.since or 0))


def is_current(held: Holder, mark: str, owner: Owner) -> bool:
    """Whether a token was not made by the owner with an owner's token that was replaced."""
    return held.by != OWNER or owner.is_marked(mark)
