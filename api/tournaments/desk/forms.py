"""Forms of a tournament's director, converted to acts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, cast, get_args
from uuid import UUID

import marshmallow as ma
from flask import request

from api.html import forms
from api.html.forms import form_value, number_or_text_in_form
from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.problems import Problem
from api.http.services import PendingTexts, current_services, timestamp_now
from api.money.amounts import prize_dicts_in_text, read_amount_or_none
from api.tournaments import schemas
from api.tournaments.acts import (
    commitment_act,
    fee_and_prizes_act_of_body,
    repechage_commitment_act,
    repechage_reveal_act,
    reveal_act,
)
from api.tournaments.entries import LAST_MINUTE, EntriesIn
from api.tournaments.meetings import act_to_spread_over_hours, draft_table_names_act
from projections.facts import plain_values
from referee.aggregates.tournament.rules import TournamentRule
from referee.errors import Refused
from referee.events.tournament import (
    AbsenceNoted,
    AbsenceWithdrawn,
    ClockStarted,
    ClockStopped,
    CorrectionSettled,
    DrawTakenBack,
    EntriesClosed,
    EntriesOpened,
    EntryFeeNoted,
    Format,
    HoursGiven,
    PairReturned,
    PairWithdrawn,
    PhaseBegun,
    ResultTakenBack,
    ResultTold,
    RoundDrawn,
    RoundTakenBack,
    Settlement,
    TableCalled,
    TablesAssigned,
    TournamentAct,
    TournamentCancelled,
    TournamentClosed,
    TournamentPlan,
    TournamentReopened,
)

TournamentDraft: TypeAlias = Callable[[UUID, PendingTexts], Sequence[TournamentAct]]
_OF_FORMAT: Final = {
    "knock_out": ("has_consolation", "has_third_place", "repechage"),
    "groups": ("groups", "qualify", "has_consolation", "has_third_place"),
    "round_robin": (),
    "swiss": ("rounds",),
}
"""Members of a plan that only some formats have."""
USUAL: Final = TournamentPlan("swiss")
POINTS: Final[dict[str, int]] = plain_values(USUAL.scoring)
"""Default points of a new tournament."""


def tournament_body_of_form() -> Body:
    """Body of a tournament to be opened, from the form, without what its format does not have."""
    kind = form_value("format")
    plan: Body = {"format": kind, "absence": form_value("absence") or "walkover"}
    for name in ("minutes", "tables"):
        plan[name] = number_or_text_in_form(name)
    chosen = [form_value(f"criterion_{n}") for n in range(1, len(USUAL.criteria))]
    if any(chosen):
        plan["criteria"] = ["points", *filter(None, chosen)]
    given = [name for name in POINTS if f"points_{name}" in request.form]
    plan["scoring"] = {name: number_or_text_in_form(f"points_{name}") for name in given}
    for name in _OF_FORMAT.get(kind, ()):
        plan[name] = _plan_value_in_form(name)
    words = {name: form_value(name) for name in ("place", "date", "contact") if form_value(name)}
    return {
        "name": form_value("name"),
        "profile": {"id": form_value("profile")},
        **words,
        "plan": plan,
    }


def _plan_value_in_form(name: str) -> bool | int | str:
    """A value of a tournament's plan that only some formats have, from the form."""
    if name == "repechage":
        return form_value(name) or "none"
    return name in request.form if name.startswith("has_") else number_or_text_in_form(name)


# --- acts ----------------------------------------------------------------------------------------


def _commitment_acts_in_form(tournament_id: UUID, put: PendingTexts) -> Sequence[TournamentAct]:
    body: Body = {"heads": number_or_text_in_form("heads")}
    if form_value("word_from"):
        body["word_from"] = form_value("word_from")
    lines = [re.findall("[0-9]+", line) for line in form_value("apart").splitlines()]
    if several := [pairs for pairs in lines if len(pairs) > 1]:
        body["apart"] = several
    return [commitment_act(tournament_id, forms.load_by_schema(schemas.DrawToCommit, body), put)]


def _reveal_acts_in_form(tournament_id: UUID, _: PendingTexts) -> Sequence[TournamentAct]:
    return [reveal_act(tournament_id, _word_in_form())]


