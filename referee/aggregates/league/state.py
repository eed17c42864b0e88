"""A league: its state, and how each event changes it. Only ``decide`` refuses."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from referee.events import PersonId, TextId
from referee.events import league as ev
from referee.events.season import DrawnSide

MatchStage: TypeAlias = Literal[
    "planned", "postponed", "provisional", "disputed", "official", "forfeited", "annulled"
]
OPEN_STAGES: Final[tuple[MatchStage, ...]] = ("planned", "postponed")
"""Stages of a match of which nothing came yet."""


class Registration(msgspec.Struct, frozen=True):
    """A player in the list of a team, since a day and until the day before another one."""

    person: PersonId
    since: str
    until: str = ""

    def is_valid_on(self, day: str) -> bool:
        """Whether the player may play on a day."""
        return self.since <= day and (not self.until or day < self.until)


class LeagueTeam(msgspec.Struct, frozen=True):
    """A team. ``withdrawn``: what became of its results, empty while it plays.

    ``renewals``: how often its private address was renewed.
    """

    id: ev.TeamId
    name: TextId
    venue: TextId
    division: int
    players: tuple[Registration, ...] = ()
    withdrawn: ev.KeptResults = ""
    withdrawal_reason: TextId = ""
    renewals: int = 0

    def may_play(self, person: PersonId, day: str) -> bool:
        """Whether a player is on the list of the team on a day."""
        return any(one.person == person and one.is_valid_on(day) for one in self.players)


class LeagueMatch(msgspec.Struct, frozen=True):
    """A match: when and where, who plays, what came of it.

    ``by``: the team that told its partidas, empty for the organiser; ``signed``: teams that agree.
    ``is_moved``: its day, hour or place is not that of the calendar.
    """

    id: ev.MatchId
    division: int
    round: int
    home: ev.TeamId
    away: ev.TeamId
    date: str
    time: str = ""
    venue: TextId = ""
    lineups: Mapping[ev.TeamId, tuple[DrawnSide, ...]] = {}
    partidas: tuple[ev.PartidaTold, ...] = ()
    by: ev.TeamId = ""
    signed: tuple[ev.TeamId, ...] = ()
    absent: tuple[ev.TeamId, ...] = ()
    stage: MatchStage = "planned"
    reason: TextId = ""
    is_moved: bool = False

    @property
    def teams(self) -> tuple[ev.TeamId, ev.TeamId]:
        """Both teams, the home team first."""
        return self.home, self.away

    @property
    def is_open(self) -> bool:
        """Whether the match has no outcome yet."""
        return self.stage in OPEN_STAGES

    @property
    def has_result_that_counts(self) -> bool:
        """Whether the match has a result that counts."""
        return self.stage in ("provisional", "official", "forfeited")

    @property
    def has_final_outcome(self) -> bool:
        """Whether the outcome of the match is official: signed, forfeited or annulled."""
        return self.stage in ("official", "forfeited", "annulled")


class LeagueSanction(msgspec.Struct, frozen=True):
    """A sanction, and why it was lifted if it was."""

    given: ev.TeamSanctioned
    is_lifted: bool = False
    lifted_reason: TextId = ""


class TeamLeague(msgspec.Struct, frozen=True):
    """A league folded from its log; ``version`` counts its acts."""

    opened: ev.LeagueOpened | None = None
    teams: Mapping[ev.TeamId, LeagueTeam] = {}
    matches: Mapping[ev.MatchId, LeagueMatch] = {}
    sanctions: Mapping[ev.SanctionId, LeagueSanction] = {}
    is_closed: bool = False
    version: int = 0

    @property
    def rules(self) -> ev.LeagueRules:
        """The rules of the league."""
        return ev.LeagueRules() if self.opened is None else self.opened.rules

    @property
    def divisions(self) -> tuple[ev.LeagueDivision, ...]:
        """Its divisions, the first one at the top."""
        return () if self.opened is None else self.opened.divisions

    @property
    def has_lineup_or_outcome(self) -> bool:
        """Whether something was recorded of a match, so that no other calendar can be made."""
        return any(not one.is_open or one.lineups for one in self.matches.values())

    def is_match_annulled(self, match: LeagueMatch) -> bool:
        """Whether a match counts for nobody, by itself or with a team that withdrew."""
        gone = any(self.teams[team].withdrawn == "annulled" for team in match.teams)
        return gone or match.stage == "annulled"

    def matches_of_team(self, team: ev.TeamId) -> list[LeagueMatch]:
        """Matches of a team, in the order of the calendar."""
        return [one for one in self.matches.values() if team in one.teams]


INITIAL: Final = TeamLeague()


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


def evolve(state: TeamLeague, event: ev.LeagueAct) -> TeamLeague:  # noqa: PLR0911 - a case an event
    """The league after one event."""
    state = replace(state, version=state.version + 1)
    match event:
        case ev.LeagueOpened():
            return replace(state, opened=event)
        case ev.LeagueClosed() | ev.LeagueReopened():
            return replace(state, is_closed=isinstance(event, ev.LeagueClosed))
        case ev.MatchesScheduled(matches=matches):
            planned = {
                one.match: LeagueMatch(
                    one.match, one.division, one.round, one.home, one.away, one.date, one.time
                )
                for one in matches
            }
            return replace(state, matches=planned)
        case ev.TeamEntered() | ev.TeamSanctioned() | ev.SanctionLifted():
            return _with_team_or_sanction(state, event)
        case event if isinstance(event, ev.MatchAct):
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


def _with_team_or_sanction(
    state: TeamLeague, event: ev.TeamEntered | ev.TeamSanctioned | ev.SanctionLifted
) -> TeamLeague:
    """The league with one team more, or another sanction."""
    match event:
        case ev.TeamEntered(name, venue, division, team):
            entered = LeagueTeam(team, name, venue, division)
            return replace(state, teams={**state.teams, team: entered})
        case ev.TeamSanctioned(sanction=sanction):
            given = {**state.sanctions, sanction: LeagueSanction(event)}
            return replace(state, sanctions=given)
        case ev.SanctionLifted(sanction, reason):
            found = state.sanctions.get(sanction)
            if found is None:
                return state
            lifted = replace(found, is_lifted=True, lifted_reason=reason)
            return replace(state, sanctions={**state.sanctions, sanction: lifted})
        case _:
            assert_never(event)


def _team_after(team: LeagueTeam, event: ev.TeamAct) -> LeagueTeam:  # noqa: PLR0911 - a case an event
    match event:
        case ev.TeamChanged(_, name, venue):
            return replace(team, name=name, venue=venue)
        case ev.PlayerRegistered(_, person, since):
            return replace(team, players=(*team.players, Registration(person, since)))
        case ev.PlayerReleased(_, person, since):
            players = tuple(
                replace(one, until=since) if one.person == person and not one.until else one
                for one in team.players
            )
            return replace(team, players=players)
        case ev.TeamWithdrawn(_, reason, results):
            return replace(team, withdrawn=results, withdrawal_reason=reason)
        case ev.TeamReturned():
            return replace(team, withdrawn="", withdrawal_reason="")
        case ev.TeamAddressRenewed():
            return replace(team, renewals=team.renewals + 1)
        case _:
            return team


def _match_after(found: LeagueMatch, event: ev.MatchAct, state: TeamLeague) -> LeagueMatch:
    match event:
        case ev.MatchMoved(_, date, time, venue, reason):
            is_again = found.stage == "postponed"
            stage = "planned" if is_again else found.stage
            moved = replace(found, date=date, time=time, venue=venue, is_moved=True)
            return replace(moved, reason=reason, stage=stage)
        case ev.MatchPostponed(_, reason):
            return replace(found, stage="postponed", reason=reason)
        case ev.LineupNamed(_, team, pairs):
            return replace(found, lineups={**found.lineups, team: pairs})
        case _:
            return _match_after_result_act(found, event, state)


def _match_after_result_act(
    found: LeagueMatch, event: ev.ResultOfMatchAct, state: TeamLeague
) -> LeagueMatch:
    match event:
        case ev.MatchReported(_, partidas, by, reason):
            told = replace(found, partidas=partidas, by=by, absent=(), signed=(), reason=reason)
            return replace(told, stage="official") if not by else _with_signature(told, by, state)
        case ev.MatchSigned(_, by):
            return _with_signature(found, by, state)
        case ev.MatchDenied(_, _by):
            return replace(found, stage="disputed", signed=())
        case ev.MatchForfeited(_, absent, reason):
            return replace(_without_result(found), absent=absent, stage="forfeited", reason=reason)
        case ev.MatchAnnulled(_, reason):
            return replace(_without_result(found), stage="annulled", reason=reason)
        case ev.MatchReopened(_, reason):
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
