"""Types of answers about leagues; persons and texts are ids, which are replaced before sending."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from projections.facts import PartidaToldData, RulesOfLeagueData
from referee.aggregates.league.state import MatchStage
from referee.events.base import PersonId, TextId
from referee.events.league import (
    KeptResults,
    MatchId,
    SanctionId,
    TeamId,
    TieBreak,
)

ReasonOfPoints: TypeAlias = Literal["won", "level", "lost", "absent", "sanction"]
StandingMark: TypeAlias = Literal["", "up", "down"]
TeamScore: TypeAlias = tuple[int, int]
"""Of a team and of its opponents."""


class PointsItemData(msgspec.Struct, frozen=True):
    """Points of a team with their reason: a number of matches, or a sanction."""

    reason: ReasonOfPoints
    count: int
    points: int


class TieBreakData(msgspec.Struct, frozen=True):
    """Value of a team in a tie-break; empty in the direct encounter if no team is tied with it."""

    tie_break: TieBreak
    value: str


class LeagueStandingData(msgspec.Struct, frozen=True):
    """A row of the table of a division."""

    place: int
    team: TeamId
    played: int
    won: int
    level: int
    lost: int
    partidas: TeamScore
    cotos: TeamScore
    cards: TeamScore
    points: int
    items: list[PointsItemData]
    tie_breaks: list[TieBreakData]
    mark: StandingMark


class LineupData(msgspec.Struct, frozen=True):
    """Pairs of a team in a match.

    ``unlisted``: players who were not on the team's list that day.
    """

    team: TeamId
    pairs: list[list[PersonId]]
    unlisted: list[PersonId]


class MatchData(msgspec.Struct, frozen=True):
    """A match of a league: when, where, who, and its result. ``score``: partidas won.

    Null if none count.
    """

    match: MatchId
    round: int
    home: TeamId
    away: TeamId
    date: str
    time: str
    venue: TextId
    stage: MatchStage
    score: TeamScore | None
    partidas: list[PartidaToldData]
    told_by: TeamId
    signed: list[TeamId]
    absent: list[TeamId]
    lineups: list[LineupData]
    reason: TextId


class RegistrationData(msgspec.Struct, frozen=True):
    """A player on the list of a team, since a day and until another one."""

    person: PersonId
    since: str
    until: str


class TeamData(msgspec.Struct, frozen=True):
    """A team of a league. ``withdrawn``: what happened to its results; empty while it plays."""

    team: TeamId
    name: TextId
    venue: TextId
    division: int
    players: list[RegistrationData]
    withdrawn: KeptResults
    reason: TextId


class SanctionData(msgspec.Struct, frozen=True):
    """A sanction with its article, and why it was lifted if it was."""

    sanction: SanctionId
    team: TeamId
    points: int
    reason: TextId
    article: TextId
    is_lifted: bool
    lifted_reason: TextId


class DivisionData(msgspec.Struct, frozen=True):
    """A division: its table and its matches in the order of the calendar."""

    division: int
    name: TextId
    promoted: int
    relegated: int
    standings: list[LeagueStandingData]
    matches: list[MatchData]


class LeagueShortData(msgspec.Struct, frozen=True):
    """A league in a list."""

    id: str
    name: TextId
    version: int
    is_closed: bool
    divisions: int
    teams: int


class LeagueHeadData(msgspec.Struct, frozen=True):
    """A league without its divisions."""

    id: str
    name: TextId
    contact: TextId
    version: int
    is_closed: bool
    rules: RulesOfLeagueData
    teams: list[TeamData]
    sanctions: list[SanctionData]


class LeagueData(LeagueHeadData, frozen=True):
    """A whole league."""

    divisions: list[DivisionData]
