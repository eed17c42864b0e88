"""Cotos and the match: what partidas add up to under every format."""

from __future__ import annotations

import pytest

from referee.rules.articles import Rule
from referee.rules.match_scores import CotoMade, match_standing
from referee.rules.profile.options import Options


def after(text: str, options: Options):
    """Standing after partidas won by these sides, ``-`` by nobody, ``A!`` with the whole match."""
    outcomes = [
        (number, side[0].replace("-", ""), side.endswith("!"))
        for number, side in enumerate(text.split(), 1)
    ]
    return match_standing(outcomes, options)


CLUB = Options()
CAMAS = Options(partidas_per_cama=2, camas_per_coto=2, cotos_to_win=1)
FIXED = Options(match_format="fixed_partidas", fixed_partidas=4)
THREE = Options(players=3, camas_per_coto=2, cotos_to_win=1)

MATCHES = [
    ("nothing yet", "", CLUB, None, 0),
    ("a coto is not a match", "A A A", CLUB, None, 0),
    ("two cotos", "A A A A A A", CLUB, "A", 6),
    ("each coto starts level", "A A B B B A A B B B", CLUB, "B", 10),
    ("best of three", "A A A B B B A B A B A", CLUB, "A", 11),
    ("camas of two partidas", "A B A A A", CAMAS, "A", 5),
    ("each cama starts level", "A B B A A", CAMAS, None, 0),
    ("four to a coto", "B B B B", Options(camas_per_coto=4, cotos_to_win=1), "B", 4),
    ("five to a coto", "A B A B A B A B A", Options(camas_per_coto=5, cotos_to_win=1), "A", 9),
    ("one partida", "B", Options(camas_per_coto=1, cotos_to_win=1), "B", 1),
    ("one coto of three", "A B A B A", Options(cotos_to_win=1), "A", 5),
    ("fixed, the most", "A B A A", FIXED, "A", 4),
    ("fixed, level is a draw", "A B A B", FIXED, "", 4),
    ("fixed, one short", "A A A", FIXED, None, 0),
    ("fixed, nobody's partida is one of them", "A - B A", FIXED, "A", 4),
    ("nobody's partida", "A - A A", Options(cotos_to_win=1), "A", 4),
    ("the whole match at once", "A B!", CLUB, "B", 2),
    ("three sides", "A B C C", THREE, "C", 4),
    ("three sides, a draw", "A B", Options(players=3, match_format="fixed_partidas", fixed_partidas=2), "", 2),
]  # fmt: skip


@pytest.mark.rule(Rule.COTO, Rule.MATCH)
@pytest.mark.parametrize(
    "about, text, options, winner, decided_by", MATCHES, ids=[m[0] for m in MATCHES]
)
def test_partidas_add_up_to_a_match(about, text, options, winner, decided_by) -> None:
    found = after(text, options)
    assert (found.match_winner, found.decided_by) == (winner, decided_by)


def test_a_running_coto_shows_what_it_has() -> None:
    found = after("A A A B A", CLUB)
    assert found.cotos == {"A": 1, "B": 0}
    assert found.camas == {"A": 1, "B": 1}
    assert found.partidas == {"A": 0, "B": 0}
    assert found.made == (CotoMade(1, "A", 3),)
    assert after("A B A", CAMAS).partidas == {"A": 0, "B": 0}
    assert after("A B", CAMAS).partidas == {"A": 1, "B": 1}
    assert after("A B", FIXED).partidas == {"A": 1, "B": 1}


def test_partidas_after_the_end_count_for_nothing() -> None:
    found = after("A A A A A A B B", CLUB)
    assert (found.match_winner, found.decided_by, found.beyond) == ("A", 6, (7, 8))
