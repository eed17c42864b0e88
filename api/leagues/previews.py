"""Previews: the tables of a league as they would be after some acts."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import msgspec

from api.http.services import current_services
from projections.leagues.standings import DivisionTable
from projections.leagues.views import LeagueStandingData
from referee.aggregates.league.state import TeamLeague
from referee.events.league import LeagueAct, TeamId


class MovedTeamData(msgspec.Struct, frozen=True):
    """A team whose row would be another one: places and points, before and after."""

    team: TeamId
    places: tuple[int, int]
    points: tuple[int, int]


class ChangedTableData(msgspec.Struct, frozen=True):
    """A division whose table would be another one, and the table that it would have."""

    division: int
    moved: list[MovedTeamData]
    standings: list[LeagueStandingData]


class LeaguePreviewData(msgspec.Struct, frozen=True):
    """What acts would change. ``version``: of the league that this was worked out for."""

    version: int
    divisions: list[ChangedTableData]


def preview(league_id: UUID, acts: Sequence[LeagueAct]) -> LeaguePreviewData:
    """What acts would change in the tables of a league; nothing is recorded.

    :raises Refused: one of them is impossible
    """
    leagues = current_services().referee.leagues
    before = leagues.league(league_id)
    after = leagues.state_after(league_id, acts)
    numbers = range(1, len(before.divisions) + 1)
    found = (_change_of(before, after, number) for number in numbers)
    return LeaguePreviewData(
        version=before.version, divisions=[one for one in found if one is not None]
    )


def _change_of(before: TeamLeague, after: TeamLeague, number: int) -> ChangedTableData | None:
    rows = DivisionTable(after, number).rows()
    old = DivisionTable(before, number).rows()
    if rows == old:
        return None
    known = {row.team: row for row in old}
    moved: list[MovedTeamData] = [
        MovedTeamData(
            team=row.team,
            places=(known[row.team].place, row.place),
            points=(known[row.team].points, row.points),
        )
        for row in rows
        if row.team in known and row != known[row.team]
    ]
    return ChangedTableData(division=number, moved=moved, standings=rows)
