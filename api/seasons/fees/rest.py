"""Fees, prizes and payments of evenings and seasons over HTTP."""

from __future__ import annotations

from uuid import UUID

from flask import Response, g

from api.http import answers
from api.http.access import guard
from api.http.answers import answer_schema_reference
from api.http.bodies import Body
from api.http.rest import (
    Noun,
    answer_headers,
    official_view_response,
    response_to_write,
    takes_headers,
)
from api.http.services import await_position, pending_texts, write_metadata
from api.seasons.fees import schemas
from api.seasons.fees.account import (
    FeeAccountData,
    Payable,
    fee_account,
    fees_act,
    payment_act,
    record_fees,
)

blp = Noun("fees", __name__, url_prefix="/api/v1", description="Fees, prizes and who has paid")
_WRITE = answer_headers(tag=True, replayed=True)
_SESSION, _SEASON = "/sessions/<uuid:session_id>/fees", "/seasons/<uuid:season_id>/fees"


def _show(of_what: Payable) -> Response:
    await_position()
    return official_view_response(fee_account(of_what))


def _set_fees(of_what: Payable, body: Body) -> Response:
    expected = g.expected_version
    with pending_texts() as put:
        answer = put.erase_if_replayed(
            record_fees(of_what, fees_act(body, put), write_metadata(), expected)
        )
    return response_to_write(answer)


def _record_payment(of_what: Payable, body: Body) -> Response:
    expected = g.expected_version
    return response_to_write(
        record_fees(of_what, payment_act(of_what, body), write_metadata(), expected)
    )


@blp.route(_SESSION)
@guard.requires("club:manage")
@takes_headers(tag=True, wait=True)
@blp.response(200, answer_schema_reference(FeeAccountData), headers=answer_headers(tag=True))
@blp.alt_response(304, description="Not modified")
def show_session_fees(session_id: UUID) -> Response:
    """Fee, prizes, who has paid and the pot of an evening"""
    return _show(Payable("session", session_id))


@blp.route(_SESSION, methods=["POST"])
@guard.requires("club:manage")
@takes_headers(key=True, match=True)
@blp.arguments(schemas.FeesIn)
@blp.response(200, answers.Written, headers=_WRITE)
def set_session_fees(body: Body, session_id: UUID) -> Response:
    """Set fee and prizes of an evening, at any time; they replace the earlier ones"""
    return _set_fees(Payable("session", session_id), body)


@blp.route(f"{_SESSION}/payments", methods=["POST"])
@guard.requires("club:manage")
@takes_headers(key=True, match=True)
@blp.arguments(schemas.PaymentIn)
@blp.response(200, answers.Written, headers=_WRITE)
def pay_session_fee(body: Body, session_id: UUID) -> Response:
    """A person or a pair has paid the fee of an evening, or has not"""
    return _record_payment(Payable("session", session_id), body)


@blp.route(_SEASON)
@guard.requires("club:manage")
@takes_headers(tag=True, wait=True)
@blp.response(200, answer_schema_reference(FeeAccountData), headers=answer_headers(tag=True))
@blp.alt_response(304, description="Not modified")
def show_season_fees(season_id: UUID) -> Response:
    """Fee, prizes, who has paid and the pot of a season"""
    return _show(Payable("season", season_id))


@blp.route(_SEASON, methods=["POST"])
@guard.requires("club:manage")
@takes_headers(key=True, match=True)
@blp.arguments(schemas.FeesIn)
@blp.response(200, answers.Written, headers=_WRITE)
def set_season_fees(body: Body, season_id: UUID) -> Response:
    """Set fee and prizes of a season, at any time; they replace the earlier ones"""
    return _set_fees(Payable("season", season_id), body)


@blp.route(f"{_SEASON}/payments", methods=["POST"])
@guard.requires("club:manage")
@takes_headers(key=True, match=True)
@blp.arguments(schemas.PaymentIn)
@blp.response(200, answers.Written, headers=_WRITE)
def pay_season_fee(body: Body, season_id: UUID) -> Response:
    """A person or a pair has paid the fee of a season, or has not"""
    return _record_payment(Payable("season", season_id), body)
