"""Forms of a case, converted to the bodies of the API and checked by the same schemas."""

from __future__ import annotations

import re

from flask import request

from api.html.forms import NUMBER, form_value
from api.http.bodies import Body
from referee.events import FrozenProfile

_VERDICT = ("effect", "side", "seat")


# --- bodies --------------------------------------------------------------------------------------


def opening() -> Body:
    """A case to be opened."""
    return {
        **_words("side"),
        **_reason(),
        "by": _who(),
        "partida": _number("partida"),
        "lines": _lines(),
        "suspends": "suspends" in request.form,
    }


def evidence() -> Body:
    """Evidence: lines, the word of a witness."""
    return {**_words("side"), **_reason("note"), "by": _who(), "lines": _lines()}


def ruling(profile: FrozenProfile) -> Body:
    """A ruling, as it is previewed."""
    return {
        "by": _who(),
        "verdict": _verdict(profile),
        "appeal_minutes": _number("appeal_minutes"),
    }


def appeal() -> Body:
    """An appeal of a side."""
    return {**_words("side"), **_reason(), "by": _who()}


def decision(profile: FrozenProfile) -> Body:
    """The decision of an appeal, as it is previewed."""
    changes = request.form.get("upheld") != "yes"
    more = {"verdict": _verdict(profile)} if changes else {}
    return {**_reason(), "by": _who(), **more}


def closing() -> Body:
    """The end of a case."""
    return {**_reason(), "by": _who(), "waived": request.form.getlist("waived")}


def _verdict(profile: FrozenProfile) -> Body:
    return {
        **_words(*_VERDICT),
        **_reason(),
        "points": _number("points") or 0,
        "line": _number("line") or 0,
        "ground": _ground(profile),
    }


def _ground(profile: FrozenProfile) -> Body:
    """Ground of a ruling. The page marks the options on which the rulebook is silent."""
    kind = form_value("ground")
    if kind != "article":
        return {"kind": kind}
    option = form_value("option")
    is_silent = option in profile.options and profile.basis.get(option, "silent") == "silent"
    return {"kind": kind, "option": option, "basis": "silent" if is_silent else ""}


def _who() -> dict[str, str]:
    return {"name": form_value("by")}


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
    parts = re.split(r"[\s,;]+", form_value("lines"))
    return [int(one) if NUMBER.fullmatch(one) else one for one in parts if one]
