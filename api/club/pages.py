"""Pages of the club's players: search, list, edit, merge; their pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.club import acts as club_acts
from api.club import players_csv, schemas
from api.club import rest as players
from api.club import views as club_views
from api.club.name_matches import OTHER, KnownNames, NameDoubt, are_name_doubts_answered
from api.club.phones.book import (
    current_retention_terms,
    erase_phones_of_player,
    note_phone,
    phones_of,
)
from api.club.phones.numbers import phone_of_form
from api.club.views import KnownPlayer, PlayerData
from api.html import forms
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import may, page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.fields import MAX_NAME
from api.http.names import words_of_folded_name
from api.http.rows import parse_cursor
from api.http.services import await_position_in_request, current_services
from projections.seasons.projection import session_rows
from projections.tournaments.projection import tournaments_opened_before
from referee.aggregates.tournament.entries import players_of_pairs
from referee.errors import Refused
from referee.events import PersonId
from referee.log.streams import Answer
from referee.rules.articles import Rule

blp = Blueprint("player_pages", __name__)
_ONE = "/jugadores/<string(length=32):person_id>"
_BOTH = "<string(length=32):partner_id>"
_DONE = (
    *("added", "saved", "merged", "erased", "retired", "returned"),
    *("phone_noted", "phone_forgotten"),
)
_SHOWN = 100
_LIKE = 8
_LOOKED_AT: Final = 200
"""Tournaments, and evenings, that are looked through, the latest first."""


def _search_text_of_request() -> str:
    return request.args.get("q", "").strip()[:MAX_NAME]


# --- the list ------------------------------------------------------------------------------------


@blp.get("/jugadores/")
@guard.requires("read")
def list_players() -> Response:
    """The players, found by a part of their names, and the form that adds one"""
    await_position_in_request()
    return _players_page({}, [], 200)


@blp.post("/jugadores/")
@guard.requires("club:manage")
def add_player() -> AnyResponse:
    """A player is put on the list"""
    typed = {name: forms.form_value(name) for name in players_csv.FIELDS}

    def write() -> Answer:
        body = forms.load_by_schema(schemas.PlayerIn, typed)
        return club_acts.record_new_player(body, forms.meta_of_form())

    doubts = _name_doubts(typed["name"])
    if doubts and doubts[0].answer not in ("", OTHER):
        return redirect(f"{prefix()}/jugadores/{doubts[0].answer}", 303)
    if not are_name_doubts_answered(doubts):
        return _players_page(typed, [], 422, doubts)
    answer, wrong, status = attempt_write(write)
    if answer is None:
        return _players_page(typed, wrong, status)
    return redirect(f"{prefix()}/jugadores/?done=added&wait={answer.position}", 303)


def _name_doubts(name: str) -> list[NameDoubt]:
    """Players whom a new name may be; none if this form was sent before and added them."""
    if current_services().referee.answer_to(forms.meta_of_form()) is not None:
        return []
    return KnownNames(club_views.players()).doubts_about_names([name], request.form, is_new=True)


def _players_page(
    typed: dict[str, str], wrong: FieldErrors, status: int, doubts: Sequence[NameDoubt] = ()
) -> Response:
    sought, start = _search_text_of_request(), parse_cursor(request.args.get("cursor", "")) or 0
    found = sorted(club_views.players(sought), key=lambda one: not one.plays)
    return page(
        "club/players.html",
        found=found[start : start + _SHOWN],
        count=len(found),
        next=start + _SHOWN if len(found) > start + _SHOWN else 0,
        sought=sought,
        pairs=club_views.pairs(sought)[:_LIKE] if sought else [],
        kept=f"&q={sought}" if sought else "",
        typed=typed,
        doubts=doubts,
        wrong=wrong,
        key=new_form_key(),
        done=_message_code_of_request(),
        status=status,
    )


def _message_code_of_request() -> str:
    done = request.args.get("done", "")
    return done if done in _DONE else ""


@blp.get("/jugadores/fichero")
@guard.requires("read")
def export_players() -> Response:
    """All players as a table for a spreadsheet"""
    return players.csv_response_of_players()


# --- one player ----------------------------------------------------------------------------------


@blp.get(_ONE)
@guard.requires("read")
def show_player(person_id: str) -> Response:
    """A player, their pairs, and what can be done"""
    await_position_in_request()
    return _player_page(person_id, {}, [], 200)


@blp.post(_ONE)
@guard.requires("club:manage")
def edit_player(person_id: str) -> AnyResponse:
    """The name, the nickname or the club of a player is changed"""
    typed = {name: forms.form_value(name) for name in players_csv.FIELDS}

    def write() -> Answer:
        body = forms.load_by_schema(schemas.PlayerEditIn, typed)
        meta, version = forms.meta_of_form(), forms.version_of_form("version")
        return club_acts.record_player_edit(person_id, body, meta, version)

    return _write_and_redirect(person_id, typed, write)


@blp.post(f"{_ONE}/juega")
@guard.requires("club:manage")
def retire_or_return_player(person_id: str) -> AnyResponse:
    """A player is put aside who plays no more, or comes back"""
    plays = request.form.get("plays") == "yes"

    def write() -> Answer:
        meta, version = forms.meta_of_form(), forms.version_of_form("version")
        return club_acts.record_retirement_or_return(person_id, plays, meta, version)

    return _write_and_redirect(person_id, {}, write, "returned" if plays else "retired")


@blp.post(f"{_ONE}/telefono")
@guard.requires("club:manage")
def keep_or_forget_phone(person_id: str) -> AnyResponse:
    """The telephone of a player who agrees is kept, or it is erased"""
    club_views.player(person_id)
    if request.form.get("forget") == "yes":
        erase_phones_of_player(person_id, forms.meta_of_form().by)
        return redirect(f"{prefix()}/jugadores/{person_id}?done=phone_forgotten", 303)

    def write() -> Answer:
        return note_phone(person_id, phone_of_form(), forms.meta_of_form())

    return _write_and_redirect(person_id, {}, write, "phone_noted")


@blp.post(f"{_ONE}/parejas/{_BOTH}")
@guard.requires("club:manage")
def name_pair(person_id: str, partner_id: str) -> AnyResponse:
    """A pair gets a name, or another one"""
    typed = {"name": forms.form_value("pair_name")}

    def write() -> Answer:
        body = {"players": [person_id, partner_id], **typed}
        meta, version = forms.meta_of_form(), forms.version_of_form("version")
        pair = request.form.get("pair", "")
        if pair:
            name = forms.load_by_schema(schemas.PairNameIn, typed)["name"]
            return club_acts.record_pair_rename(pair, name, meta, version)
        return club_acts.record_pair_name(forms.load_by_schema(schemas.PartnersIn, body), meta)

    return _write_and_redirect(person_id, {}, write)


def _write_and_redirect(
    person_id: str, typed: dict[str, str], write: Callable[[], Answer], done: str = "saved"
) -> AnyResponse:
    answer, wrong, status = attempt_write(write)
    if answer is None:
        return _player_page(person_id, typed, wrong, status)
    return redirect(f"{prefix()}/jugadores/{person_id}?done={done}&wait={answer.position}", 303)


def _player_page(
    person_id: str, typed: dict[str, str], wrong: FieldErrors, status: int
) -> Response:
    view = club_views.player(person_id)
    sought = _search_text_of_request()
    found = club_views.players(sought) if sought else _similar_players(view)
    are_shown = may("club:manage")
    return page(
        "club/player.html",
        view=view,
        phone=phones_of([person_id]).get(person_id) if are_shown else None,
        terms=current_retention_terms() if are_shown else None,
        pairs=[one for one in club_views.pairs() if person_id in one.players],
        found=[one for one in found if one.player != person_id][:_LIKE],
        sought=sought,
        kept=f"&q={sought}" if sought else "",
        typed=typed or view,
        wrong=wrong,
        key=new_form_key(),
        done=_message_code_of_request(),
        status=status,
    )


def _similar_players(view: PlayerData) -> list[KnownPlayer]:
    """Players who may be the same person: those with most words of the name in common."""
    mine = set(words_of_folded_name(view.name))
    shared = [
        (len(mine & set(words_of_folded_name(one.name))), one) for one in club_views.players()
    ]
    return [one for n, one in sorted(shared, key=lambda pair: -pair[0]) if n]


# --- merging -------------------------------------------------------------------------


@blp.get(f"{_ONE}/union/{_BOTH}")
@guard.requires("club:manage")
def preview_merge(person_id: str, partner_id: str) -> Response:
    """The preview of a merge: what becomes one if two players are the same person"""
    await_position_in_request()
    return _merge_page(person_id, partner_id, [], 200)


@blp.post(f"{_ONE}/union/{_BOTH}")
@guard.requires("club:manage")
def merge_players(person_id: str, partner_id: str) -> AnyResponse:
    """Two players are merged into one"""
    body = {"kept": person_id, "gone": partner_id}

    def write() -> Answer:
        return club_acts.record_player_merge(
            body, forms.meta_of_form(), forms.version_of_form("version")
        )

    answer, wrong, status = attempt_write(write)
    if answer is None:
        return _merge_page(person_id, partner_id, wrong, status)
    return redirect(f"{prefix()}/jugadores/{person_id}?done=merged&wait={answer.position}", 303)


def _merge_page(kept: str, gone: str, wrong: FieldErrors, status: int) -> Response:
    if kept == gone:
        raise Refused(Rule.PLAYER_TWICE)
    view = club_views.merge_preview(kept, gone)
    are_pair = any({kept, gone} == set(one.players) for one in view.pairs)
    club = current_services().referee.players.club()
    return page(
        "club/player_merge.html",
        view=view,
        are_pair=are_pair,
        twice=merge_conflicts([*club.ids_of_player(kept), *club.ids_of_player(gone)]),
        wrong=wrong,
        key=new_form_key(),
        status=status,
    )


class TwiceIn(NamedTuple):
    """A tournament or an evening, and the pairs of the tournament that both play for."""

    name: str
    address: str
    pairs: tuple[str, ...] = ()


def merge_conflicts(persons: Sequence[PersonId]) -> list[TwiceIn]:
    """Running tournaments and open evenings in which these would be one person twice."""
    return [*_tournament_conflicts(frozenset(persons)), *_session_conflicts(frozenset(persons))]


def _tournament_conflicts(persons: frozenset[PersonId]) -> Iterator[TwiceIn]:
    services = current_services()
    with services.reads.reading() as cursor:
        listed = [view for _, view in tournaments_opened_before(cursor, None, _LOOKED_AT)]
    for view in listed:
        if view.stage not in ("over", "cancelled"):
            state = services.referee.tournaments.tournament(UUID(view.id))
            parts = players_of_pairs(state)
            if len(pairs := _pairs_of_persons(persons, parts)) > 1:
                name = services.persons.text_by_id(view.name) or ""
                yield TwiceIn(name, f"{prefix()}/torneos/{view.id}", tuple(pairs))


def _session_conflicts(persons: frozenset[PersonId]) -> Iterator[TwiceIn]:
    services = current_services()
    with services.reads.reading() as cursor:
        listed = session_rows(cursor, _LOOKED_AT)
    for view in listed:
        if not view.closed:
            present = services.referee.seasons.session(UUID(view.id)).present
            if len(persons.intersection(present)) > 1:
                yield TwiceIn(view.date, f"{prefix()}/jornadas/{view.id}")


def _pairs_of_persons(
    persons: frozenset[PersonId], parts: Mapping[str, Sequence[PersonId]]
) -> list[str]:
    return [part for part, players in parts.items() for one in players if one in persons]
