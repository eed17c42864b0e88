"""Sessions and seasons for reading: with names, tables of points, ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from sqlite3 import Cursor
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from api.club.views import pairs_by_id
from api.http.rows import await_row_or_not_found
from api.http.services import Services, current_services
from api.seasons.fees.prizes import PrizeData, prizes_with_words
from api.seasons.points import (
    NamedCompetitor,
    NamedPersonData,
    StandingLineData,
    names_of_persons,
    scoring_of_season,
    standing_line_view,
    standings_of_season_or_session,
    standings_view,
)
from projections.board import projection as board_rows
from projections.board.views import PublicTableData
from projections.players import every_id_of, pair_merges, player_merges
from projections.ratings import projection as ratings
from projections.ratings.glicko import BEGIN_RATING, id_of_pair
from projections.scores.encuentros import FinalScoresData, StandingData, WinnerData
from projections.seasons import projection as seasons
from projections.seasons import standings
from projections.seasons.standings import HeadToHead
from projections.seasons.views import (
    SeasonData,
    SeasonFactsData,
    SessionBodyData,
    SessionData,
    SessionFactsData,
    SessionShortData,
)
from projections.views import view_as
from referee.aggregates.session import Session
from referee.errors import NotFound
from referee.events import Competitors, PairId, PersonId, SeasonScoring, SeatName, SideName

FORM: Final = 10
"""Number of encuentros in a player's form."""
_DAYS: Final = 400
_SIDES: Final[tuple[SideName, ...]] = ("A", "B")
_EVERY_SESSION: Final = 10_000
_SESSIONS: Final = 60
"""Number of latest evenings in a list of a season or of the club."""


class PlannedDayData(msgspec.Struct, frozen=True):
    """A day of the calendar of a season, with the place as text."""

    date: str
    time: str
    place: str | None


class ListedSeasonData(SeasonFactsData, frozen=True):
    """A season with its name, its calendar and its prizes by place."""

    name: str | None
    calendar: list[PlannedDayData]
    prizes: list[PrizeData]


class ListedSessionData(SessionFactsData, frozen=True):
    """A session in a list, with its name and place."""

    name: str | None
    place: str | None
    attended: int
    encuentros: int


class SeasonListData(msgspec.Struct, frozen=True):
    """Every season."""

    items: list[ListedSeasonData]
    next: None


class SessionListData(msgspec.Struct, frozen=True):
    """The latest sessions."""

    items: list[ListedSessionData]
    next: None


class WholeSeasonData(ListedSeasonData, frozen=True):
    """A season with its sessions and its table."""

    sessions: list[ListedSessionData]
    standings: list[StandingLineData]


class SessionTableData(msgspec.Struct, frozen=True):
    """An encuentro of a session: number of its table, players, standing.

    ``pairs``: name of the pair of a side that has one; ``partidas``: their count.
    """

    id: str
    table: int
    players: int
    seats: dict[SeatName, PersonId]
    pairs: dict[SideName, str]
    standing: StandingData
    final: FinalScoresData
    decided: WinnerData | None
    result: str | None
    partidas: int
    running: bool


class WholeSessionData(SessionBodyData, frozen=True):
    """A session with its tables as they play and its table of points."""

    name: str | None
    place: str | None
    names: dict[PersonId, str]
    pair_names: dict[PairId, str]
    prizes: list[PrizeData]
    encuentros: list[SessionTableData]
    standings: list[StandingLineData]


class SeasonNameData(msgspec.Struct, frozen=True):
    """A season by its id and its name."""

    id: str
    name: str | None


class PlayedData(msgspec.Struct, frozen=True):
    """An encuentro of a player, with names."""

    encuentro: str
    day: str
    outcome: str
    partners: list[str | None]
    opponents: list[str | None]


class RatedDayData(msgspec.Struct, frozen=True):
    """A rating after a day."""

    day: str
    rating: int
    deviation: int


class RecordData(msgspec.Struct, frozen=True):
    """Encuentros won, level and lost."""

    won: int
    level: int
    lost: int


