"""Import of players from pasted text or a file: a preview, then the import."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import marshmallow as ma
from flask import Blueprint, Response, request

from api.club import acts as club_acts
from api.club import players_csv
from api.club import views as club_views
from api.club.acts import ImportRow
from api.club.name_matches import KnownNames, NameDoubt, are_name_doubts_answered
from api.club.phones.book import current_retention_terms
from api.club.phones.numbers import PhoneLine, has_phone_consent, phones_of_names
from api.club.players_csv import BadFile, CellFault
from api.club.rest import count_by_state
from api.club.views import KnownPlayer
from api.html import forms
from api.html.forms import attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.bodies import MAX_BYTES
from api.http.fields import faults_in_words
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.services import await_end_of_log, current_services
from api.http.spreadsheets import BadBook, text_or_csv_of_workbook

blp = Blueprint("player_import", __name__)


@blp.get("/jugadores/traer")
@guard.requires("club:manage")
def show_import_form() -> Response:
    """The page with the form into which a list of players is pasted"""
    return _import_page("")


@blp.post("/jugadores/traer")
@guard.requires("club:manage")
def preview_or_import() -> Response:
    """The preview of a pasted list or what is wrong with it; its import, once it is confirmed"""
    text, wrong, status = attempt_write(text_of_form)
    if text is None:
        return _import_page("", wrong=wrong, status=status)
    try:
        read = players_csv.parse_players_file(text)
    except BadFile as bad:
        return _import_page(text, faults=[fault_in_words(one) for one in bad.faults], status=422)
    await_end_of_log()
    known = club_views.players()
    found = club_acts.effects_of_import_lines(read.lines, known, request.form)
    doubts = _name_doubts(found, known)
    left_out = [fault_in_words(one) for one in read.left_out]
    phones = phones_of_names(read.phones, {one.line: [one.name] for one in read.lines})
    values: dict[str, Any] = {"found": found, "ignored": read.ignored, "phones": phones}
    if request.form.get("take") != "yes" or not are_name_doubts_answered(doubts):
        return _import_page(text, **values, doubts=doubts, left_out=left_out)
    meta, version = forms.meta_of_form(), forms.version_of_form("version")
    agreed = {one.line: one.number for one in phones} if has_phone_consent() else {}
    answer, wrong, status = attempt_write(
        lambda: (club_acts.record_imported_players(found, meta, version, agreed),)
    )
    if answer is None:
        return _import_page(text, **values, wrong=wrong, status=status)
    return _import_page("", taken=count_by_state(found))


def _name_doubts(found: Sequence[ImportRow], known: Sequence[KnownPlayer]) -> list[NameDoubt]:
    """Names of the list that may be a player of nearly that name, with the answers so far."""
    new = [one.line.name for one in found if one.state == "new"]
    return KnownNames(known).doubts_about_names(new, request.form)


def text_of_form() -> str:
    """The player list as text: of the uploaded file if there is one, else as pasted.

    :raises Problem: it is larger than a list can be
    :raises ma.ValidationError: it is a spreadsheet that cannot be read
    """
    file = request.files.get("file")
    content = file.read(MAX_BYTES + 1) if file is not None and file.filename else b""
    if len(content) > MAX_BYTES:
        raise Problem("too_large", limit=MAX_BYTES)
    if not content:
        return request.form.get("text", "")
    try:
        return text_or_csv_of_workbook(content)
    except BadBook as bad:
        raise ma.ValidationError({"text": [bad.fault]}) from None


def fault_in_words(one: CellFault) -> tuple[str, str]:
    """Two texts: where in the list a fault is, and what it is."""
    facts = {"line": one.line, "column": one.column}
    where = say("players.at" if one.column else "players.at_line", language(), **facts)
    return where, faults_in_words([one.fault], language())[0]


def _import_page(
    text: str,
    *,
    found: list[ImportRow] | None = None,
    phones: Sequence[PhoneLine] = (),
    status: int = 200,
    **values: Any,
) -> Response:
    return page(
        "club/players_import.html",
        text=text,
        found=found,
        phones=phones,
        terms=current_retention_terms() if phones else None,
        counts=count_by_state(found or []),
        version=current_services().referee.players.club().version,
        key=new_form_key(),
        **values,
        status=status,
    )
