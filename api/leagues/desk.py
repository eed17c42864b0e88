"""The organiser's desk of a league; an act that changes what counts already asks first."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms, qr_codes
from api.html.addresses import url_for_others
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.acts import UnstoredTexts
from api.http.problems import Problem
from api.http.services import await_end_of_log, await_position_in_request, current_services
from api.leagues.acts import LeagueIn, build_event_of_act
from api.leagues.forms import (
    OFFERED_TIES,
    TIES,
    TRIES,
    USUAL,
    acts_in_form,
    is_match_as_seen,
    match_fingerprint,
    name_doubts_in_form,
    opening_in_form,
)
from api.leagues.pages import LEAGUE, display_of, render_league_page
from api.leagues.rest import LeaguePreviewData, league_preview, open_from_body, record_asked_acts
from referee.aggregates.league.state import TeamLeague
from referee.errors import Stale
from referee.log.streams import Answer

blp = Blueprint("league_desk", __name__)
DESK: Final = f"{LEAGUE}/direccion"
_BACK: Final = re.compile(r"|equipos/[0-9]{1,4}|encuentros/[0-9-]{1,12}")
_ASKS: Final = frozenset(
    {
        *("match_forfeit", "match_annul", "match_reopen"),
        *("team_sanction", "sanction_lift", "team_withdraw", "team_return"),
    }
)
"""Acts that show what follows before they are recorded; so does a correction."""


@blp.get("/ligas/nueva")
@guard.requires("tournaments:run")
def show_opening_form() -> Response:
    """What a league is to be like"""
    return _opening_page({}, [], 200)


@blp.post("/ligas/nueva")
@guard.requires("tournaments:run")
def open_league() -> AnyResponse:
    """A league is opened"""

    def write() -> Answer:
        return open_from_body(
            forms.load_by_schema(LeagueIn, opening_in_form()), forms.meta_of_form()
        )

    answer, wrong, status = attempt_write(write)
    if answer is None:
        return _opening_page(forms.form_values(), wrong, status)
    return redirect(f"{prefix()}/ligas/{answer.id}/direccion?wait={answer.position}", 303)


def _opening_page(typed: dict[str, str], wrong: FieldErrors, status: int) -> Response:
    return page(
        "leagues/desk/new.html",
        typed=typed,
        wrong=wrong,
        key=new_form_key(),
        usual=USUAL,
        ties=TIES,
        offered=OFFERED_TIES,
        status=status,
    )


@blp.get(DESK)
@guard.requires("tournaments:run")
def show_desk(league_id: UUID) -> Response:
    """What waits for the organiser, the teams, the calendar"""
    await_position_in_request()
    return _desk_page(league_id, "", [], 200)


@blp.get(f"{DESK}/equipos/<team>")
@guard.requires("tournaments:run")
def show_team_at_desk(league_id: UUID, team: str) -> Response:
    """A team: its list, its captain's address, sanctions, its withdrawal"""
    await_position_in_request()
    return _desk_page(league_id, f"equipos/{team}", [], 200)


@blp.get(f"{DESK}/encuentros/<match>")
@guard.requires("tournaments:run")
def show_match_at_desk(league_id: UUID, match: str) -> Response:
    """A match keyed from its paper in one tap a partida; moved, forfeited, annulled"""
    await_position_in_request()
    return _desk_page(league_id, f"encuentros/{match}", [], 200)


@blp.post(DESK)
@guard.requires("tournaments:run")
def handle_desk_form(league_id: UUID) -> AnyResponse:
    """Whatever a form of the desk asks for; first its consequences, where it has some"""
    back = forms.form_value("back")
    if not _BACK.fullmatch(back):
        raise Problem("bad_request")
    if _must_confirm_first() and forms.form_value("sure") != "yes":
        return _confirmation_page(league_id, back)
    answer, wrong, status = attempt_write(lambda: _record_desk_form(league_id))
    if answer is None:
        return _desk_page(league_id, back, wrong, status)
    return redirect(f"{_desk_path(league_id, back)}?wait={answer.position}", 303)


