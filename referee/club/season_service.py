"""Seasons and their sessions; the tables that a session opens are encuentros."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID, uuid5

from referee.club import players
from referee.club import season as seasons
from referee.club import session as sessions
from referee.club.player_service import CLUB, CLUB_ID
from referee.club.season import Season
from referee.club.session import Session, players_of
from referee.club.session_tables import seats_of
from referee.encuentro import encuentro as encuentros
from referee.encuentro.commands import Note
from referee.encuentro.encuentro import Encuentro
from referee.encuentro.planning import plan_note
from referee.encuentro.streams import ENCUENTRO
from referee.errors import Refused
from referee.events import (
    ClubAct,
    Competitors,
    DrawnTable,
    EncuentroAct,
    EncuentroCalledOff,
    EncuentroOpened,
    OpeningChanged,
    PlayersSeated,
    SeasonAct,
    SeasonOpened,
    SessionAct,
    SessionChanged,
    SessionOpened,
    SessionReopened,
    TablesOpened,
    TablesTakenBack,
)
from referee.log.streams import (
    Answer,
    PendingWrite,
    PlacedEvent,
    Stream,
    StreamKind,
    WriteMetadata,
    refuse_stale,
)
from referee.log.writer import Writer
from referee.rules.articles import Rule

SEASON: StreamKind[Season] = StreamKind(seasons.INITIAL, seasons.evolve, SeasonOpened)
SESSION: StreamKind[Session] = StreamKind(sessions.INITIAL, sessions.evolve, SessionOpened)


def table_id(session_id: UUID, version: int, number: int) -> UUID:
    """Id of the encuentro of a table that a session opens with its act of this version."""
    return uuid5(session_id, f"table {version} {number}")


class SeasonService:
    """Reads and records seasons and sessions."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

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
        self, act: SeasonOpened, meta: WriteMetadata, season_id: UUID | None = None
    ) -> Answer:
        """A new season.

        :raises Stale: the id is taken
        """
        new = self._writer.new_id() if season_id is None else season_id

        def draft() -> PendingWrite:
            self._writer.refuse_taken(SEASON, new)
            after, placed = SEASON.grow(SEASON.empty(new), seasons.decide(act, seasons.INITIAL))
            return PendingWrite(after, placed)

        return self._writer.write(draft, meta)

    def open_session(
        self, act: SessionOpened, meta: WriteMetadata, session_id: UUID | None = None
    ) -> Answer:
        """Open an evening. If it belongs to a season, that season has to be open.

        :raises Stale: the id is taken
        :raises NotFound: there is no such season
        """
        new = self._writer.new_id() if session_id is None else session_id

        def draft() -> PendingWrite:
            self._writer.refuse_taken(SESSION, new)
            guards = self._season_guard(act.season, act.of)
            after, placed = SESSION.grow(SESSION.empty(new), sessions.decide(act, sessions.INITIAL))
            return PendingWrite(after, placed, guards=guards)

        return self._writer.write(draft, meta)

    def note_season(
        self, season_id: UUID, act: SeasonAct, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Record an act of a season."""

        def draft() -> PendingWrite:
            stream = self._writer.stream(SEASON, season_id)
            refuse_stale(stream.state.version, expected)
            return PendingWrite(*SEASON.grow(stream, seasons.decide(act, stream.state)))

        return self._writer.write(draft, meta)

    def note_session(
        self,
        session_id: UUID,
        acts: Sequence[SessionAct],
        meta: WriteMetadata,
        expected: int | None = None,
        enrolled: Sequence[ClubAct] = (),
    ) -> Answer:
        """Record acts of an evening, all or none.

        ``enrolled``: acts of the club that come with them, as of new players and pairs who came.
        """

        def draft() -> PendingWrite:
            stream = self._expected_session(session_id, expected)
            opened, guards = stream.state.opened, {}
            assert opened is not None
            if any(isinstance(act, SessionReopened) for act in acts):
                guards = self._season_guard(opened.season, opened.of)
            stream, placed = SESSION.grow_by(stream, acts, sessions.decide)
            if not enrolled:
                return PendingWrite(stream, placed, guards=guards)
            before = self._writer.stream_or_empty(CLUB, CLUB_ID)
            club, listed = CLUB.grow_by(before, enrolled, players.decide)
            return PendingWrite(stream, placed + listed, (club,), guards)

        return self._writer.write(draft, meta)

    def open_tables(
        self, session_id: UUID, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Open an encuentro for each table of the last draw, with its players seated.

        :raises Refused: none was drawn since the last were opened
        """

        def draft() -> PendingWrite:
            stream = self._expected_session(session_id, expected)
            tables = () if stream.state.waiting is None else stream.state.waiting.tables
            line = stream.state.version + 1
            opened = [_opened(stream, table, line) for table in tables]
            act = TablesOpened(tuple(str(one.id) for one, _ in opened))
            after, placed = SESSION.grow(stream, sessions.decide(act, stream.state))
            every = placed + tuple(one for _, more in opened for one in more)
            return PendingWrite(after, every, tuple(one for one, _ in opened))

        return self._writer.write(draft, meta)

    def take_back_tables(
        self, session_id: UUID, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Call off the encuentros of the tables opened last; their draw waits again.

        :raises Refused: something was recorded at one of them, or none was opened
        """

        def draft() -> PendingWrite:
            stream = self._expected_session(session_id, expected)
            events = sessions.decide(TablesTakenBack(), stream.state)
            after, placed = SESSION.grow(stream, events)
            gone = stream.state.encuentros[len(after.state.encuentros) :]
            return self._with_tables(PendingWrite(after, placed), gone, EncuentroCalledOff())

        return self._writer.write(draft, meta)

    def change_session(
        self,
        session_id: UUID,
        act: SessionChanged,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Hold an evening otherwise: another day, season, place or profile, at its tables too.

        :raises Refused: something was recorded at one of its tables, or the season is closed
        """

        def draft() -> PendingWrite:
            stream = self._expected_session(session_id, expected)
            opened = stream.state.opened
            assert opened is not None
            guards = self._season_guard(act.season, opened.of)
            after, placed = SESSION.grow(stream, sessions.decide(act, stream.state))
            change = OpeningChanged(act.profile, act.place, act.date)
            write = PendingWrite(after, placed, guards=guards)
            return self._with_tables(write, stream.state.encuentros, change)

        return self._writer.write(draft, meta)

    def _with_tables(
        self, write: PendingWrite, tables: Iterable[str], act: EncuentroAct
    ) -> PendingWrite:
        """A write of an evening, with an act at the encuentros of some of its tables."""
        noted = [plan_note(self._writer.stream(ENCUENTRO, UUID(one)), act) for one in tables]
        placed = write.placed + tuple(event for one in noted for event in one.placed)
        return replace(write, placed=placed, others=tuple(one.main for one in noted))

    def _season_guard(self, season_id: str, of: Competitors) -> dict[UUID, int]:
        """The version at which a season is open to sessions of this kind; empty without a season.

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

    def _expected_session(self, session_id: UUID, expected: int | None) -> Stream[Session]:
        stream = self._writer.stream(SESSION, session_id)
        refuse_stale(stream.state.version, expected)
        return stream


def _opened(
    session: Stream[Session], table: DrawnTable, line: int
) -> tuple[Stream[Encuentro], tuple[PlacedEvent, ...]]:
    """The encuentro of a table with its players."""
    opened = session.state.opened
    assert opened is not None
    place, date, held_in = opened.place, opened.date, str(session.id)
    begun = EncuentroOpened(opened.profile, place, date, held_in, table.number)
    seated = PlayersSeated(seats_of(table, players_of(session.state)))
    empty = ENCUENTRO.empty(table_id(session.id, line, table.number))
    events = encuentros.decide(Note(begun), empty.state)
    events += encuentros.decide(Note(seated), encuentros.fold(events))
    return ENCUENTRO.grow(empty, events)
