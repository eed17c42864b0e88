"""Recomputation of one stream: the conclusions of its acts, compared with those stored.

The replay continues with the conclusions that should have been stored, so that one wrong line is
reported once. It ends at an impossible act: nothing can follow from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from types import UnionType
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, get_args
from uuid import UUID

import msgspec

from referee import events as ev
from referee.aggregates import encuentro, partida
from referee.aggregates.commands import (
    Amend,
    EncuentroCommand,
    Follow,
    FollowCase,
    Note,
    PartidaCommand,
    Record,
)
from referee.errors import Refused
from referee.log.mapper import RecordedEvent

What: TypeAlias = Literal[
    "version_gap",
    "line_gap",
    "not_opened",
    "foreign_event",
    "impossible_act",
    "missing_conclusion",
    "extra_conclusion",
    "changed_conclusion",
    "profile_changed",
    "options_changed",
    "partida_missing",
    "partida_astray",
    "outcome_wrong",
    "dealer_wrong",
    "case_missing",
    "case_astray",
    "case_wrong",
    "ruling_wrong",
    "tables_wrong",
    "earlier_law",
]

_OF_PARTIDA = get_args(ev.PartidaEvent)
_OF_ENCUENTRO = get_args(ev.EncuentroEvent)


class Histories(Protocol):
    """Anything from which the events of a stream can be read."""

    def history(self, stream: UUID, upto: int) -> Sequence[RecordedEvent]:
        """Events of a stream up to a store version."""
        ...


class StreamDifference(msgspec.Struct, frozen=True):
    """A difference between what is stored on the log and what is recomputed from the acts.

    Both are plain JSON values; None where there is nothing. ``earlier_law`` is none: the stored
    conclusions stand, also where its program took the cards otherwise than today's; what follows
    today is beside them.
    """

    stream: str
    line: int
    what: What
    stored: Any = None
    computed: Any = None


def difference_at_event(
    at: RecordedEvent, what: What, stored: object = None, computed: object = None
) -> StreamDifference:
    """A difference between stored and recomputed content, at the place of an event."""
    return StreamDifference(
        str(at.originator_id), at.line, what, _plain_values(stored), _plain_values(computed)
    )


def _plain_values(value: object) -> Any:
    return msgspec.to_builtins(value, str_keys=True, enc_hook=str)


def sequence_differences(
    history: Sequence[RecordedEvent], first: type[Any] | UnionType
) -> Iterator[StreamDifference]:
    """Differences in a stream: gaps in versions or lines, a first event that does not open it."""
    if history and not isinstance(history[0].event, first):
        yield difference_at_event(history[0], "not_opened", history[0].event)
    line = version = 0
    for one in history:
        line += isinstance(one.event, ev.Act)
        if one.originator_version != version + 1:
            yield difference_at_event(one, "version_gap", one.originator_version, version + 1)
        if one.line != line:
            yield difference_at_event(one, "line_gap", one.line, line)
        line, version = one.line, one.originator_version


class RecomputedPartida(NamedTuple):
    """A partida recomputed from its acts alone.

    ``state``: at the end; None if an act is impossible. ``came_to``: its outcomes in order, without
    repetitions.
    """

    differences: list[StreamDifference]
    state: partida.Partida | None
    came_to: list[Follow]

    def newest_law_differences(self, last: RecordedEvent) -> Iterator[StreamDifference]:
        """What today's law would conclude otherwise of a partida from before it."""
        today = self.state and partida.partida_under_newest_law_or_none(self.state)
        if self.state is None or today is None or self.differences:
            return
        stated, now = self.state.table.conclusions, today.table.conclusions
        if stated != now:
            yield difference_at_event(last, "earlier_law", stated, now)


def replay_partida(history: Sequence[RecordedEvent]) -> RecomputedPartida:
    """A partida recomputed, with its wrong and its missing conclusions."""
    found: list[StreamDifference] = []
    came_to: list[Follow] = []
    state: partida.Partida | None = None
    for state, wrong in _states_and_differences(history):
        found += wrong
        if state is None:
            break
        stands = partida.follow_command_of_partida(state)
        if stands.how == encuentro.UNDECIDED:
            stands = replace(stands, totals={})
        if stands not in came_to[-1:]:
            came_to.append(stands)
    return RecomputedPartida(found, state, came_to)


