"""Commands to tournaments, and the encuentros that their meetings are played as."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from referee.aggregates.encuentro import Encuentro, act_to_change_day
from referee.aggregates.tournament.decider import (
    decide,
    outcome_event_if_changed,
    promotion_acts_after_withdrawal,
    result_acts_after_absence,
    table_acts_after_settlement,
)
from referee.aggregates.tournament.entries import players_of_pairs, refuse_oversize_groups
from referee.aggregates.tournament.rules import TournamentRule
from referee.aggregates.tournament.state import Tournament
from referee.errors import Refused
from referee.events import EncuentroCalledOff, EncuentroOpened, Event, PlayersSeated
from referee.events import tournament as ev
from referee.handlers.encuentros import plan_encuentro_act, plan_encuentro_acts
from referee.handlers.handler import Handler
from referee.kinds import CLUB, CLUB_ID, ENCUENTRO, TOURNAMENT
from referee.log.streams import (
    Answer,
    PendingWrite,
    Stream,
    WriteMetadata,
)
from referee.log.writer import Following, Writer
from referee.rules.seats import SEATS

_ENTRIES = (ev.PairApplied, ev.PairEntered, ev.PairReturned, ev.PairSubstituted)


class TournamentHandler(Handler):
    """Reads and records tournaments."""

    def __init__(self, writer: Writer) -> None:
        super().__init__(writer)
        writer.followings.append(
            Following(TOURNAMENT, ENCUENTRO, session_or_tournament_id, _meeting_outcome_events)
        )

    def tournament(self, tournament_id: UUID) -> Tournament:
        """A tournament as it stands now.

        :raises NotFound: no tournament has this id
        """
        return self._writer.stream(TOURNAMENT, tournament_id).state

    def open(self, opened: ev.TournamentOpened, meta: WriteMetadata) -> Answer:
        """Open a tournament.

        :raises Refused: its plan is not playable
        """
        return self._writer.plan_and_save(
            _plan_acts_and_consequences,
            meta,
            TOURNAMENT.empty_stream(self._writer.new_id()),
            opened,
        )

    def record(
        self,
        tournament_id: UUID,
        acts: Sequence[ev.TournamentAct],
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record acts of a tournament, all or none.

        :raises Refused: one of them is impossible
        """
        return self._writer.plan_and_save(self.plan_acts, meta, tournament_id, acts, expected)

    def plan_acts(
        self, tournament_id: UUID, acts: Sequence[ev.TournamentAct], expected: int | None
    ) -> PendingWrite:
        """Plan acts of a tournament without recording them.

        :raises Refused: one of them is impossible
        """
        stream = self._writer.stream(TOURNAMENT, tournament_id, expected)
        directed = _plan_acts_and_consequences(stream, *acts)
        if any(isinstance(act, _ENTRIES) for act in acts):
            self._refuse_person_twice_or_oversize(stream.state, directed.main.state)
        return directed

    def _refuse_person_twice_or_oversize(self, state: Tournament, entered: Tournament) -> None:
        """Refuse entries by which a person, after all merges, plays for two; or too many of them.

        What was so before is not refused: it is told at the desk.

        :raises Refused: so it is
        """
        if len(entered.entries) > len(state.entries):
            refuse_oversize_groups(entered)
        club = self._writer.stream_or_empty(CLUB, CLUB_ID).state
        before, after = (
            club.parts_by_repeated_person(players_of_pairs(one)) for one in (state, entered)
        )
        if any(set(pairs) - set(before.get(person, ())) for person, pairs in after.items()):
            raise Refused(TournamentRule.PERSON_TWICE)

    def correct_day(
        self, tournament_id: UUID, day: str, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Correct the day of a tournament and of the tables that had it, whatever was recorded.

        A table whose day is another one keeps it: a tournament may last longer than a day.
        """
        return self._writer.plan_and_save(
            self._plan_day_correction, meta, tournament_id, day, expected
        )

    def _plan_day_correction(
        self, tournament_id: UUID, day: str, expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(TOURNAMENT, tournament_id, expected)
        directed, opened = (
            _plan_acts_and_consequences(stream, ev.TournamentDated(day)),
            stream.state.opened,
        )
        assert opened is not None
        held = filter(None, (one.encuentro for one in stream.state.meetings.values()))
        tables = [self._writer.stream(ENCUENTRO, UUID(one)) for one in held]
        noted = [
            plan_encuentro_act(one, act_to_change_day(one.state, day))
            for one in tables
            if one.state.opened is not None
            and opened.date == one.state.opened.date != day
            and not one.state.is_called_off
        ]
        placed = directed.placed + tuple(event for one in noted for event in one.placed)
        return PendingWrite(directed.main, placed, tuple(one.main for one in noted))

    def open_meeting_encuentro(
        self,
        tournament_id: UUID,
        meeting: ev.MeetingId,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Open the encuentro of a meeting under the tournament's profile, and seat the players.

        :raises Refused: it cannot be played now
        """
        new = self._writer.new_id()
        return self._writer.plan_and_save(
            self._plan_meeting_encuentro, meta, new, tournament_id, meeting, expected
        )

    def _plan_meeting_encuentro(
        self, new: UUID, tournament_id: UUID, meeting: ev.MeetingId, expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(TOURNAMENT, tournament_id, expected)
        directed = _plan_acts_and_consequences(stream, ev.MeetingHeld(meeting, str(new)))
        match = plan_encuentro_acts(
            ENCUENTRO.empty_stream(new), _encuentro_opening_events(stream, meeting)
        )
        return PendingWrite(directed.main, directed.placed + match.placed, (match.main,))

    def call_off_meeting_encuentro(
        self,
        tournament_id: UUID,
        meeting: ev.MeetingId,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Call off the encuentro of a meeting, if nothing is recorded at it.

        :raises Refused: the meeting has none, or something is recorded at it
        """
        return self._writer.plan_and_save(
            self._plan_meeting_release, meta, tournament_id, meeting, expected
        )

    def _plan_meeting_release(
        self, tournament_id: UUID, meeting: ev.MeetingId, expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(TOURNAMENT, tournament_id, expected)
        directed = _plan_acts_and_consequences(stream, ev.MeetingReleased(meeting))
        match = self._writer.stream(ENCUENTRO, UUID(stream.state.meetings[meeting].encuentro))
        off = plan_encuentro_act(match, EncuentroCalledOff())
        return PendingWrite(directed.main, directed.placed + off.placed, (off.main,))


def session_or_tournament_id(encuentro: Encuentro) -> UUID | None:
    """Id of the session or tournament that an encuentro is held in."""
    opened = encuentro.opened
    return UUID(opened.held_in) if opened is not None and opened.held_in else None


def _meeting_outcome_events(
    tournament: Tournament, encuentro: Stream[Encuentro]
) -> tuple[Event, ...]:
    meeting = tournament.meeting_of_encuentro(str(encuentro.id))
    event = None if meeting is None else outcome_event_if_changed(meeting, encuentro.state)
    return () if event is None else (event,)


def _plan_acts_and_consequences(
    stream: Stream[Tournament], *acts: ev.TournamentAct
) -> PendingWrite:
    """Plan acts of a tournament together with the acts that follow from them at once.

    A pair that waits gets a place that becomes free. A meeting to which neither pair comes is lost
    by both; meetings that a settled correction adds
    get the tables that it frees.
    """
    grown, placed = TOURNAMENT.grow_and_place_by_acts(stream, acts, decide)
    for act in acts:
        for follow in (promotion_acts_after_withdrawal, result_acts_after_absence):
            grown, more = TOURNAMENT.grow_and_place_by_acts(grown, follow(grown.state, act), decide)
            placed += more
    if any(isinstance(act, ev.CorrectionSettled) for act in acts):
        tables = table_acts_after_settlement(stream.state, grown.state)
        grown, more = TOURNAMENT.grow_and_place_by_acts(grown, tables, decide)
        placed += more
    return PendingWrite(grown, placed)


def _encuentro_opening_events(
    stream: Stream[Tournament], meeting_id: ev.MeetingId
) -> tuple[EncuentroOpened, PlayersSeated]:
    """Events that open the encuentro of a meeting and seat its players.

    The pair named first is side A.
    """
    state = stream.state
    assert state.opened is not None
    opened = state.opened
    one, other = (state.entries[pair].players for pair in state.meetings[meeting_id].pairs)
    in_turn: Any = [person for two in zip(one, other, strict=True) for person in two]
    seats = SEATS[len(in_turn)]
    seated = PlayersSeated(dict(zip(seats, in_turn, strict=True)))
    match = EncuentroOpened(opened.profile, date=opened.date, held_in=str(stream.id))
    return match, seated
