"""What the director takes back by one tap: a result that was told, an absence, a drawn round."""

from __future__ import annotations

from typing import NamedTuple

from referee.aggregates.tournament.decider import is_possible
from referee.aggregates.tournament.state import Meeting, Tournament
from referee.events.tournament import (
    AbsenceWithdrawn,
    MeetingId,
    PairNumber,
    ResultTakenBack,
    RoundTakenBack,
)


class DeskUndo(NamedTuple):
    """The form of the desk that undoes the result of a meeting; pair and round of an absence."""

    do: str
    pair: PairNumber = ""
    round: int = 0


def undo_of(state: Tournament, meeting: Meeting) -> DeskUndo | None:
    """How the result of a meeting is undone; None if it cannot be any more, or there is none."""
    if is_possible(ResultTakenBack(meeting.id), state):
        return DeskUndo("take_back")
    if not meeting.is_walked_over:
        return None
    lost = next(pair for pair in meeting.pairs if pair != meeting.now.winner)
    is_absence = is_possible(AbsenceWithdrawn(lost, meeting.round), state)
    return DeskUndo("present", lost, meeting.round) if is_absence else None


def undos_of_walkovers(state: Tournament) -> dict[MeetingId, DeskUndo]:
    """Walkovers of the desk that one tap undoes."""
    walked = (one for one in state.meetings.values() if one.now.is_walkover)
    found = ((one.id, undo_of(state, one)) for one in walked)
    return {meeting: undo for meeting, undo in found if undo is not None}


def may_take_round_back(state: Tournament) -> bool:
    """Whether the last round can be taken back: it has no result, and nothing plays."""
    return is_possible(RoundTakenBack(len(state.rounds)), state)


def meetings_to_confirm(state: Tournament) -> list[MeetingId]:
    """Meetings of the last round whose result not everybody has confirmed."""
    number = max((one.round for one in state.meetings.values()), default=0)
    return [
        one.id
        for one in state.meetings.values()
        if one.round == number and not one.is_open and one.stage in ("provisional", "disputed")
    ]
