"""Name, logo and colour of the club over HTTP."""

from __future__ import annotations

from base64 import b64decode
from typing import Any, Final

import marshmallow as ma
import msgspec
from flask import Response, g

from api.accounts.settings import record_settings_acts
from api.brand.brand import (
    brand,
    clean_logo,
    draft_brand_acts,
    is_valid_brand_colour,
    is_valid_club_name,
)
from api.brand.png import NoPicture
from api.http import answers
from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.fields import FieldFault, RequestSchema, error_with_fault_code
from api.http.problems import Problem
from api.http.rest import (
    Noun,
    answer_header_schemas,
    official_view_response,
    response_to_write,
    takes_headers_and_query,
)
from api.http.services import current_services, metadata_of_request, pending_texts
from referee.people.persons import LARGEST_PICTURE

blp = Noun(
    "club_brand", __name__, url_prefix="/api/v1/settings/brand", description="Settings of the club"
)
_LONGEST_LOGO: Final = 4 * -(-LARGEST_PICTURE // 3)


class BrandData(msgspec.Struct, frozen=True):
    """What every page shows of the club; each is empty where it chose nothing.

    ``logo``: address of its picture.
    """

    version: int
    name: str
    colour: str
    logo: str


class BrandIn(RequestSchema):
    """What the club is called and shows; what is left out stays, what is empty is taken away.

    ``colour``: as ``#1f5c43``; ``logo``: a PNG in base 64.
    """

    name = ma.fields.String()
    colour = ma.fields.String()
    logo = ma.fields.String(validate=ma.validate.Length(max=_LONGEST_LOGO))

    @ma.validates("name")
    def _refuse_bad_name(self, value: str, **_: Any) -> None:
        if not is_valid_club_name(value):
            raise error_with_fault_code("not_visible")

    @ma.validates("colour")
    def _refuse_bad_colour(self, value: str, **_: Any) -> None:
        if not is_valid_brand_colour(value):
            raise error_with_fault_code("pattern")

    @ma.post_load
    def _clean_logo(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        if "logo" not in data:
            return data
        try:
            logo = clean_logo(b64decode(data["logo"], validate=True))
        except (NoPicture, ValueError):  # of base 64 too
            raise ma.ValidationError({"logo": [FieldFault("not_a_picture")]}) from None
        return {**data, "logo": logo}


@blp.route("")
@guard.requires("access:manage")
@takes_headers_and_query(tag=True)
@blp.response(200, register_answer_schema(BrandData), headers=answer_header_schemas(tag=True))
@blp.alt_response(304, description="Not modified")
def show() -> Response:
    """Name, logo and colour of the club"""
    held, shown = current_services().referee.settings.settings(), brand()
    found = BrandData(
        version=held.version,
        name=shown.name,
        colour=held.colour,
        logo=shown.logo,
    )
    return official_view_response(found)


@blp.route("", methods=["POST"])
@guard.requires("access:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(BrandIn)
@blp.response(200, answers.Written, headers=answer_header_schemas(tag=True, replayed=True))
def choose(body: Body) -> Response:
    """Choose name, logo and colour of the club"""
    if not body:
        raise Problem("invalid", errors={"json": {"name": [FieldFault("required")]}})
    with pending_texts() as put:
        acts = draft_brand_acts(put, **body)
        answer = put.erase_if_replayed(
            record_settings_acts(acts, metadata_of_request(), g.expected_version)
        )
    return response_to_write(answer)
