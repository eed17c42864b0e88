"""The table of a league: points as items, each tie-break, absences, sanctions, withdrawals."""

from __future__ import annotations

from typing import Any

import pytest

from projections.leagues.projection import division_data
from projections.leagues.views import LeagueStandingData, LineupData, PointsItemData
from referee.events.league import (
    LineupNamed,
    MatchAnnulled,
    MatchDenied,
    MatchForfeited,
    MatchReported,
    PartidaTold,
    PlayerRegistered,
    SanctionLifted,
    TeamReturned,
    TeamSanctioned,
    TeamWithdrawn,
)
from tests.support.records.league_play import LeaguePlay, partidas


def of(play: LeaguePlay, team: str) -> LeagueStandingData:
    return next(row for row in play.table() if row.team == team)


def order(play: LeaguePlay) -> list[tuple[int, str]]:
    return [(row.place, row.team) for row in play.table()]


def ties(row: LeagueStandingData) -> dict[str, str]:
    return {one.tie_break: one.value for one in row.tie_breaks}


def league(teams: int = 4, **rules: Any) -> LeaguePlay:
    play = LeaguePlay(teams, **rules)
    play.schedule()
    return play


def test_points_are_items_and_the_table_is_in_their_order() -> None:
    play = league()
    play.report("1", "2", 4, 2)
    play.report("3", "4", 3, 3)
    play.report("1", "3", 2, 4)
    play.do(TeamSanctioned("1", 1, "late"))
    assert [(row.team, row.points) for row in play.table()] == [
        *(("3", 4), ("1", 2)),
        *(("4", 1), ("2", 0)),
    ]
    first = of(play, "1")
    assert first.items == [
        PointsItemData("won", 1, 3),
        PointsItemData("lost", 1, 0),
        PointsItemData("sanction", 1, -1),
    ]
    assert (first.played, first.partidas) == (2, (6, 6))
    assert [row.mark for row in play.table()] == ["up", "", "", "down"]
    play.do(SanctionLifted("1", "appeal"))
    assert of(play, "1").points == 3


def test_teams_that_share_a_place_go_up_or_down_together_or_not_at_all() -> None:
    play = league()
    assert {row.mark for row in play.table()} == {""}, "nothing counts yet"
    play.report("1", "2", 4, 2)
    play.report("3", "4", 4, 2)
    assert [(row.place, row.mark) for row in play.table()] == [
        *((1, ""), (1, "")),
        *((3, ""), (3, "")),
    ]
    play.report("1", "4", 4, 2)
    play.report("2", "3", 6, 0)
    assert [(row.team, row.mark) for row in play.table()] == [
        *(("1", "up"), ("2", "")),
        *(("3", ""), ("4", "down")),
    ]


def test_one_absent_loses_all_and_both_absent_both_lose() -> None:
    play = league()
    play.do(MatchForfeited(play.match("1", "2"), ("2",), "nobody"))
    play.do(MatchForfeited(play.match("3", "4"), ("3", "4"), "snow"))
    assert (of(play, "1").points, of(play, "1").partidas) == (3, (6, 0))
    assert (of(play, "2").points, of(play, "2").partidas) == (0, (0, 6))
    for team in "34":
        row = of(play, team)
        assert (row.lost, row.level, row.points) == (1, 0, 0)
        assert row.items == [PointsItemData("absent", 1, 0)]


def test_an_absence_brings_no_points_where_a_lost_match_brings_one() -> None:
    play = league(lost=1)
    play.report("1", "2", 6, 0)
    play.do(MatchForfeited(play.match("3", "4"), ("4",), "nobody"))
    assert (of(play, "2").points, of(play, "4").points) == (1, 0)


def test_a_told_result_counts_at_once_and_not_while_it_is_denied_or_annulled() -> None:
    play = league()
    match = play.match("1", "2")
    play.do(MatchReported(match, partidas(6, 0), "1"))
    assert of(play, "1").points == 3
    play.do(MatchDenied(match, "2"))
    assert of(play, "1").played == 0
    play.do(MatchReported(match, partidas(6, 0)), MatchAnnulled(match, "wrong players"))
    assert of(play, "1").played == 0


def told(home: bool, cotos: tuple[int, int], cards: tuple[int, int]) -> PartidaTold:
    return PartidaTold("home" if home else "away", cotos, cards)


