"""Verification of cases: each case from its acts, and against its encuentro and its partida."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee import events as ev
from referee.aggregates import case as cases
from referee.aggregates.case import Case
from referee.aggregates.commands import Submit
from referee.audit.verify.streams import (
    StreamDifference,
    difference_at_event,
    impossible_act_difference,
    sequence_differences,
)
from referee.errors import Refused
from referee.log.mapper import RecordedEvent


def differences_in_cases(
    history: Sequence[RecordedEvent],
    files: Mapping[int, Sequence[RecordedEvent]],
    partidas: Mapping[int, Sequence[RecordedEvent]],
) -> Iterator[StreamDifference]:
    """Differences of the cases of an encuentro: whole streams, all by number."""
    opened = history[0].event if history else None
    if not isinstance(opened, ev.EncuentroOpened):
        return
    for number, stream in files.items():
        yield from sequence_differences(stream, ev.CaseOpened)
        wrong, state = _case_differences_and_state(stream, opened.profile)
        yield from wrong
        if state is not None and state.opened is not None:
            yield from _case_to_partida_differences(stream, partidas.get(state.opened.partida, ()))
        yield from _stage_differences(number, history, stream)
    held = {one.event.case for one in history if isinstance(one.event, ev.CaseFollowed)}
    for number in sorted(held - set(files)):
        yield difference_at_event(history[-1], "case_missing", None, number)


def _case_differences_and_state(
    stream: Sequence[RecordedEvent], profile: ev.FrozenProfile
) -> tuple[list[StreamDifference], Case | None]:
    """Differences in the acts of a case, and its state; None if one of the acts is impossible."""
    state = cases.INITIAL
    for one in stream:
        if not isinstance(one.event, ev.CaseAct):
            return [difference_at_event(one, "foreign_event", one.event)], None
        if state.opened is None and not isinstance(one.event, ev.CaseOpened):
            return [], None  # a case that is not opened was reported before
        try:
            state = cases.fold(cases.decide(Submit(one.event, profile), state), state)
        except Refused as refused:
            return [impossible_act_difference(one, refused)], None
    return [], state


def _case_to_partida_differences(
    stream: Sequence[RecordedEvent], partida: Sequence[RecordedEvent]
) -> Iterator[StreamDifference]:
    """Differences where a ruling of a case is not at its line in the partida."""
    for one in stream:
        match one.event:
            case ev.CaseRuled(verdict=ruling, act=line):
                yield from _ruling_to_partida_differences(one, ruling, line, line, partida)
            case ev.AppealDecided(verdict=ev.CaseRuling() as ruling, act=line, acts=acts):
                yield from _ruling_to_partida_differences(
                    one, ruling, line, max(acts, default=0), partida
                )
            case _:
                pass


def _ruling_to_partida_differences(
    one: RecordedEvent, ruling: ev.CaseRuling, line: int, at: int, partida: Sequence[RecordedEvent]
) -> Iterator[StreamDifference]:
    """A difference unless the act of the partida at a line is the ruling or amends it in."""
    given = cases.ruling_act(ruling)
    found = next(
        (r.event for r in partida if r.line == at and _is_ruling_or_amendment(r.event)), None
    )
    put = (
        [c.act for c in found.changes if c.line == line] if isinstance(found, ev.LogAmended) else []
    )
    if given not in (found, *put):
        yield difference_at_event(one, "ruling_wrong", found, given)


def _is_ruling_or_amendment(event: object) -> bool:
    return type(event).__name__ in ("RulingGiven", "LogAmended")


def _stage_differences(
    number: int, history: Sequence[RecordedEvent], stream: Sequence[RecordedEvent]
) -> Iterator[StreamDifference]:
    """A difference if the encuentro did not record each stage of a case, in order."""
    followed = [
        r for r in history if isinstance(r.event, ev.CaseFollowed) and r.event.case == number
    ]
    came_to: list[ev.CaseFollowed] = []
    state = cases.INITIAL
    for one in stream:
        if not isinstance(one.event, ev.CaseAct):
            return
        state = cases.evolve(state, one.event)
        if state.opened is None:
            return
        now = ev.CaseFollowed(number, state.opened.partida, state.stage, state.lines_of_rulings)
        if came_to[-1:] != [now]:
            came_to.append(now)
    if [r.event for r in followed] != came_to:
        at = followed[-1] if followed else history[-1]
        yield difference_at_event(at, "case_wrong", [r.event for r in followed], came_to)
