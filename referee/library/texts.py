"""A partida as text: read from a record and written as one. Loaded when the first text is read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec.structs import replace

from referee.aggregates.encuentro import profile_in
from referee.aggregates.partida import Partida as PartidaState
from referee.aggregates.partida import due_after, fold_acts
from referee.events import PartidaAct, PartidaOpened, TextId
from referee.record import (
    BadRecord,
    FindingText,
    PartidaText,
    ReadRecord,
    RecordError,
    TextRecord,
    check_record,
    print_act,
    print_record,
    read_record,
    rename_texts,
)
from referee.record.profiles import CannotImport, base_and_changes, error_at_tag, profile_of
from referee.rules.cards import Pack
from referee.rules.profile.profile import Frozen, thaw

_ERASED: Final = "?"
"""Id of every text whose words are unknown."""


class ReadPartida(NamedTuple):
    """A partida of a record: the record without its partidas, how it was opened, acts and words."""

    header: TextRecord
    opened: PartidaOpened
    acts: tuple[PartidaAct, ...]
    words: dict[TextId, str]


def read_partida(text: str, number: int | None) -> ReadPartida:
    """The partida of this number in a record; the first if no number is given.

    :raises ValueError: with all that is malformed, ambiguous or impossible
    :raises LookupError: the record has no such partida
    """
    read = _read(text)
    record = read.record
    try:
        frozen = profile_of(record)
    except CannotImport as cannot:
        raise _bad_record([error_at_tag(cannot, read)]) from None
    if errors := check_record(read, frozen.options):
        raise _bad_record(errors)
    due = ""
    for one in record.partidas:
        opened = PartidaOpened("", one.number, frozen.options, frozen.hash, due)
        if number in (None, one.number):
            return ReadPartida(
                replace(record, partidas=(), texts={}), opened, one.acts, record.texts
            )
        due = due_after(fold_acts(opened, one.acts))
    raise LookupError("the record has no partida" if number is None else f"no partida {number}")


def _read(text: str) -> ReadRecord:
    try:
        return read_record(text)
    except BadRecord as bad:
        raise _bad_record(bad.errors) from None


def _bad_record(errors: Iterable[RecordError]) -> ValueError:
    """All faults of a text in one error: place, code and facts of each."""
    faults = (
        f"line {e.line}, column {e.column}: {e.code} {e.facts or ''}".rstrip() for e in errors
    )
    return ValueError("; ".join(faults))


def header_of(table: Frozen) -> TextRecord:
    """The header of a record of a table under a frozen profile."""
    frozen = profile_in(table)
    base, changed = base_and_changes(frozen)
    options = thaw(table)
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


def read_acts(text: str, pack: Pack) -> tuple[tuple[PartidaAct, ...], dict[TextId, str]]:
    """Acts as a record writes them, and their words, each under an id that is made of them.

    :raises ValueError: also if the text has no act
    """
    read = _read(f'[Pack "{pack}"]\n{text}').record
    record = rename_texts(read, lambda words: _ERASED if words is None else f"={words}")
    acts = tuple(act for partida in record.partidas for act in partida.acts)
    if not acts:
        raise ValueError(f"{text!r} has no act, as 'A1 3O' is one")
    return acts, record.texts


def print_one(act: PartidaAct, read: ReadPartida) -> str:
    """An act as its record writes it."""
    return print_act(act, read.words, read.header.pack)


def print_partida(header: TextRecord, state: PartidaState, words: dict[TextId, str]) -> str:
    """The record of one partida, with what the law finds in it."""
    assert state.opened is not None
    found = state.table.findings
    findings = tuple({FindingText(one.line, one.rule.value, one.seat) for one in found})
    acts = tuple(one.act for one in state.log)
    partida = PartidaText(state.opened.number, acts, findings)
    return print_record(replace(header, partidas=(partida,), texts=words))
