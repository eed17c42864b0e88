"""Access as a decider: who holds which role in a club, after every grant and revocation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from referee import events as ev
from referee.errors import Refused
from referee.rules.articles import Rule

HolderKind: TypeAlias = Literal["account", "device", "token"]

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
    "webhooks:manage",
}
_ARBITER: Final = (_DIRECTOR | {"rulings:give"}) - {
    "tournaments:run",
    "club:manage",
    "webhooks:manage",
}

PERMISSIONS: Final[dict[ev.Role, frozenset[str]]] = {
    "admin": _DIRECTOR | _ARBITER | {"access:manage", "persons:erase"},
    "director": _DIRECTOR,
    "arbiter": _ARBITER,
    "scorer": _SCORER,
    "spectator": frozenset({"self"}),
}
"""Permissions by role. Holders bound to a table have them at that table only."""
_ACCOUNTS_ONLY: Final = frozenset({"devices:pair"})
"""Permissions that no device has: whoever finds a tablet lets nobody in with it."""
PERMISSIONS_ON_DEVICES: Final[dict[ev.Role, frozenset[str]]] = {
    role: held - _ACCOUNTS_ONLY for role, held in PERMISSIONS.items()
}
"""Permissions by role of a paired device."""
SCOPES: Final[dict[ev.Scope, frozenset[str]]] = {
    "read:public": frozenset(),
    "read:official": frozenset({"read", "cases:read", "audit:read", "proofs:read"}),
    "record": _SCORER - {"self"},
    "organise": frozenset(
        {
            "read",
            "encuentros:open",
            "encuentros:seat",
            "results:report",
            "results:sign",
            "tournaments:run",
            "club:manage",
        }
    ),
}
"""Permissions that a token has at most, by scope. None of them rules, decides an appeal, lets
somebody in or erases: people do that."""

DAYS_OF_TOKEN: Final = range(1, 367)
MOST_ORIGINS: Final = 8
"""Sites that a token names at most."""


def scopes_for_permission(permission: str) -> list[ev.Scope]:
    """Every scope that by itself is enough for a permission.

    >>> scopes_for_permission("read"), scopes_for_permission("rulings:give")
    (['read:official', 'record', 'organise'], [])
    """
    held = {scope: permissions | {"self"} for scope, permissions in SCOPES.items()}
    return [scope for scope, permissions in held.items() if permission in permissions]


def limit_permissions(scopes: Iterable[ev.Scope], held: frozenset[str]) -> frozenset[str]:
    """Permissions of whoever gave some scopes, limited to what these scopes allow.

    >>> sorted(limit_permissions(["read:official"], PERMISSIONS["scorer"]))
    ['read', 'self']
    """
    return held & {"self"}.union(*(SCOPES[scope] for scope in scopes))


def permissions_of_role(role: ev.Role, kind: HolderKind) -> frozenset[str]:
    """Permissions of an account, a device or, whatever its scopes, a token with a role.

    >>> "devices:pair" in permissions_of_role("arbiter", "account")
    True
    >>> "devices:pair" in permissions_of_role("arbiter", "device")
    False
    """
    return (PERMISSIONS_ON_DEVICES if kind == "device" else PERMISSIONS)[role]


OWNER: Final[ev.HolderId] = "owner"
"""Who holds the owner's token: an admin who is not on the log."""
AT_ONE_TABLE: Final[frozenset[ev.Role]] = frozenset({"scorer"})
"""Roles that are always bound to one table."""
AT_ANY_TABLE: Final[frozenset[ev.Role]] = frozenset({"admin", "director"})
"""Roles that are never bound to one table."""


class Holder(NamedTuple):
    """Somebody or something with a role. ``encuentro``: its only table; empty for all.

    ``by``: who granted the role; empty where only the envelope on the log says it. ``of``: the
    arbiter whose own device it is, or whoever made the token. ``scopes`` and ``origins``: of a
    token.
    """

    kind: HolderKind
    role: ev.Role
    encuentro: str
    is_active: bool = True
    by: ev.HolderId = ""
    of: ev.HolderId = ""
    scopes: tuple[ev.Scope, ...] = ()
    origins: tuple[str, ...] = ()

    @property
    def permissions(self) -> frozenset[str]:
        """Permissions of the holder, at their only table or at all tables."""
        held = permissions_of_role(self.role, self.kind)
        return limit_permissions(self.scopes, held) if self.kind == "token" else held


