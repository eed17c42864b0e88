"""Checking: a record run through the decider, to find acts that are impossible."""

from __future__ import annotations

from collections.abc import Iterator

from referee.encuentro.commands import command_of
from referee.encuentro.partida import INITIAL, decide, evolve
from referee.errors import Refused
from referee.events import LogAmended, OptionValue, PartidaOpened
from referee.record.errors import RecordError, RecordFact
from referee.record.parsing import ReadRecord, TextPlace
from referee.record.record import PartidaText


def check_record(read: ReadRecord, options: dict[str, OptionValue]) -> tuple[RecordError, ...]:
    """Impossible acts of a record, under the resolved options of its table.

    A refused act is reported and skipped, but its line is counted. Therefore the first correction
    after it is the last that can be checked in its partida.
    """
    return tuple(
        error
        for partida in read.record.partidas
        for error in _impossible(partida, read.places, options)
    )


def _impossible(
    partida: PartidaText, places: dict[tuple[int, int], TextPlace], options: dict[str, OptionValue]
) -> Iterator[RecordError]:
    opened = PartidaOpened("", partida.number, options, "")
    state = evolve(INITIAL, opened)
    has_refused = False
    for line, act in enumerate(partida.acts, 1):
        if has_refused and isinstance(act, LogAmended):
            return
        try:
            events = decide(command_of(act), state)
        except Refused as refused:
            has_refused = True
            place = places[partida.number, line]
            facts = {name: _plain(value) for name, value in refused.facts.items()}
            yield RecordError("impossible", refused.rule, place.line, place.column, facts)
            continue
        for event in events:
            state = evolve(state, event)


def _plain(fact: object) -> RecordFact:
    return fact if isinstance(fact, str | int) else str(fact)
