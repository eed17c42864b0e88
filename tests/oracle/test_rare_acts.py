"""Rare acts: hands and draws of a wrong number of cards, tutes, questions for the suit of a 20."""

from __future__ import annotations

import pytest

from tests.oracle.comparing import (
    Difference,
    assert_alike,
    counts_differ,
    hands_differ,
    verdicts_differ,
    wrongly_refused,
)
from tests.oracle.habits import Habits
from tests.oracle.partidas import partida
from tests.support.records.asked import asked, hands_asked
from tests.support.servers.long_runs import RUNS

SEEN = ("hand", "show", "void", "all", "now")
ALL_DRAWS = (0.0, 0.5, 1.0)
WRONG = Habits(kinds=SEEN, wrong=0.5, draws_noted=ALL_DRAWS, draws_seen=0.3)
WRONG_CANTES = Habits(kinds=SEEN, wrong=0.5, cantes=0.3, hidden=0.1, draws_noted=ALL_DRAWS)
WRONG_HANDS = Habits(kinds=SEEN, facts=0.06, wrong=0.5, draws_noted=ALL_DRAWS, cut=1.0)
WRONG_CARDS = Habits(
    kinds=SEEN, facts=0.1, wrong=0.5, lies=0.1, draws_seen=0.3, draws_noted=ALL_DRAWS, cut=0.0
)
ASKED = Habits(kinds=(), cantes=0.5, hidden=0.6, asks=0.3, draws_noted=(0.0,), changes=0.8)
ASKED_AND_COUNTED = Habits(
    **{**vars(ASKED), "claims": 0.04, "deals": 2, "cut": 0.2},
)
TUTES = Habits(kinds=(), cantes=0.1, tutes=0.3, draws_noted=(0.0,), changes=0.9, deals=2)
TUTES_SHOWN = Habits(kinds=("show", "now"), facts=0.05, tutes=0.3, draws_noted=(0.0,), cut=1.0)
TUTES_DISPROVED = Habits(
    kinds=("show", "now", "hand"), facts=0.05, tutes=0.5, changes=0.0, draws_noted=(0.0,), cut=0.0
)
PARTLY_NOTED = Habits(
    kinds=("show", "void", "all", "now"),
    facts=0.4,
    cantes=0.2,
    swaps=0.2,
    draws_noted=(0.3, 0.6),
    draws_seen=0.3,
    told_in="last",
)
LAST_DRAWN_EARLY = Habits(
    kinds=("show", "now", "void", "all"),
    facts=0.3,
    wrong=0.7,
    draws_noted=(0.5, 1.0),
    draws_seen=0.2,
    hands_at_deal=0.1,
    cut=0.3,
)
LAST_ALONE = Habits(
    kinds=("show", "now", "void", "all", "hand"),
    facts=0.1,
    early=1.0,
    draws_noted=(0.0, 1.0),
    cut=0.3,
)
LAST_ALONE_AND_SUNG = Habits(
    kinds=("show", "void"), facts=0.06, early=1.0, cantes=0.4, swaps=0.2, draws_noted=(0.0, 1.0)
)
NOW_AND_DRAWN = Habits(kinds=("now", "all", "show"), facts=0.15, cantes=0.4, draws_noted=(0.5,))
COMPARED: dict[str, tuple[int, Habits, Difference]] = {
    "wrong deals and draws": (30, WRONG, verdicts_differ(asked)),
    "cantes after wrong draws": (30, WRONG_CANTES, verdicts_differ(asked)),
    "hands after wrong draws": (30, WRONG_HANDS, hands_differ(hands_asked)),
    "refusals after wrong draws": (30, WRONG_CARDS, wrongly_refused(asked)),
    "refusals where the pinta goes": (50, PARTLY_NOTED, wrongly_refused(asked)),
    "hands shown after a last draw out of turn": (75, LAST_DRAWN_EARLY, verdicts_differ(asked)),
    "refusals after a last draw out of turn": (75, LAST_DRAWN_EARLY, wrongly_refused(asked)),
    "refusals after the last draw alone": (40, LAST_ALONE, wrongly_refused(asked)),
    "verdicts after the last draw alone": (20, LAST_ALONE, verdicts_differ(asked)),
    "hands after the last draw alone": (20, LAST_ALONE, hands_differ(hands_asked)),
    "cantes and swaps after the last draw alone": (13, LAST_ALONE_AND_SUNG, verdicts_differ(asked)),
    "hands of the moment": (13, NOW_AND_DRAWN, verdicts_differ(asked)),
    "suits that were asked for": (30, ASKED, verdicts_differ(asked)),
    "points after a question": (6, ASKED_AND_COUNTED, counts_differ(asked)),
    "tutes": (13, TUTES, counts_differ(asked)),
    "tutes and what disproves them": (25, TUTES_DISPROVED, counts_differ(asked)),
    "cards shown by a tute": (13, TUTES_SHOWN, verdicts_differ(asked)),
}


@pytest.mark.parametrize("name", COMPARED)
def test_rare_acts_are_judged_alike(name):
    many, habits, difference = COMPARED[name]
    assert_alike(range(many * RUNS), habits, difference)


def test_rare_acts_are_in_the_records():
    """Check of the tests above."""
    told = {"tiene": WRONG, "turno": WRONG, "dos": WRONG, "nada": WRONG}
    told |= {"tute": TUTES_SHOWN, "pregunta": ASKED}
    for word, habits in told.items():
        texts = [partida(seed, habits).text for seed in range(20)]
        assert sum(word in text.split() for text in texts) > 3, word