class Access(msgspec.Struct, frozen=True):
    """Everybody who ever had a role. ``version`` counts the acts."""

    holders: Mapping[ev.HolderId, Holder] = {}
    version: int = 0

    def active_holder(self, holder: ev.HolderId) -> Holder | None:
        """The holder with the role that they have now; None if they are unknown or were revoked.

        A token has the role of whoever made it, as it is now, and none without them.
        """
        found = self.holders.get(holder)
        if found is None or not found.is_active:
            return None
        return self._token_with_maker_role(found) if found.kind == "token" else found

    def _token_with_maker_role(self, token: Holder) -> Holder | None:
        maker = self.active_holder_or_owner(token.by)
        if maker is None or (token.encuentro and maker.encuentro not in ("", token.encuentro)):
            return None
        return token._replace(role=maker.role, encuentro=token.encuentro or maker.encuentro)

    def principal_id_of_holder(self, holder: ev.HolderId) -> ev.PrincipalId:
        """Id of the person that a holder counts as where two persons are required.

        An arbiter's own device counts as the arbiter.

        Else whoever opens no accounts would be two at will. A device that an admin pairs is of
        somebody else. A token is whoever made it.
        """
        found = self.holders.get(holder)
        return found.of or holder if found is not None else holder

    def active_holder_or_owner(self, by: ev.HolderId) -> Holder | None:
        """The holder with the role that they have now; None if unknown or revoked.

        The owner counts as an admin.
        """
        return Holder("account", "admin", "") if by == OWNER else self.active_holder(by)

    @property
    def admin_ids(self) -> frozenset[ev.HolderId]:
        """Ids of all holders who are admin now, the owner left out."""
        return frozenset(
            name for name, one in self.holders.items() if one.is_active and one.role == "admin"
        )

    def is_protected_last_admin(self, holder: ev.HolderId, by: ev.HolderId) -> bool:
        """Whether a holder is the last admin and ``by`` is not the owner, who may revoke them."""
        return by != OWNER and self.admin_ids == {holder}

    def active_token_ids_of_makers(self, *makers: ev.HolderId) -> list[ev.HolderId]:
        """Ids of the tokens that some holders made and that were not revoked."""
        return [
            name
            for name, one in self.holders.items()
            if one.kind == "token" and one.is_active and one.by in makers
        ]

    @property
    def has_admin(self) -> bool:
        """Whether anybody is admin now."""
        return bool(self.admin_ids)


INITIAL: Final = Access()


def evolve(state: Access, event: ev.AccessAct) -> Access:
    """Access after one event. It never refuses: only ``decide`` checks rules."""
    match event:
        case ev.RoleGranted():
            name = event.account
            holder = Holder("account", event.role, event.encuentro, by=event.by)
        case ev.DevicePaired():
            name = event.device
            granter = state.active_holder(event.by)
            is_own = granter is not None and granter.role == event.role == "arbiter"
            of = event.by if is_own else ""
            holder = Holder("device", event.role, event.encuentro, by=event.by, of=of)
        case ev.TokenMade():
            name = event.token
            holder = Holder("token", "spectator", event.encuentro, by=event.by, of=event.by)
            holder = holder._replace(scopes=event.scopes, origins=event.origins)
        case ev.AccessRevoked():
            name = event.holder
            known = state.holders.get(name, Holder("account", "spectator", ""))
            holder = known._replace(is_active=False)
        case _:
            assert_never(event)
    return replace(state, holders={**state.holders, name: holder}, version=state.version + 1)


