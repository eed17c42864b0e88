"""Public pages of the rules: profiles in words, and the differences of two of them."""

from __future__ import annotations

from flask import Blueprint, Response, request

from api.html.pages import page
from api.http.access import guard
from api.http.fields import FieldFault
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.services import await_position_in_request
from api.profiles import words as profile_words
from api.profiles.own import views
from api.profiles.own.pages import render_rules_page
from api.profiles.words import group_option_rows, option_rows
from referee.rules.profile.profile import (
    Profile,
    UnknownProfile,
    profiles,
    profiles_of_every_edition,
)

blp = Blueprint("rules", __name__)


blp.add_app_template_global(profile_words.language_of_rulebook)
blp.add_app_template_global(views.profile_name, "rules_name")
blp.add_app_template_global(views.article_citation, "citation")
blp.add_app_template_global(views.profile_choices, "rules_offered")
blp.add_app_template_global(views.usual_profile_id, "usual_rules")


def _player_counts_and_choice(*compared: Profile) -> tuple[tuple[int, ...], int]:
    """Numbers of players that all of these profiles allow, and the requested one.

    :raises Problem: they do not allow the requested number
    """
    able = tuple(n for n in compared[0].players if all(n in one.players for one in compared))
    asked = request.args.get("players", "")
    if asked and asked not in {str(n) for n in able}:
        fault = FieldFault("not_one_of", choices=able)
        raise Problem("invalid", errors={"query": {"players": [fault]}})
    return able, int(asked) if asked else able[0]


def _find_profile(profile_id: str) -> Profile:
    """One of the six profiles, or of the club's own; an edition after ``@``.

    :raises Problem: there is none of that name
    """
    try:
        return views.require_profile(profile_id)
    except UnknownProfile:
        raise Problem("not_found") from None


@blp.get("/reglas")
@guard.open_to_all
def show_all_rules() -> Response:
    """The club's own rules, and the six profiles."""
    await_position_in_request()
    every = views.club_rules_by_id().values()
    return page(
        "profiles/rules.html",
        own=views.rules_in_use(),
        retired=[one for one in every if one.is_retired],
        profiles=profiles(),
    )


@blp.get("/reglas/<string(maxlength=40):profile_id>")
@guard.open_to_all
def show_profile(profile_id: str) -> Response:
    """A profile: every option in words, with its value and its article."""
    await_position_in_request()
    if own := views.club_rules_by_id().get(profile_id):
        return render_rules_page(own)
    one = _find_profile(profile_id)
    able, players = _player_counts_and_choice(one)
    return page(
        "profiles/profile.html",
        view={
            "id": one.id,
            "name": one.id_at_edition,
            "edition": one.edition,
            "title": one.title,
            "language": one.language,
            "base": one.base or "",
        },
        editions=[other for other in _editions(one) if other != one],
        groups=group_option_rows(option_rows(one, players, language())),
        able=able,
        players=players,
        others=[o.id for o in profiles() if o.id != one.id and players in o.players],
        kept=f"&players={players}",
    )


def _editions(one: Profile) -> tuple[Profile, ...]:
    """Every edition of a profile, the newest first."""
    own = views.club_rules_by_id().get(one.id)
    if own is None:
        return profiles_of_every_edition(one.id)
    return tuple(own.profile(each.edition) for each in own.editions)


def _title(one: Profile) -> str:
    """What a profile is called, with its edition if that is not the newest."""
    title = views.profile_name(one.id)
    if _editions(one)[0].edition == one.edition:
        return title
    is_own = one.base is not None
    edition = say("own.version", language(), n=one.edition) if is_own else one.edition
    return f"{title} ({edition})"


@blp.get("/reglas/<string(maxlength=40):one_id>/y/<string(maxlength=40):other_id>")
@guard.open_to_all
def compare_profiles(one_id: str, other_id: str) -> Response:
    """Differences of two profiles."""
    pair = _find_profile(one_id), _find_profile(other_id)
    able, players = _player_counts_and_choice(*pair)
    rows = profile_words.option_differences(*pair, players, language())
    return page(
        "profiles/difference.html",
        pair=pair,
        titles=[_title(one) for one in pair],
        groups=group_option_rows(rows),
        count=len(rows),
        able=able,
        players=players,
        kept=f"&players={players}",
    )
