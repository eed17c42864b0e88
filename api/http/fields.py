"""Fields: strict numbers, booleans and texts."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Self

import marshmallow as ma
from marshmallow import Schema, ValidationError, fields, validate

from api.http import moments
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


def error_with_fault_code(code: str, **facts: Any) -> ValidationError:
    """Marshmallow validation error with a fault code of this program."""
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


def _message_pattern(text: str) -> re.Pattern[str]:
    """Regular expression of a message template of the library; its facts are groups."""
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*)", re.escape(text)), re.DOTALL)


_PATTERNS = tuple((_message_pattern(text), code) for text, code in _TEXTS)


def fault_of_message(message: str) -> FieldFault | None:
    """The fault of a message of the library; None if it is unknown.

    >>> fault_of_message("Field may not be null."), fault_of_message("Length must be 2.").facts
    ('null', {'equal': '2'})
    """
    if isinstance(message, FieldFault):
        return message
    for pattern, code in _PATTERNS:
        if found := pattern.fullmatch(message):
            return FieldFault(code, **found.groupdict())
    return None


def faults_in_words(errors: Any, lang: str) -> Any:
    """Validation errors by field, as messages in the reader's language.

    >>> faults_in_words({"json": {"seat": ["Unknown field."]}}, "es")
    {'json': {'seat': ['Este campo no se conoce.']}}
    """

    def message_in_words(message: str) -> str:
        fault = fault_of_message(message)
        return message if fault is None else say(f"fault.{fault}", lang, **fault.facts)

    return _map_messages(errors, message_in_words)


def fault_codes(errors: Any) -> Any:
    """Validation errors by field, as codes.

    >>> fault_codes({"json": {"acts": {0: {"card": ["Not a valid string."]}}}})
    {'json': {'acts': {0: {'card': ['not_text']}}}}
    """
    return _map_messages(errors, lambda message: str(fault_of_message(message) or GENERAL))


def _map_messages(errors: Any, made: Callable[[str], str]) -> Any:
    """The same structure, with each message converted."""
    if isinstance(errors, Mapping):
        return {name: _map_messages(one, made) for name, one in errors.items()}
    if isinstance(errors, list | tuple):
        return [_map_messages(one, made) for one in errors]
    return made(errors)


MAX_TEXT = 500
MAX_NAME = 80
MAX_NUMBER = 10_000
_FIRST_YEAR, _LAST_YEAR = 1900, 2200
SEED = r"\A[0-9A-Za-z._-]{8,64}\Z"
"""A seed of a draw: it stays on the log for ever, so that anybody can repeat the draw."""
_PUBLIC = re.compile(r"[\w .,:;/()'ºª%+-]+")
_DIGITS = re.compile(r"[0-9]{1,9}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class RequestSchema(ma.Schema):
    """A schema that refuses unknown fields."""

    class Meta:
        """Unknown fields are errors."""

        unknown = ma.RAISE


class ResponseSchema(ma.Schema):
    """A schema of an answer, which names every field."""

    class Meta:
        """There are no other fields."""

        unknown = ma.RAISE


class Int(ma.fields.Integer):
    """A whole number within bounds: 3 and 3.0, but not "3", true or 3.5."""

    def __init__(self, least: int = 0, most: int = MAX_NUMBER, **more: Any) -> None:
        super().__init__(validate=validate.Range(least, most), **more)

    def _validated(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
            raise self.make_error("invalid", input=value)
        return int(value)


class QueryInt(ma.fields.Integer):
    """A whole number in an address: plain digits, nothing else."""

    def __init__(self, least: int = 0, most: int = MAX_NUMBER, **more: Any) -> None:
        super().__init__(validate=validate.Range(least, most), **more)

    def _validated(self, value: Any) -> int:
        if not isinstance(value, str) or not _DIGITS.fullmatch(value):
            raise self.make_error("invalid", input=value)
        return int(value)


class Bool(ma.fields.Boolean):
    """True or false, and no other value."""

    def _deserialize(
        self,
        value: Any,
        attr: str | None,
        data: Any,
        **more: Any,
    ) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Text(ma.fields.String):
    """Text a person wrote: bounded, visible, no control or direction characters."""

    def __init__(self, most: int = MAX_TEXT, *, lines: bool = False, **more: Any) -> None:
        super().__init__(validate=validate.Length(1, most), **more)
        self.lines = lines

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = unicodedata.normalize("NFC", super()._deserialize(value, attr, data, **more))
        plain = text.replace("\n", " ") if self.lines else text
        if any(unicodedata.category(sign)[0] == "C" for sign in plain) or not plain.strip():
            raise error_with_fault_code("not_visible")
        return text.strip()


class PublicText(Text):
    """A short text that stays on the log for ever: letters, digits and plain punctuation.

    For what a proof or a draw needs as it was said; any other text of a person can be erased.
    """

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        if not _PUBLIC.fullmatch(text):
            raise error_with_fault_code("pattern")
        return text


class Day(ma.fields.String):
    """A day of the calendar, as ``2026-11-21``."""

    def __init__(self, **more: Any) -> None:
        super().__init__(metadata={"format": "date"}, **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        try:
            day = dt.date.fromisoformat(text) if _DATE.fullmatch(text) else None
        except ValueError:
            day = None
        if day is None or not _FIRST_YEAR <= day.year <= _LAST_YEAR:
            raise error_with_fault_code("not_a_day")
        return text


class TimeZone(ma.fields.String):
    """A time zone, as ``Europe/Madrid``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        name = super()._deserialize(value, attr, data, **more)
        if not moments.is_time_zone(name):
            raise error_with_fault_code("invalid")
        return name


def two_numbers_field() -> ma.fields.List[Any]:
    """Field for a number of each of two sides, in their order; 0 and 0 if left out."""
    return ma.fields.List(Int(), load_default=lambda: [0, 0], validate=validate.Length(equal=2))


def choice_field(*values: str, **more: Any) -> ma.fields.String:
    """Field for one of a few texts."""
    return ma.fields.String(validate=validate.OneOf(values), **more)
