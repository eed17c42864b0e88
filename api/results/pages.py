"""The page on which a side confirms a result on a phone, with its code.

It is public: it shows only what the board shows, and every act needs a code.
"""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.board import boards
from api.encuentros import views
from api.encuentros.pages import names_by_side
from api.html import qr_codes
from api.html.addresses import url_for_others
from api.html.forms import new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.services import await_position_in_request, current_services, metadata_of_form_values
from api.results import rest as results
from referee.errors import Refused
from referee.events import ResultConfirmed
from referee.log.streams import Answer
from referee.rules.seats import side_of

blp = Blueprint("confirming", __name__)
_LONGEST_FIELD = 80
_WAYS = ("seat", "code", "key")


@blp.get("/r/<uuid:encuentro_id>")
@guard.open_to_all
def show_result(encuentro_id: UUID) -> Response:
    """The result, and a form for those who have not agreed yet."""
    await_position_in_request()
    return _result_page(encuentro_id)


@blp.get("/r/<uuid:encuentro_id>/qr.svg")
@guard.open_to_all
def show_result_qr(encuentro_id: UUID) -> Response:
    """QR code with the address of the page of a result, for a phone"""
    boards.await_table_board(encuentro_id)
    return qr_codes.qr_response(
        url_for_others("pages.confirming.show_result", encuentro_id=encuentro_id)
    )


@blp.post("/r/<uuid:encuentro_id>")
@guard.open_to_all
def agree(encuentro_id: UUID) -> AnyResponse:
    """Confirm the result for a side."""
    given = {way: request.form.get(way, "").strip()[:_LONGEST_FIELD] for way in _WAYS}
    try:
        agreed = _record_confirmation(encuentro_id, given)
    except Refused as refused:
        return _result_page(
            encuentro_id, say(f"rule.{refused.rule}", language(), **refused.facts), 409
        )
    except Problem as wrong:
        status = wrong.code or 500
        return _result_page(
            encuentro_id, say(f"problem.{wrong.problem}.detail", language()), status
        )
    return redirect(f"{prefix()}/r/{encuentro_id}?wait={agreed.position}", 303)


def _record_confirmation(encuentro_id: UUID, given: dict[str, str]) -> Answer:
    """Record the confirmation of the player of a seat.

    :raises Problem: nobody sits there, no code, or too many wrong ones
    :raises Refused: it is impossible
    """
    person = dict(current_services().referee.encuentros.encuentro(encuentro_id).seats).get(
        given["seat"]
    )
    if person is None or not given["code"] or not given["key"].isalnum():
        raise Problem("bad_request")
    side = side_of(given["seat"])
    code = results.count_attempt_and_hash_code(encuentro_id, side, given["code"])
    sent = [str(encuentro_id), *given.values()]
    meta = metadata_of_form_values(f"side {side}", "code", f"code {given['key']}", sent)
    return results.confirm_result(encuentro_id, ResultConfirmed(person, side, "", code), meta)


def _result_page(encuentro_id: UUID, wrong: str = "", status: int = 200) -> Response:
    view, _ = boards.await_table_board(encuentro_id)
    waiting = views.official_encuentro_view(encuentro_id).result
    is_asked = view.result == "provisional" and waiting.reported is not None
    names = {
        seat: name or say("grammar.nameless", language())
        for seat, name in view.seats.items()
        if is_asked and side_of(seat) in waiting.missing
    }
    return page(
        "results/confirm.html",
        view=view,
        sides=names_by_side(view.seats, view.players),
        names=names,
        wrong=wrong,
        key=new_form_key(),
        status=status,
    )