def decide(act: ev.AccessAct, state: Access) -> tuple[ev.AccessAct, ...]:
    """The act to be recorded; if it names an author, they must have the right to it.

    :raises Refused: if it may not be done
    """
    if act.by:
        _refuse_unauthorized_act(act, state)
    if isinstance(act, ev.AccessRevoked):
        if not (known := state.holders.get(act.holder)) or not known.is_active:
            raise Refused(Rule.HOLDER_UNKNOWN, holder=act.holder)
        return (act,)
    if isinstance(act, ev.RoleGranted):
        held = state.holders.get(act.account)
        if held is not None and (held.kind != "account" or not held.is_active):
            raise Refused(Rule.HOLDER_UNKNOWN, holder=act.account)
    else:
        new = act.device if isinstance(act, ev.DevicePaired) else act.token
        if new in state.holders:
            raise Refused(Rule.HOLDER_KNOWN, holder=new)
    if not isinstance(act, ev.TokenMade):
        refuse_role_table_mismatch(act.role, act.encuentro)
    return (act,)


def may_grant(granter: Holder | None, kind: HolderKind, role: ev.Role, encuentro: str) -> bool:
    """Whether a holder may give a role to an account or a device, at one table or at all of them.

    They have every permission of the role, and give it at no table but theirs. Accounts are for
    who manages access; a device has no role that is for the whole club.

    >>> director = Holder("account", "director", "")
    >>> may_grant(director, "device", "arbiter", ""), may_grant(director, "device", "scorer", "1")
    (False, True)
    """
    if granter is None or (kind == "device" and role in AT_ANY_TABLE):
        return False
    held = granter.permissions
    return (
        ("access:manage" if kind == "account" else "devices:pair") in held
        and permissions_of_role(role, kind) <= held
        and granter.encuentro in ("", encuentro)
    )


def may_make_token(maker: Holder | None, scopes: Iterable[ev.Scope], encuentro: str) -> bool:
    """Whether a holder may make a token with some scopes, for one table or for all of theirs.

    They have every permission of the scopes, and an account: whoever finds a tablet makes none.

    >>> arbiter = Holder("account", "arbiter", "")
    >>> may_make_token(arbiter, ["record"], ""), may_make_token(arbiter, ["organise"], "")
    (True, False)
    """
    if maker is None or maker.kind != "account" or "devices:pair" not in maker.permissions:
        return False
    wanted = [SCOPES[scope] for scope in scopes]
    is_held = bool(wanted) and frozenset[str]().union(*wanted) <= maker.permissions
    return is_held and maker.encuentro in ("", encuentro)


def may_revoke(granter: Holder | None, by: ev.HolderId, about: Holder | None) -> bool:
    """Whether somebody may revoke a holder.

    Those who manage access may revoke anybody, others only their own tokens.
    """
    if granter is None:
        return False
    is_own = about is not None and about.kind == "token" and about.by == by
    return is_own or "access:manage" in granter.permissions


def _refuse_unauthorized_act(act: ev.AccessAct, state: Access) -> None:
    """Refuse an act whose author has no right to it, and one that would leave no admin.

    :raises Refused: they may not grant or revoke it, or it is about the last admin
    """
    granter = state.active_holder_or_owner(act.by)
    match act:
        case ev.AccessRevoked():
            about = act.holder
            has_right = may_revoke(granter, act.by, state.holders.get(about))
        case ev.RoleGranted():
            about = act.account
            has_right = may_grant(granter, "account", act.role, act.encuentro)
        case ev.DevicePaired():
            about = act.device
            has_right = may_grant(granter, "device", act.role, act.encuentro)
        case ev.TokenMade():
            about = act.token
            has_right = may_make_token(granter, act.scopes, act.encuentro)
        case _:
            assert_never(act)
    if not has_right:
        raise Refused(Rule.MAY_NOT_GRANT)
    stays_admin = isinstance(act, ev.RoleGranted) and act.role == "admin"
    if not stays_admin and state.is_protected_last_admin(about, act.by):
        raise Refused(Rule.LAST_ADMIN)


def refuse_role_table_mismatch(role: ev.Role, encuentro: str) -> None:
    """Refuse a role of one table without a table, and a role of all tables with one.

    :raises Refused: the role cannot be had there
    """
    if role in AT_ONE_TABLE and not encuentro:
        raise Refused(Rule.ROLE_WANTS_TABLE, role=role)
    if role in AT_ANY_TABLE and encuentro:
        raise Refused(Rule.ROLE_OF_ALL_TABLES, role=role)
