"""Deals with a renuncio near their end, stopped where a test wants, by seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from referee.aggregates.partida import fold
from referee.events import CardPlayed, HandEntered, TableAct
from referee.rules.cards import CARD, TOKENS, Card
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS
from referee.table.state import Table
from tests.support.records.dealt_out import Player, opened


@dataclass(frozen=True)
class WithRenuncio:
    """A deal with a renuncio at a line; ``hands``: those before it."""

    options: Options
    acts: list[TableAct]
    line: int
    tricks_left: int
    hands: dict[str, set[Card]]

    def acts_shown(self, *shown: str) -> list[TableAct]:
        """Stopped after the renuncio; these seats showed what they still held."""
        acts = self.acts[: self.line]
        laid = {act.card for act in acts if isinstance(act, CardPlayed)}
        left = {seat: [TOKENS[card] for card in self.hands[seat]] for seat in shown}
        return acts + [
            HandEntered(seat, tuple(card for card in cards if card not in laid), "now")
            for seat, cards in left.items()
        ]

    def bodies(self) -> list[dict[str, Any]]:
        """The acts of the whole deal, as they are sent."""
        return bodies_of(self.acts)

    def table(self, *shown: str) -> Table:
        """The table after these acts."""
        return fold([opened(self.options), *self.acts_shown(*shown)]).table


class LatePlayer(Player):
    """Plays a renuncio when so many cards are left in hand."""

    late = 2

    def _chosen(self, hand: list[str], *more: Any, free: bool) -> str:
        self.breaches_left = int(len(hand) <= self.late and not self.planted)
        return super()._chosen(hand, *more, free=free)


def with_renuncio(options: Options, seed: int, tricks_left: int) -> WithRenuncio | None:
    """A deal whose renuncio is planted when each hand has so many cards at most."""
    player = LatePlayer(options, seed, observed=True)
    player.late = tricks_left
    player.deal("B1")
    if player.planted is None:
        return None
    line, cards = player.planted[0], {seat: set[Card]() for seat in SEATS[options.players]}
    for act in player.acts[line - 1 :]:
        if isinstance(act, CardPlayed):
            cards[act.seat].add(CARD[act.card])
    return WithRenuncio(options, player.acts, line, max(map(len, cards.values())), cards)


def a_renuncio(tricks_left: int) -> WithRenuncio:
    """The first deal by the common rules whose renuncio has so many tricks before its end."""
    found = (with_renuncio(Options(), seed, tricks_left) for seed in range(99))
    return next(one for one in found if one and one.tricks_left == tricks_left)


def bodies_of(acts: list[TableAct]) -> list[dict[str, Any]]:
    """Acts as they are sent."""
    return [msgspec.to_builtins(act) for act in acts]
