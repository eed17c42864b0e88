"""Profiles: the rules that tables play by, and checks of a club's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

import msgspec
from flask import Response

from api.http.access import guard
from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.languages import language, option_words, value_words
from api.http.problems import Problem
from api.http.rest import Noun, reply, takes_headers_and_query
from api.http.services import await_position_in_request
from api.profiles.own import views as own_rules
from api.profiles.schemas import (
    AtTable,
    Compared,
    FrozenView,
    ProfileDifference,
    Profiles,
    ProfileView,
)
from api.profiles.words import PlainValue, basis_by_set_member, option_differences
from projections.views import view_as
from referee.aggregates.club_rules import profile_of_edition
from referee.aggregates.encuentro import freeze_profile
from referee.errors import Refused
from referee.events import FrozenProfile
from referee.rules.articles import Rule
from referee.rules.profile.checks import choices_or_bounds
from referee.rules.profile.profile import (
    PROFILE_IDS,
    BadProfile,
    Profile,
    ProfileProblem,
    UnknownProfile,
    profile,
    profile_by_id_at_edition,
    profiles,
)
from referee.rules.profile.values import SPECS, Basis, Value, plain_value

blp = Noun("profiles", __name__, url_prefix="/api/v1/profiles", description="Profiles")
_MATCH = ("match_format", "partidas_per_cama", "camas_per_coto", "cotos_to_win", "fixed_partidas")
"""Options of the scoring of a match, which tables change most often."""


ValueData: TypeAlias = PlainValue | dict[str, PlainValue]
"""A value as JSON; by number of players if it depends on that."""


class ProfileRowData(msgspec.Struct, frozen=True):
    """A profile in a list. ``players``, ``decks``: what is allowed, the default first."""

    id: str
    name: str
    edition: str
    title: str
    language: str
    players: tuple[int, ...]
    decks: tuple[int, ...]
    pack: ValueData
    direction: ValueData
    match: dict[str, ValueData]


class ProfileOptionData(msgspec.Struct, frozen=True):
    """An option of a profile: its value and what it may hold, its article and basis.

    ``allowed``: every value, or the least and the most of a number. ``cases``: what each case of a
    value that is a list rests on. ``alternatives``: values that the rulebook allows as well.
    """

    value: ValueData
    title: str
    value_text: str
    about: str
    allowed: tuple[object, ...]
    basis: Basis
    section: str
    cases: dict[str, str]
    alternatives: list[PlainValue]


class WholeProfileData(ProfileRowData, frozen=True):
    """A profile with its options, in the language of the reader."""

    options: dict[str, ProfileOptionData]


def profile_row(one: Profile) -> ProfileRowData:
    """A profile for a list: without its options, except those that say how a match is scored."""
    return ProfileRowData(
        id=one.id,
        name=own_rules.profile_name(one.id),
        edition=one.edition,
        title=one.title,
        language=one.language,
        players=one.players,
        decks=one.decks,
        pack=_value_data(one.values["pack"]),
        direction=_value_data(one.values["direction"]),
        match={name: _value_data(one.values[name]) for name in _MATCH},
    )


def _value_data(value: Value | Mapping[int, Value]) -> ValueData:
    if isinstance(value, Mapping):
        return {str(players): plain_value(one) for players, one in value.items()}
    return plain_value(value)


def profile_view(one: Profile) -> WholeProfileData:
    """A profile: the value of every option, what it may hold, its article and basis."""
    lang = language()
    options: dict[str, ProfileOptionData] = {
        name: ProfileOptionData(
            value=_value_data(value),
            title=option_words(name, lang),
            value_text=value_words(name, value, lang),
            about=SPECS[name].about,
            allowed=choices_or_bounds(SPECS[name]),
            basis=one.basis(name),
            section=one.article(name).section,
            cases=basis_by_set_member(one.article(name), value),
            alternatives=[plain_value(other) for other in one.alternatives.get(name, ())],
        )
        for name, value in one.values.items()
    }
    return view_as(WholeProfileData, profile_row(one), options=options)


def refuse_player_count(one: Profile, players: int) -> None:
    """Refuse a number of players that a profile does not allow.

    :raises Problem: the field is named, and what is allowed
    """
    if players not in one.players:
        fault = FieldFault("players_not_allowed", profile=one.id, allowed=one.players)
        raise Problem("invalid", errors={"query": {"players": [fault]}})


def _reply_in_words(view: object) -> Response:
    """An answer with texts, and the header for their language."""
    response = reply(view, headers={"Content-Language": language()})
    response.vary.update(["Accept-Language", "Cookie"])
    return response


def profile_of_request_body(asked: Body) -> Profile:
    """The profile named in a request body, with its changes; refused if retired or misnamed."""
    stated = own_rules.rules_in_log(asked["id"])
    if stated is not None and stated.is_retired:
        raise Refused(Rule.RULES_RETIRED)
    other = asked.get("own")
    if not asked["changes"] and other is None:
        return (
            _base_profile_in_request(asked)
            if stated is None
            else profile_of_edition(stated.newest_edition, stated.newest_edition_number)
        )
    if other is None or own_rules.rules_in_log(other["id"]) is not None:
        code = "profile_name_missing" if other is None else "profile_name_taken"
        raise Problem("invalid", errors={"json": {"profile": {"as": [FieldFault(code)]}}})
    if stated is None:
        return _base_profile_in_request(asked).changed(
            other["id"], other["edition"], asked["changes"]
        )
    last = stated.newest_edition
    changes = {**last.changes, **asked["changes"]}
    return profile(last.base, last.base_edition).changed(other["id"], other["edition"], changes)


def _base_profile_in_request(asked: Body) -> Profile:
    """The one of the six profiles that a request names.

    :raises Problem: there is none of that name
    """
    try:
        return profile(asked["id"], asked["edition"])
    except UnknownProfile:
        wrong = {"profile": {"id": [FieldFault("no_such_profile")]}}
        raise Problem("invalid", errors={"json": wrong}) from None


def frozen_profile_of_request(asked: Body) -> FrozenProfile:
    """The profile of a request, frozen for its table.

    :raises Problem: the profile is contradictory; the options are named
    """
    with turn_bad_profile_into_problem():
        one = profile_of_request_body(asked["profile"])
        return freeze_profile(one, asked["players"] or one.players[0], asked["deck"])


@contextmanager
def turn_bad_profile_into_problem() -> Iterator[None]:
    """A context in which a profile that contradicts itself is refused.

    :raises Problem: it is; the options are named
    """
    try:
        yield
    except BadProfile as bad:
        raise Problem(
            "bad_profile", problems=[_problem_data(one) for one in bad.problems]
        ) from None


def _problem_data(one: ProfileProblem) -> dict[str, Any]:
    return {"code": one.code, "options": one.options, "facts": dict(one.facts)}


@blp.route("")
@guard.open_to_all
@takes_headers_and_query(wait=True)
@blp.response(200, Profiles)
def list_profiles() -> Response:
    """Every profile that a table may choose: the club's own rules first, then the six"""
    await_position_in_request()
    own = [own_rules.club_rules_by_id()[one.rules].profile() for one in own_rules.rules_in_use()]
    return _reply_in_words(
        {"items": [profile_row(one) for one in (*own, *profiles())], "next": None}
    )


