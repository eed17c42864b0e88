"""A league as a decider: what is impossible is refused, what is only irregular is recorded."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.aggregates.league.calendar import calendar_act_with_matches
from referee.aggregates.league.state import LeagueMatch, LeagueRule, LeagueTeam, TeamLeague
from referee.errors import Refused
from referee.events import league as ev

ALL: Final = 100
"""Per cent."""
MOST_LEGS: Final = 2


def decide(act: ev.LeagueAct, state: TeamLeague) -> tuple[ev.LeagueAct, ...]:
    """The act that was asked to be recorded, with its number, its matches or its consequence.

    :raises Refused: it cannot be true
    """
    _refuse_untimely(act, state)
    match act:
        case ev.LeagueOpened():
            _refuse_impossible_rules(act)
        case ev.MatchesScheduled():
            return (_decide_calendar(act, state),)
        case act if isinstance(act, ev.MatchAct):
            _refuse_impossible_match_act(act, _require_match(act.match, state), state)
        case ev.LeagueClosed() | ev.LeagueReopened():
            pass
        case _:
            return (_decide_team_act(act, state),)
    return (act,)


def _refuse_untimely(act: ev.LeagueAct, state: TeamLeague) -> None:
    if isinstance(act, ev.LeagueOpened):
        if state.opened is not None:
            raise Refused(LeagueRule.LEAGUE_OPEN)
    elif isinstance(act, ev.LeagueReopened):
        if not state.is_closed:
            raise Refused(LeagueRule.LEAGUE_OPEN)
    elif state.is_closed:
        raise Refused(LeagueRule.LEAGUE_OVER)


def _refuse_impossible_rules(act: ev.LeagueOpened) -> None:
    rules = act.rules
    is_possible = (
        rules.partidas >= 1
        and 1 <= rules.legs <= MOST_LEGS
        and len(set(rules.tie_breaks)) == len(rules.tie_breaks)
        and 0 <= rules.kept_from <= ALL
        and act.divisions
    )
    if not is_possible:
        raise Refused(LeagueRule.RULES_IMPOSSIBLE)


def _decide_calendar(act: ev.MatchesScheduled, state: TeamLeague) -> ev.MatchesScheduled:
    """The calendar with its matches; it is refused once something was recorded of a match.

    :raises Refused: it is fixed, or cannot be made, or has other matches than those that follow
    """
    if state.has_lineup_or_outcome:
        raise Refused(LeagueRule.CALENDAR_FIXED)
    made = calendar_act_with_matches(state, act)
    if act.matches and act.matches != made.matches:
        raise Refused(LeagueRule.CALENDAR_OTHERWISE)
    return made


# --- teams ---------------------------------------------------------------------------------------


def _decide_team_act(act: ev.TeamAct, state: TeamLeague) -> ev.TeamAct:  # noqa: PLR0911 - a case an act
    match act:
        case ev.TeamEntered():
            return _decide_entry(act, state)
        case ev.SanctionLifted(sanction):
            found = state.sanctions.get(sanction)
            if found is None or found.is_lifted:
                raise Refused(LeagueRule.SANCTION_UNKNOWN, sanction=sanction)
            return act
        case ev.TeamSanctioned(team):
            _require_team(team, state)
            return replace(act, sanction=str(len(state.sanctions) + 1))
        case ev.TeamWithdrawn(team):
            if _require_team(team, state).withdrawn:
                raise Refused(LeagueRule.TEAM_GONE, team=team)
            return replace(act, results=act.results or withdrawal_effect_on_results(team, state))
        case ev.TeamReturned(team):
            if not _require_team(team, state).withdrawn:
                raise Refused(LeagueRule.TEAM_STAYS, team=team)
            return act
        case ev.PlayerRegistered() | ev.PlayerReleased():
            _refuse_impossible_registration(act, _require_team(act.team, state))
            return act
        case _:
            _require_team(act.team, state)
            return act


def _decide_entry(act: ev.TeamEntered, state: TeamLeague) -> ev.TeamEntered:
    """The entry of a team with its number; it is refused once the calendar cannot be made again."""
    if not 1 <= act.division <= len(state.divisions):
        raise Refused(LeagueRule.DIVISION_UNKNOWN, division=act.division)
    if state.has_lineup_or_outcome:
        raise Refused(LeagueRule.CALENDAR_FIXED)
    return replace(act, team=str(len(state.teams) + 1))


def _refuse_impossible_registration(
    act: ev.PlayerRegistered | ev.PlayerReleased, team: LeagueTeam
) -> None:
    is_listed = any(one.person == act.person and not one.until for one in team.players)
    if isinstance(act, ev.PlayerRegistered) and is_listed:
        raise Refused(LeagueRule.ALREADY_REGISTERED, team=team.id)
    if isinstance(act, ev.PlayerReleased) and not is_listed:
        raise Refused(LeagueRule.NOT_REGISTERED, team=team.id)


def withdrawal_effect_on_results(team: ev.TeamId, state: TeamLeague) -> ev.KeptResults:
    """What becomes of the results of a team that withdraws now, by the rules of the league."""
    if state.rules.withdrawal != "by_share":
        return state.rules.withdrawal
    mine = [one for one in state.matches_of_team(team) if not state.is_match_annulled(one)]
    played = sum(one.has_result_that_counts for one in mine)
    return "kept" if mine and played * ALL >= state.rules.kept_from * len(mine) else "annulled"


def _require_team(team: ev.TeamId, state: TeamLeague) -> LeagueTeam:
    found = state.teams.get(team)
    if found is None:
        raise Refused(LeagueRule.TEAM_UNKNOWN, team=team)
    return found


# --- matches -------------------------------------------------------------------------------------


def _require_match(match: ev.MatchId, state: TeamLeague) -> LeagueMatch:
    found = state.matches.get(match)
    if found is None:
        raise Refused(LeagueRule.MATCH_UNKNOWN, match=match)
    return found


def _refuse_impossible_match_act(act: ev.MatchAct, found: LeagueMatch, state: TeamLeague) -> None:
    match act:
        case ev.MatchMoved() | ev.MatchPostponed():
            if not found.is_open:
                raise Refused(LeagueRule.MATCH_DECIDED, match=found.id)
        case ev.LineupNamed(_, team, pairs):
            _refuse_teams_not_in_match((team,), found)
            _refuse_impossible_pairs(pairs, state)
        case ev.MatchReported():
            _refuse_impossible_report(act, found, state)
        case ev.MatchSigned(_, by) | ev.MatchDenied(_, by):
            _refuse_impossible_result_answer(by, found, state)
        case ev.MatchForfeited(_, absent):
            _refuse_teams_not_in_match(absent, found)
        case ev.MatchReopened():
            if found.is_open:
                raise Refused(LeagueRule.MATCH_OPEN, match=found.id)
        case ev.MatchAnnulled():
            pass


def _refuse_teams_not_in_match(teams: tuple[ev.TeamId, ...], found: LeagueMatch) -> None:
    """Refuse teams that do not play a match, and the same one twice, and none."""
    if not teams or len(set(teams)) != len(teams) or not set(teams) <= set(found.teams):
        raise Refused(LeagueRule.TEAM_NOT_IN_MATCH, match=found.id)


def _refuse_impossible_captain_act(by: ev.TeamId, found: LeagueMatch, state: TeamLeague) -> None:
    """Refuse a team's word on others' match, one with a team that withdrew, or a disputed one.

    All of these are the organiser's.
    """
    _refuse_teams_not_in_match((by,), found)
    for team in found.teams:
        if state.teams[team].withdrawn:
            raise Refused(LeagueRule.TEAM_GONE, team=team)
    if found.stage == "disputed":
        raise Refused(LeagueRule.MATCH_DISPUTED, match=found.id)


def _refuse_impossible_result_answer(by: ev.TeamId, found: LeagueMatch, state: TeamLeague) -> None:
    """Refuse an answer where nothing was told that is not official, and one that agrees twice."""
    _refuse_impossible_captain_act(by, found, state)
    if found.stage != "provisional":
        raise Refused(LeagueRule.MATCH_OPEN, match=found.id)
    if by in found.signed:
        raise Refused(LeagueRule.MATCH_DECIDED, match=found.id)


def _refuse_impossible_pairs(pairs: tuple[tuple[str, ...], ...], state: TeamLeague) -> None:
    """Refuse more pairs than partidas, and a pair of one.

    A player who is on no list is not refused.
    """
    if len(pairs) > state.rules.partidas:
        raise Refused(LeagueRule.PARTIDAS_NUMBER, partidas=state.rules.partidas)
    if any(len(set(pair)) != len(pair) for pair in pairs):
        raise Refused(LeagueRule.PLAYER_TWICE_IN_PAIR)


def _refuse_impossible_report(act: ev.MatchReported, found: LeagueMatch, state: TeamLeague) -> None:
    if len(act.partidas) != state.rules.partidas:
        raise Refused(LeagueRule.PARTIDAS_NUMBER, partidas=state.rules.partidas)
    if not act.by:
        if found.has_final_outcome and not act.reason:
            raise Refused(LeagueRule.REASON_MISSING, match=found.id)
        return
    _refuse_impossible_captain_act(act.by, found, state)
    is_own = found.stage == "provisional" and found.by == act.by
    if not (found.is_open or is_own):
        raise Refused(LeagueRule.MATCH_DECIDED, match=found.id)
