"""Page of the pairs of the club: found by a name, pasted as a list, made of two names."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.club import views as club_views
from api.club.pairs.drafts import PairsRead, match_pairs, parse_pasted_pairs, record_pairs_of_lines
from api.club.pairs.lines import SplitLine
from api.club.phones.book import current_retention_terms
from api.club.phones.numbers import has_phone_consent
from api.club.players_csv import CellFault
from api.html import forms
from api.html.forms import attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.fields import MAX_NAME, faults_in_words
from api.http.languages import language, say
from api.http.rows import parse_cursor
from api.http.services import await_position_in_request, current_services

blp = Blueprint("pair_pages", __name__)
_LIST: Final = "/jugadores/parejas"
_SHOWN = 100


@blp.get(_LIST)
@guard.requires("read")
def list_pairs() -> Response:
    """The pairs, found by their names, and where more are made"""
    await_position_in_request()
    return _pairs_page()


@blp.post(_LIST)
@guard.requires("club:manage")
def make_pairs_of_form() -> AnyResponse:
    """Pairs made from a list or from two names; shown first only if something in it is unclear"""
    read = _read_form()
    if not (read.is_clear or (_is_confirmation() and read._replace(unclear=[]).is_clear)):
        return _pairs_page(read, status=422)
    agreed = read.phones if has_phone_consent() else ()
    answer, wrong, status = attempt_write(
        lambda: (record_pairs_of_lines(read.lines, forms.meta_of_form(), agreed),)
    )
    if answer is None:
        return _pairs_page(read, wrong=wrong, status=status)
    position = answer[0].position if answer[0] else current_services().reads.position()
    return redirect(f"{_LIST}?made={len(read.lines)}&wait={position}", 303)


def _is_confirmation() -> bool:
    return request.form.get("sure") == "yes"


def _read_form() -> PairsRead:
    """The pasted lines, or the pair of the two fields."""
    if "player" not in request.form:
        return parse_pasted_pairs(request.form.get("text", ""), request.form)
    players = tuple(one.strip() for one in request.form.getlist("player") if one.strip())
    line = SplitLine(1, (), (players,), forms.form_value("pair_name"))
    return match_pairs([line], request.form)


def _pairs_page(read: PairsRead | None = None, *, status: int = 200, **values: Any) -> Response:
    sought, start = request.args.get("q", "").strip()[:MAX_NAME], request.args.get("cursor", "")
    found, first = club_views.pairs(sought), parse_cursor(start) or 0
    return page(
        "club/players_pairs.html",
        pairs=found[first : first + _SHOWN],
        next=first + _SHOWN if len(found) > first + _SHOWN else 0,
        sought=sought,
        kept=f"&q={sought}" if sought else "",
        made=parse_cursor(request.args.get("made", "")) or 0,
        read=read,
        faults=[_fault_words(one) for one in read.faults] if read else [],
        unclear=[_fault_words(one) for one in read.unclear] if read else [],
        typed=request.form,
        players=request.form.getlist("player"),
        terms=current_retention_terms() if read and read.phones else None,
        known=[one.name for one in club_views.players_offered()][:_SHOWN],
        key=new_form_key(),
        **values,
        status=status,
    )


def _fault_words(one: CellFault) -> tuple[str, str]:
    where = say("players.at_line", language(), line=one.line)
    return where, faults_in_words([one.fault], language())[0]
