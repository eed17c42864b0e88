"""Holders, sign-ins and offers as the pages of access list them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from api.encuentros import views
from api.encuentros.pages import names_by_seat
from api.encuentros.views import ListedEncuentroData, NamedEncuentroData
from api.http import moments
from api.http.access.roles import Actor
from api.http.languages import language, say, texts_of_language
from api.http.services import current_services
from referee.access.keys import OpenOffer
from referee.aggregates.access import OWNER, HolderKind
from referee.events import HolderId, Role

_TABLES = 50


class HolderRow(NamedTuple):
    """An active holder. ``encuentro``: its only table; ``used``: last use, if it is known.

    ``has_second``: whether the account has a second factor.
    """

    holder: HolderId
    name: str
    kind: HolderKind
    role: Role
    encuentro: str
    used: datetime | None
    has_second: bool


class SignInRow(NamedTuple):
    """A browser in which somebody is signed in."""

    id: str
    holder: HolderId
    name: str
    agent: str
    since: datetime | None
    used: datetime | None


class OfferRow(NamedTuple):
    """An open offer, and who made it."""

    offer: OpenOffer
    by: str
    until: datetime


def holder_rows_for_actor(actor: Actor) -> list[HolderRow]:
    """Active holders that a user may see: who is bound to a table sees its devices only."""
    names, used = current_services().keys.account_names(), dict[HolderId, float]()
    for token in current_services().keys.all_valid_tokens():
        used[token.holder] = max(used.get(token.holder, 0.0), token.used or 0.0)
    with_second = current_services().factors.holders()
    held = current_services().referee.roles.access().holders.items()
    return [
        HolderRow(
            key,
            names.get(key, key),
            one.kind,
            one.role,
            one.encuentro,
            _local_moment(used.get(key)),
            key in with_second,
        )
        for key, one in held
        if one.is_active and actor.encuentro in ("", one.encuentro)
    ]


def sign_in_rows(holder: HolderId | None = None) -> list[SignInRow]:
    """Rows of the sign-ins of everybody, or of one holder; paired devices are left out."""
    names = {**current_services().keys.account_names(), OWNER: say("access.owner", language())}
    return [
        SignInRow(
            one.id,
            one.holder,
            names.get(one.holder, one.holder),
            one.agent,
            _local_moment(one.since),
            _local_moment(one.used),
        )
        for one in current_services().keys.all_valid_tokens()
        if one.kind in ("session", "app_session") and holder in (None, one.holder)
    ]


def offer_rows_for_actor(actor: Actor) -> list[OfferRow]:
    """Offers that can be taken now: one's own, and all for who manages access."""
    names = {**current_services().keys.account_names(), OWNER: say("access.owner", language())}
    return [
        OfferRow(
            one,
            names.get(one.offer.by, one.offer.by),
            datetime.fromtimestamp(one.until).astimezone(),
        )
        for one in current_services().admission.list_open_offers()
        if "access:manage" in actor.permissions or one.offer.by == actor.by
    ]


def table_words_by_encuentro(only: str) -> dict[str, str]:
    """Who sits at the latest tables, in words, by encuentro; ``only``: the one a user may see."""
    return {
        one.id: players_in_words(one) for one in views.encuentro_list_page("", _TABLES, only).items
    }


def players_in_words(view: NamedEncuentroData | ListedEncuentroData) -> str:
    """Who sits at a table; its number and its day, if all their names were erased."""
    names = names_by_seat(view).values()
    if any(names):
        return ", ".join(name or say("grammar.nameless", language()) for name in names)
    table = f"{say('access.table', language())} {view.table or ''}".rstrip()
    return f"{table} · {moments.short_day(view.date, texts_of_language(language()))}"


def _local_moment(seconds: float | None) -> datetime | None:
    """A moment in the time of the machine; None if it is not known."""
    return datetime.fromtimestamp(seconds).astimezone() if seconds else None
