"""Events about access: grants, pairings, revocations.

An account is a person who signs in, a device something that was paired at a table. Both are known
here by random ids; names, passwords and tokens are not on the log. ``by`` is who grants or revokes;
it is empty in events of before, where only the envelope says it and nothing about them was checked.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from referee.events.base import Act

Role: TypeAlias = Literal["admin", "director", "arbiter", "scorer", "spectator"]
HolderId: TypeAlias = str


class RoleGranted(Act, frozen=True, tag="grant"):
    """An account has this role from now on, and no other one.

    ``encuentro``: the only table for which it is valid; empty for every table.
    """

    account: HolderId
    role: Role
    encuentro: str = ""
    by: HolderId = ""


class DevicePaired(Act, frozen=True, tag="pair"):
    """A device has a role, most often at one table."""

    device: HolderId
    role: Role
    encuentro: str = ""
    by: HolderId = ""


class AccessRevoked(Act, frozen=True, tag="revoke"):
    """An account or a device loses its role."""

    holder: HolderId
    by: HolderId = ""


AccessAct: TypeAlias = RoleGranted | DevicePaired | AccessRevoked
