"""The drawing of a bracket: every tie once, no overlaps, every line to its tie."""

from __future__ import annotations

import itertools
import re

import pytest
from msgspec.structs import replace

from api.tournaments import bracket as bracket_display
from api.tournaments.bracket import GAP, WIDTH, BracketLayout, TieBox
from tests.api.tournaments import tournament_views

SIZES = (8, 11, 24, 64, 100, 512)
DRAWN = pytest.mark.parametrize("pairs", SIZES)


def drawings(pairs: int, bracket: str = "main") -> list[BracketLayout]:
    view = tournament_views.knock_out(pairs, 2, consolation=True, third=True)
    ties = [tie for tie in view.bracket if tie.bracket == bracket]
    return [
        bracket_display.bracket_layout(ties, part) for part in bracket_display.split_bracket(ties)
    ]


def overlap(one: TieBox, other: TieBox) -> bool:
    return (
        one.x < other.x + WIDTH
        and other.x < one.x + WIDTH
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


@DRAWN
@pytest.mark.parametrize("bracket", ["main", "consolation", "third"])
def test_every_tie_with_somebody_in_it_is_drawn_once(pairs: int, bracket: str) -> None:
    view = tournament_views.knock_out(pairs, 2, consolation=True, third=True)
    wanted = {
        (tie.round, tie.place)
        for tie in view.bracket
        if tie.bracket == bracket and tie.pairs != ["", ""]
    }
    every = drawings(pairs, bracket)
    found = [(box.tie.round, box.tie.place) for one in every for box in one.boxes]
    assert len(found) == len(set(found))
    assert set(found) == wanted


@DRAWN
def test_nothing_lies_over_anything_or_outside(pairs: int) -> None:
    for one in drawings(pairs):
        assert not [two for two in itertools.combinations(one.boxes, 2) if overlap(*two)]
        assert all(box.x >= 0 and box.x + WIDTH <= one.width for box in one.boxes)
        assert all(box.y >= 0 and box.y + box.height <= one.height for box in one.boxes)


@DRAWN
def test_each_line_leads_from_a_tie_to_the_one_it_sends_its_winner_to(pairs: int) -> None:
    for one in drawings(pairs):
        at = {(box.x, box.y + box.height // 2): box.tie for box in one.boxes}
        led = set()
        for line in one.lines:
            found = re.fullmatch(r"M(\d+) (\d+)h\d+V(\d+)h\d+", line)
            assert found
            x, y, to = map(int, found.groups())
            start, end = at[x - WIDTH, y], at[x + GAP, to]
            assert (end.round, end.place) == (start.round + 1, start.place // 2)
            led.add((start.round, start.place))
        within = {(b.tie.round, b.tie.place) for b in one.boxes if b.tie.round < one.part.until}
        assert led == within


@DRAWN
def test_a_drawing_is_never_larger_than_a_page_can_show(pairs: int) -> None:
    for one in drawings(pairs):
        assert len(one.boxes) <= 31
        assert len(one.columns) <= 5


def test_a_tie_stands_in_the_middle_of_the_two_that_lead_to_it() -> None:
    (one,) = drawings(8)
    middle = {(b.tie.round, b.tie.place): b.y + b.height // 2 for b in one.boxes}
    for number, place in middle:
        if number > 1:
            above, below = middle[number - 1, 2 * place], middle[number - 1, 2 * place + 1]
            assert middle[number, place] == (above + below) // 2


@DRAWN
def test_a_pair_is_found_in_the_part_in_which_it_begins(pairs: int) -> None:
    view = tournament_views.knock_out(pairs, 0)
    for pair in ("1", "2", str(pairs)):
        part = bracket_display.first_part_of_pair(view.bracket, pair)
        boxes = bracket_display.bracket_layout(view.bracket, part).boxes
        assert [box for box in boxes if pair in box.tie.pairs and box.tie.round == 1]


def test_a_bye_is_one_line() -> None:
    (one,) = drawings(11)
    byes = [box for box in one.boxes if box.is_bye]
    assert len(byes) == 5
    assert {len(box.shown_pair_indexes) for box in byes} == {1}


def on_wall(pairs: int, done: int) -> list[tuple[int, int, int]]:
    """Parts of the main bracket on a wall after so many rounds: section, first and last round."""
    view = tournament_views.knock_out(pairs, done)
    return [(one.number, one.since, one.until) for one in bracket_display.wall_parts(view.bracket)]


def test_a_wall_shows_a_bracket_from_the_round_that_is_played() -> None:
    assert on_wall(16, 0) == [(number, 1, 2) for number in (1, 2, 3, 4)]
    assert on_wall(16, 1) == [(1, 2, 3), (2, 2, 3)]
    assert on_wall(16, 2) == on_wall(16, 3) == on_wall(16, 4) == [(0, 3, 4)]
    assert on_wall(2, 0) == [(0, 1, 1)]


def test_a_section_that_is_over_is_gone_while_others_are_played() -> None:
    view = tournament_views.knock_out(8, 0)
    ties = [
        replace(tie, winner=tie.pairs[0] or "1") if tie.place < 2 >> (tie.round - 1) else tie
        for tie in view.bracket
    ]
    assert [one.number for one in bracket_display.wall_parts(ties)] == [2]