def _must_confirm_first() -> bool:
    """Whether a form has to be confirmed first, since it changes results that count already."""
    kind = forms.form_value("kind")
    return kind in _ASKS or (kind == "match_report" and "reason" in request.form)


def _record_desk_form(league_id: UUID) -> Answer:
    """Record a form, after what others recorded of other matches in between.

    :raises Stale: the league, or the result of that match, is another one now
    """
    asked, seen = forms.meta_of_form(), forms.version_of_form("version")
    for _ in range(TRIES):
        state = state_of(league_id)
        if not _may_write_after_others(state):
            break
        with suppress(Stale):
            return record_asked_acts(
                league_id, acts_in_form(state, asks=True), asked, state.version
            )
    return record_asked_acts(league_id, acts_in_form(state_of(league_id), asks=True), asked, seen)


def _may_write_after_others(state: TeamLeague) -> bool:
    """Whether a form needs no preview and its match has the same result as when it was shown."""
    found = state.matches.get(forms.form_value("match"))
    if found is None or _must_confirm_first():
        return False
    return is_match_as_seen(found)


def _confirmation_page(league_id: UUID, back: str) -> Response:
    """Page with the tables as they would be, and the form once more to be confirmed."""

    def compute_preview() -> LeaguePreviewData:
        asked = acts_in_form(state_of(league_id))
        return league_preview(
            league_id, [build_event_of_act(one, UnstoredTexts()) for one in asked]
        )

    told, wrong, status = attempt_write(compute_preview)
    if told is None:
        return _desk_page(league_id, back, wrong, status)
    await_end_of_log()
    kept = [(name, value) for name, value in request.form.items(multi=True) if name != "sure"]
    return render_league_page(
        "leagues/desk/preview.html",
        display_of(league_id),
        told=told,
        kept=kept,
        kind=forms.form_value("kind"),
        back=_desk_path(league_id, back),
    )


def _desk_path(league_id: UUID, back: str) -> str:
    return f"{prefix()}/ligas/{league_id}/direccion{back and '/'}{back}"


def state_of(league_id: UUID) -> TeamLeague:
    """State of a league from the log, as it stands now.

    :raises NotFound: there is none
    """
    return current_services().referee.leagues.league(league_id)


def _desk_page(league_id: UUID, back: str, wrong: FieldErrors, status: int) -> Response:
    """A page of the desk in its current state; after a refusal with the faults."""
    await_end_of_log()
    state = state_of(league_id)
    of, _, which = back.partition("/")
    shown = state.teams.get(which) if of == "equipos" else state.matches.get(which)
    division = shown.division if shown else None
    display = display_of(league_id, division, sees_lineups=True)
    more: dict[str, Any] = {}
    if of == "equipos":
        more = {"team": display.team(which), "address": _captain_address(league_id, which)}
        more["qr"] = qr_codes.qr_inline(more["address"], omitsize=True, light="#fff")
    elif of == "encuentros":
        one = display.match(which)
        match = state.matches[which]
        more = {"one": one, "seen": match_fingerprint(match)}
        more["seen_pairs"] = {team: match_fingerprint(match, team) for team in match.teams}
    made = render_league_page(
        f"leagues/desk/{of or 'desk'}.html",
        display,
        wrong=wrong,
        doubts=name_doubts_in_form(state),
        key=new_form_key(),
        back=back,
        today=display.today,
        **more,
    )
    made.status_code = status
    return made


def _captain_address(league_id: UUID, team: str) -> str:
    """The private address of the captain of a team."""
    known = state_of(league_id).teams[team]
    secret = current_services().addresses.secret_address_of_team(league_id.hex, known)
    return url_for_others("pages.captains.show_captain_page", address=secret)
