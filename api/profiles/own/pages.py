"""Pages of the club's own rules: made in plain questions, read, changed, retired."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from flask import Blueprint, Response, redirect, request
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.bodies import Body
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.services import await_position_in_request, current_services
from api.profiles.own import acts, views
from api.profiles.own.answers import problems_by_option, read_answers, reader_of_typed_values
from api.profiles.own.length import LENGTH_OPTIONS, length_of
from api.profiles.own.questions import TypedValues, other_questions, plain_questions
from api.profiles.own.views import KnownRules
from api.profiles.schemas import RulesIn
from api.profiles.words import (
    OptionDifferenceData,
    group_option_rows,
    option_differences,
    option_rows,
)
from referee.events import RulesId
from referee.log.streams import Answer, WriteMetadata
from referee.rules.profile.options import NEWEST
from referee.rules.profile.profile import (
    PROFILE_IDS,
    BadProfile,
    Profile,
    different_options,
    profile,
    profiles,
)

blp = Blueprint("club_rules_pages", __name__)
_NEW: Final = "/reglas/nuevas"
_ONE: Final = "/reglas/<string(maxlength=40):rules_id>"
FormFaults = dict[str, list[str]]


class BesideData(msgspec.Struct, frozen=True):
    """One of the six profiles beside rules of the club; ``count``: differing options, if any."""

    id: str
    name: str
    count: int | None


class _Draft:
    """Rules in the form: the base they begin with, and the profile whose values are shown."""

    def __init__(self, base: Profile, shown: Profile, name: str, rules: RulesId = "") -> None:
        self.base, self.shown, self.name, self.rules = base, shown, name, rules


def _no_typed_values(_field: str) -> Sequence[str] | None:
    return None


# --- made and changed ----------------------------------------------------------------------------


@blp.get(_NEW)
@guard.requires("club:manage")
def show_new_rules_form() -> Response:
    """The questions by which a club makes its rules, answered as a profile has them"""
    await_position_in_request()
    return _form_page(_new_draft(request.args.get("de", "")), _no_typed_values, {}, 200)


@blp.post(_NEW)
@guard.requires("club:manage")
def make_rules_from_form() -> AnyResponse:
    """New rules of the club"""
    return _record_form(_new_draft(request.form.get("base", "")))


@blp.get(f"{_ONE}/cambiar")
@guard.requires("club:manage")
def show_change_form(rules_id: RulesId) -> Response:
    """The same questions, answered as rules of the club have them"""
    await_position_in_request()
    return _form_page(_draft_of(_find_rules(rules_id)), _no_typed_values, {}, 200)


@blp.post(f"{_ONE}/cambiar")
@guard.requires("club:manage")
def change_rules_from_form(rules_id: RulesId) -> AnyResponse:
    """Another edition of rules of the club"""
    return _record_form(_draft_of(_find_rules(rules_id)))


def _new_draft(name: str) -> _Draft:
    """A draft of new rules, from one of the six profiles or as a copy of the club's own."""
    own = views.club_rules_by_id().get(name)
    if own is not None:
        draft = _draft_of(own)
        return _Draft(draft.base, draft.shown, "")
    base = profile(name if name in PROFILE_IDS else PROFILE_IDS[0])
    return _Draft(base, base, "")


def _draft_of(own: KnownRules) -> _Draft:
    stated = own.newest.stated
    return _Draft(profile(stated.base, stated.base_edition), own.profile(), own.name, own.rules)


def _record_form(draft: _Draft) -> AnyResponse:
    """Record the rules of the form; the answer is their page, or the form with its faults."""
    typed, lang = reader_of_typed_values(request.form.to_dict(flat=False)), language()
    answers = read_answers(draft.base, typed, lang)
    if answers.faults:
        return _form_page(draft, typed, answers.faults, 422)
    body: Body = {"name": forms.form_value("name"), "base": draft.base.id}
    body |= {"base_edition": draft.base.edition, "changes": answers.changes}

    def write() -> Answer:
        version = forms.version_of_form("version") if draft.rules else None
        loaded = forms.load_by_schema(RulesIn, body)
        return acts.record_rules(loaded, forms.meta_of_form(), version, draft.rules)

    try:
        answer, wrong, status = attempt_write(write)
    except BadProfile as bad:
        return _form_page(draft, typed, problems_by_option(bad.problems, lang), 422)
    except Problem as problem:
        if problem.problem != "invalid":
            raise
        return _form_page(draft, typed, {"name": [say("fault.rules_name_taken", lang)]}, 422)
    if answer is None:
        return _form_page(draft, typed, {field: [words] for field, words in wrong}, status)
    return _redirect_to_rules(acts.rules_id_of_answer(answer), answer)


