"""A partida as text: read from a record and written as one. Loaded when the first text is read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec.structs import replace

from referee.aggregates.encuentro import convert_frozen_profile
from referee.aggregates.partida import Partida as PartidaState
from referee.aggregates.partida import dealer_due_next_partida, fold_acts
from referee.events import PartidaAct, PartidaOpened, TextId
from referee.record import (
    BadRecord,
    FindingText,
    PartidaText,
    ReadRecord,
    RecordError,
    TextRecord,
    find_record_errors,
    print_act,
    print_record,
    read_record,
    replace_text_ids,
)
from referee.record.profiles import (
    CannotImport,
    base_and_changes,
    frozen_profile_of_record,
    import_error_at_tag,
)
from referee.rules.cards import Pack
from referee.rules.profile.profile import Frozen, options_of_frozen_profile

_ERASED: Final = "?"
"""Id of every text whose words are unknown."""


class ReadPartida(NamedTuple):
    """A partida of a record: the header, its opening event, its acts and the words of texts."""

    header: TextRecord
    opened: PartidaOpened
    acts: tuple[PartidaAct, ...]
    words: dict[TextId, str]


def parse_partida_in_record(text: str, number: int | None) -> ReadPartida:
    """Header, opening, acts and texts of the partida of this number in a record, or of the first.

    :raises ValueError: with all that is malformed, ambiguous or impossible
    :raises LookupError: the record has no such partida
    """
    read = _read_record(text)
    record = read.record
    try:
        frozen = frozen_profile_of_record(record)
    except CannotImport as cannot:
        raise _value_error([import_error_at_tag(cannot, read)]) from None
    if errors := find_record_errors(read, frozen.options):
        raise _value_error(errors)
    due = ""
    for one in record.partidas:
        opened = PartidaOpened("", one.number, frozen.options, frozen.hash, due)
        if number in (None, one.number):
            return ReadPartida(
                replace(record, partidas=(), texts={}), opened, one.acts, record.texts
            )
        due = dealer_due_next_partida(fold_acts(opened, one.acts))
    raise LookupError("the record has no partida" if number is None else f"no partida {number}")


def _read_record(text: str) -> ReadRecord:
    try:
        return read_record(text)
    except BadRecord as bad:
        raise _value_error(bad.errors) from None


def _value_error(errors: Iterable[RecordError]) -> ValueError:
    """``ValueError`` with all faults of a text: place, code and facts of each."""
    faults = (
        f"line {e.line}, column {e.column}: {e.code} {e.facts or ''}".rstrip() for e in errors
    )
    return ValueError("; ".join(faults))


def record_header_of_profile(table: Frozen) -> TextRecord:
    """New header for a text record of a table that plays by a frozen profile."""
    frozen = convert_frozen_profile(table)
    base, changed = base_and_changes(frozen)
    options = options_of_frozen_profile(table)
    return TextRecord(
        profile=frozen.id,
        edition=frozen.edition,
        hash=frozen.hash,
        base=base,
        players=options.players,
        deck=options.deck,
        pack=options.pack,
        options=changed,
    )


def read_acts_and_texts(text: str, pack: Pack) -> tuple[tuple[PartidaAct, ...], dict[TextId, str]]:
    """Acts of a text in the form of a record, and the words of their texts by id.

    :raises ValueError: also if the text has no act
    """
    read = _read_record(f'[Pack "{pack}"]\n{text}').record
    record = replace_text_ids(read, lambda words: _ERASED if words is None else f"={words}")
    acts = tuple(act for partida in record.partidas for act in partida.acts)
    if not acts:
        raise ValueError(f"{text!r} has no act, as 'A1 3O' is one")
    return acts, record.texts


def print_partida_act(act: PartidaAct, read: ReadPartida) -> str:
    """Text of one act in the notation of the record that it was read from."""
    return print_act(act, read.words, read.header.pack)


def print_partida(header: TextRecord, state: PartidaState, words: dict[TextId, str]) -> str:
    """Text of the record of one partida, with the findings of the law."""
    assert state.opened is not None
    found = state.table.findings
    findings = tuple({FindingText(one.line, one.rule.value, one.seat) for one in found})
    acts = tuple(one.act for one in state.log)
    partida = PartidaText(state.opened.number, acts, findings)
    return print_record(replace(header, partidas=(partida,), texts=words))