@blp.route(f"/<any({', '.join(repr(one) for one in PROFILE_IDS)}):profile_id>")
@guard.open_to_all
@takes_headers_and_query()
@blp.response(200, ProfileView)
def show_rulebook_profile(profile_id: str) -> Response:
    """A profile: the value of every option, with its article and basis"""
    return _reply_in_words(profile_view(profile(profile_id)))


@blp.route("/difference")
@guard.open_to_all
@takes_headers_and_query()
@blp.arguments(Compared, location="query")
@blp.response(200, ProfileDifference)
def compare_rulebook_profiles(query: Body) -> Response:
    """The options in which two profiles differ for a number of players"""
    one, other, players = (
        profile_by_id_at_edition(query["one"]),
        profile_by_id_at_edition(query["other"]),
        query["players"],
    )
    for each in (one, other):
        refuse_player_count(each, players)
    found = option_differences(one, other, players, language())
    return _reply_in_words(
        {
            "one": one.id_at_edition,
            "other": other.id_at_edition,
            "players": players,
            "options": found,
        }
    )


@blp.route("/check", methods=["POST"])
@guard.open_to_all
@takes_headers_and_query()
@blp.arguments(AtTable)
@blp.response(200, FrozenView)
def try_out_profile(body: Body) -> Response:
    """Try out a profile of one's own; nothing is recorded"""
    return reply(frozen_profile_of_request(body))
