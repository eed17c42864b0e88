"""The director's desk of a tournament: the next step, and its forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias
from uuid import UUID

import msgspec
from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import live_page, page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.languages import language
from api.http.problems import Problem
from api.http.services import (
    await_end_of_log,
    await_position_in_request,
    current_services,
    pending_texts,
)
from api.money.amounts import print_amount, prize_lines
from api.tournaments import views as tournament_views
from api.tournaments.acts import open_tournament_from_body, state_of
from api.tournaments.desk.corrections import correction_choice_displays, is_result_from_table
from api.tournaments.desk.forms import (
    DOES,
    POINTS,
    USUAL,
    tournament_body_of_form,
    tournament_formats,
)
from api.tournaments.display import TournamentDisplay
from api.tournaments.entries import pairs_of_same_bar
from api.tournaments.layout import ShownTournament
from api.tournaments.schemas import TournamentIn
from referee.aggregates.tournament.decider import is_possible
from referee.aggregates.tournament.entries import players_of_pairs
from referee.aggregates.tournament.field import MOST_TOGETHER, Pair
from referee.aggregates.tournament.repechage import is_repechage_due
from referee.aggregates.tournament.state import Meeting, Tournament, round_robin_rounds
from referee.errors import NotFound
from referee.events.tournament import (
    AbsenceWithdrawn,
    DrawCommitted,
    DrawTakenBack,
    MeetingHeld,
    MeetingId,
    MeetingReleased,
    PairNumber,
    ResultTakenBack,
    RoundTakenBack,
    TablesAssigned,
    TournamentAct,
    TournamentCancelled,
    TournamentClosed,
    TournamentReopened,
)
from referee.log.streams import Answer, WriteMetadata

blp = Blueprint("tournament_desk", __name__)
DESK: Final = "/torneos/<uuid:tournament_id>/direccion"
_CRUCE: Final = f"{DESK}/cruces/<meeting>"
_DRAWS: Final = ("round", "knock_out")
"""Forms that ask first if results are not confirmed."""
_OF_ENTRIES: Final = ("open_entries", "close_entries", "paid", "not_paid")
"""Forms of the page of pairs."""
MeetingWrite: TypeAlias = Callable[[UUID, str, WriteMetadata, int | None], Answer]
"""A write about a meeting, at a version of its tournament."""


# --- opened --------------------------------------------------------------------------------------


@blp.get("/torneos/nuevo")
@guard.requires("tournaments:run")
def show_opening_form() -> Response:
    """Form that says what a new tournament is to be like"""
    return _opening_page({"format": "swiss"}, [], 200)


@blp.post("/torneos/nuevo")
@guard.requires("tournaments:run")
def open_tournament() -> AnyResponse:
    """Open a tournament from its form, and redirect to the desk; the form again after a fault"""

    def write() -> Answer:
        return open_tournament_from_body(
            forms.load_by_schema(TournamentIn, tournament_body_of_form()), forms.meta_of_form()
        )

    answer, wrong, status = attempt_write(write)
    if answer is None:
        return _opening_page(forms.form_values(), wrong, status)
    return redirect(f"{prefix()}/torneos/{answer.id}/direccion/parejas?wait={answer.position}", 303)


def _opening_page(typed: dict[str, str], wrong: FieldErrors, status: int) -> Response:
    return page(
        "tournaments/desk/new.html",
        typed=typed,
        wrong=wrong,
        key=new_form_key(),
        formats=tournament_formats(),
        criteria=USUAL.criteria[1:],
        points=POINTS,
        most_together=MOST_TOGETHER,
        status=status,
    )


# --- the desk ------------------------------------------------------------------------------------


@blp.get(DESK)
@guard.requires("tournaments:run")
def show_desk(tournament_id: UUID) -> Response:
    """The desk of a tournament: what is played, and what comes next"""
    await_position_in_request()
    return render_desk_page(tournament_id, [], 200)


@blp.post(DESK)
@guard.requires("tournaments:run")
def record_desk_act(tournament_id: UUID) -> AnyResponse:
    """Record whatever a form of the desk asks for"""
    asked = request.form.get("do", "")
    if asked not in DOES:
        raise Problem("bad_request")
    if asked in _DRAWS and request.form.get("sure") != "yes":
        await_end_of_log()
        if ids_of_meetings_to_confirm(state_of(tournament_id)):
            return render_desk_page(tournament_id, [], 422)

    def write() -> Answer:
        meta, version = forms.meta_of_form(), forms.version_of_form("version")
        with pending_texts() as put:
            acts = DOES[asked](tournament_id, put)
            return put.erase_if_replayed(
                current_services().referee.tournaments.record(tournament_id, acts, meta, version)
            )

    return _write_and_redirect(tournament_id, write, lambda _: _address_after_write(tournament_id))


@blp.post(f"{_CRUCE}/mesa/retirada")
@guard.requires("tournaments:run")
def call_off_encuentro(tournament_id: UUID, meeting: str) -> AnyResponse:
    """Call off the encuentro of a cruce, while nothing is recorded at it"""
    release_meeting = current_services().referee.tournaments.call_off_meeting_encuentro
    here = f"{prefix()}/torneos/{tournament_id}/direccion/cruces/{meeting}"
    return _write_and_redirect(
        tournament_id,
        lambda: _run_meeting_write(release_meeting, tournament_id, meeting),
        lambda _: here,
    )


@blp.post(f"{_CRUCE}/mesa")
@guard.requires("tournaments:run")
def open_encuentro(tournament_id: UUID, meeting: str) -> AnyResponse:
    """Open the encuentro of a cruce, its players seated"""
    hold_meeting = current_services().referee.tournaments.open_meeting_encuentro
    return _write_and_redirect(
        tournament_id,
        lambda: _run_meeting_write(hold_meeting, tournament_id, meeting),
        _address_of_encuentro,
    )


def _run_meeting_write(write: MeetingWrite, tournament_id: UUID, meeting: str) -> Answer:
    return write(tournament_id, meeting, forms.meta_of_form(), forms.version_of_form("version"))


def _write_and_redirect(
    tournament_id: UUID, write: Callable[[], Answer], where: Callable[[Answer], str]
) -> AnyResponse:
    """Do a write and redirect to where it leads; after a refusal the desk with the faults."""
    answer, wrong, status = attempt_write(write)
    if answer is None:
        return render_desk_page(tournament_id, wrong, status)
    return redirect(f"{where(answer)}?wait={answer.position}", 303)


def _address_of_encuentro(answer: Answer) -> str:
    """Address of the encuentro that was opened."""
    (held,) = (one.event for one in answer.events if isinstance(one.event, MeetingHeld))
    return f"{prefix()}/e/{held.encuentro}"


def _address_after_write(tournament_id: UUID) -> str:
    """Address to go to after a write: the desk, its entries, or the choices of a correction."""
    meeting = request.form.get("meeting", "")
    waiting = {
        one.id
        for one in current_services()
        .referee.tournaments.tournament(tournament_id)
        .meetings_with_pending_correction()
    }
    if request.form["do"] in _OF_ENTRIES:
        return f"{prefix()}/torneos/{tournament_id}/direccion/parejas"
    is_open = meeting in waiting and request.form["do"] == "result"
    more = f"/cruces/{meeting}/correccion" if is_open else ""
    return f"{prefix()}/torneos/{tournament_id}/direccion{more}"


def render_desk_page(tournament_id: UUID, wrong: FieldErrors, status: int) -> Response:
    """Response with the page of the desk as it is now, after a refusal with the faults."""
    await_end_of_log()
    at, state = ShownTournament(tournament_id), state_of(tournament_id)
    made = live_page(
        "tournaments/desk/desk.html",
        at.tag,
        url_for("public.tournament_state", tournament_id=tournament_id),
        run=at.display.view,
        display=at.display,
        next=_next_form_or_empty(state),
        may_now=_possible_forms(state),
        unconfirmed=ids_of_meetings_to_confirm(state),
        undos=walkover_undos_by_meeting(state),
        may_take_round_back=may_take_round_back(state),
        doubled=players_in_several_pairs(state),
        is_repechage_due=is_repechage_due(state),
        apart=pairs_of_same_bar(state) if state.stage == "entering" else [],
        price=_price_form_values(at.display),
        now_ms=int(current_services().clock().timestamp() * 1000),
        wrong=wrong,
        key=new_form_key(),
    )
    made.status_code = status
    return made


class TypedPriceData(msgspec.Struct, frozen=True):
    """Fee and prizes as they are typed: an amount, and a line a place."""

    fee: str
    lines: list[str]


def _price_form_values(display: TournamentDisplay) -> TypedPriceData:
    view, lang = display.view, display.lang
    prizes = [(one.amount, one.words) for one in view.prizes]
    fee = print_amount(view.fee, lang) if view.fee else ""
    return TypedPriceData(fee=fee, lines=prize_lines(prizes, lang))


def _possible_forms(state: Tournament) -> set[str]:
    """Names of the desk's forms whose act would not be refused now."""
    open_meetings = [one for one in state.meetings.values() if one.is_open]
    acts: dict[str, TournamentAct] = {
        "commit": DrawCommitted("", (), "", ""),
        "draw_back": DrawTakenBack(""),
        "tables": TablesAssigned(),
        "close": TournamentClosed(),
        "cancel": TournamentCancelled(),
        "reopen": TournamentReopened(),
    }
    found = {name for name, act in acts.items() if is_possible(act, state)}
    return found | {"call" for one in open_meetings if one.table and not one.is_called}


