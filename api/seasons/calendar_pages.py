"""Pages of the calendar of a season: its days for a phone, and the form that sets them."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, redirect, request
from icalendar import Event
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.addresses import url_for_others
from api.html.calendar_files import empty_calendar
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import page
from api.http import moments
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.services import await_position_in_request, current_services, pending_texts
from api.seasons import day_proposals, next_evening, schemas, seasons, views
from api.seasons.day_proposals import Plan, ProposedDay
from api.seasons.views import PlannedDayData, WholeSeasonData
from referee.log.streams import Answer

blp = Blueprint("calendar_pages", __name__)
_ONE: Final = "/temporadas/<uuid:season_id>/calendario"
PRODUCT: Final = "-//guinote-referee//temporadas//ES"
_LASTS: Final = timedelta(hours=3)


@blp.get(f"{_ONE}.ics")
@guard.open_to_all
def download_icalendar(season_id: UUID) -> Response:
    """The days of a season for a calendar"""
    address = url_for_others("pages.seasons_pages.show_season_page", season_id=season_id)
    view = views.complete_season_view(season_id)
    content = print_icalendar(view, current_services().clock(), address, moments.club_zone())
    return Response(content, content_type="text/calendar; charset=utf-8")


@blp.get(_ONE)
@guard.requires("club:manage")
def show_calendar_form(season_id: UUID) -> AnyResponse:
    """The days of a calendar to be ticked: as it is, or every week as asked"""
    await_position_in_request()
    view = views.complete_season_view(season_id)
    if view.closed:
        return redirect(f"{prefix()}/temporadas/{season_id}", 303)
    plan = day_proposals.read_plan_or_preset(request.args, preset_of_calendar(view))
    is_new = "weekday" in request.args or not view.calendar
    days = day_proposals.propose_days(view.calendar, plan, next_evening.today(), is_new=is_new)
    return _calendar_form_page(view, plan, days)


@blp.post(_ONE)
@guard.requires("club:manage")
def save_calendar(season_id: UUID) -> AnyResponse:
    """The calendar of a season is that of the ticked days"""
    view = views.complete_season_view(season_id)
    answer, wrong, status = attempt_write(lambda: _record_calendar(season_id, view))
    if answer is None:
        plan = day_proposals.read_plan_or_preset(request.form, preset_of_calendar(view))
        return _calendar_form_page(view, plan, _days_with_ticks_of_form(view, plan), wrong, status)
    return redirect(f"{prefix()}/temporadas/{season_id}?wait={answer.position}", 303)


def preset_of_calendar(view: WholeSeasonData) -> Plan:
    """The plan that the form of a season's calendar begins with."""
    others, latest = views.every_season(), views.latest_sessions()
    return day_proposals.preset_plan(view, others, latest, next_evening.today())


def _record_calendar(season_id: UUID, view: WholeSeasonData) -> Answer:
    asked = day_proposals.calendar_body(
        view.calendar, _days_in_form(), forms.form_value("time"), forms.form_value("place")
    )
    found = forms.load_by_schema(schemas.CalendarIn, asked)
    made, version = forms.meta_of_form(), forms.version_of_form("version")
    write = current_services().referee.seasons.record_season_act
    with pending_texts() as put:
        act = seasons.calendar_act_of_body(found, put)
        return put.erase_if_replayed(write(season_id, act, made, version))


def _days_in_form() -> list[str]:
    """Days that are ticked, and the one that is added."""
    ticked, more = request.form.getlist("day"), forms.form_value("more")
    return list(dict.fromkeys([*ticked, *([more] if more else [])]))


def _days_with_ticks_of_form(view: WholeSeasonData, plan: Plan) -> list[ProposedDay]:
    ticked = request.form.getlist("day")
    found = day_proposals.propose_days(view.calendar, plan, next_evening.today(), is_new=True)
    return [one._replace(is_ticked=one.date in ticked) for one in found]


def _calendar_form_page(
    view: WholeSeasonData,
    plan: Plan,
    days: list[ProposedDay],
    wrong: FieldErrors | None = None,
    status: int = 200,
) -> Response:
    more = request.form.get("more", "")
    return page(
        "seasons/calendar.html",
        view=view,
        plan=plan,
        months=day_proposals.group_by_month(days),
        more=more,
        weekdays=day_proposals.WEEKDAYS,
        wrong=wrong or [],
        key=new_form_key(),
        status=status,
    )


def print_icalendar(view: WholeSeasonData, now: datetime, address: str, zone: ZoneInfo) -> bytes:
    """A season's calendar as iCalendar: each day at its time in the club, or the whole day."""
    found = empty_calendar(PRODUCT, view.name or "")
    for one in view.calendar:
        found.add_component(_calendar_entry(view, one, now, address, zone))
    found.add_missing_timezones()
    return bytes(found.to_ical())


def _calendar_entry(
    view: WholeSeasonData, one: PlannedDayData, now: datetime, address: str, zone: ZoneInfo
) -> Event:
    day, event = date.fromisoformat(one.date), Event()
    event.add("uid", f"{view.id}-{one.date}@guinote")
    event.add("dtstamp", now)
    begin = datetime.combine(day, time.fromisoformat(one.time), zone) if one.time else day
    event.add("dtstart", begin)
    event.add("dtend", begin + (_LASTS if one.time else timedelta(days=1)))
    event.add("summary", view.name or "")
    if one.place:
        event.add("location", one.place)
    event.add("url", address)
    return event
