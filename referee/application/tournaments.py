"""Tournaments as the application writes them; a tournament follows the encuentros held in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import UUID

from referee.application.plan import Answer, PendingWrite, WriteMetadata, noting
from referee.application.streams import ENCUENTRO, TOURNAMENT, FreshRepository, PlacedEvent, Stream
from referee.encuentro.encuentro import Encuentro
from referee.errors import NotFound, Stale
from referee.events import EncuentroOpened, PlayersSeated
from referee.events.tournament import MeetingHeld, MeetingId, TournamentAct, TournamentOpened
from referee.rules.seats import SEATS
from referee.tournament.decider import decide
from referee.tournament.following import following
from referee.tournament.state import Tournament


class Tournaments:
    """What the application does with tournaments."""

    if TYPE_CHECKING:  # the application has them
        _new_id: Callable[[], UUID]

        @property
        def _streams(self) -> FreshRepository: ...
        def _write(self, draft: Callable[[], PendingWrite], meta: WriteMetadata) -> Answer: ...

    def tournament(self, tournament_id: UUID) -> Tournament:
        """A tournament as it stands now.

        :raises NotFound: no tournament has this id
        """
        return self._tournament(tournament_id).state

    def open_tournament(self, opened: TournamentOpened, meta: WriteMetadata) -> Answer:
        """A new tournament.

        :raises TournamentError: it cannot be played like this
        """
        new = self._new_id()
        return self._write(lambda: _direct(TOURNAMENT.empty(new), opened), meta)

    def direct(
        self,
        tournament_id: UUID,
        acts: Sequence[TournamentAct],
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Acts of a tournament, one or several, all or none.

        :raises TournamentError: one of them cannot be
        """
        return self._write(lambda: _direct(self._expecting(tournament_id, expected), *acts), meta)

    def hold_meeting(
        self,
        tournament_id: UUID,
        meeting: MeetingId,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """A meeting as an encuentro under the profile of the tournament, its players seated.

        :raises TournamentError: it cannot be played now
        """
        new = self._new_id()

        def draft() -> PendingWrite:
            stream = self._expecting(tournament_id, expected)
            held = _direct(stream, MeetingHeld(meeting, str(new)))
            opened, seated = _seated(stream, meeting)
            match = noting(ENCUENTRO.empty(new), opened)
            sitting = noting(match.main, seated)
            return PendingWrite(
                held.main, held.placed + match.placed + sitting.placed, (sitting.main,)
            )

        return self._write(draft, meta)

    def _expecting(self, tournament_id: UUID, expected: int | None) -> Stream[Tournament]:
        stream = self._tournament(tournament_id)
        if expected not in (None, stream.state.version):
            raise Stale(stream.state.version)
        return stream

    def _tournament(self, stream_id: UUID) -> Stream[Tournament]:
        return self._streams.stream(TOURNAMENT, stream_id)

    def _followed(self, draft: PendingWrite) -> PendingWrite:
        """A draft, with what the tournaments follow of the encuentros that it changes."""
        written = {one.stream for one in draft.placed}
        placed, others = draft.placed, draft.others
        for stream in (draft.main, *draft.others):
            if stream.id in written and isinstance(stream.state, Encuentro):
                tournament, told = self._follow(stream)
                placed += told
                others += (tournament,) if tournament is not None and told else ()
        return PendingWrite(draft.main, placed, others, draft.guards)

    def _follow(
        self, match: Stream[Encuentro]
    ) -> tuple[Stream[Tournament] | None, tuple[PlacedEvent, ...]]:
        opened = match.state.opened
        if opened is None or not opened.held_in:
            return None, ()
        with suppress(NotFound):  # it is held in something else
            stream = self._tournament(UUID(opened.held_in))
            meeting = stream.state.held_as(str(match.id))
            if meeting is not None:
                event = following(meeting, match.state)
                return TOURNAMENT.grow(stream, () if event is None else (event,))
        return None, ()


def _direct(stream: Stream[Tournament], *acts: TournamentAct) -> PendingWrite:
    placed: tuple[PlacedEvent, ...] = ()
    for act in acts:
        stream, more = TOURNAMENT.grow(stream, decide(act, stream.state))
        placed += more
    return PendingWrite(stream, placed)


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
