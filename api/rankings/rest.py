"""Rankings over HTTP: public to read; an organiser opens them and records their acts."""

from __future__ import annotations

import base64
from uuid import UUID

import marshmallow as ma
import msgspec
from flask import Response, g

from api.audit.trail import TrailPageData, trail_entries_from_cursor
from api.http import rest
from api.http.access import guard
from api.http.access.security import note_security
from api.http.acts import AskedAct
from api.http.answers import Written, register_answer_schema
from api.http.bodies import Body
from api.http.rest import (
    POSITION_HEADER,
    Noun,
    Page,
    answer_header_schemas,
    reply,
    response_to_write,
    tag_of_view,
    takes_headers_and_query,
)
from api.http.services import (
    PendingTexts,
    await_position_in_request,
    current_services,
    metadata_of_request,
    pending_texts,
)
from api.publication.file import SignedResultsData
from api.rankings import uploads
from api.rankings import views as ranking_views
from api.rankings.acts import RankingActsIn, RankingFileIn, RankingIn, events_of_acts
from api.rankings.publications import (
    address_fetcher,
    fetch_publication_if_new,
    record_acts_and_erase_unused,
    record_publication,
)
from projections.rankings.views import RankedPersonData, RankingData
from referee.aggregates.ranking import Ranking, RankingRule
from referee.errors import NotFound, Refused
from referee.events.rankings import ClubAdmitted, RankingAct, RankingOpened
from referee.log.streams import Answer, WriteMetadata

blp = Noun(
    "rankings", __name__, url_prefix="/api/v1/rankings", description="Rankings between clubs"
)
_WRITE = answer_header_schemas(tag=True, replayed=True)
_ONE = "/<uuid:ranking_id>"


class PublicationReadData(msgspec.Struct):
    """What came of reading: whether there was another publication, and the version of the ranking.

    ``position``: a reader sees it once it has read the log up to there.
    """

    is_taken: bool
    version: int
    position: int


class UploadedData(msgspec.Struct):
    """What has come of a file. ``there``: bytes, after which the next piece begins."""

    there: int


class RankingWritten(Written):
    """What a write on a ranking recorded."""

    clubs = ma.fields.List(
        ma.fields.String(), metadata={"description": "numbers of the clubs that were admitted"}
    )


@blp.route("")
@guard.open_to_all
@takes_headers_and_query(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, register_answer_schema(ranking_views.RankingPageData))
def list_rankings(query: Body) -> Response:
    """All rankings between clubs, the latest first"""
    await_position_in_request()
    return reply(ranking_views.ranking_list_page(query.get("cursor", ""), query["limit"]))


@blp.route("", methods=["POST"])
@guard.requires("tournaments:run")
@takes_headers_and_query(key=True)
@blp.arguments(RankingIn)
@blp.response(201, RankingWritten, headers=_WRITE)
def open_ranking(body: Body) -> Response:
    """Open a ranking between clubs"""
    answer = open_from_body(body, metadata_of_request())
    return response_to_write(answer, 201, location=ranking_views.ranking_api_address(answer.id))


def open_from_body(body: Body, asked: WriteMetadata) -> Answer:
    """Open a ranking from a body."""
    with pending_texts() as put:
        act = RankingOpened(*put.add_texts([body["name"], body.get("contact", "")]))
        return put.erase_if_replayed(current_services().referee.rankings.open(act, asked))


@blp.route("/files", methods=["POST"])
@guard.requires("tournaments:run")
@takes_headers_and_query()
@blp.arguments(RankingFileIn)
@blp.response(200, register_answer_schema(UploadedData))
def upload_piece(body: Body) -> Response:
    """Bring a piece of a file that is larger than a request

    Where it does not follow what is there, nothing is added. A whole file waits for an hour for an
    act that names it.
    """
    try:
        piece = base64.b64decode(body["piece"], validate=True)
    except ValueError:
        raise Refused(RankingRule.UPLOAD_BAD) from None
    there = uploads.put_piece(body["upload"], body["size"], body["at"], piece)
    return reply(UploadedData(there))


@blp.route(_ONE)
@guard.open_to_all
@takes_headers_and_query(tag=True, wait=True)
@blp.response(200, register_answer_schema(RankingData), headers=answer_header_schemas(tag=True))
@blp.alt_response(304, description="Not modified")
def show(ranking_id: UUID) -> Response:
    """A ranking: its table, and what it was computed from"""
    await_position_in_request()
    view = ranking_views.ranking(ranking_id)
    return reply(view, tag=tag_of_view(view), headers={"Cache-Control": "public, no-cache"})


@blp.route(f"{_ONE}/people/<line>")
@guard.open_to_all
@takes_headers_and_query(wait=True)
@blp.response(200, register_answer_schema(RankedPersonData))
def show_person(ranking_id: UUID, line: str) -> Response:
    """A person in a ranking: their row, their rating day by day, their results"""
    await_position_in_request()
    return reply(ranking_views.person(ranking_id, line))