class AgainstData(RecordData, frozen=True):
    """Results of a player with or against another."""

    person: PersonId
    name: str | None


class PartnerData(AgainstData, frozen=True):
    """Results of a player with a partner; ``rating``: that of the pair."""

    rating: int | None


class StreakData(msgspec.Struct, frozen=True):
    """Encuentros in a row with the same outcome."""

    outcome: str
    length: int


class SeasonPlayerData(msgspec.Struct, frozen=True):
    """Results of a player in a season. ``of``: whether persons or pairs compete in it."""

    season: SeasonNameData
    of: Competitors
    person: PersonId
    name: str | None
    row: StandingLineData
    form: list[PlayedData]
    streak: StreakData
    longest: int
    partners: list[PartnerData]
    opponents: list[AgainstData]
    ratings: list[RatedDayData]


class SeasonPairData(msgspec.Struct, frozen=True):
    """Results of two partners in a season."""

    season: SeasonNameData
    players: list[NamedPersonData]
    record: RecordData
    played: list[PlayedData]
    ratings: list[RatedDayData]


class DeniedTable(NamedTuple):
    """A table of an evening whose result a side does not agree with."""

    date: str
    number: int
    session: str
    encuentro: str


def complete_season_view(season_id: UUID) -> WholeSeasonData:
    """A season with its sessions and its table.

    :raises NotFound: there is none
    """
    view = await_row_or_not_found(lambda rows: seasons.find_season_view(rows, season_id), season_id)
    with current_services().reads.reading() as rows:
        of_it = seasons.sessions_of_season(rows, str(season_id), _SESSIONS)
        found = standings_of_season_or_session(
            rows, "season", str(season_id), scoring_of_season(view), view.of
        )
    return view_as(
        WholeSeasonData,
        _season_with_texts(view),
        sessions=_sessions_with_texts(of_it),
        standings=standings_view(found, view.of),
    )


def tables_with_denial(season_id: UUID) -> list[DeniedTable]:
    """Tables of a season whose result a side denied, so that it does not count."""
    with current_services().reads.reading() as rows:
        sessions = seasons.encuentros_without_counted_result(rows, str(season_id))
        found = board_rows.find_public_encuentros(rows, sessions)
    return sorted(
        DeniedTable(one.date, one.table, sessions[one.id], one.id)
        for one in found
        if one.result == "disputed"
    )


def season_id_and_name(view: SeasonData) -> SeasonNameData:
    """The id of a season and its name."""
    return SeasonNameData(id=view.id, name=_text(view.name))


def every_season() -> list[ListedSeasonData]:
    """Every season, the latest first."""
    with current_services().reads.reading() as rows:
        return [_season_with_texts(one) for one in seasons.season_rows(rows)]


def open_seasons() -> list[ListedSeasonData]:
    """Seasons to which evenings are still added, the latest first."""
    return [one for one in every_season() if not one.closed]


def latest_sessions(limit: int = _SESSIONS) -> list[ListedSessionData]:
    """The latest sessions, the last one first."""
    with current_services().reads.reading() as rows:
        return _sessions_with_texts(seasons.session_rows(rows, limit))


def every_session() -> list[ListedSessionData]:
    """Every session, the last one first."""
    return latest_sessions(_EVERY_SESSION)


def complete_session_view(session_id: UUID) -> WholeSessionData:
    """An evening with its tables as they play and its table of points.

    :raises NotFound: there is none
    """
    view = await_row_or_not_found(
        lambda rows: seasons.find_session_view(rows, session_id), session_id
    )
    with current_services().reads.reading() as rows:
        scoring = scoring_of_session(rows, view)
        found = standings_of_season_or_session(rows, "session", str(session_id), scoring, view.of)
        playing = board_rows.find_public_encuentros(rows, view.encuentros)
    pairs = pair_names_of_session(view)
    sides = {
        one.encuentro: {
            side: pairs[pair]
            for side, pair in zip(_SIDES, one.pairs, strict=False)
            if pair in pairs
        }
        for one in view.opened
    }
    drawn = [one for draw in view.draws for table in draw.tables for one in table.sides]
    seated = [one for table in playing for one in table.seats.values()]
    persons = [*view.present, *view.attended, *(one for side in drawn for one in side)]
    return view_as(
        WholeSessionData,
        view,
        name=_text(view.name),
        place=_text(view.place),
        names=names_of_persons([*persons, *seated]),
        pair_names=pairs,
        prizes=prizes_with_words(view.prizes),
        encuentros=[_session_table_view(one, sides.get(one.id, {})) for one in playing],
        standings=standings_view(found, view.of),
    )


