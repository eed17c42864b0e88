"""The ways in which unseen cards can lie: the count, all of them, and an even draw."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from referee.analysis.deals import HiddenHands
from referee.rules.cards import DECK_40, cards_in, mask_of


def some_hidden(seed: int) -> HiddenHands:
    r = random.Random(seed)
    sizes = tuple(r.randint(0, 3) for _ in range(3))
    unseen = mask_of(r.sample(cards_in(DECK_40), sum(sizes)))
    may = tuple(mask_of(c for c in cards_in(unseen) if r.random() < 0.8) for _ in sizes)
    return HiddenHands(unseen, sizes, may)


def test_as_many_are_gone_through_as_are_counted_and_none_twice() -> None:
    counts = []
    for seed in range(200):
        hidden = some_hidden(seed)
        every = list(hidden.all_ways())
        assert len(every) == len(set(every)) == hidden.way_count()
        counts.append(len(every))
    assert 0 in counts
    assert max(counts) > 200


def test_six_tricks_with_one_hand_seen_have_as_many_ways_as_the_cards_allow() -> None:
    unseen = mask_of(cards_in(DECK_40)[:18])
    assert HiddenHands(unseen, (0, 6, 6, 6), (0, unseen, unseen, unseen)).way_count() == 17_153_136


def test_each_way_is_drawn_as_often_as_any_other() -> None:
    hidden = next(one for one in map(some_hidden, range(200)) if 20 < one.way_count() < 40)
    chance, each = random.Random(1), 400
    found = Counter(hidden.draw_way(chance) for _ in range(each * hidden.way_count()))
    assert set(found) == set(hidden.all_ways())
    square = sum((number - each) ** 2 / each for number in found.values())
    assert square < 2 * hidden.way_count()


def test_where_there_is_no_way_none_is_drawn() -> None:
    with pytest.raises(ValueError):
        HiddenHands(0b11, (1, 1), (0b01, 0b01)).draw_way(random.Random(1))
