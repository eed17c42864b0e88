"""The page of a player across seasons, and the address that leads to it from every name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from sqlite3 import Cursor
from typing import Final, NamedTuple

from flask import Blueprint, Response

from api.board import boards
from api.board import display as board_display
from api.board.display import TableDisplay
from api.html.pages import may, page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.languages import language
from api.http.services import are_seasons_public, await_position_in_request, current_services
from api.seasons import next_evening, rating_line
from api.seasons.next_evening import ComingEvening, next_evening_in_calendars
from api.seasons.points import (
    NamedPersonData,
    names_of_persons,
    scoring_of_season,
    standings_of_season_or_session,
)
from api.seasons.views import FORM, RatedDayData, RecordData, rating_history, season_id_and_name
from projections.players import every_id_of, pair_rows, player_merges
from projections.seasons import projection as seasons
from projections.seasons import standings
from projections.seasons.results import SeatTally
from projections.seasons.standings import HeadToHead, PlayedEncuentro, Streak
from projections.seasons.views import SeasonData
from projections.tournaments import projection as tournaments
from referee.errors import NotFound
from referee.events import PersonId

_LATEST: Final = 8
_SEASONS: Final = 20
_TOURNAMENTS: Final = 20


class MetPlayer(NamedTuple):
    """Results of a player with a partner or against a rival."""

    player: NamedPersonData
    record: RecordData

    @property
    def played(self) -> int:
        """Number of encuentros that the two played, together or against each other."""
        return _count_played(self.record)


class PlayedMatch(NamedTuple):
    """An encuentro of a player. ``score``: the own count first; empty if there is none."""

    encuentro: str
    day: str
    outcome: str
    score: str
    partners: tuple[NamedPersonData, ...]
    opponents: tuple[NamedPersonData, ...]


class PlaceInSeason(NamedTuple):
    """A season of a player: their place in its table, or that of their pair."""

    id: str
    name: str | None
    is_closed: bool
    place: int
    points: int
    competitors: int


class EnteredTournament(NamedTuple):
    """A tournament of a player. ``place``: of their pair, 0 until it has a result."""

    id: str
    name: str | None
    date: str
    is_over: bool
    place: int
    pairs: int
    won: int
    played: int


@dataclass(frozen=True, slots=True)
class Career:
    """A player across seasons. ``form``: the last encuentros, the oldest first."""

    person: PersonId
    name: str
    record: RecordData
    streak: Streak
    longest: int
    form: tuple[PlayedEncuentro, ...]
    latest: tuple[PlayedMatch, ...]
    partners: tuple[MetPlayer, ...]
    rivals: tuple[MetPlayer, ...]
    sung: SeatTally
    ratings: tuple[RatedDayData, ...]
    seasons: tuple[PlaceInSeason, ...]
    tournaments: tuple[EnteredTournament, ...]
    coming: ComingEvening | None

    @property
    def played(self) -> int:
        """Encuentros that were played to the end."""
        return _count_played(self.record)

    @property
    def is_new(self) -> bool:
        """Whether there is nothing to show of the player yet."""
        return not self.played and not self.seasons and not self.tournaments


def _count_played(record: RecordData) -> int:
    return record.won + record.level + record.lost


def career(person: PersonId) -> Career:
    """A player across seasons.

    :raises NotFound: there is no such player, or they were erased
    """
    with current_services().reads.reading() as rows:
        kept = player_merges(rows)
        who = kept.get(person, person)
        ids = every_id_of(kept, who)
        played = standings.encuentros_of_player(rows, None, ids, kept)
        sung, rated = (
            standings.cante_and_renuncio_counts(rows, ids),
            rating_history(rows, "player", who),
        )
        places, entered = _places_in_seasons(rows, who, ids), _tournaments(rows, ids)
    partners = standings.head_to_head_records((one.partners, one.outcome) for one in played)
    rivals = standings.head_to_head_records((one.opponents, one.outcome) for one in played)
    names = names_of_persons([who, *(one.person for one in (*partners, *rivals))])
    if who not in names:
        raise NotFound(person)
    outcomes = [one.outcome for one in played]
    return Career(
        *(who, names[who]),
        RecordData(
            won=outcomes.count("won"),
            level=outcomes.count("level"),
            lost=outcomes.count("lost"),
        ),
        *standings.current_and_longest_streak(played),
        form=tuple(played[-FORM:]),
        latest=_latest_matches(played, names),
        partners=tuple(_player_with_record(one, names) for one in partners),
        rivals=tuple(_player_with_record(one, names) for one in rivals),
        sung=sung,
        ratings=tuple(rated),
        seasons=places,
        tournaments=entered,
        coming=next_evening_in_calendars(next_evening.today()),
    )


def _places_in_seasons(
    rows: Cursor, who: PersonId, ids: Sequence[PersonId]
) -> tuple[PlaceInSeason, ...]:
    """Where a player stands in each of their seasons, the latest first."""
    theirs = standings.season_ids_of_person(rows, ids)
    found = [one for one in seasons.season_rows(rows) if one.id in theirs][:_SEASONS]
    pairs = {one.pair for one in pair_rows(rows) if who in (one.one, one.other)}
    places = (_place_in_season(rows, one, {who} if one.of == "persons" else pairs) for one in found)
    return tuple(one for one in places if one is not None)


def _place_in_season(rows: Cursor, season: SeasonData, competing: set[str]) -> PlaceInSeason | None:
    table = standings_of_season_or_session(
        rows, "season", season.id, scoring_of_season(season), season.of
    )
    row = next((one for one in table if one.person in competing), None)
    if row is None:
        return None
    name = season_id_and_name(season).name
    return PlaceInSeason(season.id, name, season.closed, row.place, row.points, len(table))


def _tournaments(rows: Cursor, ids: Sequence[PersonId]) -> tuple[EnteredTournament, ...]:
    """Tournaments that a player entered, the latest first, as they went for their pair."""
    entered = list(tournaments.pair_by_tournament_of_person(rows, ids).items())[:_TOURNAMENTS]
    found = [one for one in (tournaments.result_of_pair(rows, *each) for each in entered) if one]
    names = current_services().persons.texts_by_id(one.short.name for one in found)
    return tuple(
        EnteredTournament(
            one.short.id,
            names.get(one.short.name),
            one.short.date,
            one.short.stage == "over",
            one.place,
            one.short.pairs,
            one.won,
            one.played,
        )
        for one in found
    )


def _latest_matches(
    played: Sequence[PlayedEncuentro], names: Mapping[PersonId, str]
) -> tuple[PlayedMatch, ...]:
    """The latest encuentros, the last one first."""
    shown = played[-_LATEST:][::-1]
    views = boards.public_views_of_encuentros(current_services(), [one.encuentro for one in shown])
    tables = {view.id: board_display.table_display(view, language()) for view in views}
    return tuple(
        PlayedMatch(
            *(one.encuentro, one.day, one.outcome, _score(tables.get(one.encuentro), one.side)),
            tuple(_person_with_name(who, names) for who in one.partners),
            tuple(_person_with_name(who, names) for who in one.opponents),
        )
        for one in shown
    )


def _score(table: TableDisplay | None, side: str) -> str:
    """Cotos of each side, or partidas if their number is fixed, the own ones first."""
    if table is None:
        return ""
    ordered = sorted(table.sides, key=lambda one: one.side != side)
    made = [one.marks[-1].made for one in ordered]
    return "\u2013".join(map(str, made)) if any(made) else ""


def _player_with_record(one: HeadToHead, names: Mapping[PersonId, str]) -> MetPlayer:
    record = RecordData(won=one.won, level=one.level, lost=one.lost)
    return MetPlayer(_person_with_name(one.person, names), record)


def _person_with_name(person: PersonId, names: Mapping[PersonId, str]) -> NamedPersonData:
    return NamedPersonData(person=person, name=names.get(person))


blp = Blueprint("career", __name__)
_SHOWN: Final = 5
"""Partners and rivals that are shown unasked."""


def _is_public(person_id: PersonId = "") -> bool:
    """Whether everybody may see the page of a player: if the club publishes its league."""
    del person_id
    return are_seasons_public()


@blp.get("/jugador/<string(length=32):person_id>")
@guard.requires("read")
@guard.open_when(_is_public)
def show(person_id: PersonId) -> Response:
    """A player: what they won, form, rating, matches, partners and rivals, seasons"""
    await_position_in_request()
    view = career(person_id)
    if view.is_new and not may("read"):  # the list of the club is not for everybody
        raise NotFound(person_id)
    line = rating_line.geometry_of_rating_line(view.ratings)
    size = {"width": rating_line.WIDTH, "height": rating_line.HEIGHT}
    return page("seasons/career.html", view=view, line=line, size=size, shown=_SHOWN)


@blp.app_context_processor
def _template_functions() -> dict[str, Callable[[PersonId], str]]:
    """Template function ``player_path``: address of a player's page, empty if it is not shown."""
    found: list[bool] = []

    def player_path(person: PersonId) -> str:
        if not found:
            found.append(may("read") or are_seasons_public())
        return f"{prefix()}/jugador/{person}" if person and found[0] else ""

    return {"player_path": player_path}