def pair_names_of_session(view: SessionData) -> dict[PairId, str]:
    """The name of each pair of an evening that has one, by the id it came with."""
    with current_services().reads.reading() as rows:
        kept = pair_merges(rows)
    ids = [*view.pairs, *(pair for one in view.opened for pair in one.pairs)]
    known = pairs_by_id({kept.get(one, one) for one in ids}) if ids else {}
    found = {one: known[kept.get(one, one)].name for one in ids if kept.get(one, one) in known}
    return {one: name for one, name in found.items() if name}


def player_results_in_season(season_id: UUID, person: PersonId) -> SeasonPlayerData:
    """Results of a player in a season.

    :raises NotFound: there is no such season, or the player is not in it
    """
    view = await_row_or_not_found(lambda rows: seasons.find_season_view(rows, season_id), season_id)
    with current_services().reads.reading() as rows:
        kept = player_merges(rows)
        found = standings_of_season_or_session(
            rows, "season", str(season_id), scoring_of_season(view)
        )
        who = kept.get(person, person)
        row = next((one for one in found if one.person == who), None)
        if row is None:
            raise NotFound(person)
        played = _encuentros_of_player(rows, season_id, who, kept)
        rated = rating_history(rows, "player", who)
        partners = standings.head_to_head_records((one.partners, one.outcome) for one in played)
        pairs = {one.person: _partners_rating_or_none(rows, who, one.person) for one in partners}
    opponents = standings.head_to_head_records((one.opponents, one.outcome) for one in played)
    now, longest = standings.current_and_longest_streak(played)
    names = names_of_persons([who, *pairs, *(one.person for one in opponents)])
    named = {who: NamedCompetitor(names.get(who))}
    return SeasonPlayerData(
        season=season_id_and_name(view),
        of=view.of,
        person=who,
        name=names.get(who),
        row=standing_line_view(row, named),
        form=[_view_of_played(one, names) for one in played[-FORM:]],
        streak=StreakData(outcome=now.outcome, length=now.length),
        longest=longest,
        partners=[
            view_as(PartnerData, _head_to_head_view(one, names), rating=pairs[one.person])
            for one in partners
        ],
        opponents=[_head_to_head_view(one, names) for one in opponents],
        ratings=rated,
    )


def results_of_partners(season_id: UUID, one: PersonId, other: PersonId) -> SeasonPairData:
    """Results of two partners in a season.

    :raises NotFound: there is no such season, or they did not play as partners in it
    """
    view = await_row_or_not_found(lambda rows: seasons.find_season_view(rows, season_id), season_id)
    with current_services().reads.reading() as rows:
        kept = player_merges(rows)
        who, with_whom = kept.get(one, one), kept.get(other, other)
        every = _encuentros_of_player(rows, season_id, who, kept)
        played = [each for each in every if with_whom in each.partners]
        if not played:
            raise NotFound(other)
        rated = rating_history(rows, "pair", id_of_pair((who, with_whom)))
    (record,) = standings.head_to_head_records([((with_whom,), each.outcome) for each in played])
    names = names_of_persons(
        [who, with_whom, *(them for each in played for them in each.opponents)]
    )
    return SeasonPairData(
        season=season_id_and_name(view),
        players=[NamedPersonData(person=each, name=names.get(each)) for each in (who, with_whom)],
        record=RecordData(won=record.won, level=record.level, lost=record.lost),
        played=[_view_of_played(each, names) for each in reversed(played)],
        ratings=rated,
    )


