"""What a renuncio took: every way of the unseen cards, each by minimax over the rules themselves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from referee.aggregates.partida import fold
from referee.analysis import OpenHands, card_prices_or_none
from referee.analysis.costs import (
    CardCost,
    PointsBefore,
    possible_winners_after_card,
    require_cost_of_unlawful_card,
)
from referee.analysis.engine import Aim
from referee.analysis.position import KnownPosition
from referee.events import CanteAnnounced, CardDrawn
from referee.rules import Suit, profile
from referee.rules.cards import CARD, Card, cards_in, mask_of
from referee.rules.counts import Score
from referee.rules.duties import lawful_plays, position_before_play
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profiles
from referee.rules.seats import order_from, side_of
from referee.table.state import Table
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.analysis.minimax import Minimax
from tests.support.analysis.renuncios import WithRenuncio, with_renuncio
from tests.support.records.dealt_out import opened

TABLES = [p.options(t.players, t.deck) for p in profiles() for t in p.options_of_every_table()]


def some_stopped(count: int, most_left: int, options: list[Options]) -> Iterator[WithRenuncio]:
    found = 0
    for seed in range(5000):
        one = with_renuncio(options[seed % len(options)], seed, most_left)
        if one is not None:
            found += 1
            yield one
        if found == count:
            return
    raise AssertionError(found)


def by_trying(one: WithRenuncio, table: Table, shown: tuple[str, ...]) -> tuple[int, ...]:
    """Least, most, more, less, ways, tried: all ways of the cards that nobody saw."""
    deal = table.all_deals[0]
    seen = {play.card for trick in deal.tricks for play in trick.plays}
    seen |= {play.card for play in deal.laid}
    drawn = {CARD[act.card] for act in one.acts if isinstance(act, CardDrawn) and act.card}
    left = {seat: one.hands[seat] - seen for seat in deal.seats}
    held = {s: cards if s in shown else cards & drawn for s, cards in left.items()}
    unseen = set().union(*left.values()) - set().union(*held.values())
    ways = spread(sorted(unseen), [len(left[s]) - len(held[s]) for s in deal.seats])
    tried = [
        price_of(
            one, table, {s: held[s] | {*more} for s, more in zip(deal.seats, hands, strict=True)}
        )
        for hands in ways
    ]
    found = [cost for cost in tried if cost is not None]
    more, less = sum(cost < 0 for cost in found), sum(cost > 0 for cost in found)
    return min(found), max(found), more, less, len(found), len(tried)


def price_of(one: WithRenuncio, table: Table, left: dict[str, set[Card]]) -> int | None:
    """What the renuncio took if these cards were left in the hands; None if it was none."""
    deal, players = table.all_deals[0], one.options.players
    plays = [*(play for trick in deal.tricks for play in trick.plays), *deal.laid]
    at = next(n for n, play in enumerate(plays) if play.line == one.line)
    before, until = plays[at - at % players : at], one.acts[: one.line]
    sung = {"OCEB".index(act.suit) for act in until if isinstance(act, CanteAnnounced)}
    later = {s: {play.card for play in plays[at:] if play.seat == s} for s in deal.seats}
    known = KnownPosition(
        one.options,
        deal.trump,
        before[0].seat if before else plays[at].seat,
        tuple(mask_of(later[seat] | left[seat]) for seat in deal.seats),
        tuple(play.card for play in before),
        sung=frozenset(sung),
        winners=frozenset(side_of(trick.taker) for trick in deal.tricks[: at // players]),
    )
    position = position_before_play(
        known.plays_of_open_trick, known.seat_to_play, deal.trump, one.options
    )
    hand = known.hand_of_seat(known.seat_to_play)
    may = hand if position is None else lawful_plays(position, hand)
    if may >> plays[at].card & 1:
        return None
    ours = frozenset(s for s in deal.seats if side_of(s) == known.side_to_play)
    tree = Minimax(known, known.side_to_play, Aim.LEAD, ours)
    return max(tree.price(card) for card in cards_in(may)) - tree.price(plays[at].card)


def spread(cards: list[Card], sizes: list[int]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    if not sizes:
        yield ()
        return
    for hand in combinations(cards, sizes[0]):
        for rest in spread([card for card in cards if card not in hand], sizes[1:]):
            yield (hand, *rest)


def numbers(found: CardCost) -> tuple[int, ...]:
    return found.least, found.most, found.more, found.less, found.ways, found.tried


@NEEDS_ENGINE
def test_every_way_of_the_unseen_cards_is_worth_what_minimax_finds() -> None:
    ways, several = [], 0
    for one in some_stopped(30, 2, TABLES):
        table = one.table()
        found = require_cost_of_unlawful_card(table, one.line)
        assert numbers(found) == by_trying(one, table, ())
        assert found.seed is None
        ways.append(found.tried)
        several += found.least != found.most
    assert max(ways) > 100
    assert several > 5


@NEEDS_ENGINE
def test_three_tricks_with_hands_that_were_shown() -> None:
    for one in some_stopped(8, 3, [one for one in TABLES if one.players == 4]):
        if one.tricks_left < 3:
            continue
        offender = one.acts[one.line - 1].seat
        shown = (offender, order_from(offender, 4)[2])
        table = one.table(*shown)
        assert numbers(require_cost_of_unlawful_card(table, one.line)) == by_trying(
            one, table, shown
        )


@NEEDS_ENGINE
def test_of_a_deal_that_was_played_out_there_is_one_way() -> None:
    for one in some_stopped(20, 2, TABLES):
        table = fold([opened(one.options), *one.acts]).table
        found = require_cost_of_unlawful_card(table, one.line)
        assert numbers(found) == by_trying(one, table, ())
        assert (found.ways, found.tried, found.seed) == (1, 1, None)


POSITION = OpenHands.parse(
    "A1 4C, B1 3E 2C, A2 4E 5C, B2 6E 7C", Suit.OROS, profile("club"), trick="A1 AE"
).known
"""B1 has to lay the 3E (10 for B); the 2C would make 20, and leave A 11 instead of 21."""


@NEEDS_ENGINE
@pytest.mark.parametrize(
    ("a", "b", "in_vueltas", "winners"),
    [
        (80, 85, False, ({"A"}, {"B"})),
        (75, 85, False, ({""}, {"B"})),
        (70, 60, True, ({""}, {""})),
        (70, 95, True, ({"B"}, {"B"})),
        (82, 95, True, ({""}, {"B"})),
    ],
)
def test_who_wins_at_the_end_of_the_deal(
    a: int, b: int, in_vueltas: bool, winners: tuple[set[str], set[str]]
) -> None:
    scores = (("A", Score(cards=a)), ("B", Score(cards=b)))
    before = PointsBefore(POSITION.options, in_vueltas, scores)
    found = card_prices_or_none(POSITION)
    assert found is not None
    lawful_one, other = found.best_cards[0], CARD["2C"]
    assert [
        possible_winners_after_card(before, POSITION, c, found.values[c])
        for c in (lawful_one, other)
    ] == [*winners]
