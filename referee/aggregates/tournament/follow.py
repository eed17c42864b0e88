"""How a tournament follows the encuentro of a meeting."""

from __future__ import annotations

from referee.aggregates.encuentro import Encuentro, encuentro_outcome
from referee.aggregates.tournament.state import Meeting
from referee.events.tournament import MeetingFollowed


def change_of(meeting: Meeting, match: Encuentro) -> MeetingFollowed | None:
    """What a tournament records of how an encuentro stands now, if it holds something else."""
    outcome = encuentro_outcome(match)
    winner = dict(zip("AB", meeting.pairs, strict=True)).get(outcome.winner, "")
    event = MeetingFollowed(
        meeting.encuentro, meeting.id, winner, outcome.cotos, outcome.partidas, outcome.stage
    )
    return None if event == outcome_event(meeting) else event


def outcome_event(meeting: Meeting) -> MeetingFollowed:
    """Outcome of the encuentro of a meeting, as the tournament has it."""
    o = meeting.followed
    return MeetingFollowed(
        meeting.encuentro, meeting.id, o.winner or "", o.cotos, o.partidas, meeting.stage
    )