def _encuentros_of_player(
    rows: Cursor, season_id: UUID, who: PersonId, kept: Mapping[str, str]
) -> list[standings.PlayedEncuentro]:
    return standings.encuentros_of_player(rows, str(season_id), every_id_of(kept, who), kept)


def rating_history(rows: Cursor, kind: ratings.RatedKind, who: str) -> list[RatedDayData]:
    """The latest ratings of a player or of two players together, the oldest first."""
    return [
        RatedDayData(day=day, rating=round(rating.rating), deviation=round(rating.deviation))
        for day, rating in ratings.rating_history_of(rows, kind, who, _DAYS)
    ]


def strengths(here: Services, persons: Iterable[PersonId]) -> dict[PersonId, int]:
    """Current rating of each person; the initial rating for those who never played."""
    with here.reads.reading() as rows:
        kept = player_merges(rows)
        rated = {one: ratings.rating_now(rows, "player", kept.get(one, one)) for one in persons}
    return {
        one: round(BEGIN_RATING if rating is None else rating.rating)
        for one, rating in rated.items()
    }


def count_sit_outs_in_season(here: Services, state: Session) -> dict[PersonId, int]:
    """How often each person present sat out, that evening and earlier in its season."""
    assert state.opened is not None
    counts: Counter[PersonId] = Counter()
    with here.reads.reading() as rows:
        kept = player_merges(rows)
        earlier = seasons.times_sat_out_before(rows, state.opened.season, state.opened.date)
    for person, times in (*state.sit_out_counts.items(), *earlier):
        counts[kept.get(person, person)] += times
    return {one: counts[kept.get(one, one)] for one in state.present}


def _partners_rating_or_none(rows: Cursor, one: PersonId, other: PersonId) -> int | None:
    found = ratings.rating_now(rows, "pair", id_of_pair((one, other)))
    return None if found is None else round(found.rating)


def scoring_of_session(rows: Cursor, view: SessionData) -> SeasonScoring:
    """Rule of points by which an evening counts; without a season, encuentros won."""
    found = seasons.find_season_view(rows, UUID(view.season)) if view.season else None
    return SeasonScoring() if found is None else scoring_of_season(found)


def _text(text_id: str) -> str | None:
    return current_services().persons.text_by_id(text_id) if text_id else None


def _season_with_texts(view: SeasonData) -> ListedSeasonData:
    calendar: list[PlannedDayData] = [
        view_as(PlannedDayData, one, place=_text(one.place)) for one in view.calendar
    ]
    prizes = prizes_with_words(view.prizes)
    return view_as(ListedSeasonData, view, name=_text(view.name), calendar=calendar, prizes=prizes)


def _sessions_with_texts(views: Sequence[SessionShortData]) -> list[ListedSessionData]:
    texts = current_services().persons.texts_by_id(
        text for one in views for text in (one.name, one.place) if text
    )
    return [
        view_as(ListedSessionData, one, name=texts.get(one.name), place=texts.get(one.place))
        for one in views
    ]


def _session_table_view(table: PublicTableData, pairs: dict[SideName, str]) -> SessionTableData:
    """An encuentro of an evening: players and standing."""
    return SessionTableData(
        id=table.id,
        table=table.table,
        players=table.players,
        seats=table.seats,
        pairs=pairs,
        standing=table.standing,
        final=table.final,
        decided=table.decided,
        result=table.result,
        partidas=len(table.partidas),
        running=table.partida is not None and not table.partida.decided,
    )


def _head_to_head_view(one: HeadToHead, names: Mapping[str, str]) -> AgainstData:
    return AgainstData(
        person=one.person, won=one.won, level=one.level, lost=one.lost, name=names.get(one.person)
    )


def _view_of_played(one: standings.PlayedEncuentro, names: Mapping[str, str]) -> PlayedData:
    return PlayedData(
        encuentro=one.encuentro,
        day=one.day,
        outcome=one.outcome,
        partners=[names.get(who) for who in one.partners],
        opponents=[names.get(who) for who in one.opponents],
    )
