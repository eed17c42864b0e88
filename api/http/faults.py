"""Faults of fields: a stable code, and a text in the language of the reader.

Marshmallow reports faults as English sentences. They are recognised by the library's own templates.
Faults of this program are codes from the start.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Self

from marshmallow import Schema, ValidationError, fields, validate

from api.http.languages import say

GENERAL = "invalid"


class FieldFault(str):
    """Code of a fault in place of a message, with the facts for its text."""

    __slots__ = ("facts",)
    facts: Mapping[str, Any]

    def __new__(cls, code: str, **facts: Any) -> Self:
        """A fault with its facts."""
        made = super().__new__(cls, code)
        made.facts = facts
        return made


def validation_error(code: str, **facts: Any) -> ValidationError:
    """Validation error of a field with a fault of this program."""
    return ValidationError(FieldFault(code, **facts))


def _default_message(field: type[fields.Field[Any]], name: str) -> str:
    return str(field.default_error_messages[name])


_RANGE = validate.Range(0, 0)
_LENGTH = validate.Length(0, 0)
_TEXTS: tuple[tuple[str, str], ...] = (
    (_default_message(fields.Field, "required"), "required"),
    (_default_message(fields.Field, "null"), "null"),
    (_default_message(fields.Field, "validator_failed"), GENERAL),
    (_default_message(fields.String, "invalid"), "not_text"),
    (_default_message(fields.String, "invalid_utf8"), "not_utf8"),
    (_default_message(fields.Integer, "invalid"), "not_whole"),
    (_default_message(fields.Number, "invalid"), "not_number"),
    (_default_message(fields.Number, "too_large"), "number_too_large"),
    (_default_message(fields.Boolean, "invalid"), "not_truth"),
    (_default_message(fields.List, "invalid"), "not_list"),
    (_default_message(fields.Mapping, "invalid"), "not_object"),
    (_default_message(fields.Nested, "type"), "not_object"),
    (_default_message(fields.UUID, "invalid_uuid"), "not_uuid"),
    (Schema._default_error_messages["type"], "not_object"),  # noqa: SLF001 - defined only there
    (Schema._default_error_messages["unknown"], "unknown"),  # noqa: SLF001 - defined only there
    (validate.OneOf.default_message, "not_one_of"),
    (validate.Regexp.default_message, "pattern"),
    (_LENGTH.message_all, "length"),
    (_LENGTH.message_min, "too_short"),
    (_LENGTH.message_max, "too_long"),
    (_LENGTH.message_equal, "length_equal"),
    (_RANGE.message_all, "range"),
    (_RANGE.message_min, "too_small"),
    (_RANGE.message_max, "too_large"),
)


def _pattern(text: str) -> re.Pattern[str]:
    """A template of the library as a regular expression; its facts are groups."""
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*)", re.escape(text)), re.DOTALL)


_PATTERNS = tuple((_pattern(text), code) for text, code in _TEXTS)


def field_fault(message: str) -> FieldFault | None:
    """The fault of a message of the library; None if it is unknown.

    >>> field_fault("Field may not be null."), field_fault("Length must be 2.").facts
    ('null', {'equal': '2'})
    """
    if isinstance(message, FieldFault):
        return message
    for pattern, code in _PATTERNS:
        if found := pattern.fullmatch(message):
            return FieldFault(code, **found.groupdict())
    return None


def in_words(errors: Any, lang: str) -> Any:
    """Messages by field, in the words of the reader.

    >>> in_words({"json": {"seat": ["Unknown field."]}}, "es")
    {'json': {'seat': ['Este campo no se conoce.']}}
    """

    def words(message: str) -> str:
        fault = field_fault(message)
        return message if fault is None else say(f"fault.{fault}", lang, **fault.facts)

    return _each(errors, words)


def codes(errors: Any) -> Any:
    """Codes by field, in the same shape as the messages.

    >>> codes({"json": {"acts": {0: {"card": ["Not a valid string."]}}}})
    {'json': {'acts': {0: {'card': ['not_text']}}}}
    """
    return _each(errors, lambda message: str(field_fault(message) or GENERAL))


def _each(errors: Any, made: Callable[[str], str]) -> Any:
    """The same structure, with each message converted."""
    if isinstance(errors, Mapping):
        return {name: _each(one, made) for name, one in errors.items()}
    if isinstance(errors, list | tuple):
        return [_each(one, made) for one in errors]
    return made(errors)
