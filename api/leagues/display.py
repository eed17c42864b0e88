"""A league as its pages show it: names in place of numbers, what is played today, what is late."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from api.http.access.prefix import prefix
from api.http.languages import language, say
from api.http.moments import club_day
from api.http.names import fold_name
from api.http.services import current_services
from api.leagues.views import WholeLeagueData
from projections.leagues.views import (
    DivisionData,
    LeagueStandingData,
    MatchData,
    PointsItemData,
    TeamData,
)
from referee.aggregates.league.state import OPEN_STAGES
from referee.errors import NotFound
from referee.events.league import TeamId

_LATEST: Final = 10
"""Results that the page of a league begins with."""


class MatchDisplay(NamedTuple):
    """A match with its teams' names. ``late``: its day is over and it has no result."""

    data: MatchData
    division: int
    home: str
    away: str
    path: str
    late: bool
    is_of_withdrawn: bool

    @property
    def is_open(self) -> bool:
        """Whether the match has no result yet."""
        return self.data.stage in OPEN_STAGES

    @property
    def is_to_be_played(self) -> bool:
        """Whether the match is still to be played: no result, and neither team withdrew."""
        return self.is_open and not self.is_of_withdrawn

    @property
    def has_unconfirmed_result(self) -> bool:
        """Whether the result waits for a signature or for a decision of the organiser."""
        return self.data.stage in ("provisional", "disputed")

    @property
    def has_pending_step(self) -> bool:
        """Whether the match waits for a result, a signature or the organiser."""
        return self.is_to_be_played or self.has_unconfirmed_result

    @property
    def day_and_hour_key(self) -> tuple[str, str]:
        """Day and hour of the match, as a sort key."""
        return self.data.date, self.data.time


class RoundOfLeague(NamedTuple):
    """A round of a division, and the teams that rest in it."""

    number: int
    matches: Sequence[MatchDisplay]
    resting: Sequence[str]


