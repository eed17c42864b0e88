"""Reasons for refusals in a league, by their ids."""

from __future__ import annotations

from enum import StrEnum


class LeagueRule(StrEnum):
    """Why something cannot be recorded in a league."""

    LEAGUE_OPEN = "league-open"
    LEAGUE_OVER = "league-over"
    RULES_IMPOSSIBLE = "rules-impossible"
    DIVISION_UNKNOWN = "division-unknown"
    TEAM_UNKNOWN = "team-unknown"
    TEAM_GONE = "team-gone"
    TEAM_STAYS = "team-stays"
    TEAM_NOT_IN_MATCH = "team-not-in-match"
    CALENDAR_FIXED = "calendar-fixed"
    CALENDAR_OTHERWISE = "calendar-otherwise"
    DAYS_MISSING = "days-missing"
    TEAMS_TOO_FEW = "teams-too-few"
    ALREADY_REGISTERED = "already-registered"
    NOT_REGISTERED = "not-registered"
    MATCH_UNKNOWN = "match-unknown"
    MATCH_DECIDED = "match-decided"
    MATCH_OPEN = "match-open"
    MATCH_DISPUTED = "match-disputed"
    PARTIDAS_NUMBER = "partidas-number"
    PLAYER_TWICE_IN_PAIR = "player-twice-in-pair"
    REASON_MISSING = "reason-missing"
    SANCTION_UNKNOWN = "sanction-unknown"
