"""A fixed pair in a season of pairs, for reading."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

import msgspec

from api.http.rows import await_row_or_not_found
from api.http.services import current_services
from api.seasons.points import (
    NamedCompetitor,
    NamedPersonData,
    StandingLineData,
    competitors_by_id,
    scoring_of_season,
    standing_line_view,
    standings_of_season_or_session,
)
from api.seasons.views import (
    FORM,
    PlayedData,
    RatedDayData,
    RecordData,
    SeasonNameData,
    StreakData,
    rating_history,
    season_id_and_name,
)
from projections.players import every_id_of, pair_merges, player_merges, players_of_pair
from projections.ratings.glicko import id_of_pair
from projections.seasons import projection as seasons
from projections.seasons import standings
from projections.seasons.standings import HeadToHead, PlayedEncuentro
from referee.errors import NotFound
from referee.events import PairId, PersonId


class AgainstPairData(RecordData, frozen=True):
    """Results of a pair against another."""

    pair: PairId
    name: str | None


class PairInSeasonData(msgspec.Struct, frozen=True):
    """Results of a pair in a season of pairs; ``ratings`` are those of its two players together."""

    season: SeasonNameData
    pair: PairId
    name: str | None
    players: list[NamedPersonData]
    row: StandingLineData
    form: list[PlayedData]
    streak: StreakData
    longest: int
    opponents: list[AgainstPairData]
    ratings: list[RatedDayData]


class PairOfPlayerData(msgspec.Struct, frozen=True):
    """A pair of a season of pairs, for the page of one of its players."""

    pair: PairId
    name: str | None


def pairs_of_player_in_season(season_id: UUID, person: PersonId) -> list[PairOfPlayerData]:
    """Pairs of a player in a season of pairs; none where persons compete.

    :raises NotFound: there is no such season
    """
    view = await_row_or_not_found(lambda rows: seasons.find_season_view(rows, season_id), season_id)
    if view.of == "persons":
        return []
    with current_services().reads.reading() as rows:
        found = standings_of_season_or_session(
            rows, "season", str(season_id), scoring_of_season(view), "pairs"
        )
        who = player_merges(rows).get(person, person)
    named = competitors_by_id("pairs", [one.person for one in found])
    return [
        PairOfPlayerData(pair=pair, name=one.name)
        for pair, one in named.items()
        if who in {each.person for each in one.players}
    ]


def pair_results_in_season(season_id: UUID, pair: PairId) -> PairInSeasonData:
    """Results of a pair in a season of pairs.

    :raises NotFound: there is no such season, or the pair is not in it
    """
    view = await_row_or_not_found(lambda rows: seasons.find_season_view(rows, season_id), season_id)
    with current_services().reads.reading() as rows:
        kept = pair_merges(rows)
        who, scoring = kept.get(pair, pair), scoring_of_season(view)
        found = standings_of_season_or_session(rows, "season", str(season_id), scoring, "pairs")
        row = next((one for one in found if one.person == who), None)
        if row is None:
            raise NotFound(pair)
        played = standings.encuentros_of_player(
            rows, str(season_id), every_id_of(kept, who), kept, "pairs"
        )
        rated = rating_history(rows, "pair", id_of_pair(players_of_pair(rows, who)))
    opponents = standings.head_to_head_records((one.opponents, one.outcome) for one in played)
    named = competitors_by_id("pairs", [who, *(one.person for one in opponents)])
    line = standing_line_view(row, named, "pairs")
    now, longest = standings.current_and_longest_streak(played)
    return PairInSeasonData(
        season=season_id_and_name(view),
        pair=who,
        name=line.name,
        players=line.players,
        row=line,
        form=[_view_of_played(one, named) for one in played[-FORM:]],
        streak=StreakData(outcome=now.outcome, length=now.length),
        longest=longest,
        opponents=[_head_to_head_view(one, named) for one in opponents],
        ratings=rated,
    )


def _view_of_played(one: PlayedEncuentro, named: Mapping[str, NamedCompetitor]) -> PlayedData:
    return PlayedData(
        encuentro=one.encuentro,
        day=one.day,
        outcome=one.outcome,
        partners=[],
        opponents=[named.get(who, NamedCompetitor()).name for who in one.opponents],
    )


def _head_to_head_view(one: HeadToHead, named: Mapping[str, NamedCompetitor]) -> AgainstPairData:
    return AgainstPairData(
        pair=one.person,
        name=named.get(one.person, NamedCompetitor()).name,
        won=one.won,
        level=one.level,
        lost=one.lost,
    )
