"""Verification of cases: each case from its acts, and against its encuentro and its partida."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee import events as ev
from referee.aggregates import case as cases
from referee.aggregates.case import Case
from referee.aggregates.commands import Submit
from referee.audit.verify.streams import StreamDifference, difference, find_misplaced, impossible
from referee.errors import Refused
from referee.log.mapper import RecordedEvent


def verify_cases(
    history: Sequence[RecordedEvent],
    files: Mapping[int, Sequence[RecordedEvent]],
    partidas: Mapping[int, Sequence[RecordedEvent]],
) -> Iterator[StreamDifference]:
    """Differences of the cases of an encuentro: whole streams, all by number."""
    opened = history[0].event if history else None
    if not isinstance(opened, ev.EncuentroOpened):
        return
    for number, stream in files.items():
        yield from find_misplaced(stream, ev.CaseOpened)
        wrong, state = _replay(stream, opened.profile)
        yield from wrong
        if state is not None and state.opened is not None:
            yield from _compare_rulings(stream, partidas.get(state.opened.partida, ()))
        yield from _badly_followed(number, history, stream)
    held = {one.event.case for one in history if isinstance(one.event, ev.CaseFollowed)}
    for number in sorted(held - set(files)):
        yield difference(history[-1], "case_missing", None, number)


def _replay(
    stream: Sequence[RecordedEvent], profile: ev.FrozenProfile
) -> tuple[list[StreamDifference], Case | None]:
    """What is wrong in a case, and its state if each of its acts can be."""
    state = cases.INITIAL
    for one in stream:
        if not isinstance(one.event, ev.CaseAct):
            return [difference(one, "foreign_event", one.event)], None
        if state.opened is None and not isinstance(one.event, ev.CaseOpened):
            return [], None  # a case that is not opened was reported before
        try:
            state = cases.fold(cases.decide(Submit(one.event, profile), state), state)
        except Refused as refused:
            return [impossible(one, refused)], None
    return [], state


def _compare_rulings(
    stream: Sequence[RecordedEvent], partida: Sequence[RecordedEvent]
) -> Iterator[StreamDifference]:
    """Rulings that the partida does not have at their line."""
    for one in stream:
        match one.event:
            case ev.CaseRuled(verdict=ruling, act=line):
                yield from _not_at(one, ruling, line, line, partida)
            case ev.AppealDecided(verdict=ev.CaseRuling() as ruling, act=line, acts=acts):
                yield from _not_at(one, ruling, line, max(acts, default=0), partida)
            case _:
                pass


def _not_at(
    one: RecordedEvent, ruling: ev.CaseRuling, line: int, at: int, partida: Sequence[RecordedEvent]
) -> Iterator[StreamDifference]:
    """Nothing, if the act of the partida at a line is the ruling, or an amendment that puts it."""
    given = cases.ruling_act(ruling)
    found = next((r.event for r in partida if r.line == at and _is_theirs(r.event)), None)
    put = (
        [c.act for c in found.changes if c.line == line] if isinstance(found, ev.LogAmended) else []
    )
    if given not in (found, *put):
        yield difference(one, "ruling_wrong", found, given)


def _is_theirs(event: object) -> bool:
    return type(event).__name__ in ("RulingGiven", "LogAmended")


def _badly_followed(
    number: int, history: Sequence[RecordedEvent], stream: Sequence[RecordedEvent]
) -> Iterator[StreamDifference]:
    """What the encuentro followed of a case: each of its stages, in that order."""
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
        now = ev.CaseFollowed(number, state.opened.partida, state.stage, state.lines)
        if came_to[-1:] != [now]:
            came_to.append(now)
    if [r.event for r in followed] != came_to:
        at = followed[-1] if followed else history[-1]
        yield difference(at, "case_wrong", [r.event for r in followed], came_to)
