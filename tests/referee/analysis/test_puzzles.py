"""Problems out of decided partidas: exactly one lawful card does it, by every card tried."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Literal

import pytest
from msgspec.structs import replace as changed

from referee.aggregates.partida import fold
from referee.analysis.position import KnownPosition
from referee.analysis.puzzles import Goal, Puzzle, best_puzzle_of_partida, position_and_goal_after
from referee.analysis.questions import points_left
from referee.rules.cards import Card, mask_of
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS
from referee.table.state import Deal, Denunciation, Table
from tests.referee.analysis.race import lawful_cards, wins_after
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.records.dealt_out import Player, opened

pytestmark = NEEDS_ENGINE
SEEDS = (*range(60), 137)
"""In the last of these partidas the vueltas were still open four tricks before their end."""
MOST_TRICKS_TRIED = 4


def decided(seed: int, options: Options | None = None) -> Table:
    options = options or Options()
    player = Player(options, seed)
    return fold([opened(options), *player.partida()]).table


@cache
def found() -> tuple[Puzzle, ...]:
    return tuple(one for seed in SEEDS if (one := best_puzzle_of_partida(decided(seed))))


def by_trying(known: KnownPosition, goal: Goal) -> list[Card]:
    """Lawful cards after which A reaches the goal, whatever the others do."""
    return [c for c in lawful_cards(known) if wins_after(known, c, "A", goal.need, goal.rival)]


def tricks(one: Puzzle) -> int:
    return one.known.hand_of_seat("A1").bit_count()


def test_one_lawful_card_alone_does_it_by_every_card_tried() -> None:
    tried = [one for one in found() if tricks(one) <= MOST_TRICKS_TRIED]
    assert len(tried) > 5
    assert {one.goal.kind for one in tried} == {"first_deal", "save", "race"}
    for one in tried:
        assert by_trying(one.known, one.goal) == [one.card]


def test_it_is_a1_to_play_with_a_choice_and_three_to_five_tricks() -> None:
    for one in found():
        assert one.known.seat_to_play == "A1"
        assert len(lawful_cards(one.known)) > 1
        assert tricks(one) in (3, 4, 5)
        assert one.loss > 0


def test_what_is_needed_is_what_the_scores_lack() -> None:
    for one in found():
        lacks = {side: one.known.options.target - points for side, points in one.scores.items()}
        assert min(lacks.values()) > 0, "settled already"
        match one.goal.kind:
            case "first_deal":
                assert one.goal == Goal("first_deal", lacks["A"])
            case "save":
                assert one.goal == Goal("save", points_left(one.known) - lacks["B"] + 1)
            case "race":
                assert one.goal == Goal("race", lacks["A"], lacks["B"])


def test_the_line_begins_with_the_card_breaks_no_duty_and_reaches_the_goal() -> None:
    for one in found():
        known: KnownPosition | None = one.known
        goal = one.goal
        assert one.line[0] == ("A1", one.card)
        for seat, card in one.line:
            assert known is not None
            assert (known.seat_to_play, card in lawful_cards(known)) == (seat, True)
            known, goal = position_and_goal_after(known, card, goal, "A")
        assert goal.need <= 0


def hands_before(one: Puzzle) -> list[int]:
    """What each seat held before the open trick, from A1 on."""
    laid = {seat: 1 << card for seat, card in one.known.plays_of_open_trick}
    return [one.known.hand_of_seat(seat) | laid.get(seat, 0) for seat in SEATS[4]]


def hands_at(deal: Deal, closed: int) -> list[int]:
    """What each seat held when so many tricks were closed: laid later, or never."""
    later = [play for trick in deal.tricks[closed:] for play in trick.plays] + [*deal.laid]
    laid = [mask_of(play.card for play in later if play.seat == seat) for seat in SEATS[4]]
    return [cards | held for cards, held in zip(laid, deal.held, strict=True)]


def test_the_seats_are_turned_and_nothing_else() -> None:
    compared = 0
    for seed in SEEDS:
        table = decided(seed)
        one = best_puzzle_of_partida(table)
        if one is None:
            continue
        starts = [hands_at(deal, n) for deal in table.all_deals for n in range(len(deal.tricks))]
        turned = [[*hands[by:], *hands[:by]] for hands in starts for by in range(4)]
        assert hands_before(one) in turned
        compared += 1
    assert compared == len(found())


@pytest.mark.parametrize("players", [2, 3])
def test_tables_of_two_and_three_have_none(players: Literal[2, 3]) -> None:
    options = replace(Options(), players=players)
    assert all(best_puzzle_of_partida(decided(seed, options)) is None for seed in range(5))


def test_an_undecided_and_a_disputed_partida_have_none() -> None:
    table = next(t for seed in SEEDS if best_puzzle_of_partida(t := decided(seed)))
    assert best_puzzle_of_partida(changed(table, decided=None)) is None
    deals = [
        changed(deal, denunciations=(Denunciation(1, "A1", "B1", 0, 0),))
        for deal in table.all_deals
    ]
    assert best_puzzle_of_partida(changed(table, deals=tuple(deals[:-1]), deal=deals[-1])) is None


def test_a_side_that_may_still_miss_its_minimum_has_none() -> None:
    table = next(t for seed in SEEDS if best_puzzle_of_partida(t := decided(seed)))
    assert (
        best_puzzle_of_partida(changed(table, options=replace(table.options, min_malas=100)))
        is None
    )
