"""The settings of the club over HTTP."""

from __future__ import annotations

from typing import get_args

from flask import Response, g

from api.accounts.settings import SettingsData, acts_of, choose_settings, settings_view
from api.http import answers
from api.http.access import guard
from api.http.answers import schema_of
from api.http.bodies import Body
from api.http.faults import FieldFault
from api.http.fields import RequestSchema, TimeZone, choice
from api.http.problems import Problem
from api.http.rest import Noun, headers_of, official_view, wants, write_answer
from api.http.services import current_services, meta
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

    four_eyes = choice(*get_args(FourEyes))
    time_zone = TimeZone()
    league_audience = choice(*get_args(LeagueAudience))
    puzzle_audience = choice(*get_args(PuzzleAudience))
    deal_luck = choice(*get_args(DealLuck))
    record_audience = choice(*get_args(RecordAudience))
    study_consent = choice(*get_args(StudyConsent))


@blp.route("")
@guard.requires("access:manage")
@wants(tag=True)
@blp.response(200, schema_of(SettingsData), headers=headers_of(tag=True))
@blp.alt_response(304, description="Not modified")
def show() -> Response:
    """The settings of the club"""
    return official_view(settings_view(current_services().referee.settings.settings()))


@blp.route("", methods=["POST"])
@guard.requires("access:manage")
@wants(key=True, match=True)
@blp.arguments(SettingsIn)
@blp.response(200, answers.Written, headers=headers_of(tag=True, replayed=True))
def choose(body: Body) -> Response:
    """Choose for all tables: two persons, the time zone, who finds league and problem"""
    acts = acts_of(body)
    if not acts:
        raise Problem("invalid", errors={"json": {"four_eyes": [FieldFault("required")]}})
    return write_answer(choose_settings(acts, meta(), g.expected_version))
