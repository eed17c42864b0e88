"""A tournament on a log, decided again act by act; what it followed, from its encuentros."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args
from uuid import UUID

from referee.aggregates import encuentro
from referee.aggregates.tournament.decider import decide
from referee.aggregates.tournament.evolution import evolve
from referee.aggregates.tournament.follow import change_of, outcome_event
from referee.aggregates.tournament.state import INITIAL, Meeting, Tournament
from referee.audit.verify.streams import Histories, StreamDifference, difference, find_misplaced
from referee.errors import Refused
from referee.events import EncuentroEvent, TournamentAct, TournamentOpened
from referee.events.tournament import MeetingFollowed, MeetingHeld, MeetingId
from referee.log.mapper import RecordedEvent

_ACTS = get_args(TournamentAct)
_OF_ENCUENTRO = get_args(EncuentroEvent)
_WHOLE = 2**62


def verify_tournament(
    history: Sequence[RecordedEvent], log: Histories
) -> Iterator[StreamDifference]:
    """Differences of a tournament from its acts: rounds, orders, walkovers, followed results.

    It ends at an impossible act: nothing can follow from it.
    """
    yield from find_misplaced(history, TournamentOpened)
    state = INITIAL
    still: dict[str, list[MeetingFollowed]] = {}
    for at in history:
        event = at.event
        if isinstance(event, MeetingFollowed):
            yield from _badly_followed(at, event, state, still)
            if event.meeting not in state.meetings:
                return
            state = evolve(state, event)
            continue
        if not isinstance(event, _ACTS):
            yield difference(at, "foreign_event", event)
            return
        try:
            (computed,) = decide(event, state)
        except Refused as wrong:
            why = {"reason": wrong.rule.value, "facts": dict(wrong.facts)}
            yield difference(at, "impossible_act", event, why)
            return
        if computed != event:
            yield difference(at, "changed_conclusion", event, computed)
        state = evolve(state, event)
        if isinstance(event, MeetingHeld):
            still[event.encuentro] = _came_to(state.meetings[event.meeting], log)
    yield from _ends(history, state, still)


def _came_to(meeting: Meeting, log: Histories) -> list[MeetingFollowed]:
    """Outcomes of the encuentro of a meeting, one for each change."""
    found = [outcome_event(meeting)]
    state = encuentro.INITIAL
    for one in log.history(UUID(meeting.encuentro), _WHOLE):
        event: Any = one.event
        if isinstance(event, _OF_ENCUENTRO):
            state = encuentro.evolve(state, event)
            if state.opened is not None:
                outcome = change_of(meeting, state) or outcome_event(meeting)
                found += [outcome] if outcome != found[-1] else []
    return found


def _badly_followed(
    at: RecordedEvent,
    event: MeetingFollowed,
    state: Tournament,
    still: Mapping[str, list[MeetingFollowed]],
) -> Iterator[StreamDifference]:
    """What was followed has to be what the encuentro came to, in that order."""
    came_to = still.get(event.encuentro, [])
    meeting = state.meetings.get(event.meeting)
    if meeting is None or meeting.encuentro != event.encuentro or event not in came_to:
        yield difference(at, "outcome_wrong", event, came_to[-1] if came_to else None)
        return
    del came_to[: came_to.index(event)]


def _ends(
    history: Sequence[RecordedEvent],
    state: Tournament,
    still: Mapping[MeetingId, list[MeetingFollowed]],
) -> Iterator[StreamDifference]:
    """Differences between the meetings that are held and the outcomes of their encuentros."""
    for one in state.meetings.values():
        if one.encuentro and outcome_event(one) != still[one.encuentro][-1]:
            yield difference(
                history[-1], "outcome_wrong", outcome_event(one), still[one.encuentro][-1]
            )
