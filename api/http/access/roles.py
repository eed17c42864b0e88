"""The caller of a request, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.events import Role, Scope

OPEN: Final = "open"
"""Permission of a route that is open to everybody."""


@dataclass(frozen=True, slots=True)
class Actor:
    """The caller. ``by``: owner or a holder's id; ``via``: the sign-in or the device.

    ``encuentro``: the only table where the role holds; empty for every table. ``permissions``: what
    they may do there. ``scopes`` and ``origins``: of an app's token; without one
    ``scopes`` is None.
    """

    by: str
    via: str
    role: Role
    encuentro: str = ""
    is_device: bool = False
    permissions: frozenset[str] = frozenset()
    scopes: tuple[Scope, ...] | None = None
    origins: tuple[str, ...] = ()
