"""Forms of pages: typed values, idempotency keys, faults, and outcomes."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

import marshmallow as ma
from flask import g, request

from api.http import services
from api.http.bodies import Body
from api.http.faults import in_words
from api.http.languages import language, say
from api.http.problems import Problem, words_of
from referee.errors import Refused, Stale
from referee.log.streams import WriteMetadata

DoneT = TypeVar("DoneT")
FieldErrors: TypeAlias = list[tuple[str, str]]
"""Faults of a form: pairs of a field (or none) and a text."""

NUMBER = re.compile(r"[+-]?[0-9]{1,6}")
_KEY = re.compile(r"[0-9a-z]{16,64}")
_KEY_BYTES = 16


def new_key() -> str:
    """An idempotency key for a form."""
    return secrets.token_hex(_KEY_BYTES)


def attempt(write: Callable[[], DoneT]) -> tuple[DoneT | None, FieldErrors, int]:
    """Result of a form; else its faults and the HTTP status."""
    try:
        return write(), [], 200
    except ma.ValidationError as error:
        return None, faults_in(error.messages), 422
    except Refused as refused:
        return None, [("", words_of(refused, language()))], 409
    except Stale:
        return None, [("", say("problem.stale.detail", language()))], 412


def form_value(name: str) -> str:
    """Typed value of a field."""
    return request.form.get(name, "").strip()


def load_form(shape: type[ma.Schema], body: Body) -> Body:
    """A body as its schema reads it.

    :raises ma.ValidationError: a field is wrong
    """
    found: Body = shape().load(body)
    return found


def form_values() -> dict[str, str]:
    """Typed values, to be shown again after a refusal."""
    return {name: form_value(name) for name in request.form}


def faults_in(messages: Any) -> FieldErrors:
    """Faults as pairs of a field and a text."""
    return list(_flat(in_words(messages, language())))


def key_of_form() -> str:
    """The idempotency key of a form.

    :raises Problem: it has no valid one
    """
    key = request.form.get("key", "")
    if not _KEY.fullmatch(key):
        raise Problem("bad_request")
    return key


def meta_of_form(part: str = "") -> WriteMetadata:
    """Author, time and idempotency key of a form. ``part`` separates several writes of one form.

    :raises Problem: it has no valid key
    """
    key = key_of_form()
    sent = [request.path, request.form.to_dict(flat=False)]
    return services.meta_of_form(g.actor.by, g.actor.via, f"form {key}{part and f' {part}'}", sent)


def version_of(name: str) -> int:
    """The version in a hidden field of a form.

    :raises Problem: it is none
    """
    sent = request.form.get(name, "")
    if not sent.isdecimal() or not NUMBER.fullmatch(sent):
        raise Problem("bad_request")
    return int(sent)


def _flat(messages: Any, field: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(messages, Mapping):
        for name, more in messages.items():
            yield from _flat(more, name if isinstance(name, str) and name[0] != "_" else field)
    elif isinstance(messages, list):
        for one in messages:
            yield field, str(one)
