"""The settings of the club over HTTP."""

from __future__ import annotations

from typing import TypedDict, get_args

from flask import Response

from api.accounts.settings import choose_four_eyes
from api.http import rest, shapes
from api.http.access import guard
from api.http.answers import typed
from api.http.bodies import Body
from api.http.fields import RequestSchema, choice
from api.http.rest import Noun, headers_of, official_view, wants, write_answer
from api.http.services import current_services, meta
from referee.events import FourEyes

blp = Noun("settings", __name__, url_prefix="/api/v1/settings", description="Settings of the club")


class SettingsIn(RequestSchema):
    """A choice of the club: two principals ``required`` where the law wants two, or ``noted``."""

    four_eyes = choice(*get_args(FourEyes), required=True)


class SettingsData(TypedDict):
    """The settings in force. ``chosen``: whether the club chose; else it is as for all before."""

    version: int
    four_eyes: FourEyes
    chosen: bool


@blp.route("")
@guard.requires("access:manage")
@wants(tag=True)
@blp.response(200, typed(SettingsData), headers=headers_of(tag=True))
@blp.alt_response(304, description="Not modified")
def show() -> Response:
    """The settings of the club"""
    held = current_services().referee.settings.settings()
    view: SettingsData = {
        "version": held.version,
        "four_eyes": held.four_eyes_in_force,
        "chosen": held.four_eyes is not None,
    }
    return official_view(view)


@blp.route("", methods=["POST"])
@guard.requires("access:manage")
@wants(key=True, match=True)
@blp.arguments(SettingsIn)
@blp.response(200, shapes.Written, headers=headers_of(tag=True, replayed=True))
def choose(body: Body) -> Response:
    """Choose whether two principals are required where the law wants two persons"""
    return write_answer(choose_four_eyes(body["four_eyes"], meta(), rest.expected_version()))
