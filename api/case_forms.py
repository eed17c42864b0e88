"""Forms of a case as the bodies that the API takes, checked by the same shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import marshmallow as ma
from flask import g, request

from api import house
from api.faults import in_words
from api.i18n import language
from api.problems import Problem
from referee.application import Meta
from referee.events import FrozenProfile

_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")
_KEY = re.compile(r"[0-9a-z]{16,64}")
_VERDICT = ("effect", "side", "seat")


def loaded(shape: type[ma.Schema], body: dict[str, Any]) -> dict[str, Any]:
    """A body as its shape reads it.

    :raises ma.ValidationError: a field is wrong
    """
    found: dict[str, Any] = shape().load(body)
    return found


def given() -> dict[str, str]:
    """What was typed, to be shown again if it is refused."""
    return {name: _typed(name) for name in request.form}


def faults_in(messages: Any) -> list[tuple[str, str]]:
    """What is wrong, as pairs of a field and its words."""
    return list(_flat(in_words(messages, language())))


def meta_of_form() -> Meta:
    """Who sends a form, when, and under the key that the page gave it: sent twice, it is done once.

    :raises Problem: it has no key of ours
    """
    key = request.form.get("key", "")
    if not _KEY.fullmatch(key):
        raise Problem("bad_request")
    sent = [request.path, request.form.to_dict(flat=False)]
    return house.meta_of_form(g.actor.by, g.actor.via, f"form {key}", sent)


def version_of(name: str) -> int:
    """A version that the page put into its form.

    :raises Problem: it is none
    """
    sent = request.form.get(name, "")
    if not sent.isdecimal() or not _NUMBER.fullmatch(sent):
        raise Problem("bad_request")
    return int(sent)


# --- bodies --------------------------------------------------------------------------------------


def opening() -> dict[str, Any]:
    """A case to be opened."""
    return {
        **_words("side"),
        **_reason(),
        "by": _who(),
        "partida": _number("partida"),
        "lines": _lines(),
        "suspends": "suspends" in request.form,
    }


def evidence() -> dict[str, Any]:
    """Evidence: lines, the word of a witness."""
    return {**_words("side"), **_reason("note"), "by": _who(), "lines": _lines()}


def ruling(profile: FrozenProfile) -> dict[str, Any]:
    """A ruling, as it is previewed."""
    return {
        "by": _who(),
        "verdict": _verdict(profile),
        "appeal_minutes": _number("appeal_minutes"),
    }


def appeal() -> dict[str, Any]:
    """An appeal of a side."""
    return {**_words("side"), **_reason(), "by": _who()}


def decision(profile: FrozenProfile) -> dict[str, Any]:
    """The decision of an appeal, as it is previewed."""
    changes = request.form.get("upheld") != "yes"
    more = {"verdict": _verdict(profile)} if changes else {}
    return {**_reason(), "by": _who(), **more}


def closing() -> dict[str, Any]:
    """The end of a case."""
    return {**_reason(), "by": _who(), "waived": request.form.getlist("waived")}


def _verdict(profile: FrozenProfile) -> dict[str, Any]:
    return {
        **_words(*_VERDICT),
        **_reason(),
        "points": _number("points") or 0,
        "line": _number("line") or 0,
        "ground": _ground(profile),
    }


def _ground(profile: FrozenProfile) -> dict[str, Any]:
    """What a ruling rests on. The page says beside an option that the rulebook is silent on it."""
    kind = _typed("ground")
    if kind != "article":
        return {"kind": kind}
    option = _typed("option")
    is_silent = option in profile.options and profile.basis.get(option, "silent") == "silent"
    return {"kind": kind, "option": option, "basis": "silent" if is_silent else ""}


def _typed(name: str) -> str:
    return request.form.get(name, "").replace("\r\n", "\n").strip()


def _who() -> dict[str, str]:
    return {"name": _typed("by")}


def _words(*names: str) -> dict[str, str]:
    return {name: _typed(name) for name in names}


def _reason(field: str = "because") -> dict[str, str]:
    text = _typed(field)
    return {field: text} if text else {}


def _number(name: str) -> int | str | None:
    """A number; what is none stays as it was typed, so that the shape says what is wrong."""
    text = _typed(name)
    if not text:
        return None
    return int(text) if _NUMBER.fullmatch(text) else text


def _lines() -> list[int | str]:
    parts = re.split(r"[\s,;]+", _typed("lines"))
    return [int(one) if _NUMBER.fullmatch(one) else one for one in parts if one]


def _flat(messages: Any, field: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(messages, Mapping):
        for name, more in messages.items():
            yield from _flat(more, name if isinstance(name, str) and name[0] != "_" else field)
    elif isinstance(messages, list):
        for one in messages:
            yield field, str(one)