def _states_and_differences(
    history: Sequence[RecordedEvent],
) -> Iterator[tuple[partida.Partida | None, Iterable[StreamDifference]]]:
    """The state after each act with its conclusions, and what of them is not as it should be."""
    if not history or not isinstance(history[0].event, ev.PartidaOpened):
        return
    state = partida.INITIAL
    for head, tail in _group_events_by_head(history, _begins_partida_group):
        event: Any = head.event
        computed: Sequence[Any] = ()
        if not isinstance(event, _OF_PARTIDA) or (
            state.opened and isinstance(event, ev.PartidaOpened)
        ):
            yield state, [difference_at_event(head, "foreign_event", event)]
        elif isinstance(event, ev.PartidaOpened | ev.DealerDue):
            state = partida.evolve(state, event)
        else:
            is_amended = isinstance(event, ev.LogAmended)
            command: PartidaCommand = (
                Amend(event.changes, event.text) if is_amended else Record(event)
            )
            try:
                decision = partida.decide(command, state)
            except Refused as refused:
                yield None, [impossible_act_difference(head, refused)]
                return
            after, computed = decision.state, decision.events[1:]
            if partida.may_earlier_law_differ(after):
                computed = [one.event for one in tail]
                after = partida.fold([event, *computed], state)
            state = after
        yield state, _conclusion_differences_at_line(head, tail, computed)


def encuentro_conclusion_differences(
    history: Sequence[RecordedEvent],
) -> Iterator[StreamDifference]:
    """Differences between conclusions of an encuentro and those that its acts give."""
    state = encuentro.INITIAL
    for head, tail in _group_events_by_head(history, _begins_encuentro_group):
        event: Any = head.event
        computed: Sequence[Any] = ()
        if not isinstance(event, _OF_ENCUENTRO):
            yield difference_at_event(head, "foreign_event", event)
        else:
            try:
                events = encuentro.decide(_command_of(event), state)
            except Refused as refused:
                yield impossible_act_difference(head, refused)
                return
            state, computed = encuentro.fold(events, state), events[1:]
        yield from _conclusion_differences_at_line(head, tail, computed)


def _command_of(event: Any) -> EncuentroCommand:
    """The command that leads to an event of an encuentro."""
    match event:
        case ev.OutcomeFollowed():
            return follow_command_of(event)
        case ev.CaseFollowed(case, partida, stage, lines):
            return FollowCase(case, partida, stage, lines)
        case _:
            return Note(event)


def impossible_act_difference(head: RecordedEvent, refused: Refused) -> StreamDifference:
    """The difference for an act that the rules refuse when it is decided again."""
    why = {"rule": refused.rule.value, "facts": dict(refused.facts)}
    return difference_at_event(head, "impossible_act", head.event, why)


def _begins_partida_group(event: object) -> bool:
    """Whether an event begins a group: itself and the conclusions that follow it in a partida."""
    is_theirs = isinstance(event, _OF_PARTIDA)
    return isinstance(event, ev.Act | ev.DealerDue | ev.PartidaOpened) or not is_theirs


def _begins_encuentro_group(event: object) -> bool:
    return isinstance(event, ev.Act | ev.OutcomeFollowed | ev.CaseFollowed) or not isinstance(
        event, _OF_ENCUENTRO
    )


def _group_events_by_head(
    history: Sequence[RecordedEvent], is_head: Callable[[object], bool]
) -> Iterator[tuple[RecordedEvent, list[RecordedEvent]]]:
    """Groups of an event and the conclusions that follow it."""
    head, tail = history[0], list[RecordedEvent]()
    for one in history[1:]:
        if is_head(one.event):
            yield head, tail
            head, tail = one, []
        else:
            tail.append(one)
    yield head, tail


def _conclusion_differences_at_line(
    head: RecordedEvent, stored: Sequence[RecordedEvent], computed: Sequence[Any]
) -> Iterator[StreamDifference]:
    """Differences between stored and recomputed conclusions of one line.

    Two of one type are reported as one change.
    """
    missing = list(computed)
    extra: list[RecordedEvent] = []
    for one in stored:
        if one.event in missing:
            missing.remove(one.event)
        else:
            extra.append(one)
    for one in extra:
        other = next((event for event in missing if type(event) is type(one.event)), None)
        if other is not None:
            missing.remove(other)
        what: What = "extra_conclusion" if other is None else "changed_conclusion"
        yield difference_at_event(one, what, one.event, other)
    for event in missing:
        yield difference_at_event(head, "missing_conclusion", None, event)


def follow_command_of(event: ev.OutcomeFollowed) -> Follow:
    """The command by which an encuentro records this outcome of a partida."""
    return Follow(event.partida, event.winner, event.how, event.totals, event.whole_match)
