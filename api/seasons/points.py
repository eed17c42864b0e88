"""Tables of points for reading: lines of persons or of pairs, with names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from sqlite3 import Cursor
from typing import NamedTuple

import msgspec

from api.club import views as club_views
from api.http.services import current_services
from projections.players import pair_merges, player_merges
from projections.seasons import standings
from projections.seasons.standings import SeasonStanding, Span, standings_of_tallies
from projections.seasons.views import SeasonData
from referee.events import Competitors, PairId, PersonId, SeasonScoring


class StandingItemData(msgspec.Struct, frozen=True):
    """Points with their reason: a count, and points for each."""

    reason: str
    times: int
    each: int
    points: int


class TallyData(msgspec.Struct, frozen=True):
    """Counts of a player or a pair."""

    played: int
    won: int
    level: int
    lost: int
    cotos: int
    cotos_lost: int
    partidas: int
    partidas_lost: int
    twenties: int
    forties: int
    tutes: int
    renuncios: int
    attended: int


class NamedPersonData(msgspec.Struct, frozen=True):
    """A person with their name."""

    person: PersonId
    name: str | None


class StandingLineData(TallyData, frozen=True):
    """A line of a table of points: of a person, or of a pair with its players.

    ``person`` is empty in the line of a pair, ``pair`` in that of a person. The name of a pair
    without one is that of its players.
    """

    place: int
    person: PersonId
    pair: PairId
    name: str | None
    players: list[NamedPersonData]
    points: int
    items: list[StandingItemData]


class NamedCompetitor(NamedTuple):
    """A person or a pair as a table names it. ``players``: of a pair."""

    name: str | None = None
    players: tuple[NamedPersonData, ...] = ()


def names_of_persons(persons: Iterable[PersonId]) -> dict[PersonId, str]:
    """Name of each person who has one."""
    named = current_services().persons.names_of(persons)
    return {one: name for one, name in named.items() if name is not None}


def competitors_by_id(of: Competitors, ids: Iterable[str]) -> dict[str, NamedCompetitor]:
    """Persons or pairs as tables name them, by id."""
    if of == "persons":
        return {one: NamedCompetitor(name) for one, name in names_of_persons(ids).items()}
    return {pair: _pair_as_competitor(one) for pair, one in club_views.pairs_by_id(ids).items()}


def _pair_as_competitor(one: club_views.PartnersData) -> NamedCompetitor:
    both = zip(one.players, one.names, strict=True)
    players: list[NamedPersonData] = [NamedPersonData(person=who, name=name) for who, name in both]
    return NamedCompetitor(one.title, tuple(players))


def scoring_of_season(view: SeasonData) -> SeasonScoring:
    """Rule of points of a season."""
    return msgspec.convert(view.scoring, SeasonScoring)


def merge_target_by_id(rows: Cursor, of: Competitors) -> dict[str, str]:
    """The id that is kept, by that of each merged person, or of each pair that became another."""
    return pair_merges(rows) if of == "pairs" else player_merges(rows)


def standings_of_season_or_session(
    rows: Cursor, span: Span, span_id: str, scoring: SeasonScoring, of: Competitors = "persons"
) -> list[SeasonStanding]:
    """The table of a season or of a session, of persons or of pairs."""
    return standings_of_tallies(
        standings.tally_by_competitor(rows, span, span_id, merge_target_by_id(rows, of), of),
        scoring,
    )


def standing_line_view(
    row: SeasonStanding, named: Mapping[str, NamedCompetitor], of: Competitors = "persons"
) -> StandingLineData:
    """A line of a table of points as it is shown, from a standing and names by id."""
    tally, who = row.tally, named.get(row.person, NamedCompetitor())
    person = NamedPersonData(person=row.person, name=who.name)
    return StandingLineData(
        **tally._asdict(),
        place=row.place,
        person=row.person if of == "persons" else "",
        pair=row.person if of == "pairs" else "",
        name=who.name,
        players=list(who.players) if of == "pairs" else [person],
        points=row.points,
        items=[
            StandingItemData(
                reason=item.reason, times=item.times, each=item.each, points=item.points
            )
            for item in row.items
        ],
    )


def standings_view(
    found: Sequence[SeasonStanding], of: Competitors = "persons"
) -> list[StandingLineData]:
    """Lines of a table of points, with the names of the competitors."""
    named = competitors_by_id(of, (row.person for row in found))
    return [standing_line_view(row, named, of) for row in found]