@pytest.mark.parametrize(
    ("rules", "first", "values"),
    [
        # three points each: 1 won 4 partidas with many cotos and cards, 2 won 5 with fewer
        ({"tie_breaks": ("difference",)}, "2", {"1": "2", "2": "4"}),
        ({"tie_breaks": ("partidas",)}, "2", {"1": "4", "2": "5"}),
        ({"tie_breaks": ("cotos",)}, "1", {"1": "9", "2": "8"}),
        ({"tie_breaks": ("cards",)}, "1", {"1": "250", "2": "60"}),
        ({"tie_breaks": ("cards",), "cards_cap": 100}, "2", {"1": "40", "2": "60"}),
        ({"tie_breaks": ("quotient",)}, "2", {"1": "4/2", "2": "5/1"}),
    ],
)
def test_teams_level_on_points_are_in_the_order_of_the_tie_break(
    rules: dict[str, Any], first: str, values: dict[str, str]
) -> None:
    play = league(**rules)
    one = [told(True, (6, 0), (310, 60)), *[told(True, (2, 1), (0, 0))] * 3]
    one += [*[told(False, (0, 0), (0, 0))] * 2]
    two = [*[told(True, (2, 0), (70, 50))] * 3, *[told(True, (1, 0), (0, 0))] * 2]
    two.append(told(False, (0, 0), (0, 0)))
    play.do(MatchReported(play.match("1", "4"), tuple(one)))
    play.do(MatchReported(play.match("2", "3"), tuple(two)))
    assert order(play)[0] == (1, first)
    shown = {row.team: row.tie_breaks[0].value for row in play.table()}
    assert {team: shown[team] for team in values} == values


def test_a_direct_encounter_counts_among_those_level_alone() -> None:
    play = league(tie_breaks=("direct", "difference"))
    play.report("1", "2", 4, 2)
    play.report("2", "3", 6, 0)
    play.report("3", "1", 4, 2)
    play.report("1", "4", 4, 2)
    play.report("2", "4", 6, 0)
    play.report("3", "4", 6, 0)
    # six points each; 3 each among them, so the difference decides: 2 +10, 1 +2, 3 +2
    assert order(play) == [(1, "2"), (2, "1"), (2, "3"), (4, "4")]
    assert ties(of(play, "1")) == {"direct": "3", "difference": "2"}
    assert ties(of(play, "4"))["direct"] == ""
    play.report("3", "2", 6, 0)
    play.report("1", "3", 6, 0)
    # 1 and 3 have nine now: 1 beat 3 by 6, lost by 2, both three points of each other
    assert [team for _, team in order(play)] == ["1", "3", "2", "4"]


def test_an_annulled_withdrawal_takes_its_results_and_a_kept_one_gives_the_rest() -> None:
    play = league(withdrawal="annulled")
    play.report("1", "2", 6, 0)
    play.report("4", "1", 4, 2)
    play.do(TeamWithdrawn("1", "no players"))
    assert [row.points for row in play.table()] == [0, 0, 0, 0]
    assert play.table()[-1].team == "1"
    play.do(TeamReturned("1"), TeamWithdrawn("1", "no players", "kept"))
    points = {row.team: row.points for row in play.table()}
    # 2 lost at 1 and wins at home; 3 wins both; 4 won at home and wins at 1
    assert points == {"1": 3, "2": 3, "3": 6, "4": 6}
    assert play.table()[-1].team == "1"


def test_two_that_withdrew_both_lose_what_they_did_not_play() -> None:
    play = league(withdrawal="kept")
    play.do(TeamWithdrawn("1", "a"), TeamWithdrawn("2", "b"))
    assert (of(play, "1").points, of(play, "2").points) == (0, 0)
    assert of(play, "1").items == [PointsItemData("absent", 6, 0)]


def test_a_player_of_no_list_on_the_day_is_named() -> None:
    play = league()
    match = play.match("1", "2")
    day = play.state.matches[match].date
    play.do(PlayerRegistered("1", "a" * 32, day), LineupNamed(match, "1", (("a" * 32, "b" * 32),)))
    found = next(one for one in division_data(play.state, 1).matches if one.match == match)
    assert found.lineups == [LineupData("1", [["a" * 32, "b" * 32]], ["b" * 32])]
