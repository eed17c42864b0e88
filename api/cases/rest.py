"""Cases: disputes opened, proved, ruled, appealed and closed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from uuid import UUID

from flask import Response, g

from api.audit import trail
from api.audit.trail import TrailPageData
from api.cases import views as case_views
from api.cases.acts import CaseActBuilder
from api.cases.analysis import CaseAnalysisData, analysis_of_case, evidence_act_of_cost
from api.cases.schemas import (
    AppealIn,
    CaseIn,
    ClosingIn,
    CostIn,
    DecisionIn,
    DecisionPreviewIn,
    EvidenceIn,
    RulingIn,
    RulingPreviewIn,
)
from api.cases.views import CasesData, WordedCaseData
from api.encuentros.schemas import Opened
from api.http import answers
from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.rest import (
    Noun,
    Page,
    answer_header_schemas,
    encuentro_api_address,
    official_view_response,
    reply,
    response_to_write,
    takes_headers_and_query,
)
from api.http.services import (
    await_position_in_request,
    current_services,
    metadata_of_request,
    pending_texts,
)
from api.previews.previews import preview_answer
from api.previews.shapes import CasePreviewed
from referee.events import CaseAct, CaseOpened
from referee.kinds import case_id
from referee.log.streams import Answer

blp = Noun(
    "cases",
    __name__,
    url_prefix="/api/v1/encuentros/<uuid:encuentro_id>/cases",
    description="Cases of an encuentro",
)
_ONE = "/<int(min=1,max=9999):c>"
_WRITE = answer_header_schemas(tag=True, replayed=True)


def answer_opening(answer: Answer, encuentro_id: UUID) -> Response:
    """The answer to the opening of a case."""
    events = [recorded.event for recorded in answer.events]
    number = next(event.number for event in events if isinstance(event, CaseOpened))
    where = f"{encuentro_api_address(encuentro_id)}/cases/{number}"
    return response_to_write(answer, 201, location=where, number=number)


def _record_case_act(
    encuentro_id: UUID,
    c: int,
    write: Callable[[CaseActBuilder, Body], CaseAct],
    body: Body,
) -> Response:
    """Record an act of a case, which ``write`` builds from the body.

    A ruling and a decision name the version of the partida at their preview.
    """
    with pending_texts() as put:
        act = write(CaseActBuilder(encuentro_id, put), body)
        expected, seen_at = g.expected_version, body.get("partida_version")
        answer = current_services().referee.cases.record(
            encuentro_id, c, act, metadata_of_request(), expected, seen_at
        )
        put.erase_if_replayed(answer)
    return response_to_write(answer)


def _preview_case_act(encuentro_id: UUID, c: int, act: CaseAct) -> Response:
    version, preview = current_services().referee.cases.case_version_and_preview(
        encuentro_id, c, act
    )
    return preview_answer(preview, encuentro_id, case_version=version)


@blp.route("", methods=["POST"])
@guard.requires("cases:open")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(CaseIn)
@blp.response(201, Opened, headers=_WRITE)
def open_case(body: Body, encuentro_id: UUID) -> Response:
    """Open a case about a partida"""
    with pending_texts() as put:
        act = CaseActBuilder(encuentro_id, put).opening_act(body)
        expected = g.expected_version
        answer = put.erase_if_replayed(
            current_services().referee.cases.open(
                encuentro_id, act, metadata_of_request(), expected
            )
        )
    return answer_opening(answer, encuentro_id)


@blp.route("")
@guard.requires("cases:read")
@takes_headers_and_query(wait=True)
@blp.response(200, register_answer_schema(CasesData))
def list_cases_of_encuentro(encuentro_id: UUID) -> Response:
    """The cases of an encuentro, and the warnings that stand, by side"""
    await_position_in_request()
    return reply(case_views.cases_of_encuentro(encuentro_id))


@blp.route(_ONE)
@guard.requires("cases:read")
@takes_headers_and_query(tag=True, wait=True)
@blp.response(200, register_answer_schema(WordedCaseData), headers=answer_header_schemas(tag=True))
@blp.alt_response(304, description="Not modified")
def show_case(encuentro_id: UUID, c: int) -> Response:
    """A case: what is disputed, the evidence, the ruling, the appeal"""
    await_position_in_request()
    return official_view_response(case_views.case(encuentro_id, c))


@blp.route(f"{_ONE}/audit")
@guard.requires("audit:read")
@takes_headers_and_query(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, register_answer_schema(TrailPageData))
def show_case_trail(query: Body, encuentro_id: UUID, c: int) -> Response:
    """Who recorded what of a case, when and on which device"""
    await_position_in_request()
    stream = case_id(encuentro_id, c)
    return reply(trail.trail_entries_from_cursor(stream, query.get("cursor", ""), query["limit"]))


@blp.route(f"{_ONE}/evidence", methods=["POST"])
@guard.requires("cases:open")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(EvidenceIn)
@blp.response(200, answers.Written, headers=_WRITE)
def attach_evidence(body: Body, encuentro_id: UUID, c: int) -> Response:
    """Attach evidence"""
    return _record_case_act(encuentro_id, c, CaseActBuilder.evidence_act, body)


@blp.route(f"{_ONE}/analysis")
@guard.requires("cases:read")
@takes_headers_and_query(wait=True)
@blp.response(200, register_answer_schema(CaseAnalysisData))
def show_cost_analysis(encuentro_id: UUID, c: int) -> Response:
    """How many points the disputed cards won, compared with the best lawful ones"""
    await_position_in_request()
    return reply(analysis_of_case(encuentro_id, c))


@blp.route(f"{_ONE}/analysis", methods=["POST"])
@guard.requires("rulings:give")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(CostIn)
@blp.response(200, answers.Written, headers=_WRITE)
def compute_and_record_cost(body: Body, encuentro_id: UUID, c: int) -> Response:
    """Put on the acta how many points a card won or lost by breaking a duty"""
    return _record_case_act(encuentro_id, c, partial(evidence_act_of_cost, number=c), body)


@blp.route(f"{_ONE}/ruling/preview", methods=["POST"])
@guard.requires("rulings:give")
@blp.arguments(RulingPreviewIn)
@blp.response(200, CasePreviewed)
def preview_ruling(body: Body, encuentro_id: UUID, c: int) -> Response:
    """What a ruling would change; nothing is recorded"""
    return _preview_case_act(encuentro_id, c, CaseActBuilder(encuentro_id).ruling_act(body))


@blp.route(f"{_ONE}/ruling", methods=["POST"])
@guard.requires("rulings:give")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(RulingIn)
@blp.response(200, answers.Written, headers=_WRITE)
def give_ruling(body: Body, encuentro_id: UUID, c: int) -> Response:
    """Rule"""
    return _record_case_act(encuentro_id, c, CaseActBuilder.ruling_act, body)


@blp.route(f"{_ONE}/appeal", methods=["POST"])
@guard.requires("cases:open")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(AppealIn)
@blp.response(200, answers.Written, headers=_WRITE)
def appeal_ruling(body: Body, encuentro_id: UUID, c: int) -> Response:
    """Appeal against the ruling"""
    return _record_case_act(encuentro_id, c, CaseActBuilder.appeal_act, body)


@blp.route(f"{_ONE}/decision/preview", methods=["POST"])
@guard.requires("appeals:decide")
@blp.arguments(DecisionPreviewIn)
@blp.response(200, CasePreviewed)
def preview_decision(body: Body, encuentro_id: UUID, c: int) -> Response:
    """What the decision of an appeal would change; nothing is recorded"""
    return _preview_case_act(
        encuentro_id, c, CaseActBuilder(encuentro_id).appeal_decision_act(body)
    )


@blp.route(f"{_ONE}/decision", methods=["POST"])
@guard.requires("appeals:decide")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(DecisionIn)
@blp.response(200, answers.Written, headers=_WRITE)
def decide_appeal(body: Body, encuentro_id: UUID, c: int) -> Response:
    """Decide the appeal: the ruling is upheld, or changed"""
    return _record_case_act(encuentro_id, c, CaseActBuilder.appeal_decision_act, body)


@blp.route(f"{_ONE}/closing", methods=["POST"])
@guard.requires("rulings:give")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(ClosingIn)
@blp.response(200, answers.Written, headers=_WRITE)
def close_case(body: Body, encuentro_id: UUID, c: int) -> Response:
    """Close the case"""
    return _record_case_act(encuentro_id, c, CaseActBuilder.closing_act, body)
