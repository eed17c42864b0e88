"""A league as data, from its state: what is on its rows, and what a preview compares."""

from __future__ import annotations

from projections.facts import plain_values
from projections.leagues.standings import DivisionTable, outcome_of
from projections.leagues.views import (
    DivisionData,
    LeagueHeadData,
    LeagueShortData,
    LineupData,
    MatchData,
    RegistrationData,
    SanctionData,
    TeamData,
)
from projections.views import widen
from referee.aggregates.league.state import LeagueMatch, LeagueSanction, LeagueTeam, TeamLeague
from referee.events.league import TeamId


def league_short(key: str, state: TeamLeague) -> LeagueShortData:
    """A league in a list."""
    assert state.opened is not None
    return LeagueShortData(
        id=key,
        name=state.opened.name,
        version=state.version,
        is_closed=state.is_closed,
        divisions=len(state.divisions),
        teams=len(state.teams),
    )


def league_head(key: str, state: TeamLeague) -> LeagueHeadData:
    """A league without its divisions."""
    assert state.opened is not None
    return LeagueHeadData(
        id=key,
        name=state.opened.name,
        contact=state.opened.contact,
        version=state.version,
        is_closed=state.is_closed,
        rules=plain_values(state.rules),
        teams=[_team(one) for one in state.teams.values()],
        sanctions=[_sanction(one) for one in state.sanctions.values()],
    )


def outline(state: TeamLeague, number: int) -> DivisionData:
    """A division without its table and its matches, for the pages of another one."""
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
    """A division with its table and its matches."""
    return widen(
        DivisionData,
        outline(state, number),
        standings=DivisionTable(state, number).rows(),
        matches=[_match(state, one) for one in state.matches.values() if one.division == number],
    )


def _team(team: LeagueTeam) -> TeamData:
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


def _sanction(sanction: LeagueSanction) -> SanctionData:
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


def _match(state: TeamLeague, match: LeagueMatch) -> MatchData:
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
        lineups=[_lineup(state, match, team) for team in match.teams if team in match.lineups],
        reason=match.reason,
    )


def _lineup(state: TeamLeague, match: LeagueMatch, team: TeamId) -> LineupData:
    pairs = match.lineups[team]
    listed = state.teams[team]
    named = dict.fromkeys(person for pair in pairs for person in pair)
    return LineupData(
        team=team,
        pairs=[[*pair] for pair in pairs],
        unlisted=[one for one in named if not listed.may_play(one, match.date)],
    )
