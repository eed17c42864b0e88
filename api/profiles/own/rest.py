"""The club's own rules over HTTP: made from one of the six profiles, changed, retired."""

from __future__ import annotations

import marshmallow as ma
import msgspec
from flask import Response, g

from api.http import answers, rest
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.rest import (
    Noun,
    answer_header_schemas,
    official_view_response,
    response_to_write,
    takes_headers_and_query,
)
from api.http.services import await_position_in_request, current_services, metadata_of_request
from api.profiles.own import acts, views
from api.profiles.rest import turn_bad_profile_into_problem
from api.profiles.schemas import RulesIn
from projections.views import view_as
from referee.errors import NotFound
from referee.events import RulesId
from referee.log.streams import Answer

blp = Noun("club_rules", __name__, url_prefix="/api/v1/club/rules", description="Rules of the club")
_WRITE = answer_header_schemas(tag=True, replayed=True)
_ONE = "/<string(maxlength=40):rules_id>"


class RulesWritten(answers.Written):
    """What a write recorded of a set of rules."""

    rules = ma.fields.String(required=True, metadata={"description": "id of the set of rules"})


class ClubRulesListData(msgspec.Struct, frozen=True):
    """Every set of rules, retired ones too; ``version``: what a write needs."""

    version: int
    items: list[views.ClubRulesData]
    next: None


class WholeClubRulesData(views.ClubRulesData, frozen=True):
    """A set of rules with all its editions, the newest first."""

    version: int
    editions: list[views.RulesEditionData]


@blp.route("")
@guard.open_to_all
@takes_headers_and_query(tag=True, wait=True)
@blp.response(
    200, register_answer_schema(ClubRulesListData), headers=answer_header_schemas(tag=True)
)
@blp.alt_response(304, description="Not modified")
def list_rules() -> Response:
    """The club's own rules, retired ones too"""
    await_position_in_request()
    view = ClubRulesListData(
        version=current_services().referee.rules.rules().version,
        items=[views.rules_view(one) for one in views.club_rules_by_id().values()],
        next=None,
    )
    return official_view_response(view)


@blp.route(_ONE)
@guard.open_to_all
@takes_headers_and_query(tag=True, wait=True)
@blp.response(
    200, register_answer_schema(WholeClubRulesData), headers=answer_header_schemas(tag=True)
)
@blp.alt_response(304, description="Not modified")
def show_rules(rules_id: RulesId) -> Response:
    """A set of rules with its editions"""
    await_position_in_request()
    one = views.club_rules_by_id().get(rules_id)
    if one is None:
        raise NotFound(rules_id)
    view = view_as(
        WholeClubRulesData,
        views.rules_view(one),
        version=current_services().referee.rules.rules().version,
        editions=[views.edition_view(each) for each in one.editions],
    )
    return official_view_response(view)


@blp.route("", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True)
@blp.arguments(RulesIn)
@blp.response(201, RulesWritten, headers=_WRITE)
def make_rules(body: Body) -> Response:
    """Make rules of the club's own: one of the six profiles with changes, and a name"""
    with turn_bad_profile_into_problem():
        return _reply_write(acts.record_rules(body, metadata_of_request()), 201)


@blp.route(_ONE, methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(RulesIn)
@blp.response(200, RulesWritten, headers=_WRITE)
def change_rules(body: Body, rules_id: RulesId) -> Response:
    """Change a set of rules: a new edition, unless only the name changes"""
    with turn_bad_profile_into_problem():
        return _reply_write(
            acts.record_rules(body, metadata_of_request(), g.expected_version, rules_id)
        )


@blp.route(f"{_ONE}/retirement", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.response(200, RulesWritten, headers=_WRITE)
def retire_rules(rules_id: RulesId) -> Response:
    """Offer a set of rules no more; stated again, it is offered as before"""
    rest.refuse_body()
    return _reply_write(acts.record_retirement(rules_id, metadata_of_request(), g.expected_version))


def _reply_write(answer: Answer, status: int = 200) -> Response:
    rules = acts.rules_id_of_answer(answer)
    where = f"{prefix()}/api/v1/club/rules/{rules}" if status == 201 else ""  # noqa: PLR2004 - created
    return response_to_write(answer, status, location=where, rules=rules)