def _form_page(draft: _Draft, typed: TypedValues, faults: FormFaults, status: int) -> Response:
    lang = language()
    return page(
        "profiles/own/form.html",
        draft=draft,
        typed=request.form,
        plain=plain_questions(draft.base, draft.shown, typed, lang),
        others=other_questions(draft.base, draft.shown, typed, lang),
        faults=faults,
        begins=views.profile_choices() if not draft.rules else [],
        version=current_services().referee.rules.rules().version,
        key=new_form_key(),
        status=status,
    )


# --- read, retired, offered again ----------------------------------------------------------------


def render_rules_page(
    own: KnownRules, wrong: FieldErrors | None = None, status: int = 200
) -> Response:
    """Response with the page of these rules: what differs from base and the six profiles."""
    one = own.profile()
    able, players = _player_counts_and_choice(one)
    stated = own.newest.stated
    base = profile(stated.base, stated.base_edition)
    changes = _changes_by_group(one, base, players) if players in base.players else {}
    return page(
        "profiles/own/rules.html",
        own=own,
        length=length_of(one).words(language()),
        base=base,
        newest_base=f"{base.id}@{NEWEST}",
        changes=changes,
        beside=[_difference_count_row(one, other, players) for other in profiles()],
        groups=group_option_rows(option_rows(one, players, language())),
        able=able,
        players=players,
        kept=f"&players={players}",
        version=current_services().referee.rules.rules().version,
        key=new_form_key(),
        wrong=wrong or [],
        status=status,
    )


def _changes_by_group(
    one: Profile, base: Profile, players: int
) -> dict[str, list[OptionDifferenceData]]:
    """Differences from the base by group; how long an encuentro is is one of them."""
    lang = language()
    rows = option_differences(one, base, players, lang)
    about_length = [row for row in rows if row.option in LENGTH_OPTIONS]
    if about_length:
        told = replace(
            about_length[0],
            title=say("ask.length", lang),
            value_text=length_of(one).words(lang),
            other_text=length_of(base).words(lang),
        )
        kept = [row for row in rows if row not in about_length[1:]]
        rows = [told if row == about_length[0] else row for row in kept]
    return group_option_rows(rows)


def _player_counts_and_choice(one: Profile) -> tuple[tuple[int, ...], int]:
    """Numbers of players of a profile, and the requested one; else the usual one."""
    asked = request.args.get("players", "")
    chosen = int(asked) if asked in {str(n) for n in one.players} else one.players[0]
    return one.players, chosen


def _difference_count_row(one: Profile, other: Profile, players: int) -> BesideData:
    is_able = players in other.players
    return BesideData(
        id=other.id,
        name=views.profile_name(other.id),
        count=len(different_options(one, other, players)) if is_able else None,
    )


@blp.post(f"{_ONE}/retirada")
@guard.requires("club:manage")
def retire_rules_from_form(rules_id: RulesId) -> AnyResponse:
    """Rules of the club are retired"""
    return _act_on_rules(rules_id, acts.record_retirement)


@blp.post(f"{_ONE}/vuelta")
@guard.requires("club:manage")
def restore_rules_from_form(rules_id: RulesId) -> AnyResponse:
    """Retired rules of the club are offered again"""
    return _act_on_rules(rules_id, acts.record_restoration)


@blp.post(f"{_ONE}/edicion")
@guard.requires("club:manage")
def take_newer_base_from_form(rules_id: RulesId) -> AnyResponse:
    """The newest edition of the base, taken by the club"""
    try:
        return _act_on_rules(rules_id, acts.record_newer_base_edition)
    except BadProfile as bad:
        draft = _draft_of(_find_rules(rules_id))
        draft.base = profile(draft.base.id)
        return _form_page(
            draft, _no_typed_values, problems_by_option(bad.problems, language()), 422
        )


def _act_on_rules(
    rules_id: RulesId, do: Callable[[RulesId, WriteMetadata, int], Answer]
) -> AnyResponse:
    answer, wrong, status = attempt_write(
        lambda: do(rules_id, forms.meta_of_form(), forms.version_of_form("version"))
    )
    return (
        render_rules_page(_find_rules(rules_id), wrong, status)
        if answer is None
        else _redirect_to_rules(rules_id, answer)
    )


def _find_rules(rules_id: str) -> KnownRules:
    """Rules of the club by their id.

    :raises Problem: there are none
    """
    found = views.club_rules_by_id().get(rules_id)
    if found is None:
        raise Problem("not_found")
    return found


def _redirect_to_rules(rules_id: RulesId, answer: Answer) -> AnyResponse:
    return redirect(f"{prefix()}/reglas/{rules_id}?wait={answer.position}", 303)
