"""Rows of leagues: one for the league, one for each division."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec

from projections.facts import plain_values
from projections.leagues.standings import DivisionTable, outcome_of
from projections.leagues.views import (
    DivisionData,
    LeagueData,
    LeagueHeadData,
    LeagueShortData,
    LineupData,
    MatchData,
    RegistrationData,
    SanctionData,
    TeamData,
)
from projections.runner.projection import (
    FoldedBatch,
    Projection,
    as_json,
    decode_first_row_or_none,
    replace_rows,
)
from projections.views import view_as
from referee.aggregates.league.state import LeagueMatch, LeagueSanction, LeagueTeam, TeamLeague
from referee.events.league import TeamId


def short_league_view(key: str, state: TeamLeague) -> LeagueShortData:
    """View of a league for a list."""
    assert state.opened is not None
    return LeagueShortData(
        id=key,
        name=state.opened.name,
        version=state.version,
        is_closed=state.is_closed,
        divisions=len(state.divisions),
        teams=len(state.teams),
    )


def league_view_without_divisions(key: str, state: TeamLeague) -> LeagueHeadData:
    """View of a league without its divisions."""
    assert state.opened is not None
    return LeagueHeadData(
        id=key,
        name=state.opened.name,
        contact=state.opened.contact,
        version=state.version,
        is_closed=state.is_closed,
        rules=plain_values(state.rules),
        teams=[_team_data(one) for one in state.teams.values()],
        sanctions=[_sanction_data(one) for one in state.sanctions.values()],
    )


def division_outline(state: TeamLeague, number: int) -> DivisionData:
    """View of a division without its table and its matches, for pages about other divisions."""
    division = state.divisions[number - 1]
    return DivisionData(
        division=number,
        name=division.name,
        promoted=division.promoted,
        relegated=division.relegated,
        standings=[],
        matches=[],
    )


def division_data(state: TeamLeague, number: int) -> DivisionData:
    """View of a division with its standings and its matches."""
    return view_as(
        DivisionData,
        division_outline(state, number),
        standings=DivisionTable(state, number).rows(),
        matches=[
            _match_data(state, one) for one in state.matches.values() if one.division == number
        ],
    )


def _team_data(team: LeagueTeam) -> TeamData:
    return TeamData(
        team=team.id,
        name=team.name,
        venue=team.venue,
        division=team.division,
        players=[
            RegistrationData(person=one.person, since=one.since, until=one.until)
            for one in team.players
        ],
        withdrawn=team.withdrawn,
        reason=team.withdrawal_reason,
    )


def _sanction_data(sanction: LeagueSanction) -> SanctionData:
    given = sanction.given
    return SanctionData(
        sanction=given.sanction,
        team=given.team,
        points=given.points,
        reason=given.reason,
        article=given.article,
        is_lifted=sanction.is_lifted,
        lifted_reason=sanction.lifted_reason,
    )


def _match_data(state: TeamLeague, match: LeagueMatch) -> MatchData:
    outcome = outcome_of(state, match)
    return MatchData(
        match=match.id,
        round=match.round,
        home=match.home,
        away=match.away,
        date=match.date,
        time=match.time,
        venue=match.venue or state.teams[match.home].venue,
        stage=match.stage,
        score=None if outcome is None else outcome.partidas,
        partidas=[plain_values(one) for one in match.partidas],
        told_by=match.by,
        signed=[*match.signed],
        absent=[*(outcome.absent if outcome else ())],
        lineups=[_lineup_data(state, match, team) for team in match.teams if team in match.lineups],
        reason=match.reason,
    )


def _lineup_data(state: TeamLeague, match: LeagueMatch, team: TeamId) -> LineupData:
    pairs = match.lineups[team]
    listed = state.teams[team]
    named = dict.fromkeys(person for pair in pairs for person in pair)
    return LineupData(
        team=team,
        pairs=[[*pair] for pair in pairs],
        unlisted=[one for one in named if not listed.may_play(one, match.date)],
    )


class LeaguesProjection(Projection):
    """Public views of leagues, division by division."""

    name = "leagues"
    version = 1
    tables: Mapping[str, str] = {
        "league": "CREATE TABLE league (id TEXT PRIMARY KEY, opened INTEGER, short TEXT,"
        " head TEXT) WITHOUT ROWID",
        "league_division": "CREATE TABLE league_division (league TEXT, division INTEGER,"
        " outline TEXT, view TEXT, PRIMARY KEY (league, division)) WITHOUT ROWID",
    }
    indexes: Sequence[str] = ("CREATE INDEX league_opened ON league (opened)",)

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Write the rows of each league that the batch changed."""
        cursor.executemany(
            "INSERT OR REPLACE INTO league VALUES (?, ?, '', '')",
            batch.positions_of_new_streams(TeamLeague),
        )
        rows: dict[str, list[tuple[str, int, str, str]]] = {}
        for key, state in batch.states_of_kind(TeamLeague):
            docs = (
                as_json(short_league_view(key, state)),
                as_json(league_view_without_divisions(key, state)),
            )
            cursor.execute("UPDATE league SET short = ?, head = ? WHERE id = ?", (*docs, key))
            rows[key] = [_division_row(key, state, at) for at in range(1, len(state.divisions) + 1)]
        replace_rows(cursor, "league_division", "league", rows)


def _division_row(key: str, state: TeamLeague, number: int) -> tuple[str, int, str, str]:
    """Row of a division: its view, and its outline without matches."""
    docs = as_json(division_outline(state, number)), as_json(division_data(state, number))
    return key, number, *docs


def find_league_view(
    cursor: sqlite3.Cursor, league_id: UUID, division: int | None = None
) -> LeagueData | None:
    """View of a league, with table and matches of all divisions or of one.

    None if it does not exist.
    """
    head = decode_first_row_or_none(
        cursor, LeagueHeadData, "SELECT head FROM league WHERE id = ?", str(league_id)
    )
    if head is None:
        return None
    cursor.execute(
        "SELECT CASE WHEN coalesce(?, division) = division THEN view ELSE outline END"
        " FROM league_division WHERE league = ? ORDER BY division",
        (division, str(league_id)),
    )
    divisions = [msgspec.json.decode(doc, type=DivisionData) for (doc,) in cursor]
    return view_as(LeagueData, head, divisions=divisions)


def leagues_opened_before(
    cursor: sqlite3.Cursor, before: int | None, limit: int
) -> list[tuple[int, LeagueShortData]]:
    """Leagues opened before a log position, the latest first, each with its position."""
    cursor.execute(
        "SELECT opened, short FROM league WHERE opened < ? ORDER BY opened DESC LIMIT ?",
        (2**62 if before is None else before, limit),
    )
    return [(opened, msgspec.json.decode(doc, type=LeagueShortData)) for opened, doc in cursor]
