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
from api.http.fields import faults_in_words
from api.http.languages import language, say
from api.http.problems import Problem, refusal_words
from referee.errors import Refused, Stale
from referee.log.streams import WriteMetadata

DoneT = TypeVar("DoneT")
FieldErrors: TypeAlias = list[tuple[str, str]]
"""Faults of a form: pairs of a field (or none) and a text."""

NUMBER = re.compile(r"[+-]?[0-9]{1,6}")
_KEY = re.compile(r"[0-9a-z]{16,64}")
_KEY_BYTES = 16


def new_form_key() -> str:
    """An idempotency key for a form."""
    return secrets.token_hex(_KEY_BYTES)


def attempt_write(write: Callable[[], DoneT]) -> tuple[DoneT | None, FieldErrors, int]:
    """Run the write that a form asks for: its result, or the faults to show and the HTTP status."""
    try:
        return write(), [], 200
    except ma.ValidationError as error:
        return None, faults_of_validation(error.messages), 422
    except Refused as refused:
        return None, [("", refusal_words(refused, language()))], 409
    except Stale:
        return None, [("", say("problem.stale.detail", language()))], 412


def form_value(name: str) -> str:
    """The text that was typed in a field of the form, without spaces around it."""
    return request.form.get(name, "").strip()


def number_or_text_in_form(name: str) -> int | str:
    """A typed number, 0 if empty; other text is returned, so that the schema reports it."""
    text = form_value(name)
    return int(text) if NUMBER.fullmatch(text) else text or 0


def load_by_schema(shape: type[ma.Schema], body: Body) -> Body:
    """The values of a body, such as that of a form, checked and converted by a schema.

    :raises ma.ValidationError: a field is wrong
    """
    found: Body = shape().load(body)
    return found


def form_values() -> dict[str, str]:
    """All texts that were typed in the form, to be shown again after a refusal."""
    return {name: form_value(name) for name in request.form}


def faults_of_validation(messages: Any) -> FieldErrors:
    """Messages of a failed validation as pairs of a field and a text for the reader."""
    return list(_flatten_faults(faults_in_words(messages, language())))


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
    return services.metadata_of_form_values(
        g.actor.by, g.actor.via, f"form {key}{part and f' {part}'}", sent
    )


def version_of_form(name: str) -> int:
    """The version number in a hidden field of the form.

    :raises Problem: it is none
    """
    sent = request.form.get(name, "")
    if not sent.isdecimal() or not NUMBER.fullmatch(sent):
        raise Problem("bad_request")
    return int(sent)


def _flatten_faults(messages: Any, field: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(messages, Mapping):
        for name, more in messages.items():
            yield from _flatten_faults(
                more, name if isinstance(name, str) and name[0] != "_" else field
            )
    elif isinstance(messages, list):
        for one in messages:
            yield field, str(one)
