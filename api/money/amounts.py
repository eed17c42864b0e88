"""Amounts of money as people write them, and prizes as lines: in cents, never as fractions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final

import marshmallow as ma

from api.http.fields import MAX_NAME, Int, RequestSchema, Text, error_with_fault_code
from api.http.languages import UNKNOWN, say
from api.http.spreadsheets import print_number

MOST_CENTS: Final = 10_000_000
"""The largest amount that is understood: a hundred thousand euros."""
MOST_PRIZES: Final = 30
_EURO: Final = r"(?:€|eur(?:os?)?)?"
_AMOUNT: Final = re.compile(
    rf"{_EURO}\s*([1-9]\d{{0,2}}(?:[., ]\d{{3}})+|\d{{1,7}})(?:[.,'\u2019](\d{{1,2}}))?\s*{_EURO}",
    re.IGNORECASE | re.ASCII,
)
_PLACE: Final = re.compile(
    r"\s*([1-9]\d?)\s*(?:\.?\s?[ºª°]|[.):]|er|r|re|n|nd|rd|st|t|th|è|e)[.:)]?(?:\s*[-\u2013:])?\s+",
    re.IGNORECASE,
)


def read_amount_or_none(text: str) -> int | None:
    """Cents of an amount as people write it; None if the text is no amount.

    >>> [read_amount_or_none(one) for one in ("5", "5,50", "5.5", "5 €", "€5", "1.500", "2 kg")]
    [500, 550, 550, 500, 500, 150000, None]
    """
    plain = " ".join(text.split())
    found = _AMOUNT.fullmatch(plain)
    if found is None:
        return None
    whole = int(re.sub(r"\D", "", found[1]))
    return whole * 100 + int((found[2] or "0").ljust(2, "0"))


def print_amount(cents: int, lang: str) -> str:
    """An amount in words of the reader, without cents if there are none.

    >>> print_amount(500, "en"), print_amount(550, "en"), print_amount(-5, "en")
    ('€5', '€5.50', '-€0.05')
    """
    whole, rest = divmod(abs(cents), 100)
    number = print_number(Decimal(abs(cents)).scaleb(-2), lang) if rest else str(whole)
    return ("-" if cents < 0 else "") + say("fees.money", lang, n=number)


def prize_dicts_in_text(text: str) -> list[dict[str, Any]]:
    r"""Prizes of lines, a place each, as a request has them; what is no amount is words.

    >>> prize_dicts_in_text("1.º 60 €\n2º: un jamón\n\n20")
    [{'amount': 6000}, {'words': 'un jamón'}, {'amount': 2000}]
    """
    lines = (line.strip() for line in text.splitlines())
    return [_prize_dict_of_line(at, line) for at, line in enumerate(filter(None, lines), 1)]


def _prize_dict_of_line(place: int, line: str) -> dict[str, Any]:
    said = _PLACE.match(line)
    what = line[said.end() :] if said and int(said[1]) == place else line
    amount = read_amount_or_none(what)
    return {"words": what} if amount is None else {"amount": amount}


def prize_lines(prizes: Iterable[tuple[int, str | None]], lang: str) -> list[str]:
    """Lines of prizes as people type them: amounts or words; a dash for erased words."""
    return [
        words or (print_amount(amount, lang) if amount else UNKNOWN) for amount, words in prizes
    ]


class PrizeIn(RequestSchema):
    """What a place is worth: an amount of money, or words."""

    amount = Int(1, MOST_CENTS, metadata={"description": "in cents"})
    words = Text(MAX_NAME, metadata={"description": "as *un jamón*"})

    @ma.validates_schema
    def _require_exactly_one(self, data: dict[str, Any], **_more: object) -> None:
        if len(data) != 1:
            raise error_with_fault_code("amount_or_words")
