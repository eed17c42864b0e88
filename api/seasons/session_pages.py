"""Pages of an evening: opened, who is there, tables drawn and played, the hall, the sheet."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.board import boards
from api.board import display as board_display
from api.club import reading as club_reading
from api.html import forms
from api.html.forms import FieldErrors, attempt, new_key
from api.html.live_pages import live_page
from api.html.pages import page
from api.http.access import guard
from api.http.languages import language, say
from api.http.services import await_log, await_position, current_services, pending_texts
from api.seasons import forms as season_forms
from api.seasons import schemas, sessions, views
from api.seasons.arrivals import arrivals
from api.seasons.rules import usual_rules
from projections.rows.encuentros import playing_rows
from referee.errors import Refused
from referee.events import PlayerLeft, SessionClosed
from referee.log.streams import Answer, WriteMetadata
from referee.rules.seats import SIDES, side_of

blp = Blueprint("sessions_pages", __name__)
_ONE: Final = "/jornadas/<uuid:session_id>"
_OFFERED: Final = 80
"""Number of players offered as check boxes: those who played last."""


@blp.get("/jornadas/")
@guard.requires("read")
def every() -> Response:
    """The latest evenings, and the form that opens one"""
    await_position()
    return _list([], 200)


@blp.post("/jornadas/")
@guard.requires("club:manage")
def begin() -> AnyResponse:
    """An evening opened with those who are there, its tables drawn and opened if so asked"""

    def write() -> Answer:
        body = forms.load_form(schemas.SessionIn, season_forms.session())
        made = forms.meta_of_form()
        answer = sessions.open_from_body(body, made)
        if request.form.get("method") not in ("seed", "strength"):
            return answer
        with suppress(Refused):  # too few players: others may still come
            return _played(answer.id, made) or answer
        return answer

    answer, wrong, status = attempt(write)
    if answer is None:
        return _list(wrong, status)
    return _seen(answer.id, answer)


def _played(session_id: UUID, made: WriteMetadata) -> Answer | None:
    """The tables of a new evening, drawn and opened; None if somebody has to look at them first."""
    referee = current_services().referee
    if not referee.seasons.session(session_id).draws:
        asked = {"method": request.form["method"]}
        drawn = sessions.table_draw(current_services(), referee.seasons.session(session_id), asked)
        referee.seasons.note_session(session_id, [drawn], sessions.part_of(made, "draw"))
    await_log()
    if _playing(session_id):
        return None
    return referee.seasons.open_tables(session_id, sessions.part_of(made, "tables"))


def _list(wrong: FieldErrors, status: int) -> Response:
    form = request.form
    every_open = [one for one in views.every_season() if not one["closed"]]
    seasons = [one for one in every_open if one.get("of") != "pairs"]
    made = page(
        "seasons/sessions.html",
        found=views.latest_sessions(),
        seasons=seasons,
        usual=usual_rules(seasons),
        known=club_reading.players()[:_OFFERED],
        ticked=set(form.getlist("person")),
        typed=form,
        today=form.get("date") or current_services().clock().date().isoformat(),
        wrong=wrong,
        doubts=season_forms.doubts(),
        key=new_key(),
    )
    made.status_code = status
    return made


# --- one evening ---------------------------------------------------------------------------------


@blp.get(_ONE)
@guard.open_to_all
@guard.identifies_everybody
def show(session_id: UUID) -> Response:
    """An evening: who is there, its tables, its table of points"""
    await_position()
    return _one(session_id, [], 200)


@blp.get(f"{_ONE}/hoja")
@guard.open_to_all
def sheet(session_id: UUID) -> Response:
    """The evening on paper"""
    view = views.session(session_id)
    return page("seasons/session_sheet.html", view=view, tables=_tables(view))


@blp.get(f"{_ONE}/sala")
@guard.open_to_all
def hall(session_id: UUID) -> Response:
    """The board of the tables of an evening, for the wall"""
    board = boards.session(current_services(), session_id)
    displays = [board_display.table(view, language()) for view in board.view["tables"]]
    address = url_for("public.session", session_id=session_id)
    return live_page(
        "board/sala_session.html", board.tag, address, displays=displays, session=session_id
    )


@blp.post(f"{_ONE}/llegadas")
@guard.requires("club:manage")
def arrive(session_id: UUID) -> AnyResponse:
    """Players came"""

    def write() -> Answer:
        body = forms.load_form(schemas.ArrivalsIn, {"players": season_forms.present()})
        with pending_texts() as put:
            return put.settle(_note(session_id, arrivals(body, put).acts))

    return _done(session_id, *attempt(write))


@blp.post(f"{_ONE}/salidas")
@guard.requires("club:manage")
def depart(session_id: UUID) -> AnyResponse:
    """A player left"""
    person = request.form.get("person", "")
    found = attempt(lambda: _note(session_id, [PlayerLeft(person)]))
    return _done(session_id, *found)


@blp.post(f"{_ONE}/sorteo")
@guard.requires("club:manage")
def draw(session_id: UUID) -> AnyResponse:
    """Tables drawn by a seed or by strength, or put by hand"""

    def write() -> Answer:
        state = current_services().referee.seasons.session(session_id)
        body = season_forms.draw()
        if body["method"] == "hand":
            body["tables"] = season_forms.by_hand(state.present)
        asked = forms.load_form(schemas.EveningTablesIn, body)
        return _note(session_id, [sessions.table_draw(current_services(), state, asked)])

    return _done(session_id, *attempt(write))


@blp.post(f"{_ONE}/mesas")
@guard.requires("club:manage")
def open_tables(session_id: UUID) -> AnyResponse:
    """The tables drawn begin to play"""

    def write() -> Answer:
        version = forms.version_of("version")
        return current_services().referee.seasons.open_tables(
            session_id, forms.meta_of_form(), version
        )

    await_log()
    if _playing(session_id) and request.form.get("again") != "yes":
        return _one(session_id, [], 422)
    return _done(session_id, *attempt(write))


def _playing(session_id: UUID) -> dict[int, str]:
    """Drawn tables that are not open, whose players sit at a running encuentro of that day."""
    state = current_services().referee.seasons.session(session_id)
    assert state.opened is not None
    waiting = () if state.waiting is None else state.waiting.tables
    found = {}
    with current_services().reads.reading() as rows:
        for table in waiting:
            persons = {person for side in table.sides for person in side}
            if running := playing_rows(rows, persons, state.opened.date):
                found[table.number] = running[0]
    return found


@blp.post(f"{_ONE}/cierre")
@guard.requires("club:manage")
def close(session_id: UUID) -> AnyResponse:
    """The evening is over"""
    return _done(session_id, *attempt(lambda: _note(session_id, [SessionClosed()])))


def _note(session_id: UUID, acts: Any) -> Answer:
    version = forms.version_of("version")
    return current_services().referee.seasons.note_session(
        session_id, acts, forms.meta_of_form(), version
    )


def _done(session_id: UUID, answer: Answer | None, wrong: FieldErrors, status: int) -> AnyResponse:
    return _one(session_id, wrong, status) if answer is None else _seen(session_id, answer)


def _seen(session_id: UUID, answer: Answer) -> AnyResponse:
    return redirect(f"/jornadas/{session_id}?wait={answer.position}", 303)


def _one(session_id: UUID, wrong: FieldErrors, status: int) -> Response:
    view = views.session(session_id)
    there = set(view["present"])
    made = page(
        "seasons/session.html",
        view=view,
        tables=_tables(view),
        known=[one for one in club_reading.players() if one.player not in there][:_OFFERED],
        sides=SIDES[view["players"]],
        drawn=view["draws"][-1] if view["waiting"] else None,
        playing=_playing(session_id),
        wrong=wrong,
        doubts=season_forms.doubts(),
        typed=request.form.get("names", "") if wrong else "",
        key=new_key(),
    )
    made.status_code = status
    return made


def _tables(view: views.WholeSessionData) -> list[dict[str, object]]:
    """Tables as they play: names by side, cotos (or partidas if their number is fixed), who won."""
    return [
        {**one, "sides": (sides := _sides(one, view["names"])), "names": _names_by_side(sides)}
        for one in view["encuentros"]
    ]


def _names_by_side(sides: list[dict[str, Any]]) -> dict[str, list[str]]:
    nobody = say("season.nobody", language())
    return {side["side"]: [name or nobody for name in side["names"]] for side in sides}


def _sides(one: views.SessionTableData, names: dict[str, str]) -> list[dict[str, Any]]:
    seats, decided = one["seats"].items(), one["decided"]
    return [
        {
            "side": side,
            "pair": one["pairs"].get(side, ""),
            "names": [names.get(who) for seat, who in seats if side_of(seat) == side],
            "cotos": one["standing"][one["final"]["counts"]].get(side, 0),
            "has_won": decided is not None and decided["winner"] == side,
        }
        for side in SIDES[one["players"]]
    ]
