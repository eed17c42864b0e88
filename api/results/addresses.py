"""A table's or a pair's own address, without an account: its result told, agreed to, or denied."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.board import boards
from api.html.forms import form_value, new_key
from api.html.pages import page, private_page
from api.html.private_addresses import (
    UnusableAddress,
    meta_of_address,
    unusable_page,
    wrong_address,
)
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.languages import language, say
from api.http.problems import Problem, words_of
from api.http.services import current_services
from api.results import final_scores, places
from api.results.places import AddressPlace
from referee.access.addresses import read_address
from referee.aggregates import result as results
from referee.aggregates.encuentro import Encuentro, options_of
from referee.errors import NotFound, Refused, Stale
from referee.events import EncuentroAct, ResultConfirmed, ResultDenied, SideName
from referee.log.streams import WriteMetadata
from referee.rules.articles import Rule
from referee.rules.final_scores import score_text
from referee.rules.seats import SIDES

blp = Blueprint("addresses", __name__)
_ONE: Final = "/m/<address>"
blp.register_error_handler(UnusableAddress, unusable_page)


@blp.get(_ONE)
@guard.open_to_all
@guard.has_secret_address
def show(address: str) -> Response:
    """What stands at the table, and what the side can say about it"""
    place = _place(address)
    return _address_page(place, _side(place, request.args.get("side", "")))


@blp.post(_ONE)
@guard.open_to_all
@guard.has_secret_address
def say_so(address: str) -> AnyResponse:
    """A side tells the final score, agrees with it, or does not"""
    place = _place(address)
    side = _side(place, form_value("side"))
    if place.encuentro_id is None or not side:
        raise Problem("bad_request")
    made = meta_of_address(place.principal)
    state = current_services().referee.encuentros.encuentro(place.encuentro_id)
    try:
        _write(place, side, state, made)
    except ValueError:
        return _address_page(place, side, say("score.unreadable", language()), 422)
    except Refused as refused:
        return _address_page(place, side, _words(refused), 409)
    except Stale:
        return _address_page(place, side, say("mine.meanwhile", language()), 409)
    return private_page(redirect(f"{prefix()}/m/{address}?side={side}", 303))


def _place(address: str) -> AddressPlace:
    """The table or the pair whose address this is.

    :raises UnusableAddress: nobody's, or one of an evening that is over
    :raises Problem: too many wrong ones from here
    """
    here, given = current_services(), read_address(address)
    if given is not None:
        try:
            tag = boards.session(here, UUID(given.owner_id)).tag
            state = here.referee.seasons.session(UUID(given.owner_id))
        except NotFound:
            state = None
        subject = state and here.addresses.subject(given, state)
        if state is not None and subject:
            if state.is_closed:
                raise UnusableAddress("mine.closed")
            return places.place_of(UUID(given.owner_id), state, subject, tag)
    raise wrong_address()


def _side(place: AddressPlace, asked: str) -> SideName:
    """The side that asks: that of the pair, or the one that was chosen at the table."""
    if place.encuentro_id is None:
        return ""
    state = current_services().referee.encuentros.encuentro(place.encuentro_id)
    return place.side or (asked if asked in SIDES[options_of(state).players] else "")


def _write(place: AddressPlace, side: SideName, state: Encuentro, made: WriteMetadata) -> None:
    """Record what a side says of the result that it saw.

    :raises ValueError: its score cannot be read
    :raises Refused: it is impossible
    :raises Stale: the result is another one now
    """
    if _is_said(side, state):
        return
    if form_value("seen") != final_scores.what_stands(state).seen:
        raise Stale(state.version)
    assert place.encuentro_id is not None
    current_services().referee.encuentros.note_all(
        place.encuentro_id, _acts(side, state), made, state.version
    )


def _is_said(side: SideName, state: Encuentro) -> bool:
    """Whether the side has said this already, as it has after a second tap."""
    result, said = state.result, form_value("say")
    if not results.is_still_reported(result, state.outcome):
        return False
    if said == "deny":
        return result.denied is not None and result.denied.side == side
    is_agreed = not _is_asked(side, state)
    if said == "agree":
        return is_agreed
    score = final_scores.score_in(request.form, state)
    return is_agreed and score_text(score) == final_scores.what_stands(state).score


def _is_asked(side: SideName, state: Encuentro) -> bool:
    """Whether a result was reported that the side did not agree with yet."""
    sides = SIDES[options_of(state).players]
    is_missing = side in results.missing_sides(state.result, sides)
    return is_missing and results.is_still_reported(state.result, state.outcome)


def _acts(side: SideName, state: Encuentro) -> tuple[EncuentroAct, ...]:
    """What a side says, as acts. Whoever tells the score that was reported agrees with it."""
    said = form_value("say")
    if said == "deny":
        return (ResultDenied("", side),)
    agrees = (ResultConfirmed("", side),)
    if said == "agree":
        return agrees
    score = final_scores.score_in(request.form, state)
    if _is_asked(side, state) and score_text(score) == final_scores.what_stands(state).score:
        return agrees
    return final_scores.score_acts(score, side, "")


def _words(refused: Refused) -> str:
    """A refusal in words; that a case runs is not said here."""
    if refused.rule == Rule.CASE_RUNNING:
        return say("mine.not_now", language())
    return words_of(refused, language())


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
        shown=state and places.place_view(place, side, state),
        seen=state and final_scores.what_stands(state).seen,
        wrong=wrong,
        key=new_key(),
        kept=f"&side={side}" if side else "",
    )
    return private_page(made, status)
