"""The page of the security log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple, get_args
from uuid import UUID

from flask import Blueprint, Response, request

from api.accounts import listing
from api.encuentros import views
from api.encuentros.pages import names_by_seat, names_by_side
from api.encuentros.views import OfficialEncuentroData
from api.html.pages import page
from api.http import moments
from api.http.access import guard
from api.http.languages import language, say, texts_of_language
from api.http.problems import Problem
from api.http.services import current_services
from referee.access.security_log import SECURITY_KINDS, SecurityEntry, SecurityKind
from referee.aggregates.access import OWNER
from referee.errors import NotFound

blp = Blueprint("security", __name__)
ROWS = 50
_LONGEST_NUMBER = 15
_CHOICES: Final = {
    "four_eyes": "settings",
    "league_audience": "settings.audience",
    "puzzle_audience": "settings.puzzles",
    "deal_luck": "settings.luck",
    "record_audience": "settings.records",
    "study_consent": "settings.study",
}
"""Texts of what can be chosen, by setting: those of its form."""


class SecurityRow(NamedTuple):
    """An entry in words. ``about``: somebody, what it is about, or who sits at the table.

    ``encuentro``: the table that it is about, for a link. What nothing names any more is empty.
    """

    number: int
    at: datetime
    kind: SecurityKind
    by: str
    about: str
    encuentro: str
    address: str
    detail: str


@blp.get("/casa/seguridad")
@guard.requires("access:manage")
def show_security_log_page() -> Response:
    """The page of the security log, newest first, all of it or one kind."""
    kind, before = request.args.get("kind", ""), request.args.get("before", "")
    if kind not in ("", *get_args(SecurityKind)):
        raise Problem("bad_request")
    if before and not (before.isascii() and before.isdigit() and len(before) <= _LONGEST_NUMBER):
        raise Problem("bad_request")
    chosen = next((one for one in SECURITY_KINDS if one == kind), None)
    found = current_services().security.latest_entries(
        ROWS + 1, before=int(before) if before else None, kind=chosen
    )
    return page(
        "accounts/security.html",
        rows=_security_log_rows(found[:ROWS]),
        kinds=SECURITY_KINDS,
        kind=kind,
        is_first=not before,
        has_older=len(found) > ROWS,
        kept=f"&kind={kind}" if kind else "",
    )


def _security_log_rows(entries: list[SecurityEntry]) -> list[SecurityRow]:
    names = {**current_services().keys.account_names(), OWNER: say("access.owner", language())}
    words = texts_of_language(language())
    ids = {one.about for one in entries if _is_encuentro_id(one.about)}
    tables = {one: found for one in ids if (found := _encuentro_or_none(one)) is not None}
    return [_security_row(one, names, tables, words) for one in entries]


def _security_row(
    one: SecurityEntry,
    names: Mapping[str, str],
    tables: Mapping[str, OfficialEncuentroData],
    words: Mapping[str, str],
) -> SecurityRow:
    table = tables.get(one.about)
    about = names.get(one.about) or words.get(f"security.of.{one.about}", "")
    return SecurityRow(
        one.number,
        datetime.fromtimestamp(one.at).astimezone(),
        one.kind,
        names.get(one.by, ""),
        about if table is None else listing.players_in_words(table),
        "" if table is None else one.about,
        words["security.console"] if one.address == "console" else one.address,
        _detail_words(one, table, words),
    )


def _is_encuentro_id(about: str) -> bool:
    return about.count("-") > 1  # ids of holders and persons have none


def _encuentro_or_none(encuentro: str) -> OfficialEncuentroData | None:
    try:
        return views.official_encuentro_view(UUID(encuentro))
    except NotFound:
        return None


def _detail_words(
    one: SecurityEntry, table: OfficialEncuentroData | None, words: Mapping[str, str]
) -> str:
    """What an entry adds, in words; a count of erased or protected data as it is."""
    if one.kind == "settings_changed":
        return _setting_words(one.detail, words)
    if one.kind == "token_made":
        return ", ".join(words.get(f"scope.{scope}", scope) for scope in one.detail.split())
    if table is not None and one.kind == "code_failed":
        side = names_by_side(names_by_seat(table), table.players).get(one.detail, [])
        return ", ".join(side)
    found = (words.get(f"security.{family}.{one.detail}") for family in ("detail", "may"))
    return next(filter(None, found), words.get(f"role.{one.detail}", one.detail))


def _setting_words(detail: str, words: Mapping[str, str]) -> str:
    """A setting and its chosen value in words, from the detail of an entry of the security log."""
    name, _, value = detail.partition(" ")
    setting = words.get(f"security.setting.{name}", name)
    said = moments.place_of_time_zone(value) if name == "time_zone" else ""
    if name in _CHOICES:
        said = words.get(f"{_CHOICES[name]}.{value}", value).rstrip(".")
        said = said[:1].lower() + said[1:]
    return words["security.setting_to"].format(setting=setting, value=said) if said else setting
