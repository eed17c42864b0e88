"""Actas: the signed final records, as data and as pages for printing."""

from __future__ import annotations

from urllib.parse import quote
from uuid import UUID

from flask import Response
from markupsafe import Markup

from api.audit.pages import log_key_or_none
from api.cases import acta_data
from api.cases.acta_types import CaseActaData, EncuentroActaData, HeadOfLogData
from api.encuentros.views import table_names_of_encuentro
from api.html import qr_codes
from api.html.addresses import encuentro_door_for_others
from api.html.pages import blp as pages
from api.html.pages import page
from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.rest import Noun, reply, takes_headers_and_query
from api.http.services import await_position_in_request, current_services
from api.http.table_names import TableNames, use_table_names
from referee.audit.resguardo import IN_ADDRESS

blp = Noun(
    "actas",
    __name__,
    url_prefix="/api/v1/encuentros/<uuid:encuentro_id>",
    description="Actas",
)


@blp.route("/acta")
@guard.requires("read")
@takes_headers_and_query(wait=True)
@blp.response(200, register_answer_schema(EncuentroActaData))
def acta(encuentro_id: UUID) -> Response:
    """What the acta of an encuentro says"""
    await_position_in_request()
    return reply(acta_data.encuentro_acta_data(encuentro_id))


@blp.route("/cases/<int(min=1,max=9999):c>/acta")
@guard.requires("cases:read")
@takes_headers_and_query(wait=True)
@blp.response(200, register_answer_schema(CaseActaData))
def acta_of_case(encuentro_id: UUID, c: int) -> Response:
    """What the acta of a case says"""
    await_position_in_request()
    return reply(acta_data.case_acta_data(encuentro_id, c))


@pages.get("/e/<uuid:encuentro_id>/acta")
@guard.requires("read")
def acta_page(encuentro_id: UUID) -> Response:
    """The acta of an encuentro, for print"""
    await_position_in_request()
    with use_table_names(_names_from_log(encuentro_id)):
        data = acta_data.encuentro_acta_data(encuentro_id)
        code = _proof_qr_code(encuentro_id, data.proof)
        return page("cases/acta.html", acta=data, code=code, log_key=log_key_or_none())


@pages.get("/e/<uuid:encuentro_id>/c/<int(min=1,max=9999):c>/acta")
@guard.requires("cases:read")
def case_acta_page(encuentro_id: UUID, c: int) -> Response:
    """The acta of a case, for print"""
    with use_table_names(_names_from_log(encuentro_id)):
        data = acta_data.case_acta_data(encuentro_id, c)
        return page(
            "cases/acta_case.html",
            acta=data,
            shown=acta_data.exhibits_of_case(encuentro_id, data.case),
            code=_proof_qr_code(encuentro_id, data.proof),
            log_key=log_key_or_none(),
        )


def _names_from_log(encuentro_id: UUID) -> TableNames:
    """Names of the players of an encuentro, read from the log alone, without the names of pairs."""
    return table_names_of_encuentro(current_services(), encuentro_id, with_pairs=False)


def _proof_qr_code(encuentro_id: UUID, proof: HeadOfLogData | None) -> Markup:
    """The QR code of the proof as an inline picture; empty if there is no proof.

    It is the address of the door of the encuentro, which compares the resguardo that stands in it.
    """
    if proof is None:
        return Markup()
    door = encuentro_door_for_others(encuentro_id)
    return qr_codes.qr_inline(f"{door}{IN_ADDRESS}{quote(proof.text)}", omitsize=True)
