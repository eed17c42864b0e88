"""Events of a league of teams: who plays, the calendar, what came of each match, sanctions."""

from __future__ import annotations

from typing import Literal, TypeAlias

from referee.events.base import Act, Fact, PersonId, TextId
from referee.events.season import DrawnSide

TeamId: TypeAlias = str
"""Number of a team, from 1, in the order in which they entered."""
MatchId: TypeAlias = str
"""Division, round and place in the round: ``1-3-2``."""
SanctionId: TypeAlias = str
TieBreak: TypeAlias = Literal["direct", "difference", "partidas", "cotos", "cards", "quotient"]
WithdrawalRule: TypeAlias = Literal["annulled", "kept", "by_share"]
"""What a withdrawal does to results; by share: annulled until the team played enough of them."""
KeptResults: TypeAlias = Literal["", "annulled", "kept"]
Signatures: TypeAlias = Literal["home", "both"]
PartidaWinner: TypeAlias = Literal["", "home", "away"]
BothNumbers: TypeAlias = tuple[int, int]
"""A number of the home team, and one of the other."""


class LeagueRules(Fact, frozen=True):
    """How a league is played.

    ``cards_cap``: most points of cards that count in a partida, 0 for no limit. ``kept_from``: per
    cent of its matches that a team has to have played for its results to stay.
    """

    partidas: int = 6
    won: int = 3
    level: int = 1
    lost: int = 0
    legs: int = 2
    tie_breaks: tuple[TieBreak, ...] = ("direct", "difference", "partidas")
    cards_cap: int = 0
    withdrawal: WithdrawalRule = "by_share"
    kept_from: int = 50
    signatures: Signatures = "both"


class LeagueDivision(Fact, frozen=True):
    """A division, and how many of its teams go up and down."""

    name: TextId = ""
    promoted: int = 0
    relegated: int = 0


class LeagueOpened(Act, frozen=True, tag="league_open"):
    """A league begins. ``contact``: whom to ask, as it stands on its page."""

    name: TextId
    rules: LeagueRules = LeagueRules()
    divisions: tuple[LeagueDivision, ...] = (LeagueDivision(),)
    contact: TextId = ""


class TeamEntered(Act, frozen=True, tag="team_enter"):
    """A bar or a peña takes part in a division, from 1. ``team``: the next number if empty."""

    name: TextId
    venue: TextId = ""
    division: int = 1
    team: TeamId = ""


class TeamChanged(Act, frozen=True, tag="team_change"):
    """A team has another name or another venue from now on."""

    team: TeamId
    name: TextId
    venue: TextId = ""


class PlayerRegistered(Act, frozen=True, tag="player_register"):
    """A player may play for a team since a day."""

    team: TeamId
    person: PersonId
    since: str


class PlayerReleased(Act, frozen=True, tag="player_release"):
    """A player plays for a team no more, from a day on."""

    team: TeamId
    person: PersonId
    since: str


class ScheduledMatch(Fact, frozen=True):
    """A match of the calendar. ``venue``: of the home team if empty."""

    match: MatchId
    division: int
    round: int
    home: TeamId
    away: TeamId
    date: str
    time: str = ""


class MatchesScheduled(Act, frozen=True, tag="matches_schedule"):
    """The calendar, of each division a round robin; made again, it replaces the earlier.

    ``days``: of each round. ``order``: of the teams in the draw, as they entered if empty.
    """

    days: tuple[str, ...]
    time: str = ""
    order: tuple[TeamId, ...] = ()
    matches: tuple[ScheduledMatch, ...] = ()


class MatchMoved(Act, frozen=True, tag="match_move"):
    """A match is played on another day, at another hour or in another place."""

    match: MatchId
    date: str
    time: str = ""
    venue: TextId = ""
    reason: TextId = ""


class MatchPostponed(Act, frozen=True, tag="match_postpone"):
    """A match is not played on its day; the new day is not known yet."""

    match: MatchId
    reason: TextId


class LineupNamed(Act, frozen=True, tag="lineup"):
    """The pairs of a team in a match, in the order of its partidas."""

    match: MatchId
    team: TeamId
    pairs: tuple[DrawnSide, ...]


class PartidaTold(Fact, frozen=True):
    """What came of a partida of a match; the winner is empty if it was not played."""

    winner: PartidaWinner = ""
    cotos: BothNumbers = (0, 0)
    cards: BothNumbers = (0, 0)


class MatchReported(Act, frozen=True, tag="match_report"):
    """The partidas of a match, told by a team, or by the organiser if ``by`` is empty.

    What the organiser tells is official. ``reason``: why an official result is another one.
    """

    match: MatchId
    partidas: tuple[PartidaTold, ...]
    by: TeamId = ""
    reason: TextId = ""


class MatchSigned(Act, frozen=True, tag="match_sign"):
    """A team agrees with the result that was told."""

    match: MatchId
    by: TeamId


class MatchDenied(Act, frozen=True, tag="match_deny"):
    """A team does not agree with the result that was told."""

    match: MatchId
    by: TeamId


class MatchForfeited(Act, frozen=True, tag="match_forfeit"):
    """One team did not come, and loses every partida; or neither came, and both lose."""

    match: MatchId
    absent: tuple[TeamId, ...]
    reason: TextId


class MatchAnnulled(Act, frozen=True, tag="match_annul"):
    """A match counts for nobody."""

    match: MatchId
    reason: TextId


class MatchReopened(Act, frozen=True, tag="match_reopen"):
    """What was recorded of the result of a match does not stand; it is open again."""

    match: MatchId
    reason: TextId


class TeamSanctioned(Act, frozen=True, tag="team_sanction"):
    """A team loses points, or is warned if they are none, by an article of the rules.

    ``sanction``: the next number if empty.
    """

    team: TeamId
    points: int
    reason: TextId
    article: TextId = ""
    sanction: SanctionId = ""


class SanctionLifted(Act, frozen=True, tag="sanction_lift"):
    """A sanction is lifted: it does not count any more."""

    sanction: SanctionId
    reason: TextId


class TeamWithdrawn(Act, frozen=True, tag="team_withdraw"):
    """A team plays no more. ``results``: what becomes of its results, as the rules say if empty."""

    team: TeamId
    reason: TextId
    results: KeptResults = ""


class TeamReturned(Act, frozen=True, tag="team_return"):
    """A team that had withdrawn plays on, with all its results."""

    team: TeamId


class TeamAddressRenewed(Act, frozen=True, tag="team_address"):
    """A team gets another private address; its earlier ones are worth nothing."""

    team: TeamId


class LeagueClosed(Act, frozen=True, tag="league_close"):
    """The league is over."""


class LeagueReopened(Act, frozen=True, tag="league_reopen"):
    """The league goes on: it was closed too early, or something has to be corrected."""


TeamAct: TypeAlias = (
    TeamEntered
    | TeamChanged
    | PlayerRegistered
    | PlayerReleased
    | TeamSanctioned
    | SanctionLifted
    | TeamWithdrawn
    | TeamReturned
    | TeamAddressRenewed
)
"""Acts about who takes part."""
ResultOfMatchAct: TypeAlias = (
    MatchReported | MatchSigned | MatchDenied | MatchForfeited | MatchAnnulled | MatchReopened
)
"""Acts about what came of a match."""
MatchAct: TypeAlias = MatchMoved | MatchPostponed | LineupNamed | ResultOfMatchAct
LeagueAct: TypeAlias = (
    LeagueOpened | TeamAct | MatchesScheduled | MatchAct | LeagueClosed | LeagueReopened
)
