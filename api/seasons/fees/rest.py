"""Fees, prizes and payments of evenings and seasons over HTTP."""

from __future__ import annotations

from uuid import UUID

from flask import Response, g

from api.http import answers
from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.rest import (
    Noun,
    answer_header_schemas,
    official_view_response,
    response_to_write,
    takes_headers_and_query,
)
from api.http.services import await_position_in_request, metadata_of_request, pending_texts
from api.seasons.fees import schemas
from api.seasons.fees.account import (
    FeeAccountData,
    Payable,
    fee_account,
    fees_act_of_body,
    payment_act,
    record_fees_act,
)

blp = Noun("fees", __name__, url_prefix="/api/v1", description="Fees, prizes and who has paid")
_WRITE = answer_header_schemas(tag=True, replayed=True)
_SESSION, _SEASON = "/sessions/<uuid:session_id>/fees", "/seasons/<uuid:season_id>/fees"


def _fee_account_response(of_what: Payable) -> Response:
    await_position_in_request()
    return official_view_response(fee_account(of_what))


def _set_fees(of_what: Payable, body: Body) -> Response:
    expected = g.expected_version
    with pending_texts() as put:
        answer = put.erase_if_replayed(
            record_fees_act(of_what, fees_act_of_body(body, put), metadata_of_request(), expected)
        )
    return response_to_write(answer)


def _record_payment(of_what: Payable, body: Body) -> Response:
    expected = g.expected_version
    return response_to_write(
        record_fees_act(of_what, payment_act(of_what, body), metadata_of_request(), expected)
    )


@blp.route(_SESSION)
@guard.requires("club:manage")
@takes_headers_and_query(tag=True, wait=True)
@blp.response(200, register_answer_schema(FeeAccountData), headers=answer_header_schemas(tag=True))
@blp.alt_response(304, description="Not modified")
def show_session_fees(session_id: UUID) -> Response:
    """Fee, prizes, who has paid and the pot of an evening"""
    return _fee_account_response(Payable("session", session_id))


@blp.route(_SESSION, methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.FeesIn)
@blp.response(200, answers.Written, headers=_WRITE)
def set_session_fees(body: Body, session_id: UUID) -> Response:
    """Set fee and prizes of an evening, at any time; they replace the earlier ones"""
    return _set_fees(Payable("session", session_id), body)


@blp.route(f"{_SESSION}/payments", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.PaymentIn)
@blp.response(200, answers.Written, headers=_WRITE)
def record_session_payment(body: Body, session_id: UUID) -> Response:
    """Note that a person or a pair has paid the fee of an evening, or has not"""
    return _record_payment(Payable("session", session_id), body)


@blp.route(_SEASON)
@guard.requires("club:manage")
@takes_headers_and_query(tag=True, wait=True)
@blp.response(200, register_answer_schema(FeeAccountData), headers=answer_header_schemas(tag=True))
@blp.alt_response(304, description="Not modified")
def show_season_fees(season_id: UUID) -> Response:
    """Fee, prizes, who has paid and the pot of a season"""
    return _fee_account_response(Payable("season", season_id))


@blp.route(_SEASON, methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.FeesIn)
@blp.response(200, answers.Written, headers=_WRITE)
def set_season_fees(body: Body, season_id: UUID) -> Response:
    """Set fee and prizes of a season, at any time; they replace the earlier ones"""
    return _set_fees(Payable("season", season_id), body)


@blp.route(f"{_SEASON}/payments", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.PaymentIn)
@blp.response(200, answers.Written, headers=_WRITE)
def record_season_payment(body: Body, season_id: UUID) -> Response:
    """Note that a person or a pair has paid the fee of a season, or has not"""
    return _record_payment(Payable("season", season_id), body)