def _fee_and_prizes_acts_in_form(_: UUID, put: PendingTexts) -> Sequence[TournamentAct]:
    fee = read_amount_or_none(form_value("fee") or "0")
    if fee is None:
        raise ma.ValidationError({"fee": [FieldFault("not_an_amount")]})
    body = {"fee": fee, "prizes": prize_dicts_in_text(form_value("prizes"))}
    return [fee_and_prizes_act_of_body(forms.load_by_schema(schemas.PriceIn, body), put)]


def _take_draw_back_acts_in_form(_: UUID, put: PendingTexts) -> Sequence[TournamentAct]:
    body = forms.load_by_schema(schemas.DrawTakenBackIn, {"reason": form_value("reason")})
    return [DrawTakenBack(put.add_text(body["reason"]))]


def _repechage_commitment_acts_in_form(
    tournament_id: UUID, put: PendingTexts
) -> Sequence[TournamentAct]:
    body = {"word_from": form_value("word_from")} if form_value("word_from") else {}
    found = forms.load_by_schema(schemas.RepechageToCommit, body)
    return [repechage_commitment_act(tournament_id, found.get("word_from", ""), put)]


def _repechage_draw_acts_in_form(tournament_id: UUID, _: PendingTexts) -> Sequence[TournamentAct]:
    return [repechage_reveal_act(tournament_id, _word_in_form())]


def _word_in_form() -> str:
    body = {"word": form_value("word")} if form_value("word") else {}
    return str(forms.load_by_schema(schemas.WordIn, body).get("word", ""))


def _clock_start_acts_in_form(_: UUID, __: PendingTexts) -> Sequence[TournamentAct]:
    typed = {"minutes": number_or_text_in_form("minutes")}
    minutes = forms.load_by_schema(schemas.ClockIn, typed)["minutes"]
    return [ClockStarted(forms.version_of_form("round"), minutes, timestamp_now())]


def _clock_stop_acts_in_form(_: UUID, __: PendingTexts) -> Sequence[TournamentAct]:
    return [ClockStopped(forms.version_of_form("round"), timestamp_now())]


def _table_call_acts_in_form(tournament_id: UUID, _: PendingTexts) -> Sequence[TournamentAct]:
    """Acts that call one cruce, or all that have a table and were not called."""
    if form_value("meeting"):
        return [TableCalled(form_value("meeting"))]
    waiting = current_services().referee.tournaments.tournament(tournament_id).meetings.values()
    found = [one.id for one in waiting if one.is_open and one.table and not one.is_called]
    if not found:
        raise Refused(TournamentRule.TABLE_MISSING)
    return [TableCalled(one) for one in found]


def _table_assignment_acts_in_form(_: UUID, __: PendingTexts) -> Sequence[TournamentAct]:
    """Act that assigns the lowest free tables, or one table to one cruce."""
    meeting = form_value("meeting")
    body = {"tables": {meeting: number_or_text_in_form("table")}} if meeting else {}
    tables = forms.load_by_schema(schemas.TablesIn, body)["tables"]
    return [TablesAssigned(tuple(tables.items()))]


def _table_names_acts_in_form(_: UUID, put: PendingTexts) -> Sequence[TournamentAct]:
    names = request.form.get("names", "").rstrip().splitlines()
    return [
        draft_table_names_act(
            forms.load_by_schema(schemas.TableNamesIn, {"names": names})["names"], put
        )
    ]


def _round_hours_acts_in_form(tournament_id: UUID, _: PendingTexts) -> Sequence[TournamentAct]:
    """Act that gives a round the hours of its shifts."""
    hours = form_value("hours").replace(",", " ").split()
    body = forms.load_by_schema(schemas.HoursIn, {"hours": hours})
    return [act_to_spread_over_hours(tournament_id, forms.version_of_form("round"), body["hours"])]


def _meeting_hour_acts_in_form(_: UUID, __: PendingTexts) -> Sequence[TournamentAct]:
    body = forms.load_by_schema(schemas.HourIn, {"hour": form_value("hour")})
    return [HoursGiven(((form_value("meeting"), body["hour"]),))]


def _result_acts_in_form(_: UUID, __: PendingTexts) -> Sequence[TournamentAct]:
    """Act that reports a result: cotos as ``2-1``, or in separate fields."""
    cotos, partidas = (_numbers_of_both_pairs(name) for name in ("cotos", "partidas"))
    is_walkover = form_value("walkover") == "yes"
    body = {"winner": form_value("winner"), "cotos": cotos, "partidas": partidas}
    result = forms.load_by_schema(schemas.PaperResult, {**body, "is_walkover": is_walkover})
    scores = tuple(result["cotos"]), tuple(result["partidas"])
    return [ResultTold(form_value("meeting"), result["winner"], *scores, result["is_walkover"])]


