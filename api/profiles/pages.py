"""Public pages of the rules: profiles in words, and the differences of two of them."""

from __future__ import annotations

from flask import Blueprint, Response, request

from api.html.pages import page
from api.http.access import guard
from api.http.faults import FieldFault
from api.http.languages import language
from api.http.problems import Problem
from api.profiles import words as profile_words
from api.profiles.words import grouped, rows_of
from referee.rules.profile.profile import Profile, UnknownProfile, editions, named, profiles

blp = Blueprint("rules", __name__)


@blp.context_processor
def _words() -> dict[str, object]:
    """Functions for the templates of this room."""
    return {"language_of": profile_words.language_of}


def _players(*compared: Profile) -> tuple[tuple[int, ...], int]:
    """Numbers of players that all of these profiles allow, and the requested one.

    :raises Problem: they do not allow the requested number
    """
    able = tuple(n for n in compared[0].players if all(n in one.players for one in compared))
    asked = request.args.get("players", "")
    if asked and asked not in {str(n) for n in able}:
        fault = FieldFault("not_one_of", choices=able)
        raise Problem("invalid", errors={"query": {"players": [fault]}})
    return able, int(asked) if asked else able[0]


def _profile(profile_id: str) -> Profile:
    """One of the six profiles.

    :raises Problem: there is none of that name
    """
    try:
        return named(profile_id)
    except UnknownProfile:
        raise Problem("not_found") from None


@blp.get("/reglas")
@guard.open_to_all
def rules() -> Response:
    """The six profiles."""
    return page("profiles/rules.html", profiles=profiles())


@blp.get("/reglas/<string(maxlength=40):profile_id>")
@guard.open_to_all
def show_profile(profile_id: str) -> Response:
    """A profile: every option in words, with its value and its article."""
    one = _profile(profile_id)
    able, players = _players(one)
    return page(
        "profiles/profile.html",
        view={
            "id": one.id,
            "name": one.name,
            "edition": one.edition,
            "title": one.title,
            "language": one.language,
        },
        editions=[other for other in editions(one.id) if other != one],
        groups=grouped(rows_of(one, players, language())),
        able=able,
        players=players,
        others=[o.id for o in profiles() if o.id != one.id and players in o.players],
        kept=f"&players={players}",
    )


@blp.get("/reglas/<string(maxlength=40):one_id>/y/<string(maxlength=40):other_id>")
@guard.open_to_all
def difference(one_id: str, other_id: str) -> Response:
    """Differences of two profiles."""
    pair = _profile(one_id), _profile(other_id)
    able, players = _players(*pair)
    rows = profile_words.difference(*pair, players, language())
    return page(
        "profiles/difference.html",
        pair=pair,
        groups=grouped(rows),
        count=len(rows),
        able=able,
        players=players,
        kept=f"&players={players}",
    )
