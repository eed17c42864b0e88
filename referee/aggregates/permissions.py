"""Permissions of each role. The table of ``docs/operating/access.md`` is tested against it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from referee.events import Role

HolderKind: TypeAlias = Literal["account", "device"]

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
_ARBITER: Final = (_DIRECTOR | {"rulings:give"}) - {"tournaments:run", "club:manage"}

PERMISSIONS: Final[dict[Role, frozenset[str]]] = {
    "admin": _DIRECTOR | _ARBITER | {"access:manage", "persons:erase"},
    "director": _DIRECTOR,
    "arbiter": _ARBITER,
    "scorer": _SCORER,
    "spectator": frozenset({"self"}),
}
"""Permissions by role. Holders bound to a table have them at that table only."""
_ACCOUNTS_ONLY: Final = frozenset({"devices:pair"})
"""Permissions that no device has: whoever finds a tablet lets nobody in with it."""
PERMISSIONS_ON_DEVICES: Final[dict[Role, frozenset[str]]] = {
    role: held - _ACCOUNTS_ONLY for role, held in PERMISSIONS.items()
}
"""Permissions by role of a paired device."""


def permissions_of(role: Role, kind: HolderKind) -> frozenset[str]:
    """Permissions of an account or a device with a role.

    >>> "devices:pair" in permissions_of("arbiter", "account")
    True
    >>> "devices:pair" in permissions_of("arbiter", "device")
    False
    """
    return (PERMISSIONS_ON_DEVICES if kind == "device" else PERMISSIONS)[role]
