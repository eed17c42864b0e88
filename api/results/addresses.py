"""Pages behind the secret address of a table or a pair: report its result, agree, or deny."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.board import boards
from api.html.forms import form_value, new_form_key
from api.html.pages import make_private, page
from api.html.private_addresses import (
    UnusableAddress,
    meta_of_address_form,
    note_wrong_address,
    unusable_page,
)
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.languages import language, say
from api.http.problems import Problem, refusal_words
from api.http.services import current_services
from api.results import final_scores, places
from api.results.places import AddressPlace
from referee.access.addresses import parse_private_address
from referee.aggregates import result as results
from referee.aggregates.encuentro import Encuentro, options_of
from referee.errors import NotFound, Refused, Stale
from referee.events import EncuentroAct, ResultConfirmed, ResultDenied, SideName
from referee.log.streams import WriteMetadata
from referee.rules.articles import Rule
from referee.rules.match_scores import score_text
from referee.rules.seats import SIDES

blp = Blueprint("addresses", __name__)
_ONE: Final = "/m/<address>"
blp.register_error_handler(UnusableAddress, unusable_page)


@blp.get(_ONE)
@guard.open_to_all
@guard.takes_secret_address
def show_address(address: str) -> Response:
    """Page of a secret address: what stands at the table, and what the side can say about it"""
    place = _resolve_address(address)
    return _address_page(place, _side_that_asks(place, request.args.get("side", "")))


@blp.post(_ONE)
@guard.open_to_all
@guard.takes_secret_address
def submit_statement(address: str) -> AnyResponse:
    """A side tells the final score, agrees with it, or does not"""
    place = _resolve_address(address)
    side = _side_that_asks(place, form_value("side"))
    if place.encuentro_id is None or not side:
        raise Problem("bad_request")
    made = meta_of_address_form(place.principal)
    state = current_services().referee.encuentros.encuentro(place.encuentro_id)
    try:
        _record_statement(place, side, state, made)
    except ValueError:
        return _address_page(place, side, say("score.unreadable", language()), 422)
    except Refused as refused:
        return _address_page(place, side, _refusal_in_words(refused), 409)
    except Stale:
        return _address_page(place, side, say("mine.meanwhile", language()), 409)
    return make_private(redirect(f"{prefix()}/m/{address}?side={side}", 303))


def _resolve_address(address: str) -> AddressPlace:
    """The table or the pair whose address this is.

    :raises UnusableAddress: nobody's, or one of an evening that is over
    :raises Problem: too many wrong ones from here
    """
    here, given = current_services(), parse_private_address(address)
    if given is not None:
        try:
            tag = boards.session_board(here, UUID(given.owner_id)).tag
            state = here.referee.seasons.session(UUID(given.owner_id))
        except NotFound:
            state = None
        subject = state and here.addresses.find_table_or_pair(given, state)
        if state is not None and subject:
            if state.is_closed:
                raise UnusableAddress("mine.closed")
            return places.place_with_principal(UUID(given.owner_id), state, subject, tag)
    raise note_wrong_address()


def _side_that_asks(place: AddressPlace, asked: str) -> SideName:
    """The side that asks: that of the pair, or the one that was chosen at the table."""
    if place.encuentro_id is None:
        return ""
    state = current_services().referee.encuentros.encuentro(place.encuentro_id)
    return place.side or (asked if asked in SIDES[options_of(state).players] else "")


def _record_statement(
    place: AddressPlace, side: SideName, state: Encuentro, made: WriteMetadata
) -> None:
    """Record what a side says of the result that it saw.

    :raises ValueError: its score cannot be read
    :raises Refused: it is impossible
    :raises Stale: the result is another one now
    """
    if _is_statement_recorded(side, state):
        return
    if form_value("seen") != final_scores.current_result(state).result_fingerprint:
        raise Stale(state.version)
    assert place.encuentro_id is not None
    current_services().referee.encuentros.record_encuentro_acts(
        place.encuentro_id, _statement_acts(side, state), made, state.version
    )


def _is_statement_recorded(side: SideName, state: Encuentro) -> bool:
    """Whether the log already has what the form says, as after a second tap."""
    result, said = state.result, form_value("say")
    if not results.is_report_current(result, state.outcome_with_partidas):
        return False
    if said == "deny":
        return result.denied is not None and result.denied.side == side
    is_agreed = not _is_agreement_missing(side, state)
    if said == "agree":
        return is_agreed
    score = final_scores.score_in_form(request.form, state)
    return is_agreed and score_text(score) == final_scores.current_result(state).score


def _is_agreement_missing(side: SideName, state: Encuentro) -> bool:
    """Whether a result was reported that the side did not agree with yet."""
    sides = SIDES[options_of(state).players]
    is_missing = side in results.sides_yet_to_agree(state.result, sides)
    return is_missing and results.is_report_current(state.result, state.outcome_with_partidas)


def _statement_acts(side: SideName, state: Encuentro) -> tuple[EncuentroAct, ...]:
    """What a side says, as acts. Whoever tells the score that was reported agrees with it."""
    said = form_value("say")
    if said == "deny":
        return (ResultDenied("", side),)
    agrees = (ResultConfirmed("", side),)
    if said == "agree":
        return agrees
    score = final_scores.score_in_form(request.form, state)
    if (
        _is_agreement_missing(side, state)
        and score_text(score) == final_scores.current_result(state).score
    ):
        return agrees
    return final_scores.score_acts(score, side, "")


def _refusal_in_words(refused: Refused) -> str:
    """A refusal in words, which do not reveal that a case is open."""
    if refused.rule == Rule.CASE_RUNNING:
        return say("mine.not_now", language())
    return refusal_words(refused, language())


def _address_page(
    place: AddressPlace, side: SideName, wrong: str = "", status: int = 200
) -> Response:
    state = None
    if place.encuentro_id is not None:
        state = current_services().referee.encuentros.encuentro(place.encuentro_id)
    made = page(
        "results/place.html",
        place=place,
        side=side,
        shown=state and places.view_for_side(place, side, state),
        seen=state and final_scores.current_result(state).result_fingerprint,
        wrong=wrong,
        key=new_form_key(),
        kept=f"&side={side}" if side else "",
    )
    return make_private(made, status)