@blp.route(f"{_ONE}/people/<line>", methods=["DELETE"])
@guard.requires("persons:erase")
@guard.takes_writes_when_full
@takes_headers_and_query()
@blp.response(204)
@blp.alt_response(202, description="Erased; the bytes go when what reads them now has ended")
def erase_person_names(ranking_id: UUID, line: str) -> Response:
    """Erase the name of a person in this house for good, whatever their clubs publish later"""
    await_position_in_request()
    try:
        erase_names_in_all_rankings(ranking_id, line)
    except TimeoutError:
        return Response(status=202)
    return Response(status=204)


def erase_names_in_all_rankings(ranking_id: UUID, line: str) -> None:
    """Erase the names that clubs published of a person, in all rankings of the house.

    :raises NotFound: there is no such person, or they have no name here
    :raises TimeoutError: erased, but a reader still holds the old bytes
    """
    here, texts = current_services(), ranking_views.name_text_ids_of_person(ranking_id, line)
    for one in texts:
        note_security("erased", about=one)
    if not here.persons.erase(*texts):
        raise NotFound(line)


@blp.route(f"{_ONE}/clubs/<club>/publication")
@guard.open_to_all
@takes_headers_and_query()
@blp.response(200, register_answer_schema(SignedResultsData))
def show_publication(ranking_id: UUID, club: str) -> Response:
    """The publication of a club that the ranking was computed from, as the club signed it"""
    return reply(ranking_views.publication_as_signed(ranking_id, club))


@blp.route(f"{_ONE}/acts", methods=["POST"])
@guard.requires("tournaments:run")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(RankingActsIn)
@blp.response(200, RankingWritten, headers=_WRITE)
def record(body: Body, ranking_id: UUID) -> Response:
    """Record acts: clubs with their keys, publications, clubs that leave"""
    answer = record_asked_acts(ranking_id, body["acts"], metadata_of_request(), g.expected_version)
    clubs = [one.event.club for one in answer.events if isinstance(one.event, ClubAdmitted)]
    return response_to_write(answer, clubs=clubs)


def record_asked_acts(
    ranking_id: UUID, acts: list[AskedAct], asked: WriteMetadata, version: int | None = None
) -> Answer:
    """Record the acts of a request, and delete the uploads that they name.

    :raises Refused: one of them is impossible
    """
    here = current_services()
    if answer := here.referee.answer_to(asked):
        return answer

    def events(_: Ranking, put: PendingTexts) -> list[RankingAct]:
        return events_of_acts(ranking_id, acts, put)

    answer = record_acts_and_erase_unused(here, ranking_id, events, asked, version)
    for upload in filter(None, (one.values.get("upload") for one in acts)):
        uploads.delete_file(upload)
    return answer


@blp.route(f"{_ONE}/clubs/<club>/reading", methods=["POST"])
@guard.requires("tournaments:run")
@takes_headers_and_query(key=True)
@blp.response(
    200, register_answer_schema(PublicationReadData), headers=answer_header_schemas(replayed=True)
)
def refresh_publication(ranking_id: UUID, club: str) -> Response:
    """Read what a club publishes at its address; what was taken already changes nothing"""
    rest.refuse_body()
    here, answer = (
        current_services(),
        fetch_and_record_if_new(ranking_id, club, metadata_of_request()),
    )
    version = here.referee.rankings.ranking_between_clubs(ranking_id).version
    position = here.referee.position() if answer is None else answer.position
    headers = {POSITION_HEADER: str(position)}
    if answer is not None and answer.replayed:
        headers["Idempotent-Replayed"] = "true"
    found = PublicationReadData(answer is not None, version, position)
    return reply(found, headers=headers)


def fetch_and_record_if_new(ranking_id: UUID, club: str, asked: WriteMetadata) -> Answer | None:
    """Fetch and record what a club publishes at its address; None if it was recorded already.

    :raises Refused: it cannot be had, or is not as that club signed it
    """
    here = current_services()
    if answer := here.referee.answer_to(asked):
        return answer
    checked = fetch_publication_if_new(here, ranking_id, club, address_fetcher())
    return checked and record_publication(here, ranking_id, club, checked, asked)


@blp.route(f"{_ONE}/audit")
@guard.requires("audit:read")
@takes_headers_and_query(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, register_answer_schema(TrailPageData))
def show_audit_trail(query: Body, ranking_id: UUID) -> Response:
    """Who recorded what of a ranking, when and on which device"""
    await_position_in_request()
    current_services().referee.rankings.ranking_between_clubs(ranking_id)
    return reply(trail_entries_from_cursor(ranking_id, query.get("cursor", ""), query["limit"]))
