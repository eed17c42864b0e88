"""Commands to seasons and their sessions; the tables that a session opens are encuentros."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from referee import events as ev
from referee.aggregates import club as players
from referee.aggregates import encuentro as encuentros
from referee.aggregates import season as seasons
from referee.aggregates import session as sessions
from referee.aggregates.commands import Note
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.season import Season
from referee.aggregates.session import Session, players_per_table
from referee.aggregates.session_tables import persons_by_seat
from referee.errors import Refused
from referee.handlers.encuentros import plan_encuentro_act
from referee.handlers.handler import Handler
from referee.kinds import CLUB, CLUB_ID, ENCUENTRO, SEASON, SESSION, table_encuentro_id
from referee.log.streams import (
    Answer,
    PendingWrite,
    PlacedEvent,
    Stream,
    WriteMetadata,
)
from referee.rules.articles import Rule


class SeasonHandler(Handler):
    """Reads and records seasons and sessions."""

    def season(self, season_id: UUID) -> Season:
        """A season as it stands now.

        :raises NotFound: no season has this id
        """
        return self._writer.stream(SEASON, season_id).state

    def session(self, session_id: UUID) -> Session:
        """An evening as it stands now.

        :raises NotFound: no session has this id
        """
        return self._writer.stream(SESSION, session_id).state

    def open_season(
        self, act: ev.SeasonOpened, meta: WriteMetadata, season_id: UUID | None = None
    ) -> Answer:
        """Record a new season.

        :raises Stale: the id is taken
        """
        new = self._writer.new_id() if season_id is None else season_id
        return self._writer.plan_and_save(self._plan_new_season, meta, new, act)

    def _plan_new_season(self, new: UUID, act: ev.SeasonOpened) -> PendingWrite:
        self._writer.refuse_taken_id(SEASON, new)
        empty = SEASON.empty_stream(new)
        return PendingWrite(*SEASON.grow_and_place_events(empty, seasons.decide(act, empty.state)))

    def open_session(
        self, act: ev.SessionOpened, meta: WriteMetadata, session_id: UUID | None = None
    ) -> Answer:
        """Open an evening. If it belongs to a season, that season has to be open.

        :raises Stale: the id is taken
        :raises NotFound: there is no such season
        """
        new = self._writer.new_id() if session_id is None else session_id
        return self._writer.plan_and_save(self._plan_new_session, meta, new, act)

    def _plan_new_session(self, new: UUID, act: ev.SessionOpened) -> PendingWrite:
        self._writer.refuse_taken_id(SESSION, new)
        guards, empty = self._guard_of_open_season(act.season, act.of), SESSION.empty_stream(new)
        return PendingWrite(
            *SESSION.grow_and_place_events(empty, sessions.decide(act, empty.state)), guards=guards
        )

    def record_season_act(
        self, season_id: UUID, act: ev.SeasonAct, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Record an act of a season."""
        return self._writer.plan_and_save(self._plan_season_act, meta, season_id, act, expected)

    def _plan_season_act(
        self, season_id: UUID, act: ev.SeasonAct, expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(SEASON, season_id, expected)
        return PendingWrite(
            *SEASON.grow_and_place_events(stream, seasons.decide(act, stream.state))
        )

    def record_session_acts(
        self,
        session_id: UUID,
        acts: Sequence[ev.SessionAct],
        meta: WriteMetadata,
        expected: int | None = None,
        enrolled: Sequence[ev.ClubAct] = (),
    ) -> Answer:
        """Record acts of an evening, all or none.

        ``enrolled``: acts of the club that come with them, as of new players and pairs who came.
        """
        return self._writer.plan_and_save(
            self._plan_session_acts, meta, session_id, acts, expected, enrolled
        )

    def _plan_session_acts(
        self,
        session_id: UUID,
        acts: Sequence[ev.SessionAct],
        expected: int | None,
        enrolled: Sequence[ev.ClubAct],
    ) -> PendingWrite:
        stream = self._writer.stream(SESSION, session_id, expected)
        opened, guards = stream.state.opened, dict[UUID, int]()
        assert opened is not None
        if any(isinstance(act, ev.SessionReopened) for act in acts):
            guards = self._guard_of_open_season(opened.season, opened.of)
        stream, placed = SESSION.grow_and_place_by_acts(stream, acts, sessions.decide)
        if not enrolled:
            return PendingWrite(stream, placed, guards=guards)
        before = self._writer.stream_or_empty(CLUB, CLUB_ID)
        club, listed = CLUB.grow_and_place_by_acts(before, enrolled, players.decide)
        return PendingWrite(stream, placed + listed, (club,), guards)

    def open_tables(
        self, session_id: UUID, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Open an encuentro for each table of the last draw, with its players seated.

        :raises Refused: none was drawn since the last were opened
        """
        return self._writer.plan_and_save(self._plan_table_openings, meta, session_id, expected)

    def _plan_table_openings(self, session_id: UUID, expected: int | None) -> PendingWrite:
        stream = self._writer.stream(SESSION, session_id, expected)
        tables = () if stream.state.unopened_draw is None else stream.state.unopened_draw.tables
        line = stream.state.version + 1
        opened = [_plan_table_encuentro(stream, table, line) for table in tables]
        act = ev.TablesOpened(tuple(str(one.id) for one, _ in opened))
        after, placed = SESSION.grow_and_place_events(stream, sessions.decide(act, stream.state))
        every = placed + tuple(one for _, more in opened for one in more)
        return PendingWrite(after, every, tuple(one for one, _ in opened))

    def call_off_tables(
        self, session_id: UUID, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Call off the encuentros of the tables opened last; their draw waits again.

        :raises Refused: something was recorded at one of them, or none was opened
        """
        return self._writer.plan_and_save(self._plan_tables_call_off, meta, session_id, expected)

    def _plan_tables_call_off(self, session_id: UUID, expected: int | None) -> PendingWrite:
        stream = self._writer.stream(SESSION, session_id, expected)
        events = sessions.decide(ev.TablesTakenBack(), stream.state)
        after, placed = SESSION.grow_and_place_events(stream, events)
        gone = stream.state.encuentro_ids[len(after.state.encuentro_ids) :]
        return self._add_act_at_each_table(
            PendingWrite(after, placed), gone, ev.EncuentroCalledOff()
        )

    def change_session(
        self,
        session_id: UUID,
        act: ev.SessionChanged,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Change day, season, place or profile of an evening and of its tables.

        :raises Refused: something was recorded at one of its tables, or the season is closed
        """
        return self._writer.plan_and_save(
            self._plan_session_change, meta, session_id, act, expected
        )

    def _plan_session_change(
        self, session_id: UUID, act: ev.SessionChanged, expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(SESSION, session_id, expected)
        opened = stream.state.opened
        assert opened is not None
        guards = self._guards_of_both_seasons(opened, act.season)
        after, placed = SESSION.grow_and_place_events(stream, sessions.decide(act, stream.state))
        change = ev.OpeningChanged(act.profile, act.place, act.date)
        write = PendingWrite(after, placed, guards=guards)
        return self._add_act_at_each_table(write, stream.state.encuentro_ids, change)

    def correct_session_day(
        self, session_id: UUID, day: str, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Correct the day of an evening and of its tables, whatever was recorded at them.

        :raises Refused: its season is closed
        """
        return self._writer.plan_and_save(
            self._plan_day_correction, meta, session_id, day, expected
        )

    def _plan_day_correction(
        self, session_id: UUID, day: str, expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(SESSION, session_id, expected)
        opened = stream.state.opened
        assert opened is not None
        guards = self._guards_of_both_seasons(opened, opened.season)
        act = sessions.session_day_change(stream.state, day)
        after, placed = SESSION.grow_and_place_events(stream, sessions.decide(act, stream.state))
        tables = [self._writer.stream(ENCUENTRO, UUID(one)) for one in stream.state.encuentro_ids]
        noted = [
            plan_encuentro_act(one, encuentros.act_to_change_day(one.state, day))
            for one in tables
            if one.state.opened is not None and one.state.opened.date != day
        ]
        placed += tuple(event for one in noted for event in one.placed)
        return PendingWrite(after, placed, tuple(one.main for one in noted), guards)

    def move_session_to_season(
        self,
        session_id: UUID,
        season: str,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Count an evening in another season, or in none, whatever was recorded at its tables.

        :raises Refused: the season that it leaves or the one that it joins is closed, or of others
        """
        return self._writer.plan_and_save(
            self._plan_session_move, meta, session_id, season, expected
        )

    def _plan_session_move(
        self, session_id: UUID, season: str, expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(SESSION, session_id, expected)
        opened = stream.state.opened
        assert opened is not None
        guards = self._guards_of_both_seasons(opened, season)
        act = sessions.session_season_change(stream.state, season)
        return PendingWrite(
            *SESSION.grow_and_place_events(stream, sessions.decide(act, stream.state)),
            guards=guards,
        )

    def _guards_of_both_seasons(self, opened: ev.SessionOpened, season: str) -> dict[UUID, int]:
        """Version by id of the seasons an evening leaves and joins; both must be open."""
        left = (
            {} if opened.season == season else self._guard_of_open_season(opened.season, opened.of)
        )
        return {**left, **self._guard_of_open_season(season, opened.of)}

    def _add_act_at_each_table(
        self, write: PendingWrite, tables: Iterable[str], act: ev.EncuentroAct
    ) -> PendingWrite:
        """The planned write of an evening, with an act at the encuentros of some of its tables."""
        noted = [
            plan_encuentro_act(self._writer.stream(ENCUENTRO, UUID(one)), act) for one in tables
        ]
        placed = write.placed + tuple(event for one in noted for event in one.placed)
        return replace(write, placed=placed, others=tuple(one.main for one in noted))

    def _guard_of_open_season(self, season_id: str, of: ev.Competitors) -> dict[UUID, int]:
        """Version by id of a season, which the write checks; it must be open, and of this kind.

        Empty without a season.

        :raises Refused: it is closed, or of another kind
        """
        if not season_id:
            return {}
        season = self._writer.stream(SEASON, UUID(season_id))
        if season.state.is_closed:
            raise Refused(Rule.SEASON_CLOSED)
        if season.state.opened is not None and season.state.opened.of != of:
            raise Refused(Rule.OTHER_COMPETITORS)
        return {season.id: season.version}


def _plan_table_encuentro(
    session: Stream[Session], table: ev.DrawnTable, line: int
) -> tuple[Stream[Encuentro], tuple[PlacedEvent, ...]]:
    """A new encuentro for a drawn table, players seated, and its events, to be recorded."""
    opened = session.state.opened
    assert opened is not None
    place, date, held_in = opened.place, opened.date, str(session.id)
    begun = ev.EncuentroOpened(opened.profile, place, date, held_in, table.number)
    seated = ev.PlayersSeated(persons_by_seat(table, players_per_table(session.state)))
    empty = ENCUENTRO.empty_stream(table_encuentro_id(session.id, line, table.number))
    events = encuentros.decide(Note(begun), empty.state)
    events += encuentros.decide(Note(seated), encuentros.fold(events))
    return ENCUENTRO.grow_and_place_events(empty, events)
