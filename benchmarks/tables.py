"""Random partidas as lists of acts, for load."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from referee.aggregates.commands import Record
from referee.aggregates.partida import INITIAL, decide, evolve
from referee.events import (
    CardPlayed,
    CountEntered,
    DealStarted,
    PartidaOpened,
    PintaTurned,
    TableAct,
)
from referee.rules.cards import BIT, DECK_40, TOKENS, cards_in, index_of_winning_card, mask_of
from referee.rules.duties import lawful_plays, position_before_play
from referee.rules.profile.options import Options, option_values
from referee.rules.profile.values import plain_value
from referee.rules.seats import order_from


def partida(seed: int, options: Options | None = None) -> list[dict[str, Any]]:
    """Acts of a random lawful partida of four, as the body of a request has them."""
    return [msgspec.to_builtins(act) for act in acts_of_partida(seed, options)]


def acts_of_partida(seed: int, options: Options | None = None, dealer: str = "") -> list[TableAct]:
    """The same as acts, played card by card until it is decided. ``dealer``: who deals first."""
    chance, rules = random.Random(seed), options or Options()
    values = {name: plain_value(value) for name, value in option_values(rules).items()}
    state = evolve(INITIAL, PartidaOpened(f"bench-{seed}", 1, values, dealer))
    acts: list[TableAct] = []
    while state.table.decided is None:
        for act in _deal(chance, rules, state.table.dealer_due or "A1"):
            if state.table.decided is not None:
                break
            state = decide(Record(act), state).state
            acts.append(act)
    return acts


def _deal(chance: random.Random, options: Options, dealer: str) -> Iterator[TableAct]:
    cards = cards_in(DECK_40)
    chance.shuffle(cards)
    seats = (*order_from(dealer, 4)[1:], dealer)
    hands = {seat: mask_of(cards[6 * n : 6 * n + 6]) for n, seat in enumerate(seats)}
    pinta, stock = cards[24], [*cards[25:], cards[24]]
    yield DealStarted(dealer)
    yield PintaTurned(TOKENS[pinta])
    leader = seats[0]
    for number in range(10):
        plays: list[tuple[str, int]] = []
        for seat in order_from(leader, 4):
            position = (
                position_before_play(plays, seat, pinta // 12, options) if number > 3 else None
            )
            may = lawful_plays(position, hands[seat]) if position else hands[seat]
            card = chance.choice(cards_in(may))
            hands[seat] &= ~BIT[card]
            plays.append((seat, card))
            yield CardPlayed(seat, TOKENS[card])
        leader = _taker(plays, pinta // 12)
        for seat in order_from(leader, 4):
            if stock:
                hands[seat] |= BIT[stock.pop(0)]
    yield CountEntered()


def _taker(plays: list[tuple[str, int]], trump: int) -> str:
    return plays[index_of_winning_card([card for _, card in plays], trump, "sota_over_caballo")][0]
