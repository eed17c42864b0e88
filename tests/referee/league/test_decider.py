"""A league as a decider: who tells a result and agrees with it, forfeits, lists, withdrawals."""

from __future__ import annotations

import pytest

from referee.aggregates.league.decider import withdrawal_effect_on_results
from referee.aggregates.league.state import LeagueMatch, LeagueRule
from referee.errors import Refused
from referee.events.league import (
    LeagueAct,
    LeagueClosed,
    LeagueOpened,
    LeagueReopened,
    LineupNamed,
    MatchAnnulled,
    MatchDenied,
    MatchForfeited,
    MatchMoved,
    MatchPostponed,
    MatchReopened,
    MatchReported,
    MatchSigned,
    PlayerRegistered,
    PlayerReleased,
    SanctionLifted,
    TeamAddressRenewed,
    TeamChanged,
    TeamEntered,
    TeamReturned,
    TeamSanctioned,
    TeamWithdrawn,
)
from tests.support.records.league_play import LeaguePlay, partidas

ANA, BLAS, CELIA = ("a" * 32, "b" * 32, "c" * 32)


@pytest.fixture
def play() -> LeaguePlay:
    made = LeaguePlay(4)
    made.schedule()
    return made


def refused(play: LeaguePlay, act: LeagueAct) -> str:
    with pytest.raises(Refused) as caught:
        play.do(act)
    return caught.value.rule


def at(play: LeaguePlay, match: str) -> LeagueMatch:
    return play.state.matches[match]


def test_a_result_is_official_once_both_teams_signed(play: LeaguePlay) -> None:
    match = play.match("1", "2")
    play.do(MatchReported(match, partidas(4, 2), "1"))
    assert at(play, match).stage == "provisional"
    assert refused(play, MatchSigned(match, "1")) == LeagueRule.MATCH_DECIDED
    assert refused(play, MatchSigned(match, "3")) == LeagueRule.TEAM_NOT_IN_MATCH
    assert refused(play, MatchReported(match, partidas(2, 4), "2")) == LeagueRule.MATCH_DECIDED
    play.do(MatchReported(match, partidas(5, 1), "1"), MatchSigned(match, "2"))
    assert at(play, match).stage == "official"
    assert at(play, match).signed == ("1", "2")
    assert refused(play, MatchDenied(match, "2")) == LeagueRule.MATCH_OPEN


def test_where_the_home_team_signs_alone_its_word_is_official() -> None:
    play = LeaguePlay(4, signatures="home")
    play.schedule()
    told_at_home, told_away = play.match("1", "2"), play.match("2", "1")
    play.do(MatchReported(told_at_home, partidas(4, 2), "1"))
    play.do(MatchReported(told_away, partidas(4, 2), "1"))
    assert at(play, told_at_home).stage == "official"
    assert at(play, told_away).stage == "provisional"
    play.do(MatchSigned(told_away, "2"))
    assert at(play, told_away).stage == "official"


def test_a_denied_result_is_decided_by_the_organiser(play: LeaguePlay) -> None:
    match = play.match("1", "2")
    play.do(MatchReported(match, partidas(4, 2), "1"), MatchDenied(match, "2"))
    assert at(play, match).stage == "disputed"
    for team in "12":
        assert refused(play, MatchSigned(match, team)) == LeagueRule.MATCH_DISPUTED
        again = MatchReported(match, partidas(4, 2), team)
        assert refused(play, again) == LeagueRule.MATCH_DISPUTED
    play.do(MatchReported(match, partidas(3, 3)))
    assert at(play, match).stage == "official"
    assert refused(play, MatchReported(match, partidas(2, 4))) == LeagueRule.REASON_MISSING
    play.do(MatchReported(match, partidas(2, 4), reason="the paper"))
    assert at(play, match).partidas == partidas(2, 4)


