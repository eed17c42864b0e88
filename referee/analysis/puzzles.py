"""Puzzles from decided partidas: positions in which one lawful card alone wins it or saves it.

Such a position needs no judgement: the engine finds it, for the cards as they lay and best play of
all four. The seats are turned, so that whoever solves it is A1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from referee.analysis.deals import ArrastreCard, CannotAnalyse, arrastre_cards_with_positions
from referee.analysis.position import KnownPosition
from referee.analysis.questions import CardPrices, can_make_points, card_prices_or_none, points_left
from referee.rules.cards import (
    BIT,
    CANTE_PAIR,
    Card,
    cards_in,
    index_of_winning_card,
    mask_of,
    points_of,
)
from referee.rules.seats import SEATS, SIDES, Seat, Side, side_of
from referee.table.counts import partida_totals
from referee.table.state import Deal, Table

PuzzleGoal: TypeAlias = Literal["first_deal", "save", "race"]
"""What the card does: the target is made in the first deal; the others do not make it there, so
that the partida goes on; in vueltas, the target is made before the others make it."""
_PLAYERS: Final = 4
_TRICKS: Final = {3: 4, 4: 6, 5: 0}
"""Tricks still to be played in a problem, and what each number adds to how well it reads."""
_MOST_LOSS: Final = 40
_FOURS: Final = tuple(mask_of(suit * 12 + rank for suit in range(4)) for rank in (8, 9))


@dataclass(frozen=True, slots=True)
class Goal:
    """Points that a side has to make in a puzzle; ``rival``: before the other side makes these."""

    kind: PuzzleGoal
    need: int
    rival: int = 0


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with A1 to play, its goal, and the one lawful card that reaches it.

    ``scores``: of both sides in the partida before the card. ``loss``: points that the next best
    lawful card takes less. ``line``: one way to go on with best play of all, until the goal is
    reached. ``merit``: the higher, the better it reads.
    """

    known: KnownPosition
    goal: Goal
    scores: dict[Side, int]
    card: Card
    loss: int
    line: tuple[tuple[Seat, Card], ...]
    merit: int