class LeagueDisplay:
    """A league for the pages of a reader."""

    def __init__(self, view: WholeLeagueData) -> None:
        self.view, self.lang = view, language()
        self.home = f"{prefix()}/ligas/{view.id}"
        self.today = club_day(current_services().clock()).isoformat()
        self.teams: Mapping[TeamId, TeamData] = {one.team: one for one in view.teams}
        self.matches = [
            self._match(one, division.division)
            for division in view.divisions
            for one in division.matches
        ]
        self._by_id = {one.data.match: one for one in self.matches}

    def _match(self, one: MatchData, division: int) -> MatchDisplay:
        late = one.stage == "planned" and one.date < self.today
        gone = any(self.teams[team].withdrawn for team in (one.home, one.away))
        home, away = (self.teams[team].name for team in (one.home, one.away))
        path = f"{self.home}/encuentros/{one.match}"
        return MatchDisplay(one, division, home, away, path, late and not gone, gone)

    def is_left_out_of_calendar(self, team: TeamId) -> bool:
        """Whether a team has no matches, since it came after the calendar was made."""
        mine = [one for one in self.matches if one.division == self.teams[team].division]
        playing = {each for one in mine for each in (one.data.home, one.data.away)}
        return bool(playing) and team not in playing

    def match(self, match: str) -> MatchDisplay:
        """One match by its id.

        :raises NotFound: there is none
        """
        if match not in self._by_id:
            raise NotFound(match)
        return self._by_id[match]

    def team(self, team: TeamId) -> TeamData:
        """One team by its number.

        :raises NotFound: there is none
        """
        if team not in self.teams:
            raise NotFound(team)
        return self.teams[team]

    def join_team_names(self, teams: Iterable[TeamId]) -> str:
        """Names of teams, joined by dots in one text."""
        return " · ".join(self.teams[team].name for team in teams)

    def player_name(self, person: str) -> str:
        """Name of a player; a player without a name has that said."""
        return self.view.names.get(person) or say("grammar.nameless", self.lang)

    def division_name(self, division: DivisionData) -> str:
        """Name of a division, or its number if there are several; empty of the only one."""
        if division.name or len(self.view.divisions) == 1:
            return division.name
        return say("league.division_n", self.lang, n=division.division)

    @property
    def matches_of_next_day(self) -> list[MatchDisplay]:
        """Matches of today, or else of the next day on which one is played."""
        planned = (
            one for one in self.matches if one.is_to_be_played and one.data.stage == "planned"
        )
        coming = sorted(
            (one for one in planned if one.data.date >= self.today),
            key=lambda one: one.day_and_hour_key,
        )
        return [one for one in coming if one.data.date == coming[0].data.date]

    @property
    def overdue_matches(self) -> list[MatchDisplay]:
        """Matches without a result whose day is over, and postponed ones without a new day."""
        waiting = [
            one
            for one in self.matches
            if one.is_to_be_played and (one.late or one.data.stage == "postponed")
        ]
        return sorted(waiting, key=lambda one: one.day_and_hour_key)

    @property
    def unconfirmed_results(self) -> list[MatchDisplay]:
        """Results that wait for a signature, or for the organiser."""
        return [one for one in self.matches if one.has_unconfirmed_result]

    @property
    def latest_results(self) -> list[MatchDisplay]:
        """The latest results."""
        over = sorted(
            (one for one in self.matches if not one.is_open), key=lambda one: one.day_and_hour_key
        )
        return over[::-1][:_LATEST]

    def rounds_of_division(self, number: int) -> list[RoundOfLeague]:
        """Rounds of the division with this number."""
        mine = [one for one in self.matches if one.division == number]
        names = [one.name for one in self.view.teams if one.division == number]
        return [
            RoundOfLeague(at, found, _teams_without_match(names, found))
            for at, found in (
                (at, [*those]) for at, those in groupby(mine, lambda one: one.data.round)
            )
        ]

    def matches_of_team(self, team: TeamId) -> list[MatchDisplay]:
        """Matches of a team, by day."""
        mine = (one for one in self.matches if team in (one.data.home, one.data.away))
        return sorted(mine, key=lambda one: one.day_and_hour_key)

    def matches_at_venue(self, venue: str) -> list[MatchDisplay]:
        """Matches that are played in a venue, whoever plays them.

        :raises NotFound: none is
        """
        asked = fold_name(venue)
        found = [one for one in self.matches if fold_name(one.data.venue) == asked]
        if not found:
            raise NotFound(venue)
        return found

    def rules_in_words(self) -> list[str]:
        """How the league is played, in sentences."""
        rules = self.view.rules
        points = {name: rules[name] for name in ("won", "level", "lost")}
        order = ", ".join(say(f"league.tie.{one}", self.lang) for one in rules["tie_breaks"])
        found = [
            self._say_rule("partidas", n=rules["partidas"]),
            self._say_rule("points", **points),
            self._say_rule(f"legs_{rules['legs']}"),
            self._say_rule("ties", order=order) if order else self._say_rule("no_ties"),
            self._say_rule("absent"),
            self._say_rule(f"signatures_{rules['signatures']}"),
            self._say_rule(f"withdrawal_{rules['withdrawal']}", share=rules["kept_from"]),
        ]
        if rules["cards_cap"] and "cards" in rules["tie_breaks"]:
            found.append(self._say_rule("cards_cap", n=rules["cards_cap"]))
        return [*found, *filter(None, map(self._moves_in_words, self.view.divisions))]

    def _moves_in_words(self, division: DivisionData) -> str:
        """How many teams of a division go up and down; empty if none does."""
        numbers = {name: getattr(division, name) for name in ("promoted", "relegated")}
        moves = ", ".join(self._say_rule(name, n=many) for name, many in numbers.items() if many)
        name = self.division_name(division) or self.view.name
        return self._say_rule("moves", division=name, moves=moves) if moves else ""

    def _say_rule(self, key: str, **facts: object) -> str:
        return say(f"league.rules.{key}", self.lang, **facts)

    def reasons_for_points(self, row: LeagueStandingData) -> str:
        """Reasons for a team's points, and its values in each tie-break, in words."""
        items = [self._points_item_in_words(one) for one in row.items]
        ties = [
            f"{say('league.tie.' + one.tie_break, self.lang)}: {one.value}"
            for one in row.tie_breaks
            if one.value
        ]
        return " · ".join([*items, *ties])

    def _points_item_in_words(self, one: PointsItemData) -> str:
        """One reason for points in words: a number of matches or a sanction, and its points."""
        if one.reason == "sanction":
            points = self._count_in_words("minus", -one.points)
            what = say(f"league.item.{'sanction' if one.points else 'warning'}", self.lang)
        else:
            points = self._count_in_words("points", one.points)
            what = self._count_in_words(one.reason, one.count)
        return f"{what}: {points}" if one.points else what

    def _count_in_words(self, what: str, n: int) -> str:
        return say(f"league.item.{what}{'_one' if n == 1 else ''}", self.lang, n=n)


def _teams_without_match(names: Sequence[str], found: Iterable[MatchDisplay]) -> list[str]:
    playing = {name for one in found for name in (one.home, one.away)}
    return [name for name in names if name not in playing]