def _numbers_of_both_pairs(name: str) -> list[int | str]:
    """A number for each pair: in one field with a dash, or in two fields."""
    one, dash, other = form_value(name).partition("-")
    if dash and one.isdecimal() and other.isdecimal():
        return [int(one), int(other)]
    return [number_or_text_in_form(f"{name}_{at}") for at in (1, 2)]


def _correction_settlement_acts_in_form(_: UUID, __: PendingTexts) -> Sequence[TournamentAct]:
    if form_value("what") not in get_args(Settlement):
        raise Problem("bad_request")
    what, seen = cast("Settlement", form_value("what")), request.form.get("winner")
    return [CorrectionSettled(form_value("meeting"), what, winner=seen, method="ahead")]


def _pair_withdrawal_acts_in_form(_: UUID, __: PendingTexts) -> Sequence[TournamentAct]:
    return [PairWithdrawn(form_value("pair"))]


def _absence_acts_in_form(_: UUID, __: PendingTexts) -> Sequence[TournamentAct]:
    body = forms.load_by_schema(schemas.AbsenceIn, {"round": number_or_text_in_form("round")})
    return [AbsenceNoted(form_value("pair"), body["round"])]


def _presence_acts_in_form(_: UUID, __: PendingTexts) -> Sequence[TournamentAct]:
    body = forms.load_by_schema(schemas.AbsenceIn, {"round": number_or_text_in_form("round")})
    return [AbsenceWithdrawn(form_value("pair"), body["round"])]


def _entries_opening_acts_in_form(_: UUID, __: PendingTexts) -> Sequence[TournamentAct]:
    body: Body = {"most": number_or_text_in_form("most")}
    for name in ("date", "time"):
        if form_value(name):
            body[name] = form_value(name)
    found = forms.load_by_schema(EntriesIn, body)
    until = f"{found['date']}T{found.get('time', LAST_MINUTE)}" if "date" in found else ""
    return [EntriesOpened(until, found["most"])]


def _pair_return_acts_in_form(_: UUID, __: PendingTexts) -> Sequence[TournamentAct]:
    return [PairReturned(form_value("pair"))]


DOES: Final[dict[str, TournamentDraft]] = {
    "commit": _commitment_acts_in_form,
    "reveal": _reveal_acts_in_form,
    "price": _fee_and_prizes_acts_in_form,
    "paid": lambda _, __: [EntryFeeNoted(form_value("pair"))],
    "not_paid": lambda _, __: [EntryFeeNoted(form_value("pair"), is_paid=False)],
    "draw_back": _take_draw_back_acts_in_form,
    "commit_repechage": _repechage_commitment_acts_in_form,
    "draw_repechage": _repechage_draw_acts_in_form,
    "round": lambda _, __: [RoundDrawn(0, method="ahead")],
    "knock_out": lambda _, __: [PhaseBegun()],
    "tables": _table_assignment_acts_in_form,
    "call": _table_call_acts_in_form,
    "table_names": _table_names_acts_in_form,
    "hours": _round_hours_acts_in_form,
    "hour": _meeting_hour_acts_in_form,
    "start_clock": _clock_start_acts_in_form,
    "stop_clock": _clock_stop_acts_in_form,
    "result": _result_acts_in_form,
    "take_back": lambda _, __: [ResultTakenBack(form_value("meeting"))],
    "round_back": lambda _, __: [RoundTakenBack(forms.version_of_form("round"))],
    "settle": _correction_settlement_acts_in_form,
    "withdraw": _pair_withdrawal_acts_in_form,
    "absent": _absence_acts_in_form,
    "present": _presence_acts_in_form,
    "return": _pair_return_acts_in_form,
    "open_entries": _entries_opening_acts_in_form,
    "close_entries": lambda _, __: [EntriesClosed()],
    "close": lambda _, __: [TournamentClosed()],
    "cancel": lambda _, __: [TournamentCancelled()],
    "reopen": lambda _, __: [TournamentReopened()],
}
"""The act of each form of the desk."""


def tournament_formats() -> tuple[str, ...]:
    """Every format, in the order of the form."""
    return get_args(Format)
