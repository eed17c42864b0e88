"""Final scores: which ones a format can end with, given what is recorded of the partidas."""

from __future__ import annotations

import itertools

import pytest

from referee.rules.articles import Rule
from referee.rules.match_scores import (
    final_scores_still_possible,
    is_final_score,
    match_standing,
    may_still_end_with_score,
    read_score,
    score_sum_of_fixed_partidas,
    score_text,
    standing_at_start,
    standing_with_reported_score,
)
from referee.rules.profile.options import Options
from tests.referee.rules.test_cotos import CAMAS, CLUB, FIXED, THREE, after

PAIRS = Options(players=2)
THREE_FIXED = Options(players=3, match_format="fixed_partidas", fixed_partidas=2)

LISTS = [
    ("two cotos", CLUB, "", "2-0 2-1 1-2 0-2"),
    ("two players", PAIRS, "", "2-0 2-1 1-2 0-2"),
    ("one coto", CAMAS, "", "1-0 0-1"),
    ("three sides", THREE, "", "1-0-0 0-1-0 0-0-1"),
    ("fixed", FIXED, "", "4-0 3-1 2-2 1-3 0-4"),
    ("fixed of three sides", THREE_FIXED, "", "2-0-0 1-1-0 1-0-1 0-1-1 0-2-0 0-0-2"),
    ("a coto of B is made", CLUB, "B B B", "2-1 1-2 0-2"),
    ("partidas of a coto say nothing", CLUB, "B B", "2-0 2-1 1-2 0-2"),
    ("one each", CLUB, "B B B A A A", "2-1 1-2"),
    ("won on the record", CLUB, "A A A A A A", "2-0"),
    ("the whole match at once", CLUB, "A A A B!", "1-0"),
    ("fixed, some are played", FIXED, "A A B", "3-1 2-2"),
    ("fixed, one is nobody's", FIXED, "A - B", "2-1 1-2"),
    ("fixed, all are played", FIXED, "A - B -", "1-1"),
]


@pytest.mark.parametrize("about, options, text, expected", LISTS, ids=[one[0] for one in LISTS])
def test_the_final_scores_that_remain_possible(about, options, text, expected) -> None:
    recorded = after(text, options)
    found = final_scores_still_possible(options, recorded)
    assert [score_text(score) for score in found] == expected.split()
    assert all(may_still_end_with_score(score, options, recorded) for score in found)


@pytest.mark.rule(Rule.FINAL_SCORE_IMPOSSIBLE)
@pytest.mark.parametrize("options", [CLUB, CAMAS, THREE, FIXED, THREE_FIXED, PAIRS])
def test_the_list_has_every_score_that_the_format_can_end_with_and_no_other(options) -> None:
    sides = "AB" if options.players != 3 else "ABC"
    listed = final_scores_still_possible(options, standing_at_start(options))
    for counts in itertools.product(range(-1, 6), repeat=len(sides)):
        score = dict(zip(sides, counts, strict=True))
        assert may_still_end_with_score(score, options, standing_at_start(options)) == (
            score in listed
        ), score


def test_a_score_names_every_side_and_no_other() -> None:
    assert not is_final_score({"A": 2}, CLUB)
    assert not is_final_score({"A": 2, "B": 0, "C": 0}, CLUB)
    assert is_final_score({"A": 1, "B": 1}, FIXED), "two may have been won by nobody"
    assert not is_final_score({"A": 3, "B": 2}, FIXED)


def test_a_told_score_decides_and_keeps_what_is_recorded() -> None:
    told = standing_with_reported_score(after("B B B A", CLUB), {"A": 2, "B": 1}, CLUB)
    assert (told.match_winner, told.cotos, told.camas) == ("A", {"A": 2, "B": 1}, {"A": 0, "B": 0})
    assert [made.winner for made in told.made] == ["B"]
    level = standing_with_reported_score(after("A", FIXED), {"A": 2, "B": 2}, FIXED)
    assert (level.match_winner, level.partidas) == ("", {"A": 2, "B": 2})
    won = after("A A A A A A", CLUB)
    assert standing_with_reported_score(won, {"A": 2, "B": 0}, CLUB) == won


def test_fixed_partidas_have_a_sum_and_cotos_have_none() -> None:
    assert score_sum_of_fixed_partidas(FIXED, after("A -", FIXED)) == 3
    assert score_sum_of_fixed_partidas(CLUB, match_standing([], CLUB)) == 0


def test_a_score_is_read_as_it_is_written() -> None:
    for options in (CLUB, THREE, FIXED):
        for score in final_scores_still_possible(options, standing_at_start(options)):
            assert read_score(score_text(score), options.players) == score
    for text in ("", "2", "2-1-0", "2-x", "-1-2", "2-²", "200-1"):
        with pytest.raises(ValueError, match=r"."):
            read_score(text or "?", 4)
