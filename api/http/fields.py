"""Fields: strict numbers, booleans and texts."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from typing import Any

import marshmallow as ma
from marshmallow import validate

from api.http import moments
from api.http.faults import validation_error

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
            raise validation_error("not_visible")
        return text.strip()


class PublicText(Text):
    """A short text that stays on the log for ever: letters, digits and plain punctuation.

    For what a proof or a draw needs as it was said; any other text of a person can be erased.
    """

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        if not _PUBLIC.fullmatch(text):
            raise validation_error("pattern")
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
            raise validation_error("not_a_day")
        return text


class TimeZone(ma.fields.String):
    """A time zone, as ``Europe/Madrid``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        name = super()._deserialize(value, attr, data, **more)
        if not moments.is_zone(name):
            raise validation_error("invalid")
        return name


def choice(*values: str, **more: Any) -> ma.fields.String:
    """A text from a short list."""
    return ma.fields.String(validate=validate.OneOf(values), **more)
