"""Deciding a partida and a match, by tables: every boundary, ties, two and three sides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules.articles import Rule
from referee.rules.counts import (
    CANTE_OF_ANOTHER,
    CANTE_OF_TRUMP,
    Score,
    malas_y_buenas,
    scores_from_items,
    sides_by_latest_taker,
    totals,
    winner_after_first_deal,
    winner_when_side_lost,
    winner_without_claim,
)
from referee.rules.match_scores import CotoMade, match_standing
from referee.rules.profile.options import Options

CLUB = Options()
MALAS = replace(
    CLUB, min_malas=30, min_malas_applies="always", cantes_need_min_malas=True
)  # guinyot
OF_CARDS = replace(MALAS, min_malas_of="cards")
LUDOTEKA = replace(CLUB, min_malas=30)
HIGHEST = replace(CLUB, both_reach_target="highest_total")


def found(text: str) -> dict[str, Score]:
    """``A 90+20 B 40``: cards, then cantes; ``A 80^10``: cards and últimas."""
    words = text.split()
    sides = {}
    for side, points in zip(words[::2], words[1::2], strict=True):
        base, _, cantes = points.partition("+")
        cards, _, ultimas = base.partition("^")
        sides[side] = Score(cards=int(cards), ultimas=int(ultimas or 0), cantes=int(cantes or 0))
    return sides


FIRST_DEAL = [
    ("one at the target", CLUB, "A 101 B 29", "B A", "A"),
    ("one point short", CLUB, "A 100 B 30", "A B", None),
    ("with cantes", CLUB, "A 61+40 B 69", "B A", "A"),
    ("both: the last trick", CLUB, "A 81+40 B 61+40", "B A", "B"),
    ("both: the last trick, again", CLUB, "A 81+40 B 61+40", "A B", "A"),
    ("both: the higher total", HIGHEST, "A 81+40 B 61+40", "B A", "A"),
    ("both level: the last trick", HIGHEST, "A 71+40 B 61+50", "B A", "B"),
    ("thirty is enough", MALAS, "A 100 B 30", "A B", None),
    ("twenty-nine loses at once", MALAS, "A 29 B 95", "A B", "B"),
    ("twenty-nine loses though neither is there", MALAS, "A 99 B 29", "B A", "A"),
    ("its cantes count nothing", MALAS, "A 29+100 B 101", "A B", "B"),
    ("with thirty the cantes count", MALAS, "A 30+80 B 100", "B A", "A"),
    ("thirty with the ultimas", MALAS, "A 100 B 20^10", "B A", None),
    ("the ultimas are left out", OF_CARDS, "A 100 B 20^10", "B A", "A"),
    ("thirty in cards", OF_CARDS, "A 90 B 30^10", "B A", None),
    ("short, but only if both are there", LUDOTEKA, "A 29+60 B 101", "A B", "B"),
    ("short and both there", LUDOTEKA, "A 29+80 B 101", "A B", "B"),
    ("short and the other not there", LUDOTEKA, "A 29+80 B 91", "B A", "A"),
    ("three: one there", CLUB, "A 101 B 10 C 19", "C B A", "A"),
    ("three: nobody", CLUB, "A 50 B 40 C 40", "C B A", None),
    ("three: two there, the later trick", CLUB, "A 81+20 B 40+61 C 9", "C B A", "B"),
    ("three: the highest", HIGHEST, "A 90+20 B 40+61 C 0", "C B A", "A"),
    ("three: the short one is out", LUDOTEKA, "A 61+40 B 29+80 C 40", "B C A", "A"),
    ("three: two short, one stands", LUDOTEKA, "A 29+80 B 29+80 C 72", "A B C", "C"),
    ("three: always is as both over", MALAS, "A 29 B 60 C 41", "A B C", None),
]


@pytest.mark.rule(Rule.TARGET, Rule.MIN_MALAS, Rule.BOTH_REACH_TARGET)
@pytest.mark.parametrize(
    ("options", "text", "order", "winner"),
    [r[1:] for r in FIRST_DEAL],
    ids=[r[0] for r in FIRST_DEAL],
)
def test_the_end_of_the_first_deal(options, text, order, winner):
    sides = found(text)
    table = replace(options, players=len(sides) if len(sides) == 3 else 4)
    assert winner_after_first_deal(sides, table, order.split()) == winner


UNCLAIMED = [
    ("the latest trick of those there", CLUB, "A 120 B 140", "A B", "A"),
    ("the latest is not there", CLUB, "A 100 B 140", "A B", "B"),
    ("exactly there", CLUB, "A 101 B 100", "B A", "A"),
    ("nobody there", CLUB, "A 90 B 80 C 90", "C B A", None),
    ("another deal", replace(CLUB, unclaimed_at_end="another_deal"), "A 120 B 140", "A B", None),
    ("never the highest total", HIGHEST, "A 120 B 140", "A B", "A"),
    ("three: the latest trick", CLUB, "A 120 B 140 C 110", "C A B", "C"),
    ("three: as after any deal", HIGHEST, "A 120 B 140 C 110", "C A B", "B"),
    ("three: level, the latest of those", HIGHEST, "A 140 B 140 C 110", "C B A", "B"),
]


@pytest.mark.rule(Rule.UNCLAIMED, Rule.BOTH_REACH_TARGET)
@pytest.mark.parametrize(
    ("options", "text", "order", "winner"),
    [r[1:] for r in UNCLAIMED],
    ids=[r[0] for r in UNCLAIMED],
)
def test_vueltas_that_nobody_claimed(options, text, order, winner):
    assert winner_without_claim(found(text), options, order.split()) == winner


@pytest.mark.parametrize(
    ("loser", "total", "order", "winner"),
    [
        ("A", {"A": 90, "B": 20}, "A B", "B"),
        ("B", {"A": 0, "B": 120}, "B A", "A"),
        ("A", {"A": 90, "B": 20, "C": 30}, "B C A", "C"),
        ("A", {"A": 90, "B": 30, "C": 20}, "C B A", "B"),
        ("A", {"A": 90, "B": 30, "C": 30}, "C A B", "C"),
        ("C", {"A": 30, "B": 30, "C": 30}, "B A C", "B"),
    ],
)
def test_when_one_side_loses_the_better_of_the_others_wins(loser, total, order, winner):
    assert winner_when_side_lost(loser, total, order.split()) == winner


def test_sides_by_their_latest_trick_then_from_mano():
    assert sides_by_latest_taker(["A1", "B1", "A2"], ["B1", "A2", "B2", "A1"]) == ("A", "B")
    assert sides_by_latest_taker([], ["B1", "C1", "A1"]) == ("B", "C", "A")


def test_a_cante_is_worth_forty_in_trump_and_twenty_in_another_suit():
    assert (CANTE_OF_TRUMP, CANTE_OF_ANOTHER) == (40, 20)


def test_a_total_is_the_sum_of_its_items():
    items = [
        ("A", "cards", 11),
        ("A", "ultimas", 10),
        ("B", "cante", 40),
        ("A", "ruling", -5),
        ("A", "cards", 3),
    ]
    sides = scores_from_items(items, 4)
    assert sides == {"A": Score(14, 10, 0, -5), "B": Score(0, 0, 40, 0)}
    assert totals(sides, CLUB) == {"A": 19, "B": 40}
    assert totals(sides, MALAS) == {"A": 19, "B": 0}
    assert scores_from_items([], 3) == {"A": Score(), "B": Score(), "C": Score()}


@pytest.mark.parametrize(
    ("points", "said"), [(0, (0, False)), (50, (50, False)), (51, (1, True)), (101, (51, True))]
)
def test_malas_and_buenas(points, said):
    assert malas_y_buenas(points) == said


def outcomes(text: str, whole: int = 0) -> list[tuple[int, str, bool]]:
    """``AAB-``: winners in order, ``-`` for nobody."""
    return [(n, w.strip("-"), n == whole) for n, w in enumerate(text, 1)]


MATCHES = [
    ("nothing yet", CLUB, "", {"A": 0, "B": 0}, {"A": 0, "B": 0}, None),
    ("within a coto", CLUB, "AAB", {"A": 2, "B": 1}, {"A": 0, "B": 0}, None),
    ("a coto starts level", CLUB, "AABA", {"A": 0, "B": 0}, {"A": 1, "B": 0}, None),
    ("for nobody", CLUB, "A-A-", {"A": 2, "B": 0}, {"A": 0, "B": 0}, None),
    ("one coto each", CLUB, "AAABBB", {"A": 0, "B": 0}, {"A": 1, "B": 1}, None),
    ("two cotos win", CLUB, "AAABBAA", {"A": 2, "B": 2}, {"A": 1, "B": 0}, None),
    ("two cotos won", CLUB, "AAABBAAA", {"A": 0, "B": 0}, {"A": 2, "B": 0}, "A"),
    (
        "one coto of one",
        replace(CLUB, camas_per_coto=1, cotos_to_win=1),
        "B",
        {"A": 0, "B": 0},
        {"A": 0, "B": 1},
        "B",
    ),
]


@pytest.mark.rule(Rule.COTO, Rule.MATCH)
@pytest.mark.parametrize(
    ("options", "text", "camas", "cotos", "winner"),
    [r[1:] for r in MATCHES],
    ids=[r[0] for r in MATCHES],
)
def test_partidas_make_cotos_and_cotos_the_match(options, text, camas, cotos, winner):
    now = match_standing(outcomes(text), options)
    assert (now.camas, now.cotos, now.match_winner) == (camas, cotos, winner)


def test_before_the_first_partida_nothing_is_decided():
    now = match_standing([], CLUB)
    assert (now.partidas, now.made, now.decided_by) == ({"A": 0, "B": 0}, (), 0)


def test_a_coto_says_which_partida_made_it():
    now = match_standing(outcomes("AABABBB"), CLUB)
    assert now.made == (CotoMade(1, "A", 4), CotoMade(2, "B", 7))
    assert (now.decided_by, now.beyond) == (0, ())


def test_what_is_played_after_the_end_counts_nothing():
    now = match_standing(outcomes("AAAAAABB"), CLUB)
    assert (now.match_winner, now.decided_by, now.beyond) == ("A", 6, (7, 8))
    assert now.cotos == {"A": 2, "B": 0}


def test_partidas_make_camas_where_that_is_the_custom():
    options = replace(CLUB, partidas_per_cama=2, camas_per_coto=2, cotos_to_win=1)
    now = match_standing(outcomes("ABA"), options)
    assert (now.partidas, now.camas) == ({"A": 0, "B": 0}, {"A": 1, "B": 0})
    now = match_standing(outcomes("ABAA"), options)
    assert (now.partidas, now.camas, now.match_winner) == ({"A": 1, "B": 0}, {"A": 1, "B": 0}, None)
    assert match_standing(outcomes("ABAAA"), options).match_winner == "A"


@pytest.mark.rule(Rule.MATCH)
@pytest.mark.parametrize(
    ("text", "winner", "partidas"),
    [
        ("AAAA", None, {"A": 4, "B": 0}),
        ("AAAAABB", None, {"A": 5, "B": 2}),
        ("AAAAABBB", "A", {"A": 5, "B": 3}),
        ("ABABABAB", "", {"A": 4, "B": 4}),
        ("ABABABA-", "A", {"A": 4, "B": 3}),
    ],
)
def test_a_fixed_number_of_partidas_may_end_in_a_draw(text, winner, partidas):
    now = match_standing(
        outcomes(text), replace(CLUB, match_format="fixed_partidas", fixed_partidas=8)
    )
    assert (now.match_winner, now.partidas) == (winner, partidas)
    assert now.decided_by == (8 if winner is not None else 0)


def test_a_partida_may_decide_the_whole_match():
    now = match_standing(outcomes("AAB", whole=2), CLUB)
    assert (now.match_winner, now.decided_by, now.beyond) == ("A", 2, (3,))


def test_three_play_for_themselves():
    now = match_standing(outcomes("ABC"), replace(CLUB, players=3))
    assert now.camas == {"A": 1, "B": 1, "C": 1}
