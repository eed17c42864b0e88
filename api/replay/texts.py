"""Text records for a replay: reading, checking, and their errors in words."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from api.http.languages import option_words, say, texts_of_language, use_card_pack
from api.http.table_names import TableNames, use_table_names
from api.replay.replays import ReplaySource
from referee.aggregates.partida import fold_acts
from referee.events import PartidaOpened, options_from
from referee.record import BadRecord, Code, RecordError, TextRecord, lines_of
from referee.record.profiles import CannotImport, frozen_profile_of_record
from referee.rules.articles import Rule
from referee.rules.cards import Pack
from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import PROFILE_IDS
from referee.rules.seats import SEATS

_AROUND = 60
_RULES = {rule.value for rule in Rule}
_CODES = {code.value for code in Code}
_OF_A_RECORD = {Rule.NO_DEAL, Rule.NO_PINTA, Rule.DEAL_RUNNING, Rule.PARTIDA_RUNNING}
"""Rules that a record breaks by a line that is missing before the act."""
_AS_WRITTEN = TableNames(names={seat: seat for seat in SEATS[4]})
"""A seat of an error is the one of the text."""


def replay_source_of_record(record: TextRecord, number: int | None = None) -> ReplaySource:
    """A partida of a text record with what its replay needs; the first one if no number is given.

    :raises LookupError: it has none of this number
    """
    frozen = frozen_profile_of_record(record)
    chosen = next((p for p in record.partidas if number is None or p.number == number), None)
    if chosen is None:
        raise LookupError(number)
    opened = PartidaOpened("", chosen.number, frozen.options, frozen.hash)
    return ReplaySource(
        fold_acts(opened, chosen.acts),
        frozen,
        TableNames(
            options_from(frozen.options).players,
            {seat: name for seat, name in record.seats.items() if name},
        ),
        record.date,
        record.texts.get,
    )


class MarkedLineData(msgspec.Struct, frozen=True):
    """A line of a text in three parts: before the fault, its word, and after it."""

    before: str
    wrong: str
    after: str


class RecordErrorData(MarkedLineData, frozen=True):
    """An error of a text record: kind, code and place, the text in words, and its line."""

    kind: str
    code: str
    line: int
    column: int
    text: str


def record_errors_with_words(bad: BadRecord, content: bytes, lang: str) -> list[RecordErrorData]:
    """Errors by their places: kind and text in words, and the line with the fault marked."""
    lines = lines_of(content.decode(errors="replace"))
    with use_card_pack(bad.pack), use_table_names(_AS_WRITTEN):
        return [
            _record_error_with_words(one, lines, lang, bad.pack)
            for one in sorted(bad.errors, key=_line_and_column_of_error)
        ]


def import_fault_in_words(fault: CannotImport, lang: str) -> str:
    """Why a text record cannot be kept as an encuentro, in words."""
    if fault.code in _RULES:
        return say(f"rule.{fault.code}", lang, field=fault.field, detail=fault.detail)
    names = [name for name in fault.field.split(",") if name in OPTION_NAMES]
    keys = [f"import.{fault.code}{more}" for more in (f"_{fault.field}", f"_{fault.detail}", "")]
    return say(
        next(key for key in keys if key in texts_of_language(lang)),
        lang,
        field=fault.field,
        detail=fault.detail,
        known=", ".join(PROFILE_IDS),
        options=", ".join(option_words(name, lang) for name in names) or fault.field,
    )


def _line_and_column_of_error(error: RecordError) -> tuple[int, int]:
    return error.line, error.column


def _record_error_with_words(
    one: RecordError, lines: Sequence[str], lang: str, pack: Pack
) -> RecordErrorData:
    marked = _split_at_fault(lines[one.line - 1] if one.line <= len(lines) else "", one.column)
    return RecordErrorData(
        kind=one.kind,
        code=one.code,
        line=one.line,
        column=one.column,
        text=_error_text(one, lang, pack),
        before=marked.before,
        wrong=marked.wrong,
        after=marked.after,
    )


def _error_text(error: RecordError, lang: str, pack: Pack) -> str:
    """An error in words, and what may stand there if it is one of a few words."""
    facts = error.facts
    if error.code in _OF_A_RECORD:
        return say(f"notation.{error.code}", lang, **facts)
    if error.code in _RULES:
        return say(f"rule.{error.code}", lang, **facts)
    if error.code not in _CODES:
        cannot = CannotImport(error.code, str(facts["field"]), str(facts["detail"]))
        return import_fault_in_words(cannot, lang)
    expected = facts.get("expected", "")
    may_be = next((value for value in facts.values() if isinstance(value, list)), [])
    word = _words_for_missing(expected if isinstance(expected, str) else "word", lang)
    text = word if error.code == Code.SOMETHING_MISSING else facts.get("token", word)
    is_french = error.code == Code.CARD_MALFORMED and pack != "spanish"
    key = f"notation.{error.code}{'_french' if is_french else ''}"
    said = [say(key, lang, text=facts.get("escape", text))]
    if may_be:
        said.append(say("notation.may_be", lang, text=", ".join(map(str, may_be))))
    return " ".join(said)


def _words_for_missing(what: str, lang: str) -> str:
    """Words for what is missing in a text record."""
    return (
        say(f"expected.{what}", lang)
        if f"expected.{what}" in texts_of_language(lang)
        else f"«{what}»"
    )


def _split_at_fault(line: str, column: int) -> MarkedLineData:
    """Split a line into what is before the fault, the wrong word, and what is after it."""
    start = column - 1
    end = next((at for at in range(start, len(line)) if line[at].isspace()), len(line))
    return MarkedLineData(
        before=line[max(start - _AROUND, 0) : start],
        wrong=line[start : max(end, start + 1)] or " ",
        after=line[max(end, start + 1) :][:_AROUND],
    )
