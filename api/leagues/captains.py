"""Pages of a captain behind a secret address: name pairs, report results, sign or deny them."""

from __future__ import annotations

from typing import Final, NamedTuple
from uuid import UUID

import marshmallow as ma
import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html.forms import faults_of_validation, form_value, new_form_key
from api.html.pages import make_private, page
from api.html.private_addresses import (
    UnusableAddress,
    meta_of_address_form,
    note_wrong_address,
    unusable_page,
)
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.acts import AskedAct
from api.http.languages import language, say
from api.http.problems import Problem, refusal_words
from api.http.services import await_end_of_log, current_services
from api.leagues.display import LeagueDisplay, MatchDisplay
from api.leagues.forms import TRIES, acts_in_form, is_match_as_seen, match_fingerprint
from api.leagues.pages import display_of
from api.leagues.rest import record_asked_acts
from referee.access.addresses import parse_private_address
from referee.aggregates.league.state import LeagueMatch, LeagueRule, LeagueTeam, TeamLeague
from referee.errors import KeyReused, NotFound, Refused, Stale
from referee.events.league import PartidaTold, TeamId
from referee.log.streams import WriteMetadata

blp = Blueprint("captains", __name__)
blp.register_error_handler(UnusableAddress, unusable_page)
_ONE: Final = "/l/<address>"
_KINDS: Final = frozenset({"lineup", "match_report", "match_sign", "match_deny"})
"""What a captain may record, of the own team alone."""


class CaptainPlace(NamedTuple):
    """The league and the team of an address."""

    league_id: UUID
    state: TeamLeague
    team: LeagueTeam


@blp.get(_ONE)
@guard.open_to_all
@guard.takes_secret_address
def show_captain_page(address: str) -> Response:
    """The match that a team plays now, and what its captain can say about it"""
    await_end_of_log()
    return _captain_page(_place_of_secret_address(address))


@blp.post(_ONE)
@guard.open_to_all
@guard.takes_secret_address
def record_captain_statement(address: str) -> AnyResponse:
    """A captain names the pairs, tells a result, signs it or denies it"""
    place = _place_of_secret_address(address)
    if form_value("kind") not in _KINDS:
        raise Problem("bad_request")
    try:
        _record_captain_form(place)
    except ma.ValidationError as error:
        words = " ".join(text for _, text in faults_of_validation(error.messages))
        return _captain_page(place, words, 422)
    except Refused as refused:
        return _captain_page(place, refusal_words(refused, language()), 409)
    except Stale:
        return _captain_page(place, say("mine.meanwhile", language()), 409)
    return make_private(redirect(f"{prefix()}/l/{address}?match={form_value('match')}", 303))


def _place_of_secret_address(address: str) -> CaptainPlace:
    """The league and the team of a captain's secret address.

    :raises UnusableAddress: nobody's
    :raises Problem: too many wrong ones from here
    """
    here, given = current_services(), parse_private_address(address)
    if given is not None:
        league_id = UUID(given.owner_id)
        try:
            state = here.referee.leagues.league(league_id)
        except NotFound:
            state = None
        team = state and here.addresses.find_team(given, state)
        if state is not None and team:
            return CaptainPlace(league_id, state, team)
    raise note_wrong_address()


def _record_captain_form(place: CaptainPlace) -> None:
    """Record what a captain says of the match that they saw, whatever others record meanwhile.

    :raises ma.ValidationError: a field is wrong
    :raises Refused: it is impossible
    :raises Stale: the match is another one now
    """
    leagues, team = current_services().referee.leagues, place.team.id
    made = meta_of_address_form(f"address team {team} {place.team.renewals + 1}")
    for is_last in (*[False] * TRIES, True):
        state = leagues.league(place.league_id)
        asked = [
            one._replace(values={**one.values, _field_of_own_team(): team})
            for one in acts_in_form(state)
        ]
        match = state.matches.get(form_value("match"))
        if match is None or team not in match.teams:
            raise Problem("bad_request")
        if not is_match_as_seen(match):
            if _is_statement_recorded(asked[0], match, team) or _is_form_recorded(made):
                return
            raise Stale(state.version)
        if form_value("kind") == "lineup" and not match.is_open:
            raise Refused(LeagueRule.MATCH_DECIDED, match=match.id)
        try:
            record_asked_acts(place.league_id, asked, made, state.version)
        except Stale:
            if is_last:
                raise
        else:
            return


def _is_statement_recorded(act: AskedAct, match: LeagueMatch, team: TeamId) -> bool:
    """Whether the log already has what the form says, as after a second tap."""
    match form_value("kind"):
        case "match_sign":
            return team in match.signed
        case "match_deny":
            return match.stage == "disputed"
        case "match_report":
            told = msgspec.convert(act.values["partidas"], tuple[PartidaTold, ...])
            return match.by == team and told == match.partidas
        case _:
            return False


def _is_form_recorded(made: WriteMetadata) -> bool:
    """Whether this very form was recorded already."""
    try:
        return current_services().referee.answer_to(made) is not None
    except KeyReused:
        return False


def _field_of_own_team() -> str:
    """Name of the field of an act that says for which team the captain acts."""
    return "team" if form_value("kind") == "lineup" else "by"


def _captain_page(place: CaptainPlace, wrong: str = "", status: int = 200) -> Response:
    await_end_of_log()
    state = current_services().referee.leagues.league(place.league_id)
    display = display_of(place.league_id, place.team.division, sees_lineups=True)
    mine = display.matches_of_team(place.team.id)
    asked = request.args.get("match", form_value("match"))
    one = next((each for each in mine if each.data.match == asked), None)
    one = one or _match_to_show(mine, place.team.id)
    match = one and state.matches[one.data.match]
    made = page(
        "leagues/captain.html",
        display=display,
        view=display.view,
        team=display.team(place.team.id),
        one=one,
        others=[each for each in mine if each is not one and each.has_pending_step],
        moment=one and _stage_for_captain(display, one, place.team.id),
        seen=match and match_fingerprint(match),
        seen_pairs=match and match_fingerprint(match, place.team.id),
        wrong=wrong,
        key=new_form_key(),
    )
    return make_private(made, status)


def _match_to_show(mine: list[MatchDisplay], team: str) -> MatchDisplay | None:
    """The match that a captain is asked about: one to sign, else the next one to be played."""
    waiting = [one for one in mine if one.has_pending_step]
    to_sign = [
        one for one in waiting if one.data.stage == "provisional" and team not in one.data.signed
    ]
    return next(iter(to_sign or waiting or mine[-1:]), None)


def _stage_for_captain(display: LeagueDisplay, one: MatchDisplay, team: str) -> str:
    """State of a match for the captain's page: to report, to sign, to wait, or over."""
    if display.view.is_closed or one.is_of_withdrawn:
        return "closed"
    if one.is_open:
        return "open"
    if one.data.stage == "provisional":
        return "waiting" if team in one.data.signed else "asked"
    return one.data.stage