def test_a_match_is_moved_and_postponed_until_something_came_of_it(play: LeaguePlay) -> None:
    match = play.match("1", "2")
    play.do(MatchPostponed(match, "snow"))
    assert at(play, match).stage == "postponed"
    play.do(MatchMoved(match, "2027-02-01", "22:00", "casino", "snow"))
    found = at(play, match)
    assert (found.stage, found.date, found.time, found.venue) == (
        *("planned", "2027-02-01"),
        *("22:00", "casino"),
    )
    play.report("1", "2", 6, 0)
    assert refused(play, MatchMoved(match, "2027-03-01")) == LeagueRule.MATCH_DECIDED
    assert refused(play, MatchPostponed(match, "late")) == LeagueRule.MATCH_DECIDED


def test_a_forfeit_names_teams_of_the_match_and_is_taken_back(play: LeaguePlay) -> None:
    match = play.match("1", "2")
    for absent in ((), ("3",), ("1", "1")):
        assert refused(play, MatchForfeited(match, absent, "")) == LeagueRule.TEAM_NOT_IN_MATCH
    assert refused(play, MatchReopened(match, "")) == LeagueRule.MATCH_OPEN
    play.do(MatchForfeited(match, ("1", "2"), "neither came"))
    assert at(play, match).absent == ("1", "2")
    play.do(MatchReopened(match, "they did"), MatchAnnulled(match, "a mistake"))
    assert (at(play, match).stage, at(play, match).absent) == ("annulled", ())


def test_a_list_holds_a_player_once_and_says_since_when(play: LeaguePlay) -> None:
    assert refused(play, PlayerReleased("1", ANA, "2026-01-01")) == LeagueRule.NOT_REGISTERED
    play.do(PlayerRegistered("1", ANA, "2026-01-10"))
    again = PlayerRegistered("1", ANA, "2026-02-01")
    assert refused(play, again) == LeagueRule.ALREADY_REGISTERED
    play.do(PlayerReleased("1", ANA, "2026-03-01"))
    team = play.state.teams["1"]
    days = ("2026-01-09", "2026-01-10", "2026-02-28", "2026-03-01")
    assert [team.may_play(ANA, day) for day in days] == [False, True, True, False]
    play.do(PlayerRegistered("1", ANA, "2026-05-01"))
    assert play.state.teams["1"].may_play(ANA, "2026-05-02")


def test_a_lineup_is_recorded_with_a_player_of_no_list_but_not_with_half_a_pair(
    play: LeaguePlay,
) -> None:
    match = play.match("1", "2")
    play.do(LineupNamed(match, "1", ((ANA, BLAS), (BLAS, CELIA))))
    assert at(play, match).lineups == {"1": ((ANA, BLAS), (BLAS, CELIA))}
    halved = LineupNamed(match, "1", ((ANA, ANA),))
    assert refused(play, halved) == LeagueRule.PLAYER_TWICE_IN_PAIR
    many = LineupNamed(match, "1", ((ANA, BLAS),) * 7)
    assert refused(play, many) == LeagueRule.PARTIDAS_NUMBER
    assert refused(play, LineupNamed(match, "3", ())) == LeagueRule.TEAM_NOT_IN_MATCH


def test_a_withdrawal_keeps_results_from_the_share_that_the_rules_say(play: LeaguePlay) -> None:
    for home, away in (("1", "2"), ("3", "1")):
        play.report(home, away, 4, 2)
    assert play.do(TeamWithdrawn("1", "no players")).results == "annulled"
    assert refused(play, TeamWithdrawn("1", "again")) == LeagueRule.TEAM_GONE
    play.do(TeamReturned("1"))
    assert refused(play, TeamReturned("1")) == LeagueRule.TEAM_STAYS
    play.report("4", "1", 4, 2)
    assert play.do(TeamWithdrawn("1", "no players")).results == "kept"