def _next_form_or_empty(state: Tournament) -> str:
    """Name of the form for the next step; empty if there is none."""
    is_open = any(one.is_open for one in state.meetings.values())
    if (
        state.drawn is None
        or state.is_closed
        or is_open
        or state.meetings_with_pending_correction()
    ):
        return ""
    if state.order:
        return "close"
    rounds = state.plan.rounds if state.plan.format == "swiss" else len(round_robin_rounds(state))
    if len(state.rounds) < rounds:
        return "round"
    return "knock_out" if state.plan.format == "groups" else "close"


# --- a cruce -------------------------------------------------------------------------------------


@blp.get(_CRUCE)
@guard.requires("tournaments:run")
def cruce_page(tournament_id: UUID, meeting: str) -> Response:
    """A cruce: its table, its call, its result in one tap"""
    await_position_in_request()
    view = tournament_views.tournament_view(tournament_id)
    display = TournamentDisplay(view, language())
    if meeting not in display.meetings_by_id:
        raise NotFound(meeting)
    state = state_of(tournament_id)
    assert state.opened is not None
    options = state.opened.profile.options
    to_win = options["cotos_to_win"] if options["match_format"] == "cotos" else 0
    return page(
        "tournaments/desk/cruce.html",
        run=view,
        one=display.meetings_by_id[meeting],
        to_win=to_win,
        may_be_level=not state.meetings[meeting].tie,
        undo=undo_of_result_or_none(state, state.meetings[meeting]),
        may_release=_may_call_off_encuentro(state, meeting),
        key=new_form_key(),
    )


