"""Access as a decider: who holds which role in a club, after every grant and revocation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from referee.errors import Refused
from referee.events import AccessAct, AccessRevoked, DevicePaired, HolderId, Role, RoleGranted
from referee.rules.articles import Rule

HolderKind: TypeAlias = Literal["account", "device"]

AT_ONE_TABLE: Final[frozenset[Role]] = frozenset({"scorer"})
"""Roles that are always bound to one table."""
AT_ANY_TABLE: Final[frozenset[Role]] = frozenset({"admin", "director"})
"""Roles that are never bound to one table."""


class Holder(NamedTuple):
    """Somebody or something with a role. ``encuentro``: its only table; empty for all."""

    kind: HolderKind
    role: Role
    encuentro: str
    is_active: bool = True


class Access(msgspec.Struct, frozen=True):
    """Everybody who ever had a role. ``version`` counts the acts."""

    holders: Mapping[HolderId, Holder] = {}
    version: int = 0

    def active(self, holder: HolderId) -> Holder | None:
        """What a holder may do now; None if they are unknown or were revoked."""
        found = self.holders.get(holder)
        return found if found is not None and found.is_active else None

    @property
    def has_admin(self) -> bool:
        """Whether anybody is admin now."""
        return any(one.is_active and one.role == "admin" for one in self.holders.values())


INITIAL: Final = Access()


def evolve(state: Access, event: AccessAct) -> Access:
    """Access after one event. It never refuses: only ``decide`` checks rules."""
    match event:
        case RoleGranted():
            name, holder = event.account, Holder("account", event.role, event.encuentro)
        case DevicePaired():
            name, holder = event.device, Holder("device", event.role, event.encuentro)
        case AccessRevoked():
            name = event.holder
            known = state.holders.get(name, Holder("account", "spectator", ""))
            holder = known._replace(is_active=False)
        case _:
            assert_never(event)
    return replace(state, holders={**state.holders, name: holder}, version=state.version + 1)


def decide(act: AccessAct, state: Access) -> tuple[AccessAct, ...]:
    """The act that was asked to be recorded.

    :raises Refused: if it may not be done
    """
    if isinstance(act, AccessRevoked):
        if state.active(act.holder) is None:
            raise Refused(Rule.HOLDER_UNKNOWN, holder=act.holder)
        return (act,)
    if isinstance(act, RoleGranted):
        held = state.holders.get(act.account)
        if held is not None and (held.kind == "device" or not held.is_active):
            raise Refused(Rule.HOLDER_UNKNOWN, holder=act.account)
    elif act.device in state.holders:
        raise Refused(Rule.HOLDER_KNOWN, holder=act.device)
    refuse_misplaced(act.role, act.encuentro)
    return (act,)


def refuse_misplaced(role: Role, encuentro: str) -> None:
    """Refuse a scorer of no table, and an admin or director of one.

    :raises Refused: the role cannot be had there
    """
    if role in AT_ONE_TABLE and not encuentro:
        raise Refused(Rule.ROLE_WANTS_TABLE, role=role)
    if role in AT_ANY_TABLE and encuentro:
        raise Refused(Rule.ROLE_OF_ALL_TABLES, role=role)
