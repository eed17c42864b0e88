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


def actor_account_name() -> str:
    """Name of the account that is signed in; empty for a device, and for the owner's token."""
    return current_services().keys.account_names().get(g.actor.by, "")


# --- bodies --------------------------------------------------------------------------------------


def opening_body(seated: Seated) -> Body:
    """Body that opens a case, from the form; who sits at the chosen seat complains."""
    return {
        **_text_body_or_empty(),
        **_actor_and_side_fields(seated),
        "partida": _number_or_text_or_none("partida"),
        "lines": _line_numbers_or_texts(),
        "suspends": "suspends" in request.form,
    }


def signature_body() -> Body:
    """Body that signs the acta, read from the form: who signs, and the reason if one was typed."""
    return {**_text_body_or_empty(), "by": _actor_field()}


def reopening_body() -> Body:
    """Body that reopens a signed acta, read from the form: two persons, and the reason."""
    return {**signature_body(), "second": {"name": form_value("second")}}


def evidence_body() -> Body:
    """Body that attaches evidence, read from the form: lines, and the word of a witness."""
    return {
        **_values_by_field("side"),
        **_text_body_or_empty("note"),
        "by": _actor_field(),
        "lines": _line_numbers_or_texts(),
    }


def ruling_body(profile: FrozenProfile) -> Body:
    """Body of a ruling, read from the form."""
    return {
        "by": _actor_field(),
        "verdict": _verdict_body(profile),
        "appeal_minutes": _number_or_text_or_none("appeal_minutes"),
    }


def appeal_body(seated: Seated) -> Body:
    """Body of an appeal, read from the form.

    The reason, the side, and whoever is at the chosen seat.
    """
    return {**_text_body_or_empty(), **_actor_and_side_fields(seated)}


def decision_body(profile: FrozenProfile) -> Body:
    """Body of the decision of an appeal, read from the form: upheld, or with another ruling."""
    changes = request.form.get("upheld") != "yes"
    more = {"verdict": _verdict_body(profile)} if changes else {}
    return {**_text_body_or_empty(), "by": _actor_field(), **more}


def cost_body() -> Body:
    """Body that puts the figures of a card on the acta, read from the form.

    Who asks, and the line of the card.
    """
    return {"by": _actor_field(), "line": _number_or_text_or_none("line")}


def closing_body() -> Body:
    """Body that closes a case, read from the form.

    Who closes it, why, and which sides renounce an appeal.
    """
    return {**_text_body_or_empty(), "by": _actor_field(), "waived": request.form.getlist("waived")}


def _verdict_body(profile: FrozenProfile) -> Body:
    """What is ruled, read from the form.

    The button of a likely ruling, a choice among all, or single fields.
    """
    return {
        **_values_by_field(*_RULING),
        **_text_body_or_empty(),
        "points": _number_or_text_or_none("points") or 0,
        "line": _number_or_text_or_none("line") or 0,
        **_effect_fields(),
        "ground": _ground_fields(profile),
    }


def _effect_fields() -> Body:
    """The effect of a choice and what it is about, as in ``partida:A`` or ``annul_act:9``."""
    effect, _, about = (form_value("likely") or form_value("ruling")).partition(":")
    if not effect:
        return {}
    field = _ABOUT.get(effect, "")
    asked: Body = {"effect": effect, "side": "", "seat": "", "line": 0}
    if field:
        asked[field] = int(about) if field == "line" and NUMBER.fullmatch(about) else about
    return asked if effect == "points" else {**asked, "points": 0}


def _ground_fields(profile: FrozenProfile) -> Body:
    """Ground of a ruling, from the form; it says if the rulebook is silent on the option."""
    kind, _, option = form_value("ground").partition(":")
    if kind != "article":
        return {"kind": kind}
    option = option or form_value("option")
    is_silent = option in profile.options and profile.basis.get(option, "silent") == "silent"
    return {"kind": kind, "option": option, "basis": "silent" if is_silent else ""}


def _actor_field() -> dict[str, str]:
    """Field of a body, ``name``: what was typed as the name of who acts, else their account's."""
    return {"name": form_value("by") or actor_account_name()}


def _actor_and_side_fields(seated: Seated) -> Body:
    """Fields ``by`` and ``side`` of a body: who is at the chosen seat, else as typed."""
    seat = form_value("who")
    if seat in seated:
        return {"by": {"person": seated[seat]}, "side": side_of(seat)}
    side = "" if seat == ARBITER else form_value("side")
    return {"by": _actor_field(), "side": side}


def _values_by_field(*names: str) -> dict[str, str]:
    return {name: form_value(name) for name in names}


def _text_body_or_empty(field: str = "because") -> dict[str, str]:
    """A free text of the form under its own key; an empty dictionary if nothing was typed."""
    text = form_value(field)
    return {field: text} if text else {}


def _number_or_text_or_none(name: str) -> int | str | None:
    """A number; other text is returned as typed, so that the schema reports the fault."""
    text = form_value(name)
    if not text:
        return None
    return int(text) if NUMBER.fullmatch(text) else text


def _line_numbers_or_texts() -> list[int | str]:
    parts = re.split(r"[\s,;]+", " ".join(request.form.getlist("lines")))
    return [int(one) if NUMBER.fullmatch(one) else one for one in parts if one]
