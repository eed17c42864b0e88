"""The organiser's desk of a ranking: clubs with their keys, publications to take."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import marshmallow as ma
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.forms import FieldErrors, attempt_write, form_value, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.acts import AskedAct
from api.http.bodies import MAX_BYTES, Body
from api.http.fields import error_with_fault_code
from api.http.problems import Problem
from api.http.services import await_end_of_log, await_position_in_request, current_services
from api.rankings import uploads
from api.rankings.acts import KINDS, RankingIn
from api.rankings.pages import RANKING, display_of, render_ranking_page
from api.rankings.publications import address_fetcher, check_signed_publication
from api.rankings.rest import fetch_and_record_if_new, open_from_body, record_asked_acts
from referee.audit.result_files import CheckedResults
from referee.events.rankings import PublicationTaken
from referee.log.streams import Answer

blp = Blueprint("ranking_desk", __name__)
DESK: Final = f"{RANKING}/direccion"


@blp.get("/clasificaciones/nueva")
@guard.requires("tournaments:run")
def show_opening_form() -> Response:
    """The form by which a ranking is opened"""
    return page("rankings/new.html", typed={}, wrong=[], key=new_form_key())


@blp.post("/clasificaciones/nueva")
@guard.requires("tournaments:run")
def open_ranking() -> AnyResponse:
    """Open a ranking from a form, and go to its desk"""

    def write() -> Answer:
        body: Body = {name: form_value(name) for name in ("name", "contact") if form_value(name)}
        return open_from_body(forms.load_by_schema(RankingIn, body), forms.meta_of_form())

    answer, wrong, status = attempt_write(write)
    if answer is None:
        return page(
            "rankings/new.html",
            typed=forms.form_values(),
            wrong=wrong,
            key=new_form_key(),
            status=status,
        )
    return redirect(f"{prefix()}/clasificaciones/{answer.id}/direccion?wait={answer.position}", 303)


@blp.get(DESK)
@guard.requires("tournaments:run")
def show_desk(ranking_id: UUID) -> Response:
    """The desk of a ranking: clubs to admit, publications to take, clubs to leave out"""
    await_position_in_request()
    return _desk_page(ranking_id, [], 200)


@blp.post(DESK)
@guard.requires("tournaments:run")
def do_desk_act(ranking_id: UUID) -> AnyResponse:
    """Whatever a form of the desk asks for; a club is admitted once its key was compared"""
    if form_value("kind") == "club_admit" and not form_value("trust"):
        found, wrong, status = attempt_write(_check_and_keep_publication)
        if found is None:
            return _desk_page(ranking_id, wrong, status)
        return _key_comparison_page(ranking_id, *found)
    done, wrong, status = attempt_write(lambda: _do_act_and_return_query(ranking_id))
    if done is None:
        return _desk_page(ranking_id, wrong, status)
    address = f"{prefix()}/clasificaciones/{ranking_id}/direccion"
    return redirect(f"{address}?{done}", 303)


def _do_act_and_return_query(ranking_id: UUID) -> str:
    """Do what a form asks for, and return the query of the page that follows."""
    asked = forms.meta_of_form()
    if form_value("kind") == "club_read":
        club = form_value("club")
        read = fetch_and_record_if_new(ranking_id, club, asked)
        return f"same={club}" if read is None else f"wait={read.position}"
    return f"wait={record_asked_acts(ranking_id, _acts_in_form(ranking_id), asked).position}"


def _acts_in_form(ranking_id: UUID) -> list[AskedAct]:
    """The acts that a form asks for; a club is admitted together with its first publication.

    :raises ValidationError: a field is wrong
    :raises Problem: there is no such kind of act
    """
    kind, club = form_value("kind"), form_value("club")
    match kind:
        case "club_admit":
            given: Body = {one: form_value(one) for one in ("name", "address")}
            admitted = KINDS.act_of_form_values(kind, {**given, "key": form_value("trust")})
            return [admitted, _publication_act_in_form(_next_club_number(ranking_id))]
        case "club_drop":
            return [KINDS.act_of_form_values(kind, {"club": club})]
        case "club_address":
            return [
                KINDS.act_of_form_values(kind, {"club": club, "address": form_value("address")})
            ]
        case "publication_take":
            return [_publication_act_in_form(club)]
        case _:
            raise Problem("bad_request")


def _next_club_number(ranking_id: UUID) -> str:
    """The number that the next club to be admitted gets."""
    return str(len(current_services().referee.rankings.ranking_between_clubs(ranking_id).clubs) + 1)


def _publication_act_in_form(club: str) -> AskedAct:
    """The act by which a club's publication is taken."""
    if upload := form_value("upload"):
        return AskedAct(PublicationTaken, {"club": club, "upload": upload})
    text = _read_or_fetch_publication().decode("utf-8", "replace")
    return AskedAct(PublicationTaken, {"club": club, "file": text})


def _check_and_keep_publication() -> tuple[str, CheckedResults]:
    """Check the publication of a club to be admitted, keep its file; upload id and publication.

    The id is empty if its address is read again.

    :raises Refused: it is not as it was signed
    """
    upload = form_value("upload")
    content = uploads.content_of(upload) if upload else _read_or_fetch_publication()
    checked = check_signed_publication(current_services(), content)
    is_read_again = form_value("address") and not (upload or _has_file())
    return "" if is_read_again else upload or uploads.keep_file(content), checked


def _has_file() -> bool:
    sent = request.files.get("file")
    return sent is not None and bool(sent.filename)


def _read_or_fetch_publication() -> bytes:
    """Bytes of the publication of a form: of its file, or fetched from its address.

    :raises ma.ValidationError: there is none
    :raises Problem: it is larger than a request can be
    """
    content = request.files["file"].read(MAX_BYTES + 1) if _has_file() else b""
    if len(content) > MAX_BYTES:
        raise Problem("too_large", limit=MAX_BYTES)
    if not content and (address := form_value("address")):
        content = address_fetcher()(address)
    if not content:
        raise ma.ValidationError({"file": error_with_fault_code("required").messages})
    return content


def _key_comparison_page(ranking_id: UUID, upload: str, checked: CheckedResults) -> Response:
    """The page for comparing the key of a club with its poster before it is admitted."""
    return render_ranking_page(
        "rankings/compare.html",
        display_of(ranking_id),
        name=form_value("name") or checked.signed.house,
        upload=upload,
        address=form_value("address"),
        signed=checked.signed,
        trusted=checked.key.text,
        key=new_form_key(),
    )


def _desk_page(ranking_id: UUID, wrong: FieldErrors, status: int) -> Response:
    await_end_of_log()
    made = render_ranking_page(
        "rankings/desk.html",
        display_of(ranking_id),
        wrong=wrong,
        same=request.args.get("same", ""),
        typed=forms.form_values() if form_value("kind") == "club_admit" else {},
        key=new_form_key(),
    )
    made.status_code = status
    return made
