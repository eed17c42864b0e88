"""The settings of the club: their page, and the choices that the first admin makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, assert_never, get_args

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import page
from api.http import moments
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.access.security import note_security
from api.http.problems import Problem
from api.http.services import current_services
from referee import events as ev
from referee.aggregates.settings import ClubSettings
from referee.log.streams import Answer, WriteMetadata
from referee.release import RELEASE

blp = Blueprint("settings", __name__)
_ACTS: Final[Mapping[str, Callable[[Any], ev.SettingsAct]]] = {
    "four_eyes": ev.FourEyesChosen,
    "time_zone": ev.TimeZoneChosen,
    "league_audience": ev.LeagueAudienceChosen,
    "record_audience": ev.RecordAudienceChosen,
    "puzzle_audience": ev.PuzzleAudienceChosen,
    "deal_luck": ev.DealLuckChosen,
    "study_consent": ev.StudyConsentChosen,
}
"""The act that each setting is chosen by."""
_VALUES: Final = {
    "four_eyes": get_args(ev.FourEyes),
    "league_audience": get_args(ev.LeagueAudience),
    "record_audience": get_args(ev.RecordAudience),
    "puzzle_audience": get_args(ev.PuzzleAudience),
    "deal_luck": get_args(ev.DealLuck),
    "study_consent": get_args(ev.StudyConsent),
}
"""Values of the settings that have few."""


class SettingsData(msgspec.Struct, frozen=True):
    """The settings in force. ``chosen``: whether the club chose; else it is as for all before."""

    version: int
    four_eyes: ev.FourEyes
    chosen: bool
    time_zone: str
    league_audience: ev.LeagueAudience
    puzzle_audience: ev.PuzzleAudience
    deal_luck: ev.DealLuck
    record_audience: ev.RecordAudience
    study_consent: ev.StudyConsent


@blp.get("/casa/ajustes")
@guard.requires("access:manage")
def show_settings() -> Response:
    """The settings of the club, and the form that changes them."""
    return _settings_page()


@blp.post("/casa/ajustes")
@guard.requires("access:manage")
def change_settings() -> AnyResponse:
    """Record a choice of the club about its settings."""

    def write() -> Answer:
        return record_settings_acts(
            _settings_acts_in_form(), forms.meta_of_form(), forms.version_of_form("version")
        )

    answer, wrong, status = attempt_write(write)
    return (
        _settings_page(wrong, status)
        if answer is None
        else redirect(f"{prefix()}/casa/ajustes", 303)
    )


def settings_data(held: ClubSettings) -> SettingsData:
    """The settings in force, as data for JSON."""
    return SettingsData(
        version=held.version,
        four_eyes=held.four_eyes_choice_in_force,
        chosen=held.four_eyes is not None,
        time_zone=held.time_zone_in_force,
        league_audience=held.league_audience_in_force,
        puzzle_audience=held.puzzle_audience_in_force,
        deal_luck=held.deal_luck_in_force,
        record_audience=held.record_audience_in_force,
        study_consent=held.study_consent_in_force,
    )


def record_settings_acts(
    acts: Sequence[ev.SettingsAct], meta: WriteMetadata, expected: int | None = None
) -> Answer:
    """Record what the club chose, on the log and in the security log."""
    answer = current_services().referee.settings.record_settings_acts(acts, meta, expected)
    if not answer.replayed:
        for act in acts:
            note_security("settings_changed", by=meta.by, detail=security_detail_of_choice(act))
    return answer


def settings_acts(chosen: Mapping[str, str | None]) -> list[ev.SettingsAct]:
    """The acts of valid choices by setting; none for what is missing or empty."""
    return [_ACTS[one](value) for one, value in chosen.items() if one in _ACTS and value]


def security_detail_of_choice(act: ev.SettingsAct) -> str:
    """A choice as the security log has it: the setting and its value."""
    match act:
        case ev.FourEyesChosen(choice) | ev.DealLuckChosen(choice) | ev.StudyConsentChosen(choice):
            return f"{act.__struct_config__.tag} {choice}"
        case ev.TimeZoneChosen(zone):
            return f"time_zone {zone}"
        case (
            ev.LeagueAudienceChosen(audience)
            | ev.PuzzleAudienceChosen(audience)
            | ev.RecordAudienceChosen(audience)
        ):
            return f"{act.__struct_config__.tag} {audience}"
        case ev.ClubNamed():
            return "club_name"
        case ev.ClubColourChosen(colour):
            return f"club_colour {colour}".rstrip()
        case ev.ClubLogoChosen():
            return "club_logo"
        case _:
            assert_never(act)


def _settings_acts_in_form() -> list[ev.SettingsAct]:
    """Acts for the settings in the form: those that change something, or all if none does.

    :raises Problem: a value is none of a setting, or the form has no setting
    """
    zone = request.form.get("time_zone")
    if zone and not moments.is_time_zone(zone):
        raise Problem("bad_request")
    chosen = {one: _value_if_allowed(values, one) for one, values in _VALUES.items()}
    asked = settings_acts({**chosen, "time_zone": zone})
    if not asked:
        raise Problem("bad_request")
    held = current_services().referee.settings.settings()
    return [one for one in asked if not held.is_already_chosen(one)] or asked


def _value_if_allowed(values: Sequence[str], field: str) -> str:
    """The value of a field of a form; empty if it is not there.

    :raises Problem: it is none of those
    """
    found = request.form.get(field, "")
    if found and found not in values:
        raise Problem("bad_request")
    return found


def may_choose_first_settings() -> bool:
    """Whether the club has no admin yet and chose nothing: the first admin is asked to."""
    referee = current_services().referee
    return referee.settings.settings().four_eyes is None and not referee.roles.access().has_admin


def record_settings_if_admin(holder: ev.HolderId) -> bool:
    """Record what the first admin chose in the form that opened their account.

    Returns whether they are an admin, who may choose.
    """
    held = current_services().referee.roles.access().active_holder(holder)
    if held is None or held.role != "admin":
        return False
    with suppress(Problem):  # the account is open, and the settings page asks again
        at = current_services().clock()
        record_settings_acts(
            _settings_acts_in_form(), WriteMetadata(by=holder, device=holder, at=at)
        )
    return True


def _settings_page(wrong: FieldErrors | None = None, status: int = 200) -> Response:
    return page(
        "accounts/settings.html",
        settings=current_services().referee.settings.settings(),
        release=RELEASE,
        wrong=wrong or [],
        key=new_form_key(),
        status=status,
    )
