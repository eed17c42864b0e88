"""Pages of an evening: who is there, tables drawn and played, the hall, the sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias
from uuid import UUID

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.board import boards
from api.board import display as board_display
from api.club.phones.book import KeptPhone, phones_of
from api.html import forms
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import board_page, may, page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.bodies import Body
from api.http.languages import language
from api.http.services import (
    await_end_of_log,
    await_position_in_request,
    current_services,
    pending_texts,
)
from api.seasons import evening, next_evening, schemas, sessions, views
from api.seasons import forms as season_forms
from api.seasons import forms as seasons_forms
from api.seasons.arrivals import build_arrivals_of_body
from api.seasons.fees.prizes import fees_line
from api.seasons.membership.outlook import has_calendar_day, seasons_open_to_evening
from api.seasons.next_evening import hour_of_evening
from referee.aggregates.session import Session
from referee.events import PersonId, SessionAct, SessionClosed, SessionReopened
from referee.handlers.seasons import SeasonHandler
from referee.log.streams import Answer, WriteMetadata
from referee.rules.seats import SIDES

blp = Blueprint("sessions_pages", __name__)
_ONE: Final = "/jornadas/<uuid:session_id>"
_MOST_GONE: Final = 40
TablesWrite: TypeAlias = Callable[[UUID, WriteMetadata, int | None], Answer]
"""A write about the tables of an evening, at a version of it."""


@blp.get(_ONE)
@guard.open_to_all
def show_evening_page(session_id: UUID) -> Response:
    """An evening: who is there, its tables, its table of points"""
    await_position_in_request()
    return _evening_page(session_id, [], 200)


@blp.get(f"{_ONE}/hoja")
@guard.open_to_all
def show_evening_sheet(session_id: UUID) -> Response:
    """The page of an evening for printing, with its tables"""
    view = views.complete_session_view(session_id)
    tables = evening.evening_tables(view)
    return page("seasons/session_sheet.html", view=view, tables=tables)


@blp.get(f"{_ONE}/sala")
@guard.open_to_all
def show_evening_wall_board(session_id: UUID) -> Response:
    """The board of the tables of an evening, for the wall"""
    board = boards.session_board(current_services(), session_id)
    displays = [board_display.table_display(view, language()) for view in board.view.tables]
    address = url_for("public.session", session_id=session_id)
    legend = board_display.legend_of_marks(displays, language())
    values = {
        "displays": displays,
        "legend": legend,
        "evening": views.complete_session_view(session_id),
    }
    return board_page("board/sala_session.html", board.tag, address, **values)


# --- who is here ---------------------------------------------------------------------------------


@blp.post(f"{_ONE}/presentes")
@guard.requires("club:manage")
def set_attendance_from_form(session_id: UUID) -> AnyResponse:
    """Record who is here from now on, and draw the tables if so asked"""
    do = request.form.get("do", "")
    before = _session_state(session_id)
    if do in ("find", "same"):
        await_end_of_log()
        return _evening_page(session_id, [], 200)

    def write() -> int:
        _record_attendance_of_form(session_id, before)
        if do == "draw":
            sessions.draw_if_possible(session_id, forms.meta_of_form("draw"))
        return current_services().referee.position()

    position, wrong, status = attempt_write(write)
    if position is None:
        return _evening_page(session_id, wrong, status)
    gone = seasons_forms.departures_between(before, _session_state(session_id))[:_MOST_GONE]
    return _redirect_to_evening(session_id, position, gone)


def _record_attendance_of_form(session_id: UUID, before: Session) -> None:
    """Record arrivals and departures: exactly those of the form are present."""
    assert before.opened is not None
    wanted, version = (
        seasons_forms.attendance_in_form(before.opened.of),
        forms.version_of_form("version"),
    )
    made = forms.meta_of_form()
    with pending_texts() as put:
        found = seasons_forms.attendance_change(before, wanted, put)
        if found.acts:
            noted = _season_handler().record_session_acts(
                session_id, found.acts, made, version, found.enrolled
            )
            put.erase_if_replayed(noted)


@blp.post(f"{_ONE}/llegadas")
@guard.requires("club:manage")
def record_returns_from_form(session_id: UUID) -> AnyResponse:
    """Record that persons or pairs who were taken off are here again"""

    def write() -> Answer:
        came = {"players": [{"person": one} for one in request.form.getlist("person")]}
        came["pairs"] = [{"pair": one} for one in request.form.getlist("pair")]
        body = forms.load_by_schema(schemas.ArrivalsIn, came)
        with pending_texts() as put:
            found = build_arrivals_of_body(body, put)
            return put.erase_if_replayed(_record_acts_of_form(session_id, found.acts))

    return _redirect_or_explain(session_id, *attempt_write(write))


# --- tables --------------------------------------------------------------------------------------


@blp.post(f"{_ONE}/sorteo")
@guard.requires("club:manage")
def draw_tables_from_form(session_id: UUID) -> AnyResponse:
    """Draw tables by a seed, by rotation or by strength, or put them by hand"""

    def write() -> Answer:
        state = _session_state(session_id)
        body = season_forms.draw_method_and_seed_in_form()
        if body["method"] == "hand":
            body["tables"] = season_forms.tables_in_form(state)
        asked = forms.load_by_schema(schemas.EveningTablesIn, body)
        return _record_acts_of_form(
            session_id, [sessions.table_draw(current_services(), state, asked)]
        )

    return _redirect_or_explain(session_id, *attempt_write(write))


@blp.post(f"{_ONE}/mesas")
@guard.requires("club:manage")
def open_tables_from_form(session_id: UUID) -> AnyResponse:
    """Open the tables drawn; ask first if others still play, or are not confirmed"""
    await_end_of_log()
    is_asked = request.form.get("again") == "yes"
    if not is_asked and (
        evening.tables_that_cannot_open(_session_state(session_id))
        or _tables_without_confirmation(session_id)
    ):
        return _evening_page(session_id, [], 422)
    return _redirect_or_explain(
        session_id,
        *attempt_write(lambda: _write_with_form_version(session_id, _season_handler().open_tables)),
    )


@blp.post(f"{_ONE}/mesas/vuelta")
@guard.requires("club:manage")
def call_off_tables_from_form(session_id: UUID) -> AnyResponse:
    """Call off the tables opened last; their draw waits again"""
    return _redirect_or_explain(
        session_id,
        *attempt_write(
            lambda: _write_with_form_version(session_id, _season_handler().call_off_tables)
        ),
    )


def _tables_without_confirmation(session_id: UUID) -> list[evening.EveningTableData]:
    return evening.tables_without_confirmation(
        evening.evening_tables(views.complete_session_view(session_id))
    )


def _write_with_form_version(session_id: UUID, write: TablesWrite) -> Answer:
    return write(session_id, forms.meta_of_form(), forms.version_of_form("version"))


# --- the evening itself --------------------------------------------------------------------------


@blp.post(f"{_ONE}/cambio")
@guard.requires("club:manage")
def change_terms_from_form(session_id: UUID) -> AnyResponse:
    """Give an evening another day, place or other rules, until the first result"""

    def write() -> Answer:
        opened = _session_state(session_id).opened
        assert opened is not None
        name = current_services().persons.text_by_id(opened.name) if opened.name else None
        kept: Body = {"tables": opened.tables, **({"name": name} if name else {})}
        kept |= {"season": opened.season} if opened.season else {}
        body = forms.load_by_schema(
            schemas.SessionTermsIn, {**season_forms.session_terms_in_form(opened.of), **kept}
        )
        made, version = forms.meta_of_form(), forms.version_of_form("version")
        return sessions.change_session_from_body(session_id, body, made, version)

    return _redirect_or_explain(session_id, *attempt_write(write))


@blp.post(f"{_ONE}/cierre")
@guard.requires("club:manage")
def close_session_from_form(session_id: UUID) -> AnyResponse:
    """Close an evening"""
    return _redirect_or_explain(
        session_id, *attempt_write(lambda: _record_acts_of_form(session_id, [SessionClosed()]))
    )


@blp.post(f"{_ONE}/reapertura")
@guard.requires("club:manage")
def reopen_session_from_form(session_id: UUID) -> AnyResponse:
    """Reopen an evening that was closed too early"""
    return _redirect_or_explain(
        session_id, *attempt_write(lambda: _record_acts_of_form(session_id, [SessionReopened()]))
    )


def _season_handler() -> SeasonHandler:
    return current_services().referee.seasons


def _session_state(session_id: UUID) -> Session:
    return _season_handler().session(session_id)


def _record_acts_of_form(session_id: UUID, acts: Sequence[SessionAct]) -> Answer:
    version = forms.version_of_form("version")
    return _season_handler().record_session_acts(session_id, acts, forms.meta_of_form(), version)


def _redirect_or_explain(
    session_id: UUID, answer: Answer | None, wrong: FieldErrors, status: int
) -> AnyResponse:
    if answer is None:
        return _evening_page(session_id, wrong, status)
    return _redirect_to_evening(session_id, answer.position)


def _redirect_to_evening(
    session_id: UUID, position: int, gone: Sequence[PersonId] = ()
) -> AnyResponse:
    more = "".join(f"&gone={one}" for one in gone)
    return redirect(f"{prefix()}/jornadas/{session_id}?wait={position}{more}", 303)


# --- the page ------------------------------------------------------------------------------------


def _evening_page(session_id: UUID, wrong: FieldErrors, status: int) -> Response:
    tag = boards.session_board(current_services(), session_id).tag  # never newer than what is shown
    view = views.complete_session_view(session_id)
    tables = evening.evening_tables(view)
    return page(
        "seasons/session.html",
        tag=tag,
        view=view,
        tables=tables,
        hour=hour_of_evening(view),
        fees=fees_line(view, view.of, view.standings if view.closed else []),
        drawn=evening.draw_display(view, view.pair_names) if view.waiting else None,
        wrong=wrong,
        key=new_form_key(),
        **(_secretary_values(view, tables) if may("club:manage") else {}),
        status=status,
    )


def _secretary_values(
    view: views.WholeSessionData, tables: list[evening.EveningTableData]
) -> dict[str, Any]:
    """Template values for the forms of an evening, which only its secretary sees."""
    state, titles = _session_state(UUID(view.id)), view.pair_names
    are_open = views.open_seasons()
    joinable = seasons_open_to_evening(view, are_open)
    due = [one for one in joinable if not view.season and has_calendar_day(one, view.date)]
    return {
        "who": _attendance_choices(view),
        "units": evening.ids_and_names_to_seat(view, titles),
        "sides": SIDES[view.players],
        "playing": evening.tables_that_cannot_open(state),
        "unsure": evening.tables_without_confirmation(tables),
        "first_number": evening.next_table_number(tables),
        "missing": sessions.number_of_missing_persons(state),
        "usual_method": sessions.usual_draw_method(state),
        "open_tables": [one for one in tables if not one.decided],
        "is_untouched": all(evening.is_table_untouched(one) for one in tables),
        "may_take_back": evening.may_take_back_tables(state, tables),
        "doubled": evening.names_present_twice(view),
        "gone": evening.ids_and_names_of_departed(
            view, request.args.getlist("gone")[:_MOST_GONE], titles
        ),
        "joinable": joinable,
        "due": next(iter(due), None),
        "is_of_open": view.season in {"", *(one.id for one in are_open)},
        "typed": request.form,
        "doubts": seasons_forms.name_doubts_in_form(view.of),
        "phones": _telephones_of_present(view),
    }


def _telephones_of_present(view: views.WholeSessionData) -> list[tuple[str, KeptPhone]]:
    """The telephones of those who came, by their names."""
    found = phones_of(view.present)
    return sorted((view.names.get(one) or "", phone) for one, phone in found.items())


def _attendance_choices(view: views.WholeSessionData) -> seasons_forms.Choices:
    here = list(view.pairs) if view.of == "pairs" else view.present
    last = next_evening.competitor_ids_at_latest_evening(views.latest_sessions(), view.of, view.id)
    ticked = seasons_forms.ids_ticked() if request.form.get("do") else here
    if request.form.get("do") == "same":
        ticked = [*ticked, *last]
    named = dict(evening.ids_and_names_to_seat(view, {}))
    found = seasons_forms.attendance_choices(view.of, [*here, *last], ticked, named)
    return found._replace(last=tuple(last))
