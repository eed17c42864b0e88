"""Forms of a case, converted to the bodies of the API and checked by the same schemas."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from flask import g, request

from api.html.forms import NUMBER, form_value
from api.http.bodies import Body
from api.http.services import current_services
from referee.events import FrozenProfile, PersonId, SeatName
from referee.rules.seats import side_of

Seated = Mapping[SeatName, PersonId]
"""Who sits at a table, by seat."""

ARBITER: Final = "arbiter"
"""The choice of a form for somebody who is at no seat."""

_RULING = ("effect", "side", "seat")
_ABOUT: Final[Mapping[str, str]] = {
    "partida": "side",
    "warning": "side",
    "points": "side",
    "dealer": "seat",
    "annul_act": "line",
    "renuncio": "line",
}
"""What each effect is about, which its value in a form names behind a colon."""


def account_name() -> str:
    """Name of the account that is signed in; empty for a device, and for the owner's token."""
    return current_services().keys.names().get(g.actor.by, "")


# --- bodies --------------------------------------------------------------------------------------


def opening(seated: Seated) -> Body:
    """A case to be opened, by whoever is at the seat that was chosen."""
    return {
        **_reason(),
        **_at_a_seat(seated),
        "partida": _number("partida"),
        "lines": _lines(),
        "suspends": "suspends" in request.form,
    }


def signature() -> Body:
    """The acta signed, with the reason where one is needed."""
    return {**_reason(), "by": _who()}


def reopening() -> Body:
    """A signed acta reopened, by two persons."""
    return {**signature(), "second": {"name": form_value("second")}}


def evidence() -> Body:
    """Evidence: lines, the word of a witness."""
    return {**_words("side"), **_reason("note"), "by": _who(), "lines": _lines()}


def ruling(profile: FrozenProfile) -> Body:
    """A ruling, as it is previewed."""
    return {
        "by": _who(),
        "verdict": _ruling_body(profile),
        "appeal_minutes": _number("appeal_minutes"),
    }


def appeal(seated: Seated) -> Body:
    """An appeal of a side, by whoever is at the seat that was chosen."""
    return {**_reason(), **_at_a_seat(seated)}


def decision(profile: FrozenProfile) -> Body:
    """The decision of an appeal, as it is previewed."""
    changes = request.form.get("upheld") != "yes"
    more = {"verdict": _ruling_body(profile)} if changes else {}
    return {**_reason(), "by": _who(), **more}


def cost() -> Body:
    """The card whose figures are put on the acta."""
    return {"by": _who(), "line": _number("line")}


def closing() -> Body:
    """The end of a case."""
    return {**_reason(), "by": _who(), "waived": request.form.getlist("waived")}


def _ruling_body(profile: FrozenProfile) -> Body:
    """A ruling: a button for a likely one, else a choice among all, else field by field."""
    return {
        **_words(*_RULING),
        **_reason(),
        "points": _number("points") or 0,
        "line": _number("line") or 0,
        **_chosen(),
        "ground": _ground(profile),
    }


def _chosen() -> Body:
    """The effect of a choice and what it is about, as in ``partida:A`` or ``annul_act:9``."""
    effect, _, about = (form_value("likely") or form_value("ruling")).partition(":")
    if not effect:
        return {}
    field = _ABOUT.get(effect, "")
    asked: Body = {"effect": effect, "side": "", "seat": "", "line": 0}
    if field:
        asked[field] = int(about) if field == "line" and NUMBER.fullmatch(about) else about
    return asked if effect == "points" else {**asked, "points": 0}


def _ground(profile: FrozenProfile) -> Body:
    """Ground of a ruling. The page marks the options on which the rulebook is silent."""
    kind, _, option = form_value("ground").partition(":")
    if kind != "article":
        return {"kind": kind}
    option = option or form_value("option")
    is_silent = option in profile.options and profile.basis.get(option, "silent") == "silent"
    return {"kind": kind, "option": option, "basis": "silent" if is_silent else ""}


def _who() -> dict[str, str]:
    """Who acts: the name that was typed, else that of the account."""
    return {"name": form_value("by") or account_name()}


def _at_a_seat(seated: Seated) -> Body:
    """Who acts and for which side: who is at the seat that was chosen, else as it was typed."""
    seat = form_value("who")
    if seat in seated:
        return {"by": {"person": seated[seat]}, "side": side_of(seat)}
    side = "" if seat == ARBITER else form_value("side")
    return {"by": _who(), "side": side}


def _words(*names: str) -> dict[str, str]:
    return {name: form_value(name) for name in names}


def _reason(field: str = "because") -> dict[str, str]:
    text = form_value(field)
    return {field: text} if text else {}


def _number(name: str) -> int | str | None:
    """A number; other text is returned as typed, so that the schema reports the fault."""
    text = form_value(name)
    if not text:
        return None
    return int(text) if NUMBER.fullmatch(text) else text


def _lines() -> list[int | str]:
    parts = re.split(r"[\s,;]+", " ".join(request.form.getlist("lines")))
    return [int(one) if NUMBER.fullmatch(one) else one for one in parts if one]
