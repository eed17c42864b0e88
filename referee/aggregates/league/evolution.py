"""How a league changes by each event. Nothing is refused here: only ``decide`` checks rules."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from referee.aggregates.league.state import (
    LeagueMatch,
    LeagueSanction,
    LeagueTeam,
    Registration,
    TeamLeague,
)
from referee.events.league import (
    LeagueAct,
    LeagueClosed,
    LeagueOpened,
    LeagueReopened,
    LineupNamed,
    MatchAct,
    MatchAnnulled,
    MatchDenied,
    MatchesScheduled,
    MatchForfeited,
    MatchMoved,
    MatchPostponed,
    MatchReopened,
    MatchReported,
    MatchSigned,
    PlayerRegistered,
    PlayerReleased,
    ResultOfMatchAct,
    SanctionLifted,
    TeamAct,
    TeamAddressRenewed,
    TeamChanged,
    TeamEntered,
    TeamReturned,
    TeamSanctioned,
    TeamWithdrawn,
)


def evolve(state: TeamLeague, event: LeagueAct) -> TeamLeague:  # noqa: PLR0911 - a case an event
    """The league after one event."""
    state = replace(state, version=state.version + 1)
    match event:
        case LeagueOpened():
            return replace(state, opened=event)
        case LeagueClosed() | LeagueReopened():
            return replace(state, is_closed=isinstance(event, LeagueClosed))
        case MatchesScheduled(matches=matches):
            planned = {
                one.match: LeagueMatch(
                    one.match, one.division, one.round, one.home, one.away, one.date, one.time
                )
                for one in matches
            }
            return replace(state, matches=planned)
        case TeamEntered() | TeamSanctioned() | SanctionLifted():
            return _with_entry(state, event)
        case event if isinstance(event, MatchAct):
            found = state.matches.get(event.match)
            if found is None:
                return state
            after = _match_after(found, event, state)
            return replace(state, matches={**state.matches, event.match: after})
        case _:
            team = state.teams.get(event.team)
            if team is None:
                return state
            return replace(state, teams={**state.teams, team.id: _team_after(team, event)})


def _with_entry(
    state: TeamLeague, event: TeamEntered | TeamSanctioned | SanctionLifted
) -> TeamLeague:
    """The league with one team more, or another sanction."""
    match event:
        case TeamEntered(name, venue, division, team):
            entered = LeagueTeam(team, name, venue, division)
            return replace(state, teams={**state.teams, team: entered})
        case TeamSanctioned(sanction=sanction):
            given = {**state.sanctions, sanction: LeagueSanction(event)}
            return replace(state, sanctions=given)
        case SanctionLifted(sanction, reason):
            found = state.sanctions.get(sanction)
            if found is None:
                return state
            lifted = replace(found, is_lifted=True, lifted_reason=reason)
            return replace(state, sanctions={**state.sanctions, sanction: lifted})
        case _:
            assert_never(event)


def _team_after(team: LeagueTeam, event: TeamAct) -> LeagueTeam:  # noqa: PLR0911 - a case an event
    match event:
        case TeamChanged(_, name, venue):
            return replace(team, name=name, venue=venue)
        case PlayerRegistered(_, person, since):
            return replace(team, players=(*team.players, Registration(person, since)))
        case PlayerReleased(_, person, since):
            players = tuple(
                replace(one, until=since) if one.person == person and not one.until else one
                for one in team.players
            )
            return replace(team, players=players)
        case TeamWithdrawn(_, reason, results):
            return replace(team, withdrawn=results, withdrawal_reason=reason)
        case TeamReturned():
            return replace(team, withdrawn="", withdrawal_reason="")
        case TeamAddressRenewed():
            return replace(team, renewals=team.renewals + 1)
        case _:
            return team


def _match_after(found: LeagueMatch, event: MatchAct, state: TeamLeague) -> LeagueMatch:
    match event:
        case MatchMoved(_, date, time, venue, reason):
            is_again = found.stage == "postponed"
            stage = "planned" if is_again else found.stage
            moved = replace(found, date=date, time=time, venue=venue, is_moved=True)
            return replace(moved, reason=reason, stage=stage)
        case MatchPostponed(_, reason):
            return replace(found, stage="postponed", reason=reason)
        case LineupNamed(_, team, pairs):
            return replace(found, lineups={**found.lineups, team: pairs})
        case _:
            return _match_with_result(found, event, state)


def _match_with_result(
    found: LeagueMatch, event: ResultOfMatchAct, state: TeamLeague
) -> LeagueMatch:
    match event:
        case MatchReported(_, partidas, by, reason):
            told = replace(found, partidas=partidas, by=by, absent=(), signed=(), reason=reason)
            return replace(told, stage="official") if not by else _with_signature(told, by, state)
        case MatchSigned(_, by):
            return _with_signature(found, by, state)
        case MatchDenied(_, _by):
            return replace(found, stage="disputed", signed=())
        case MatchForfeited(_, absent, reason):
            return replace(_without_result(found), absent=absent, stage="forfeited", reason=reason)
        case MatchAnnulled(_, reason):
            return replace(_without_result(found), stage="annulled", reason=reason)
        case MatchReopened(_, reason):
            return replace(_without_result(found), stage="planned", reason=reason)
        case _:
            assert_never(event)


def _without_result(found: LeagueMatch) -> LeagueMatch:
    return replace(found, partidas=(), by="", signed=(), absent=())


def _with_signature(found: LeagueMatch, by: str, state: TeamLeague) -> LeagueMatch:
    """A match whose result one more team agrees with; official once those of the rules do."""
    signed = tuple(dict.fromkeys((*found.signed, by)))
    wanted = (found.home,) if state.rules.signatures == "home" else found.teams
    stage = "official" if set(wanted) <= set(signed) else "provisional"
    return replace(found, signed=signed, stage=stage)
