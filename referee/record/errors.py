"""What is wrong with a text record: malformed, impossible or ambiguous, and where."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

import msgspec

from referee.rules.cards import Pack

RecordErrorKind: TypeAlias = Literal["malformed", "impossible", "ambiguous"]
RecordFact: TypeAlias = str | int | list[str]


class Code(StrEnum):
    """Faults of the text itself, one stable name each.

    Impossible acts have the id of their rule.
    """

    # Malformed: no reading.
    NOT_UTF_8 = "not-utf-8"
    STRING_UNCLOSED = "string-unclosed"
    ESCAPE_UNKNOWN = "escape-unknown"
    TAG_MALFORMED = "tag-malformed"
    TAG_TWICE = "tag-twice"
    TAG_AFTER_ACTS = "tag-after-acts"
    TAG_VALUE = "tag-value"
    FORMAT_UNKNOWN = "format-unknown"
    PARTIDA_TWICE = "partida-twice"
    WORD_UNKNOWN = "word-unknown"
    SOMETHING_MISSING = "something-missing"
    SOMETHING_LEFT = "something-left"
    SEAT_MALFORMED = "seat-malformed"
    SIDE_MALFORMED = "side-malformed"
    CARD_MALFORMED = "card-malformed"
    SUIT_MALFORMED = "suit-malformed"
    NUMBER_MALFORMED = "number-malformed"
    NAMED_TWICE = "named-twice"
    CARD_UNKNOWN_HERE = "card-unknown-here"
    CHANGE_ALONE = "change-alone"
    CHANGE_OF_CHANGE = "change-of-change"
    TOO_MANY_ERRORS = "too-many-errors"

    # Ambiguous: more than one reading.
    PACK_NOT_STATED = "pack-not-stated"
    CARD_OF_TWO_PACKS = "card-of-two-packs"
    ZERO_OR_OROS = "zero-or-oros"
    SEAT_LEFT_OUT = "seat-left-out"
    SUIT_LEFT_OUT = "suit-left-out"


AMBIGUOUS = frozenset(list(Code)[list(Code).index(Code.PACK_NOT_STATED) :])


class RecordError(msgspec.Struct, frozen=True):
    """One fault: its kind, its code, where it is (both counted from 1), and the facts."""

    kind: RecordErrorKind
    code: str
    line: int
    column: int
    facts: dict[str, RecordFact] = {}


class BadRecord(Exception):  # noqa: N818 - an answer about a text, not an error of the program
    """A text that is not a record, with all its faults in order.

    ``pack``: the pack of the record, if it was read before the faults.
    """

    def __init__(self, errors: tuple[RecordError, ...], pack: Pack = "spanish") -> None:
        super().__init__(errors)
        self.errors, self.pack = errors, pack


class Unprintable(ValueError):  # noqa: N818 - the name states the condition
    """A value that no record can hold: an invalid seat, card, number or name."""
