"""Commands to leagues."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from referee.aggregates.league.calendar import match_acts_to_repeat
from referee.aggregates.league.decider import decide
from referee.aggregates.league.state import TeamLeague
from referee.events.league import LeagueAct, LeagueOpened, MatchesScheduled
from referee.handlers.handler import Handler
from referee.kinds import LEAGUE
from referee.log.streams import Answer, PendingWrite, PlacedEvent, Stream, WriteMetadata


class LeagueHandler(Handler):
    """Reads and records leagues."""

    def league(self, league_id: UUID) -> TeamLeague:
        """A league as it stands now.

        :raises NotFound: no league has this id
        """
        return self._writer.stream(LEAGUE, league_id).state

    def open(self, opened: LeagueOpened, meta: WriteMetadata) -> Answer:
        """Open a league.

        :raises Refused: its rules are not playable
        """
        return self._writer.plan_and_save(
            _plan_league_acts, meta, LEAGUE.empty_stream(self._writer.new_id()), (opened,)
        )

    def record(
        self,
        league_id: UUID,
        acts: Sequence[LeagueAct],
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record acts of a league, all or none.

        :raises Refused: one of them is impossible
        """
        return self._writer.plan_and_save(self._plan_acts, meta, league_id, acts, expected)

    def _plan_acts(
        self, league_id: UUID, acts: Sequence[LeagueAct], expected: int | None
    ) -> PendingWrite:
        return _plan_league_acts(self._writer.stream(LEAGUE, league_id, expected), acts)

    def state_after_acts(self, league_id: UUID, acts: Sequence[LeagueAct]) -> TeamLeague:
        """The league as it would stand after some acts; nothing is recorded.

        :raises Refused: one of them is impossible
        """
        after, _ = _league_after_acts(self._writer.stream(LEAGUE, league_id), acts)
        return after.state


def _plan_league_acts(stream: Stream[TeamLeague], acts: Sequence[LeagueAct]) -> PendingWrite:
    return PendingWrite(*_league_after_acts(stream, acts))


def _league_after_acts(
    stream: Stream[TeamLeague], acts: Sequence[LeagueAct]
) -> tuple[Stream[TeamLeague], tuple[PlacedEvent, ...]]:
    """The league after some acts, and their events.

    A calendar made again keeps what was agreed on for matches.
    """
    placed: tuple[PlacedEvent, ...] = ()
    for act in acts:
        grown, more = LEAGUE.grow_and_place_by_acts(stream, (act,), decide)
        if isinstance(act, MatchesScheduled):
            kept = match_acts_to_repeat(stream.state, grown.state)
            grown, again = LEAGUE.grow_and_place_by_acts(grown, kept, decide)
            more = (*more, *again)
        stream, placed = grown, (*placed, *more)
    return stream, placed
