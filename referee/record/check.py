"""Check of a record: its acts run through the decider, to find those that are impossible."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from referee.aggregates.commands import command_to_repeat_act
from referee.aggregates.encuentro import UNDECIDED
from referee.aggregates.partida import INITIAL, decide, evolve, follow_command_of_partida
from referee.errors import Refused
from referee.events import LogAmended, OptionValue, PartidaOpened
from referee.record.causes import PartidaCauses
from referee.record.errors import RecordError, RecordFact
from referee.record.parsing import ReadRecord, TextPlace
from referee.record.record import PartidaText
from referee.rules.articles import Rule

_Options: TypeAlias = dict[str, OptionValue]


def find_record_errors(read: ReadRecord, options: _Options) -> tuple[RecordError, ...]:
    """Impossible acts of a record, under the resolved options of its table.

    A refused act is reported and skipped, but its line is counted. Acts that are refused only
    because of it are not reported, and after it no correction can be checked in its partida.
    """
    return tuple(
        error
        for partida in read.record.partidas
        for error in _Checked(partida, read, options).errors
    )


def find_encuentro_errors(read: ReadRecord, options: _Options) -> tuple[RecordError, ...]:
    """Impossible acts of a record, and partidas that begin before the one before them ended.

    A record can be a part of an encuentro; a whole one goes on when a partida is decided.
    """
    errors: list[RecordError] = []
    before: _Checked | None = None
    for partida in read.record.partidas:
        if before is not None and not (before.errors or before.was_decided):
            place = read.places.get((partida.number, 0), TextPlace(1, 1))
            facts = {"partida": before.partida.number}
            errors.append(_impossible_error(Rule.PARTIDA_RUNNING, place, facts))
        before = _Checked(partida, read, options)
        errors += before.errors
    return tuple(errors)


class _Checked:
    """A partida whose acts were decided one by one, with the errors found.

    ``was_decided``: after one of them; an act after it may have reopened the partida.
    """

    def __init__(self, partida: PartidaText, read: ReadRecord, options: _Options) -> None:
        self.partida = partida
        self.errors: list[RecordError] = []
        self.was_decided = False
        causes = PartidaCauses()
        state = evolve(INITIAL, PartidaOpened("", partida.number, options, ""))
        has_refused = False
        for line, act in enumerate(partida.acts, 1):
            if has_refused and isinstance(act, LogAmended):
                break
            try:
                state = decide(command_to_repeat_act(act), state).state
            except Refused as refused:
                has_refused = True
                if causes.add_act_and_check_cause(act, refused):
                    place = read.places[partida.number, line]
                    self.errors.append(_impossible_error(refused.rule, place, refused.facts))
                continue
            causes.add_act_and_check_cause(act, None)
            self.was_decided = self.was_decided or follow_command_of_partida(state).how != UNDECIDED


def _impossible_error(rule: StrEnum, place: TextPlace, facts: Mapping[str, object]) -> RecordError:
    plain = {name: _fact_as_text_or_number(value) for name, value in facts.items()}
    return RecordError("impossible", rule, place.line, place.column, plain)


def _fact_as_text_or_number(fact: object) -> RecordFact:
    return fact if isinstance(fact, str | int) else str(fact)