@pytest.mark.parametrize("by", ["1", "2"])
def test_of_a_match_with_a_withdrawn_team_the_organiser_alone_tells(
    play: LeaguePlay, by: str
) -> None:
    told, unplayed = play.match("1", "2"), play.match("2", "1")
    other = by.translate(str.maketrans("12", "21"))
    play.do(MatchReported(told, partidas(4, 2), other), TeamWithdrawn("1", "no", "kept"))
    for act in (
        MatchReported(unplayed, partidas(6, 0), by),
        MatchSigned(told, by),
        MatchDenied(told, by),
    ):
        assert refused(play, act) == LeagueRule.TEAM_GONE
    play.do(MatchReported(unplayed, partidas(6, 0)))
    assert at(play, unplayed).stage == "official"


@pytest.mark.parametrize("results", ["annulled", "kept"])
def test_a_league_may_always_annul_or_always_keep(results: str) -> None:
    play = LeaguePlay(4, withdrawal=results)
    assert play.do(TeamWithdrawn("1", "no players")).results == results


def test_a_sanction_is_numbered_and_lifted_once(play: LeaguePlay) -> None:
    assert play.do(TeamSanctioned("2", 3, "late", "art. 9")).sanction == "1"
    play.do(SanctionLifted("1", "appeal"))
    assert refused(play, SanctionLifted("1", "again")) == LeagueRule.SANCTION_UNKNOWN
    assert refused(play, TeamSanctioned("9", 1, "")) == LeagueRule.TEAM_UNKNOWN


def test_what_is_not_there_is_refused(play: LeaguePlay) -> None:
    assert refused(play, MatchAnnulled("9-9-9", "")) == LeagueRule.MATCH_UNKNOWN
    assert refused(play, MatchReported("1-1-1", partidas(1, 0))) == LeagueRule.PARTIDAS_NUMBER
    assert refused(play, TeamEntered("x", division=2)) == LeagueRule.DIVISION_UNKNOWN
    assert refused(play, TeamChanged("9", "x")) == LeagueRule.TEAM_UNKNOWN
    assert refused(play, LeagueOpened("again")) == LeagueRule.LEAGUE_OPEN
    play.report("1", "2", 6, 0)
    assert refused(play, TeamEntered("late")) == LeagueRule.CALENDAR_FIXED


def test_a_closed_league_takes_nothing_until_it_goes_on(play: LeaguePlay) -> None:
    assert refused(play, LeagueReopened()) == LeagueRule.LEAGUE_OPEN
    play.do(TeamChanged("1", "Bar Nuevo", "Calle Mayor"), TeamAddressRenewed("1"), LeagueClosed())
    assert refused(play, TeamWithdrawn("1", "late")) == LeagueRule.LEAGUE_OVER
    play.do(LeagueReopened(), TeamWithdrawn("1", "late"))
    team = play.state.teams["1"]
    assert (team.name, team.venue, team.renewals) == ("Bar Nuevo", "Calle Mayor", 1)


def test_what_counts_for_nobody_is_no_share_of_the_matches_of_a_team() -> None:
    play = LeaguePlay(4, legs=1, kept_from=50)
    play.schedule()
    play.report("4", "1", 4, 2)
    play.do(MatchAnnulled(play.match("3", "1"), "lights out"))
    assert withdrawal_effect_on_results("1", play.state) == "kept", "one of two"
    play = LeaguePlay(4, legs=1, kept_from=60)
    play.schedule()
    play.report("4", "1", 4, 2)
    play.do(MatchAnnulled(play.match("3", "1"), "lights out"))
    assert withdrawal_effect_on_results("1", play.state) == "annulled", (
        "the annulled one is not played"
    )


def test_a_disputed_result_is_none_of_a_team_that_withdraws() -> None:
    play = LeaguePlay(2, legs=1, kept_from=50)
    play.schedule()
    (match,) = play.state.matches
    play.do(MatchReported(match, partidas(4, 2), "1"), MatchDenied(match, "2"))
    assert withdrawal_effect_on_results("1", play.state) == "annulled"