def _may_call_off_encuentro(state: Tournament, meeting: str) -> bool:
    """Whether the encuentro of a cruce can be called off."""
    if not is_possible(MeetingReleased(meeting), state):
        return False
    held = UUID(state.meetings[meeting].encuentro)
    match = current_services().referee.encuentros.encuentro(held)
    return not match.partidas and match.win is None


@blp.get(f"{_CRUCE}/correccion")
@guard.requires("tournaments:run")
def correction_choices_page(tournament_id: UUID, meeting: str) -> Response:
    """What can be done about a result that changed too late, and what each choice would change"""
    await_end_of_log()
    state = state_of(tournament_id)
    view = tournament_views.tournament_view(tournament_id)
    pending = next((one for one in view.pending if one.meeting == meeting), None)
    if pending is None:
        raise NotFound(meeting)
    display = TournamentDisplay(view, language())
    return page(
        "tournaments/desk/choices.html",
        run=view,
        display=display,
        meeting=display.meetings_by_id[meeting],
        pending=pending,
        is_from_table=is_result_from_table(state.meetings[meeting]),
        options=correction_choice_displays(state, state.meetings[meeting], display),
        key=new_form_key(),
    )


class DeskUndo(NamedTuple):
    """The form of the desk that undoes the result of a meeting; pair and round of an absence."""

    do: str
    pair: PairNumber = ""
    round: int = 0


def undo_of_result_or_none(state: Tournament, meeting: Meeting) -> DeskUndo | None:
    """How the result of a meeting is undone; None if it cannot be any more, or there is none."""
    if is_possible(ResultTakenBack(meeting.id), state):
        return DeskUndo("take_back")
    if not meeting.is_walked_over:
        return None
    lost = next(pair for pair in meeting.pairs if pair != meeting.now.winner)
    is_absence = is_possible(AbsenceWithdrawn(lost, meeting.round), state)
    return DeskUndo("present", lost, meeting.round) if is_absence else None


def walkover_undos_by_meeting(state: Tournament) -> dict[MeetingId, DeskUndo]:
    """How each walkover that one tap undoes is undone, by meeting."""
    walked = (one for one in state.meetings.values() if one.now.is_walkover)
    found = ((one.id, undo_of_result_or_none(state, one)) for one in walked)
    return {meeting: undo for meeting, undo in found if undo is not None}


def may_take_round_back(state: Tournament) -> bool:
    """Whether the last round can be taken back: it has no result, and nothing plays."""
    return is_possible(RoundTakenBack(len(state.rounds)), state)


def ids_of_meetings_to_confirm(state: Tournament) -> list[MeetingId]:
    """Ids of meetings of the last round with a result that is unconfirmed or disputed."""
    number = max((one.round for one in state.meetings.values()), default=0)
    return [
        one.id
        for one in state.meetings.values()
        if one.round == number and not one.is_open and one.stage in ("provisional", "disputed")
    ]


class DoubledPlayer(NamedTuple):
    """Somebody who plays for more than one pair, and those pairs."""

    name: str | None
    pairs: tuple[Pair, ...]


def players_in_several_pairs(state: Tournament) -> list[DoubledPlayer]:
    """Everybody who plays for more than one pair; nobody once the tournament is over."""
    if state.is_closed:
        return []
    services = current_services()
    twice = services.referee.players.club().parts_by_repeated_person(players_of_pairs(state))
    return [
        DoubledPlayer(services.persons.name(person), tuple(dict.fromkeys(pairs)))
        for person, pairs in twice.items()
    ]
