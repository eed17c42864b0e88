"""Numbers of telephones: read as people write them, shown, dialled; whose they are in a list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import marshmallow as ma
from flask import request

from api.club.messages import SeenPhone
from api.html.forms import form_value
from api.http.fields import FieldFault
from api.http.names import words_of_folded_text

_DIGITS: Final = re.compile(r"\+?\d(?:[ .()\-]{0,2}\d){8,14}")
_SPANISH: Final = re.compile(r"[6-9]\d{8}")
_FRENCH: Final = re.compile(r"0[1-9]\d{8}")
_GROUPS: Final = re.compile(r"(?<=\d)(?=(?:\d{3})+\Z)")


class PhoneLine(NamedTuple):
    """A telephone of a list: the line, the name whose it is, and the number."""

    line: int
    name: str
    number: str

    @property
    def readable_number(self) -> str:
        """The number as it is read aloud."""
        return readable_number(self.number)


def phone_digits_or_empty(text: str) -> str:
    """The digits of a telephone, with the prefix of a country if that is known; empty if none.

    >>> written = ("Tel. 600 12 34 56", "06 12 34 56 78", "0034 976-123456")
    >>> [phone_digits_or_empty(one) for one in written]
    ['+34600123456', '+33612345678', '+34976123456']
    >>> phone_digits_or_empty("112")
    ''
    """
    found = _DIGITS.search(text)
    if found is None:
        return ""
    digits = re.sub(r"[^\d+]", "", found[0])
    if digits.startswith(("+", "00")):
        return f"+{digits.lstrip('+0')}"
    if _SPANISH.fullmatch(digits):
        return f"+34{digits}"
    return f"+33{digits[1:]}" if _FRENCH.fullmatch(digits) else digits


def readable_number(number: str) -> str:
    """A number as it is read aloud.

    >>> readable_number("+34600123456"), readable_number("+33612345678")
    ('600 123 456', '+33 612 345 678')
    """
    if number.startswith("+34"):
        return _GROUPS.sub(" ", number[3:])
    return f"{number[:3]} {_GROUPS.sub(' ', number[3:])}" if number.startswith("+") else number


def chat_address(number: str) -> str:
    """Address of a WhatsApp chat with a number; empty if the country is not known.

    >>> chat_address("+34600123456"), chat_address("600123456789")
    ('https://wa.me/34600123456', '')
    """
    return f"https://wa.me/{number[1:]}" if number.startswith("+") else ""


def phones_of_names(
    seen: Sequence[SeenPhone], names: Mapping[int, Sequence[str]]
) -> tuple[PhoneLine, ...]:
    """The telephones of a list, each with the name it belongs to.

    ``names``: The names of each line, in order.
    """
    found = {}
    for one in seen:
        number, whose = phone_digits_or_empty(one.number), names.get(one.line, ())
        if number and whose:
            name = whose[
                _index_of_name_before_number(
                    one.before, [words_of_folded_text(name) for name in whose]
                )
            ]
            found[one.line, name] = PhoneLine(one.line, name, number)
    return tuple(found.values())


def _index_of_name_before_number(before: Sequence[str], names: Sequence[Sequence[str]]) -> int:
    """Index of the name that is last before a number; 0 if no name is.

    >>> both = [["ana", "gil"], ["luis", "gil"]]
    >>> before = ("ana gil", "ana gil y luis gil", "")
    >>> [_index_of_name_before_number(words.split(), both) for words in before]
    [0, 1, 0]
    """
    whole = [at for at, words in enumerate(names) if words and set(words) <= set(before)]
    last = {word: at for at, word in enumerate(before)}
    return max(whole, key=lambda at: (sum(last[word] for word in names[at]), at), default=0)


def has_phone_consent() -> bool:
    """Whether the form declares that the players agree to have their telephones kept."""
    return request.form.get("phones") == "agreed"


def phone_of_form() -> str:
    """The telephone in the form; refused if it is no number, or if the player does not agree.

    :raises ma.ValidationError: it is no number, or that is not said
    """
    number = phone_digits_or_empty(form_value("phone"))
    if not number:
        raise ma.ValidationError({"phone": [FieldFault("not_a_phone")]})
    if not has_phone_consent():
        raise ma.ValidationError({"phone": [FieldFault("not_agreed")]})
    return number
