"""The standings of a finished tournament as a signed file, for the final of another house."""

from __future__ import annotations

import secrets
from typing import Final, Literal
from uuid import UUID

import msgspec
from flask import Blueprint, Response, g, redirect
from werkzeug.wrappers import Response as AnyResponse

from api.audit.rest import ProvedEventData
from api.brand.brand import brand
from api.html import forms
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import page
from api.http import rest
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.answers import register_answer_schema
from api.http.rest import Noun, reply, response_to_write, takes_headers_and_query
from api.http.services import (
    await_end_of_log,
    await_position_in_request,
    current_services,
    metadata_of_request,
    pending_texts,
)
from api.tournaments.acts import require_director_for_write
from referee.aggregates.tournament.formats.places import is_over_and_settled, list_pairs_by_place
from referee.aggregates.tournament.rules import TournamentRule
from referee.aggregates.tournament.state import Tournament
from referee.audit.house_files import require_last_event_of_kind
from referee.audit.lists import FORMAT, SignedList, SignedPair, compute_list_digests
from referee.audit.proofs import NotSigned
from referee.errors import Refused
from referee.events import PersonId
from referee.events.tournament import ListedPair, ListIssued
from referee.log.streams import Answer, WriteMetadata

blp = Noun(
    "signed_lists",
    __name__,
    url_prefix="/api/v1/tournaments",
    description="Standings that another house can check",
)
pages_blp = Blueprint("signed_lists", __name__)
LIST: Final = "/torneos/<uuid:tournament_id>/lista"
_NONCE_BYTES: Final = 16
_NOBODY: Final = "…"
"""In place of a name that was erased."""


class SignedPairData(msgspec.Struct, frozen=True):
    """A pair on a signed list, with the names of its players."""

    place: int
    pair: str
    players: list[str]


class SignedListData(msgspec.Struct, frozen=True):
    """A signed list, as the page on roads describes it."""

    format: Literal["guinote-list/1"]
    house: str
    tournament: str
    name: str
    date: str
    nonce: str
    pairs: list[SignedPairData]
    key: str
    checkpoint: str
    event: ProvedEventData


@blp.route("/<uuid:tournament_id>/signed-list", methods=["POST"])
@require_director_for_write(blp)
def issue_signed_list(tournament_id: UUID) -> Response:
    """Put the standings in the log as a list, which its next checkpoint signs"""
    rest.refuse_body()
    return response_to_write(_record_list(tournament_id, metadata_of_request(), g.expected_version))


@blp.route("/<uuid:tournament_id>/signed-list")
@guard.open_to_all
@takes_headers_and_query()
@blp.response(200, register_answer_schema(SignedListData))
def show_signed_list(tournament_id: UUID) -> Response:
    """The list that went out last, with the key, the checkpoint and its proof"""
    return reply(latest_list_with_proof(tournament_id))


@pages_blp.get(LIST)
@guard.requires("tournaments:run")
def show_list_issue_form(tournament_id: UUID) -> Response:
    """Whether the list is signed, its file, and how it is signed again"""
    await_position_in_request()
    return _render_signed_list(tournament_id, [], 200)


@pages_blp.post(LIST)
@guard.requires("tournaments:run")
def issue_list(tournament_id: UUID) -> AnyResponse:
    """Record the standings as a list to be signed, and go to its page"""
    answer, wrong, status = attempt_write(
        lambda: _record_list(tournament_id, forms.meta_of_form(), forms.version_of_form("version"))
    )
    if answer is None:
        return _render_signed_list(tournament_id, wrong, status)
    return redirect(f"{prefix()}/torneos/{tournament_id}/lista?wait={answer.position}", 303)


@pages_blp.get(f"{LIST}.json")
@guard.open_to_all
def download_signed_list(tournament_id: UUID) -> Response:
    """The signed list as a file"""
    made = reply(latest_list_with_proof(tournament_id))
    made.headers["Content-Disposition"] = f'attachment; filename="lista-{tournament_id}.json"'
    return made


def _record_list(tournament_id: UUID, asked: WriteMetadata, version: int | None) -> Answer:
    """Record the standings of a tournament as a list to be signed, with the names as they are now.

    :raises Refused: the tournament is not over
    """
    if answer := current_services().referee.answer_to(asked):
        return answer
    tournaments = current_services().referee.tournaments
    state = tournaments.tournament(tournament_id)
    if not is_over_and_settled(state):
        raise Refused(TournamentRule.NOT_OVER)
    nonce = secrets.token_hex(_NONCE_BYTES)
    digests = compute_list_digests(
        _house_tournament_and_day(state), _pairs_with_names(list_pairs_by_place(state)), nonce
    )
    with pending_texts() as put:
        act = ListIssued(digests, put.add_text(nonce))
        return put.erase_if_replayed(tournaments.record(tournament_id, [act], asked, version))


def latest_list_with_proof(tournament_id: UUID) -> SignedList:
    """The list that was issued last, with its proof under the latest checkpoint.

    :raises NotSigned: there is none yet
    :raises Refused: a name on it is another one now
    """
    here = current_services()
    state = here.referee.tournaments.tournament(tournament_id)
    proof = here.auditor.prove_encuentro(tournament_id)
    event, issued = require_last_event_of_kind(proof, "ListIssued", ListIssued)
    nonce = here.persons.text_by_id(issued.nonce) or ""
    house, name, date = _house_tournament_and_day(state)
    pairs, proved = _pairs_with_names(issued.pairs), (proof.key, proof.checkpoint, event)
    made = SignedList(FORMAT, house, str(tournament_id), name, date, nonce, pairs, *proved)
    if made.digests != issued.digests:
        raise Refused(TournamentRule.LIST_OTHERWISE)
    return made


def _house_tournament_and_day(state: Tournament) -> tuple[str, str, str]:
    """The names of the house and of a tournament, and its day."""
    opened = state.opened
    assert opened is not None
    name = current_services().persons.text_by_id(opened.name) or _NOBODY
    return brand().name, name, opened.date


def _pairs_with_names(pairs: tuple[ListedPair, ...]) -> tuple[SignedPair, ...]:
    persons: dict[PersonId, None] = {person: None for one in pairs for person in one.players}
    names = current_services().persons.names_of(persons)
    return tuple(
        SignedPair(one.place, one.pair, tuple(names[person] or _NOBODY for person in one.players))
        for one in pairs
    )


def _render_signed_list(tournament_id: UUID, wrong: FieldErrors, status: int) -> Response:
    await_end_of_log()
    state = current_services().referee.tournaments.tournament(tournament_id)
    assert state.opened is not None
    return page(
        "roads/signed_list.html",
        tournament=tournament_id,
        name=current_services().persons.text_by_id(state.opened.name) or _NOBODY,
        is_over=is_over_and_settled(state),
        issued=state.issued,
        is_current=state.issued is not None and state.issued.pairs == list_pairs_by_place(state),
        signed=None if state.issued is None else _latest_signed_list_or_none(tournament_id),
        version=state.version,
        wrong=wrong,
        key=new_form_key(),
        status=status,
    )


def _latest_signed_list_or_none(tournament_id: UUID) -> SignedList | None:
    """The list that was issued last; None unless it is signed and unchanged."""
    try:
        found = latest_list_with_proof(tournament_id)
    except (NotSigned, Refused):
        return None
    state = current_services().referee.tournaments.tournament(tournament_id)
    return found if state.issued is not None and found.digests == state.issued.digests else None
