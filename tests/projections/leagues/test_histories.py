"""Random histories of a league: the table adds up, and follows from the events alone."""

from __future__ import annotations

from contextlib import suppress
from functools import reduce
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from projections.leagues.projection import division_data, league_view_without_divisions
from projections.leagues.standings import outcome_of
from referee.aggregates.league.state import INITIAL, evolve
from referee.errors import Refused
from referee.events.league import (
    LeagueAct,
    MatchAnnulled,
    MatchDenied,
    MatchForfeited,
    MatchPostponed,
    MatchReopened,
    MatchReported,
    MatchSigned,
    TeamReturned,
    TeamSanctioned,
    TeamWithdrawn,
)
from tests.support.records.league_play import LeaguePlay, partidas

TEAMS: Final = 5
RULES = st.fixed_dictionaries(
    {
        "won": st.integers(2, 3),
        "lost": st.integers(0, 1),
        "withdrawal": st.sampled_from(["annulled", "kept", "by_share"]),
        "tie_breaks": st.permutations(["direct", "difference", "cotos", "quotient"]).map(tuple),
    }
)
TEAM = st.integers(1, TEAMS).map(str)


@st.composite
def acts(draw: st.DrawFn, matches: list[str]) -> LeagueAct:
    match, team = draw(st.sampled_from(matches)), draw(TEAM)
    won = draw(st.integers(0, 6))
    told = partidas(won, 6 - won)
    found: st.SearchStrategy[LeagueAct] = st.sampled_from(
        [
            MatchReported(match, told),
            MatchReported(match, told, reason="corrected"),
            MatchReported(match, told, team),
            MatchSigned(match, team),
            MatchDenied(match, team),
            MatchForfeited(match, (team,), "nobody"),
            MatchAnnulled(match, "wrong"),
            MatchReopened(match, "after all"),
            MatchPostponed(match, "snow"),
            TeamSanctioned(team, draw(st.integers(0, 3)), "late"),
            TeamWithdrawn(team, "no players"),
            TeamReturned(team),
        ]
    )
    return draw(found)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), rules=RULES)
def test_points_follow_from_the_matches_that_count_and_rows_from_the_events(
    data: st.DataObject, rules: dict[str, object]
) -> None:
    play = LeaguePlay(TEAMS, legs=1, **rules)
    play.schedule()
    matches = [*play.state.matches]
    for act in data.draw(st.lists(acts(matches), max_size=40)):
        with suppress(Refused):
            play.do(act)
    table, state = play.table(), play.state
    for row in table:
        assert row.points == sum(one.points for one in row.items)
        assert row.played == row.won + row.level + row.lost
    outcomes = [found for one in state.matches.values() if (found := outcome_of(state, one))]
    level = sum(one.partidas[0] == one.partidas[1] and not one.absent for one in outcomes)
    decided = sum(one.partidas[0] != one.partidas[1] for one in outcomes)
    assert sum(row.won for row in table) == decided
    assert sum(row.level for row in table) == 2 * level
    assert sum(row.played for row in table) == 2 * len(outcomes)
    assert sum(row.partidas[0] for row in table) == sum(row.partidas[1] for row in table)
    again = reduce(evolve, play.events, INITIAL)
    assert division_data(again, 1) == division_data(state, 1)
    assert league_view_without_divisions("x", again) == league_view_without_divisions("x", state)
