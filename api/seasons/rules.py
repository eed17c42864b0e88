"""Rules of a season: the default of its evenings."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.problems import Problem
from api.http.services import current_services
from api.profiles.own.views import rules_in_log, usual_profile_id
from projections.seasons.views import SeasonFactsData
from referee.errors import NotFound
from referee.rules.profile.options import NEWEST
from referee.rules.profile.profile import PROFILE_IDS


def require_rules_in_body(body: Body) -> str:
    """Id of the profile or rules that a new season names; empty if it names none.

    :raises Problem: there are none of that id
    """
    rules: str = body.get("rules", "")
    known = rules_in_log(rules)
    if not rules or rules in PROFILE_IDS or (known is not None and not known.is_retired):
        return rules
    raise Problem("invalid", errors={"json": {"rules": [FieldFault("no_such_profile")]}})


def rules_id_for_evening_form(seasons: Sequence[SeasonFactsData]) -> str:
    """Id of the rules preset in the form of an evening; empty if the first season has some."""
    return "" if seasons and seasons[0].rules else usual_profile_id()


def usual_rules_id_or_empty(season: str) -> str:
    """Id of the usual rules for an evening whose form chose none; empty if its season has some."""
    try:
        season_id = UUID(season) if season else None
    except ValueError:
        return ""
    return "" if rules_id_of_season(season_id) else usual_profile_id()


def body_with_rules(body: Body) -> Body:
    """Body of a new evening with its profile filled in: its own, else its season's.

    :raises Problem: neither names one
    """
    if "profile" in body:
        return body
    rules = rules_id_of_season(body.get("season"))
    if not rules:
        raise Problem("invalid", errors={"json": {"profile": [FieldFault("required")]}})
    return {**body, "profile": {"id": rules, "edition": NEWEST, "changes": {}}}


def rules_id_of_season(season_id: UUID | None) -> str:
    """Id of the rules of a season; empty if it has none, or there is no such season."""
    if season_id is None:
        return ""
    try:
        opened = current_services().referee.seasons.season(season_id).opened
    except NotFound:
        return ""
    return "" if opened is None else opened.rules
