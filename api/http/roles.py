"""Permissions of each role. The table of ``docs/operating/access.md`` is tested against it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.events import Role

OPEN: Final = "open"
"""Permission of a route that is open to everybody."""

_SCORER: Final = frozenset(
    {
        "self",
        "read",
        "acts:record",
        "acts:amend",
        "encuentros:seat",
        "results:report",
        "results:confirm",
    }
)
_DIRECTOR: Final = _SCORER | {
    "encuentros:open",
    "results:sign",
    "cases:open",
    "cases:read",
    "appeals:decide",
    "audit:read",
    "proofs:read",
    "devices:pair",
    "tournaments:run",
    "club:manage",
}
_ARBITER: Final = (_DIRECTOR | {"rulings:give"}) - {
    "devices:pair",
    "tournaments:run",
    "club:manage",
}

PERMISSIONS: Final[dict[Role, frozenset[str]]] = {
    "admin": _DIRECTOR | _ARBITER | {"access:manage", "persons:erase"},
    "director": _DIRECTOR,
    "arbiter": _ARBITER,
    "scorer": _SCORER,
    "spectator": frozenset({"self"}),
}
"""Permissions by role. Holders bound to a table have them at that table only."""


@dataclass(frozen=True, slots=True)
class Actor:
    """The caller. ``by``: owner or a holder's id; ``via``: the sign-in or the device.

    ``encuentro``: the only table where the role holds; empty for every table.
    """

    by: str
    via: str
    role: Role
    encuentro: str = ""
    is_device: bool = False
