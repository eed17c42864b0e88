"""The state of a league: its teams, its matches and its sanctions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from referee.events import PersonId, TextId
from referee.events.league import (
    KeptResults,
    LeagueDivision,
    LeagueOpened,
    LeagueRules,
    MatchId,
    PartidaTold,
    SanctionId,
    TeamId,
    TeamSanctioned,
)
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

    def covers(self, day: str) -> bool:
        """Whether the player may play on a day."""
        return self.since <= day and (not self.until or day < self.until)


class LeagueTeam(msgspec.Struct, frozen=True):
    """A team. ``withdrawn``: what became of its results, empty while it plays.

    ``renewals``: how often its private address was renewed.
    """

    id: TeamId
    name: TextId
    venue: TextId
    division: int
    players: tuple[Registration, ...] = ()
    withdrawn: KeptResults = ""
    withdrawal_reason: TextId = ""
    renewals: int = 0

    def may_play(self, person: PersonId, day: str) -> bool:
        """Whether a player is on the list of the team on a day."""
        return any(one.person == person and one.covers(day) for one in self.players)


class LeagueMatch(msgspec.Struct, frozen=True):
    """A match: when and where, who plays, what came of it.

    ``by``: the team that told its partidas, empty for the organiser; ``signed``: teams that agree.
    ``is_moved``: its day, hour or place is not that of the calendar.
    """

    id: MatchId
    division: int
    round: int
    home: TeamId
    away: TeamId
    date: str
    time: str = ""
    venue: TextId = ""
    lineups: Mapping[TeamId, tuple[DrawnSide, ...]] = {}
    partidas: tuple[PartidaTold, ...] = ()
    by: TeamId = ""
    signed: tuple[TeamId, ...] = ()
    absent: tuple[TeamId, ...] = ()
    stage: MatchStage = "planned"
    reason: TextId = ""
    is_moved: bool = False

    @property
    def teams(self) -> tuple[TeamId, TeamId]:
        """Both teams, the home team first."""
        return self.home, self.away

    @property
    def is_open(self) -> bool:
        """Whether nothing came of it yet."""
        return self.stage in OPEN_STAGES

    @property
    def has_result(self) -> bool:
        """Whether something came of it that counts."""
        return self.stage in ("provisional", "official", "forfeited")

    @property
    def is_final(self) -> bool:
        """Whether what came of it is official."""
        return self.stage in ("official", "forfeited", "annulled")


class LeagueSanction(msgspec.Struct, frozen=True):
    """A sanction, and why it was lifted if it was."""

    given: TeamSanctioned
    is_lifted: bool = False
    lifted_reason: TextId = ""


class TeamLeague(msgspec.Struct, frozen=True):
    """A league folded from its log; ``version`` counts its acts."""

    opened: LeagueOpened | None = None
    teams: Mapping[TeamId, LeagueTeam] = {}
    matches: Mapping[MatchId, LeagueMatch] = {}
    sanctions: Mapping[SanctionId, LeagueSanction] = {}
    is_closed: bool = False
    version: int = 0

    @property
    def rules(self) -> LeagueRules:
        """How it is played."""
        return LeagueRules() if self.opened is None else self.opened.rules

    @property
    def divisions(self) -> tuple[LeagueDivision, ...]:
        """Its divisions, the first one at the top."""
        return () if self.opened is None else self.opened.divisions

    @property
    def is_calendar_fixed(self) -> bool:
        """Whether something was recorded of a match, so that no other calendar can be made."""
        return any(not one.is_open or one.lineups for one in self.matches.values())

    def is_annulled(self, match: LeagueMatch) -> bool:
        """Whether a match counts for nobody, by itself or with a team that withdrew."""
        gone = any(self.teams[team].withdrawn == "annulled" for team in match.teams)
        return gone or match.stage == "annulled"

    def matches_of(self, team: TeamId) -> list[LeagueMatch]:
        """Matches of a team, in the order of the calendar."""
        return [one for one in self.matches.values() if team in one.teams]


INITIAL: Final = TeamLeague()
