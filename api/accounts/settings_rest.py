"""The settings of the club over HTTP."""

from __future__ import annotations

from typing import get_args

from flask import Response, g

from api.accounts.settings import SettingsData, record_settings_acts, settings_acts, settings_data
from api.http import answers
from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.fields import FieldFault, RequestSchema, TimeZone, choice_field
from api.http.problems import Problem
from api.http.rest import (
    Noun,
    answer_header_schemas,
    official_view_response,
    response_to_write,
    takes_headers_and_query,
)
from api.http.services import current_services, metadata_of_request
from referee.events import (
    DealLuck,
    FourEyes,
    LeagueAudience,
    PuzzleAudience,
    RecordAudience,
    StudyConsent,
)

blp = Noun("settings", __name__, url_prefix="/api/v1/settings", description="Settings of the club")


class SettingsIn(RequestSchema):
    """Choices of the club: two principals ``required`` where the law wants two, or ``noted``.

    ``league_audience``: who finds its seasons, ``everybody`` or the ``club`` alone.
    ``puzzle_audience``: who is shown the problem of the week. ``deal_luck``: whether seasons show
    the luck of the deals. ``record_audience``: who sees the record of a decided partida, its replay
    and its proof: ``everybody``, who comes in ``with_code``, or the ``club``.
    ``study_consent``: whether decided partidas may be exported for study.
    """

    four_eyes = choice_field(*get_args(FourEyes))
    time_zone = TimeZone()
    league_audience = choice_field(*get_args(LeagueAudience))
    puzzle_audience = choice_field(*get_args(PuzzleAudience))
    deal_luck = choice_field(*get_args(DealLuck))
    record_audience = choice_field(*get_args(RecordAudience))
    study_consent = choice_field(*get_args(StudyConsent))


@blp.route("")
@guard.requires("access:manage")
@takes_headers_and_query(tag=True)
@blp.response(200, register_answer_schema(SettingsData), headers=answer_header_schemas(tag=True))
@blp.alt_response(304, description="Not modified")
def show_settings() -> Response:
    """The settings of the club"""
    return official_view_response(settings_data(current_services().referee.settings.settings()))


@blp.route("", methods=["POST"])
@guard.requires("access:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(SettingsIn)
@blp.response(200, answers.Written, headers=answer_header_schemas(tag=True, replayed=True))
def change_settings(body: Body) -> Response:
    """Choose for all tables: two persons, the time zone, who finds league and problem"""
    acts = settings_acts(body)
    if not acts:
        raise Problem("invalid", errors={"json": {"four_eyes": [FieldFault("required")]}})
    return response_to_write(record_settings_acts(acts, metadata_of_request(), g.expected_version))
