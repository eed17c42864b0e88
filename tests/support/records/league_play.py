"""Leagues for the tests: acts recorded one after another, as the handler records them."""

from __future__ import annotations

from typing import Any

from projections.leagues.standings import DivisionTable
from projections.leagues.views import LeagueStandingData
from referee.aggregates.league.decider import decide
from referee.aggregates.league.state import INITIAL, TeamLeague, evolve
from referee.events.league import (
    LeagueAct,
    LeagueDivision,
    LeagueOpened,
    LeagueRules,
    MatchesScheduled,
    MatchReported,
    PartidaTold,
    TeamEntered,
)

DAYS = tuple(f"2026-{month:02}-{day:02}" for month in range(1, 11) for day in (3, 10, 17, 24))


class LeaguePlay:
    """A league to which acts are done; every event is kept."""

    def __init__(self, teams: int = 4, divisions: int = 1, **rules: Any) -> None:
        self.events: list[LeagueAct] = []
        self.state: TeamLeague = INITIAL
        made = tuple(LeagueDivision(promoted=1, relegated=1) for _ in range(divisions))
        self.do(LeagueOpened("name", LeagueRules(**rules), made))
        for number in range(divisions * teams):
            self.do(TeamEntered(f"team {number + 1}", division=number // teams + 1))

    def do(self, *acts: LeagueAct) -> Any:
        """Record acts; the last event is returned."""
        for act in acts:
            (event,) = decide(act, self.state)
            self.events.append(event)
            self.state = evolve(self.state, event)
        return self.events[-1]

    def schedule(self) -> None:
        self.do(MatchesScheduled(DAYS))

    def match(self, home: str, away: str) -> str:
        """Id of the first match of two teams, at home with the first of them."""
        found = self.state.matches.values()
        return next(one.id for one in found if one.teams == (home, away))

    def report(self, home: str, away: str, won: int, lost: int, **more: Any) -> None:
        """The organiser tells how many partidas the home team won and lost."""
        self.do(MatchReported(self.match(home, away), partidas(won, lost), **more))

    def table(self, division: int = 1) -> list[LeagueStandingData]:
        return DivisionTable(self.state, division).rows()


def partidas(won: int, lost: int) -> tuple[PartidaTold, ...]:
    """So many partidas of the home team, and of the other one."""
    return (*[PartidaTold("home")] * won, *[PartidaTold("away")] * lost)
