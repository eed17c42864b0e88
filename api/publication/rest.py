"""The publication of the club over HTTP: anybody reads it, an admin chooses that it goes out."""

from __future__ import annotations

from typing import get_args

from flask import Response

from api.http.access import guard
from api.http.access.security import note_security
from api.http.answers import Written, register_answer_schema
from api.http.bodies import Body
from api.http.fields import RequestSchema, choice_field
from api.http.rest import (
    Noun,
    answer_header_schemas,
    reply,
    response_to_write,
    takes_headers_and_query,
)
from api.http.services import current_services, metadata_of_request
from api.publication.file import SignedResultsData, require_results_file
from api.publication.issue import record_and_issue
from referee.events.rankings import Publishing, PublishingChosen
from referee.log.streams import Answer, WriteMetadata

blp = Noun(
    "publication",
    __name__,
    url_prefix="/api/v1/publication",
    description="Signed results for rankings between clubs",
)


class PublicationIn(RequestSchema):
    """Whether the club publishes its results for rankings between clubs."""

    choice = choice_field(*get_args(Publishing), required=True)


@blp.route("")
@guard.open_to_all
@takes_headers_and_query()
@blp.response(200, register_answer_schema(SignedResultsData))
def show_signed_file() -> Response:
    """The publication that went out last, with the key, the checkpoint and its proof"""
    return reply(require_results_file())


@blp.route("", methods=["POST"])
@guard.requires("access:manage")
@takes_headers_and_query(key=True)
@blp.arguments(PublicationIn)
@blp.response(200, Written, headers=answer_header_schemas(tag=True, replayed=True))
def record_choice_of_body(body: Body) -> Response:
    """Publish the confirmed results of those who agreed, or publish nothing any more"""
    return response_to_write(choose_publishing(body["choice"], metadata_of_request()))


def choose_publishing(chosen: Publishing, asked: WriteMetadata) -> Answer:
    """Record whether the club publishes, and issue the publication if so.

    :raises Refused: it is so already
    """
    here = current_services()
    if answer := here.referee.answer_to(asked):
        return answer
    answer = record_and_issue(here, [PublishingChosen(chosen)], asked)
    note_security("settings_changed", by=asked.by, detail=f"publishing {chosen}")
    return answer
