"""Tokens of apps: made, listed and revoked, by whoever may pair a device."""

from __future__ import annotations

from datetime import UTC, date, datetime
from uuid import UUID

import msgspec
from flask import g

from api.http.access.security import note_security
from api.http.access.tokens import Owner, valid_app_tokens
from api.http.problems import Problem
from api.http.services import current_services, house_component_or_none, metadata_without_key
from referee.access.keys import OpenToken
from referee.aggregates.access import OWNER, Holder
from referee.errors import NotFound
from referee.events import HolderId, Scope, TokenMade
from referee.log.streams import WriteMetadata

DEFAULT_DAYS = 90


class AppTokenData(msgspec.Struct, frozen=True):
    """A token of an app, without its secret. Days are those of UTC; null: it was never used."""

    id: HolderId
    name: str
    scopes: list[Scope]
    encuentro: str
    origins: list[str]
    by: HolderId
    made: str
    used: str | None
    until: str


def app_tokens_for_user() -> list[AppTokenData]:
    """Tokens that may be used now: one's own, and all for who manages access; the newest first.

    Whoever may make none any more sees and revokes their own. An app sees none.
    """
    here = current_services()
    if g.actor.scopes is not None:
        return []
    live = valid_app_tokens(
        here.referee.roles.access(), here.keys, house_component_or_none("owner")
    )
    sees_all = "access:manage" in g.actor.permissions
    return [_token_view(*one) for one in live if sees_all or one.held.by == g.actor.by]


def app_token_for_user(token: HolderId) -> AppTokenData:
    """A token of an app that the user may see, by its id.

    :raises Problem: there is none with this id
    """
    found = [one for one in app_tokens_for_user() if one.id == token]
    if not found:
        raise Problem("not_found")
    return found[0]


def make_token(act: TokenMade, name: str, meta: WriteMetadata | None = None) -> str:
    """Make a token for an app, and return its secret, which is shown once.

    Empty if the same form made one before.

    ``meta``: of a form with a key.

    :raises Refused: whoever makes it has not every permission of its scopes
    :raises Problem: there is no such table
    """
    if act.encuentro:
        _refuse_unknown_encuentro(act.encuentro)
    owner: Owner = house_component_or_none("owner")
    mark = owner.mark() if g.actor.by == OWNER else ""
    secret = current_services().admission.make_app_token(
        act, name, mark, meta or metadata_without_key()
    )
    if secret:
        note_security("token_made", about=act.token, detail=" ".join(act.scopes))
    return secret


def revoke_token(token: HolderId) -> None:
    """End a token of the list, and forget its name.

    :raises Problem: there is none with this id
    """
    app_token_for_user(token)
    current_services().admission.revoke_holders([token], metadata_without_key())
    note_security("revoked", about=token)


def _token_view(row: OpenToken, token: Holder) -> AppTokenData:
    return AppTokenData(
        id=row.holder,
        name=row.agent,
        scopes=list(token.scopes),
        encuentro=token.encuentro,
        origins=list(token.origins),
        by=token.by,
        made=_day(row.since or 0).isoformat(),
        used=None if row.used is None else _day(row.used).isoformat(),
        until=_day(row.until).isoformat(),
    )


def _day(seconds: float) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()


def _refuse_unknown_encuentro(encuentro: str) -> None:
    try:
        current_services().referee.encuentros.encuentro(UUID(encuentro))
    except (ValueError, NotFound):
        raise Problem("not_found") from None
