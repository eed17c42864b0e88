"""What could still be reached at a claim or a concession: by minimax, and by adding up."""

from __future__ import annotations

import pytest

from referee.aggregates.partida import fold
from referee.analysis.claims import judge_target_reach
from referee.analysis.engine import Aim
from referee.analysis.position import KnownPosition
from referee.events import CanteAnnounced, CardPlayed, Conceded, TableAct
from referee.rules.cards import CARD, mask_of
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profiles
from referee.rules.seats import SEATS, Side, side_of
from referee.table.counts import partida_totals
from referee.table.state import Table
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.analysis.minimax import Minimax
from tests.support.records.dealt_out import Player, opened

TABLES = [
    p.options(t.players, t.deck)
    for p in profiles()
    for t in p.options_of_every_table()
    if not p.options(t.players, t.deck).cantes_need_min_malas
]


def conceded(options: Options, acts: list[TableAct], cards: int) -> tuple[Table, Table, list[str]]:
    """The partida when so many cards were left, as it ended, and the acts of the rest."""
    plays = [n for n, act in enumerate(acts) if isinstance(act, CardPlayed)]
    until = plays[-cards]
    then = fold([opened(options), *acts[:until], Conceded("A")]).table
    later = [(act.seat, act.card) for act in acts[until:] if isinstance(act, CardPlayed)]
    return then, fold([opened(options), *acts]).table, [f"{seat} {card}" for seat, card in later]


def by_trying(then: Table, later: list[str], side: Side) -> int:
    """Points of a side from here by minimax, its cantes whole."""
    deal = then.all_deals[0]
    hands = tuple(
        mask_of(CARD[one.split()[1]] for one in later if one.startswith(seat))
        for seat in deal.seats
    )
    sung = [c for c in deal.cantes if not c.void]
    now = tuple(sum(c.seat == s and c.trick == len(deal.tricks) for c in sung) for s in deal.seats)
    known = KnownPosition(
        then.options,
        deal.trump,
        deal.leader,
        hands,
        tuple(play.card for play in deal.laid),
        sung=frozenset(c.suit for c in sung),
        winners=frozenset(side_of(trick.taker) for trick in deal.tricks),
        sung_now=None if deal.laid else now,
    )
    ours = frozenset(seat for seat in deal.seats if side_of(seat) == side)
    return Minimax(known, side, Aim.POINTS, ours).value()


@NEEDS_ENGINE
@pytest.mark.parametrize("options", TABLES)
def test_with_the_hands_known_it_is_what_minimax_finds(options: Options) -> None:
    for seed in range(3):
        player = Player(options, seed, observed=True)
        player.deal("B1")
        cards = options.players * 2 - seed
        then, now, later = conceded(options, player.acts, cards)
        for side in dict.fromkeys(side_of(seat) for seat in SEATS[options.players]):
            found = judge_target_reach(then, now, side)
            total = partida_totals(then)[side]
            assert found.is_exact
            assert (found.total, found.most) == (total, total + by_trying(then, later, side))
            assert found.answer == ("yes" if found.most >= options.target else "no")


def test_with_hands_that_nobody_saw_what_is_left_is_added_up() -> None:
    player = Player(Options(), 3, observed=True)
    player.deal("B1")
    acts = [act for act in player.acts if not isinstance(act, CanteAnnounced)]
    then, now, later = conceded(Options(cante_in_arrastre=False), acts, 8)
    worth = {"A": 11, "3": 10, "R": 4, "S": 3, "C": 2}
    left = 10 + sum(worth.get(one.split()[1][0], 0) for one in later)
    found = judge_target_reach(then, then, "A")
    assert not found.is_exact
    assert found.most == partida_totals(then)["A"] + left
    assert found.answer == ("cannot_tell" if found.most >= Options().target else "no")
    over = judge_target_reach(now, now, "A")
    assert (over.most, over.is_exact) == (over.total, True)
