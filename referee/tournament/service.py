"""Tournaments, and the encuentros that their meetings are played as."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from referee.club.player_service import CLUB, CLUB_ID
from referee.encuentro.encuentro import Encuentro
from referee.encuentro.planning import plan_note
from referee.encuentro.streams import ENCUENTRO
from referee.errors import Refused
from referee.events import EncuentroCalledOff, EncuentroOpened, Event, PlayersSeated
from referee.events.tournament import (
    CorrectionSettled,
    MeetingHeld,
    MeetingId,
    MeetingReleased,
    PairEntered,
    PairReturned,
    PairSubstituted,
    TournamentAct,
    TournamentOpened,
)
from referee.log.streams import (
    Answer,
    PendingWrite,
    Stream,
    StreamKind,
    WriteMetadata,
    refuse_stale,
)
from referee.log.writer import Following, Writer
from referee.rules.seats import SEATS
from referee.tournament import folding
from referee.tournament.decider import decide, tables_after
from referee.tournament.entering import check_all_can_meet, players_of_pairs
from referee.tournament.following import following
from referee.tournament.rules import TournamentRule
from referee.tournament.state import INITIAL, Tournament

TOURNAMENT: StreamKind[Tournament] = StreamKind(INITIAL, folding.evolve, TournamentOpened)
_ENTRIES = (PairEntered, PairReturned, PairSubstituted)


class TournamentService:
    """Reads and records tournaments."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        writer.followings.append(Following(TOURNAMENT, ENCUENTRO, event_of, _follow))

    def tournament(self, tournament_id: UUID) -> Tournament:
        """A tournament as it stands now.

        :raises NotFound: no tournament has this id
        """
        return self._tournament(tournament_id).state

    def open(self, opened: TournamentOpened, meta: WriteMetadata) -> Answer:
        """Open a tournament.

        :raises Refused: its plan is not playable
        """
        new = self._writer.new_id()
        return self._writer.write(lambda: _direct(TOURNAMENT.empty(new), opened), meta)

    def direct(
        self,
        tournament_id: UUID,
        acts: Sequence[TournamentAct],
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record acts of a tournament, all or none.

        :raises Refused: one of them is impossible
        """

        def draft() -> PendingWrite:
            stream = self._expecting(tournament_id, expected)
            written = _direct(stream, *acts)
            if any(isinstance(act, _ENTRIES) for act in acts):
                self._check_entries(stream.state, written.main.state)
            return written

        return self._writer.write(draft, meta)

    def _check_entries(self, state: Tournament, entered: Tournament) -> None:
        """Refuse entries by which a person, after all merges, plays for two; or too many of them.

        What was so before is not refused: it is told at the desk.

        :raises Refused: so it is
        """
        if len(entered.entries) > len(state.entries):
            check_all_can_meet(entered)
        club = self._writer.stream_or_empty(CLUB, CLUB_ID).state
        before, after = (club.in_several(players_of_pairs(one)) for one in (state, entered))
        if any(set(pairs) - set(before.get(person, ())) for person, pairs in after.items()):
            raise Refused(TournamentRule.PERSON_TWICE)

    def hold_meeting(
        self,
        tournament_id: UUID,
        meeting: MeetingId,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Open the encuentro of a meeting under the tournament's profile, and seat the players.

        :raises Refused: it cannot be played now
        """
        new = self._writer.new_id()

        def draft() -> PendingWrite:
            stream = self._expecting(tournament_id, expected)
            held = _direct(stream, MeetingHeld(meeting, str(new)))
            opened, seated = _seated(stream, meeting)
            match = plan_note(ENCUENTRO.empty(new), opened)
            sitting = plan_note(match.main, seated)
            return PendingWrite(
                held.main, held.placed + match.placed + sitting.placed, (sitting.main,)
            )

        return self._writer.write(draft, meta)

    def release_meeting(
        self,
        tournament_id: UUID,
        meeting: MeetingId,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Call off the encuentro of a meeting, at which nothing is recorded.

        :raises Refused: the meeting has none, or something is recorded at it
        """

        def draft() -> PendingWrite:
            stream = self._expecting(tournament_id, expected)
            released = _direct(stream, MeetingReleased(meeting))
            held = UUID(stream.state.meetings[meeting].encuentro)
            off = plan_note(self._writer.stream(ENCUENTRO, held), EncuentroCalledOff())
            return PendingWrite(released.main, released.placed + off.placed, (off.main,))

        return self._writer.write(draft, meta)

    def _expecting(self, tournament_id: UUID, expected: int | None) -> Stream[Tournament]:
        stream = self._tournament(tournament_id)
        refuse_stale(stream.state.version, expected)
        return stream

    def _tournament(self, stream_id: UUID) -> Stream[Tournament]:
        return self._writer.stream(TOURNAMENT, stream_id)


def event_of(encuentro: Encuentro) -> UUID | None:
    """Id of the session or tournament that an encuentro is held in."""
    opened = encuentro.opened
    return UUID(opened.held_in) if opened is not None and opened.held_in else None


def _follow(tournament: Tournament, encuentro: Stream[Encuentro]) -> tuple[Event, ...]:
    meeting = tournament.held_as(str(encuentro.id))
    event = None if meeting is None else following(meeting, encuentro.state)
    return () if event is None else (event,)


def _direct(stream: Stream[Tournament], *acts: TournamentAct) -> PendingWrite:
    """Acts as decided; meetings that a settled correction adds get the tables that it frees."""
    grown, placed = TOURNAMENT.grow_by(stream, acts, decide)
    if any(isinstance(act, CorrectionSettled) for act in acts):
        tables = tables_after(stream.state, grown.state)
        grown, more = TOURNAMENT.grow_by(grown, tables, decide)
        placed += more
    return PendingWrite(grown, placed)


def _seated(
    stream: Stream[Tournament], meeting_id: MeetingId
) -> tuple[EncuentroOpened, PlayersSeated]:
    """An encuentro for a meeting; the pair named first is side A."""
    state = stream.state
    assert state.opened is not None
    opened = state.opened
    one, other = (state.entries[pair].players for pair in state.meetings[meeting_id].pairs)
    in_turn: Any = [person for two in zip(one, other, strict=True) for person in two]
    seats = SEATS[len(in_turn)]
    seated = PlayersSeated(dict(zip(seats, in_turn, strict=True)))
    match = EncuentroOpened(opened.profile, date=opened.date, held_in=str(stream.id))
    return match, seated