def best_puzzle_of_partida(table: Table) -> Puzzle | None:
    """The best puzzle of a decided partida, the earlier one of two equal ones; None if it has none.

    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    if table.decided is None or table.players != _PLAYERS:
        return None
    found = [one for deal in table.all_deals for one in _puzzles_of_deal(table, deal)]
    best = max(found, key=lambda one: one.merit, default=None)
    return best and replace(best, line=line_to_goal(best.known, best.goal, best.known.side_to_play))


def line_to_goal(known: KnownPosition, goal: Goal, side: Side) -> tuple[tuple[Seat, Card], ...]:
    """One sequence of plays in which a side reaches a goal, all playing their best.

    Each lays a card that reaches the goal, or prevents it, and of these one worth most points.
    """
    line: list[tuple[Seat, Card]] = []
    now: KnownPosition | None = known
    while now is not None and goal.need > 0:
        card = _best_card_to_goal(now, goal, side)
        line.append((now.seat_to_play, card))
        now, goal = position_and_goal_after(now, card, goal, side)
    return tuple(line)


def _best_card_to_goal(known: KnownPosition, goal: Goal, side: Side) -> Card:
    priced = card_prices_or_none(known)
    assert priced is not None, "the end of an arrastre is within the nodes"
    for_us = known.side_to_play == side

    def worth(card: Card) -> tuple[bool, int]:
        return can_reach_goal_after_card(known, card, goal, side) is for_us, priced.values[card]

    return max(cards_in(priced.lawful), key=worth)


def can_reach_goal_after_card(
    known: KnownPosition, card: Card, goal: Goal, side: Side
) -> bool | None:
    """Whether a side still reaches a goal after a card; None if it cannot be told."""
    then, now = position_and_goal_after(known, card, goal, side)
    if now.need <= 0 or then is None:
        return now.need <= 0
    if goal.rival and now.rival <= 0:
        return False
    return can_make_points(then, side, now.need, rival=now.rival)


def position_and_goal_after(
    known: KnownPosition, card: Card, goal: Goal, side: Side
) -> tuple[KnownPosition | None, Goal]:
    """The position after a card, and what a side still needs; None when no card is left."""
    seats = SEATS[known.options.players]
    place = seats.index(known.seat_to_play)
    hands = tuple(h & ~BIT[card] if n == place else h for n, h in enumerate(known.hands))
    laid = (*known.laid, card)
    if len(laid) < len(seats):
        return replace(known, hands=hands, laid=laid), goal
    plays = (*known.plays_of_open_trick, (known.seat_to_play, card))
    taker = plays[index_of_winning_card(list(laid), known.trump, known.options.sota_caballo)][0]
    points = points_of(mask_of(laid)) + (0 if any(hands) else known.options.last_trick_points)
    if side_of(taker) == side:
        goal = replace(goal, need=goal.need - points)
    elif goal.rival:
        goal = replace(goal, rival=goal.rival - points)
    if not any(hands):
        return None, goal
    winners = known.winners | {side_of(taker)}
    return replace(known, hands=hands, laid=(), leader=taker, winners=winners), goal


def _puzzles_of_deal(table: Table, deal: Deal) -> Iterator[Puzzle]:
    """Puzzles of a deal without breaches, denunciations and rulings."""
    if deal.breaches or deal.denunciations or deal.ruled:
        return
    try:
        cards = arrastre_cards_with_positions(table, deal)
    except CannotAnalyse:
        return
    earlier = table.all_deals[: table.all_deals.index(deal)]
    if any(one.ruled for one in earlier):
        return
    before = partida_totals(table, earlier) if earlier else dict.fromkeys(SIDES[_PLAYERS], 0)
    for one in cards:
        known = one.before
        if known.hand_of_seat(known.seat_to_play).bit_count() not in _TRICKS or _can_still_sing(
            known
        ):
            continue
        if _may_lack_minimum(table, earlier, deal, one):
            continue
        scores = {side: before[side] + one.made[side] for side in one.made}
        for goal in _goals_within_reach(known, scores, is_first=not earlier):
            found = _only_card_to_goal_or_none(known, goal)
            if found is not None:
                yield _puzzle_from_first_seat(known, goal, scores, *found)


def _goals_within_reach(
    known: KnownPosition, scores: dict[Side, int], *, is_first: bool
) -> Iterator[Goal]:
    """Goals that the side to play may still reach; none if the partida is settled already.

    In a first deal only where both sides cannot make the target: then no rule has to part them.
    """
    side = known.side_to_play
    need = known.options.target - scores[side]
    rival = known.options.target - scores[next(one for one in scores if one != side)]
    points = points_left(known)
    if need <= 0 or rival <= 0:
        return
    if not is_first:
        yield Goal("race", need, rival)
    elif need + rival > points:
        if need <= points:
            yield Goal("first_deal", need)
        if rival <= points:
            yield Goal("save", points - rival + 1)


def _only_card_to_goal_or_none(known: KnownPosition, goal: Goal) -> tuple[Card, CardPrices] | None:
    """The only lawful card that reaches a goal, and the prices; None if it is not also the best."""
    if not can_make_points(known, known.side_to_play, goal.need, rival=goal.rival):
        return None
    priced = card_prices_or_none(known)
    if priced is None or len(lawful := cards_in(priced.lawful)) < 2:  # noqa: PLR2004 - a choice
        return None
    found = [
        (card, can_reach_goal_after_card(known, card, goal, known.side_to_play)) for card in lawful
    ]
    reaching = [card for card, reached in found if reached]
    if len(reaching) != 1 or any(reached is None for _, reached in found):
        return None
    return (reaching[0], priced) if _margin_over_next_best(priced, reaching[0]) > 0 else None


def _margin_over_next_best(priced: CardPrices, card: Card) -> int:
    """Points by which this lawful card is better than the next best one."""
    others = (priced.values[one] for one in cards_in(priced.lawful) if one != card)
    return priced.values[card] - max(others)


def _can_still_sing(known: KnownPosition) -> bool:
    """Whether some hand still has a cante or a tute to announce, which no points include."""
    unsung = [pair for suit, pair in enumerate(CANTE_PAIR) if suit not in known.sung]
    sets = (*unsung, *(_FOURS if known.options.tute else ()))
    return any(hand & cards == cards for hand in known.hands for cards in sets)


def _may_lack_minimum(
    table: Table, earlier: tuple[Deal, ...], deal: Deal, one: ArrastreCard
) -> bool:
    """Whether a side may lack the minimum of malas, which could decide the partida."""
    closed = [*(t for each in earlier for t in each.tricks), *deal.tricks[: one.trick - 1]]
    of_cards = dict.fromkeys(SIDES[_PLAYERS], 0)
    for trick in closed:
        of_cards[side_of(trick.taker)] += trick.points or 0
    return min(of_cards.values()) < table.options.min_malas


def _puzzle_from_first_seat(
    known: KnownPosition, goal: Goal, scores: dict[Side, int], card: Card, priced: CardPrices
) -> Puzzle:
    """The puzzle with the seats renamed, so that the one to play is A1."""
    seats = SEATS[_PLAYERS]
    by = seats.index(known.seat_to_play)
    seat_now = {seat: seats[(place - by) % len(seats)] for place, seat in enumerate(seats)}
    side_now = {side_of(seat): side_of(now) for seat, now in seat_now.items()}
    loss = _margin_over_next_best(priced, card)
    choice = min(priced.lawful.bit_count() - 2, 3)
    turned = replace(
        known,
        leader=seat_now[known.leader],
        hands=(*known.hands[by:], *known.hands[:by]),
        winners=frozenset(side_now[side] for side in known.winners),
    )
    return Puzzle(
        turned,
        goal,
        {side_now[side]: points for side, points in sorted(scores.items())},
        card,
        loss,
        (),
        min(loss, _MOST_LOSS)
        + _TRICKS[known.hand_of_seat(known.seat_to_play).bit_count()]
        + 2 * choice,
    )
