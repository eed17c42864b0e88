"""Text records for a replay: reading, checking, and their errors in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from api.encuentros.importing import CannotImport, profile_of
from api.http.languages import say, speaking_of
from api.http.seated import TableNames
from api.replay.replays import ReplaySource
from referee.encuentro.partida import fold
from referee.events import PartidaOpened, options_from
from referee.record import (
    BadRecord,
    RecordError,
    TextRecord,
    check_record,
    lines_of,
    read_record,
)
from referee.record.errors import RecordFact
from referee.rules.articles import Rule

_AROUND = 60
_RULES = {rule.value for rule in Rule}


def record_of(content: bytes) -> TextRecord:
    """The record of a text, if everything in it is possible.

    :raises BadRecord: with all that is malformed, ambiguous or impossible
    :raises CannotImport: its profile is unknown
    """
    read = read_record(content)
    errors = check_record(read, profile_of(read.record).options)
    if errors:
        raise BadRecord(errors, read.record.pack)
    return read.record


def source_in(record: TextRecord, number: int | None = None) -> ReplaySource:
    """A partida of a record; without a number, the first.

    :raises LookupError: it has none of this number
    """
    frozen = profile_of(record)
    chosen = next((p for p in record.partidas if number is None or p.number == number), None)
    if chosen is None:
        raise LookupError(number)
    opened = PartidaOpened("", chosen.number, frozen.options, frozen.hash)
    return ReplaySource(
        fold([opened, *chosen.acts]),
        frozen,
        TableNames(
            options_from(frozen.options).players,
            {seat: name for seat, name in record.seats.items() if name},
        ),
        record.date,
        record.texts.get,
    )


class MarkedLineData(TypedDict):
    """A line of a text in three parts: before the fault, its word, and after it."""

    before: str
    wrong: str
    after: str


class RecordErrorData(MarkedLineData):
    """An error of a text record: kind, code and place, the text in words, and its line."""

    kind: str
    code: str
    line: int
    column: int
    text: str


def errors_in_words(bad: BadRecord, content: bytes, lang: str) -> list[RecordErrorData]:
    """Errors by their places: kind and text in words, and the line with the fault marked."""
    lines = lines_of(content.decode(errors="replace"))
    with speaking_of(bad.pack):
        return [_error_in_words(one, lines, lang) for one in sorted(bad.errors, key=_place)]


def fault_in_words(fault: CannotImport, lang: str) -> str:
    """Why no encuentro can hold a record."""
    family = "rule" if fault.code in _RULES else "import"
    return say(f"{family}.{fault.code}", lang, field=fault.field, detail=fault.detail)


def _place(error: RecordError) -> tuple[int, int]:
    return error.line, error.column


def _error_in_words(one: RecordError, lines: Sequence[str], lang: str) -> RecordErrorData:
    marked = _parted(lines[one.line - 1] if one.line <= len(lines) else "", one.column)
    return {
        "kind": one.kind,
        "code": one.code,
        "line": one.line,
        "column": one.column,
        "text": _text(one, lang),
        "before": marked["before"],
        "wrong": marked["wrong"],
        "after": marked["after"],
    }


def _text(error: RecordError, lang: str) -> str:
    if error.code in _RULES:
        return say(f"rule.{error.code}", lang, **error.facts)
    listed = ", ".join(str(fact) for value in error.facts.values() for fact in _several(value))
    return " ".join(say(f"notation.{error.code}", lang, text=listed and f"«{listed}»").split())


def _several(value: RecordFact) -> Sequence[object]:
    return value if isinstance(value, list) else [value]


def _parted(line: str, column: int) -> MarkedLineData:
    """A line of the text in three parts: before the fault, its word, and after it."""
    start = column - 1
    end = next((at for at in range(start, len(line)) if line[at].isspace()), len(line))
    return {
        "before": line[max(start - _AROUND, 0) : start],
        "wrong": line[start : max(end, start + 1)] or " ",
        "after": line[max(end, start + 1) :][:_AROUND],
    }
