"""Evidence of whole observed deals: deduced is true, true is possible, every renuncio is found."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.events import (
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    CardsShown,
    DealStarted,
    HandEntered,
    PintaSwapped,
    PintaTurned,
    StockEntered,
    TableAct,
)
from referee.partida import fold, table_of
from referee.rules.cards import TOKENS, cards_in, mask_of_tokens
from referee.rules.evidence import Evidence
from referee.rules.options import Options
from referee.rules.seats import SEATS
from referee.rules.sights import Sang
from referee.table.state import Deal
from tests.dealt_out import TABLES, Player, opened
from tests.long_runs import RUNS
from tests.playing import options_of
from tests.wording import duty_broken

each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join(map(str, table)))


class Careless(Player):
    """Plays against the duties now and then, sings what it has not, and shows cards."""

    def _trick(self, hands, leader, trump, *, free):
        taker = super()._trick(hands, leader, trump, free=free)
        if self.chance.random() < 0.2:
            seat = self.chance.choice(self.seats)
            shown = self.chance.sample(hands[seat], min(len(hands[seat]), self.chance.randrange(3)))
            void = [s for s in "OCEB" if not any(card[1] == s for card in hands[seat])]
            whole = self.chance.random() < 0.2
            cards = tuple(hands[seat] if whole else shown)
            self.acts.append(
                CardsShown(seat, cards, tuple(void[: self.chance.randrange(2)]), whole)
            )
        return taker

    def _sing(self, hands, taker, trump, sung, *, in_arrastre):
        if self.chance.random() < 0.3:
            seat, suit = self.chance.choice(self.seats), self.chance.choice(["", *"OCEB"])
            self.acts.append(CanteAnnounced(seat, suit))
        return super()._sing(hands, taker, trump, sung, in_arrastre=in_arrastre)


class Truth:
    """The hands as they were, from an open record."""

    def __init__(self, options: Options, acts: list[TableAct]) -> None:
        self.options = options
        self.hands: dict[str, set[str]] = {}
        self.stock: list[str] = []
        self.pinta = ""
        self.trick: list[tuple[str, str]] = []
        self.lawful: dict[int, bool] = {}
        self.pairs: dict[int, bool] = {}
        self.left = 0
        self.acts = acts

    def follow(self, line: int, act: TableAct) -> None:
        match act:
            case DealStarted():
                self.left, self.trick, self.hands = self.options.stock_size, [], {}
            case PintaTurned(card):
                self.pinta = card
            case HandEntered(seat, cards):
                self.hands[seat] = set(cards)
            case CardPlayed(seat, card):
                self._played(line, seat, card)
            case CardDrawn(seat, card):
                self.hands[seat].add(card)
                self.left -= 1
            case PintaSwapped(seat):
                given = ("7" if self.options.deck == 40 else "9") + self.pinta[1]
                self.hands[seat] ^= {given, self.pinta}
                self.pinta = given

    def sang(self, sang: Sang, seat: str) -> None:
        hand = mask_of_tokens(self.hands[seat])
        self.pairs[sang.line] = any(not cards & ~hand for cards in sang.sets)

    def _played(self, line: int, seat: str, card: str) -> None:
        hand, law = sorted(self.hands[seat]), (self.pinta[1], self.options)
        free = self.left > 0 or not self.trick
        self.lawful[line] = free or duty_broken(self.trick, seat, card, hand, law) is None
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == len(SEATS[self.options.players]):
            self.trick = []


def deals(options: Options, seed: int, *, noted: bool) -> list[tuple[TableAct, TableAct | None]]:
    """Acts of a partida: as they were, beside what was written down of them."""
    players = [Careless(options, seed, observed=observed) for observed in (False, True)]
    for player in players:
        player.breaches_left = 3
        player.partida()
    seen = iter(players[1].acts)
    pairs: list[tuple[TableAct, TableAct | None]] = []
    for act in players[0].acts:
        if isinstance(act, HandEntered | StockEntered):
            pairs.append((act, None))
            continue
        written: TableAct | None = next(seen)
        if isinstance(written, CardDrawn) and not noted:
            written = None
        pairs.append((act, written))
    return pairs


@each_table
@settings(max_examples=75 * RUNS, deadline=None)
@given(seed=st.integers(0, 2**32), noted=st.booleans())
def test_deduced_is_true_and_true_is_possible_at_every_line(table, seed, noted):
    options = options_of(table)
    pairs = deals(options, seed, noted=noted)
    truth, state, line, done = (
        Truth(options, [act for act, _ in pairs]),
        fold([opened(options)]),
        0,
        0,
    )
    evidence, number, all_seen = Evidence(), 0, {}
    for act, written in pairs:
        if written is None:
            truth.follow(0, act)
            continue
        line += 1
        state = fold([written], state)
        deal = table_of(state).deal
        if deal.number != number:
            evidence, number, done = Evidence(), deal.number, 0
        truth.follow(line, act)
        for sight in deal.sights[done:]:
            if isinstance(sight, Sang):
                truth.sang(sight, deal.seats[sight.seat])
        evidence.see_all(deal.sights[done:])
        done = len(deal.sights)
        assert not evidence.broken, (line, written)
        _hands_agree(deal, evidence, truth, is_settled=bool(truth.hands) and not deal.gap.to_draw)
        for at, verdict in evidence.verdicts.items():
            was = truth.lawful[at] if at in truth.lawful else truth.pairs[at]
            assert verdict.answer in ("open", "lawful" if was else "unlawful"), (at, line, verdict)
        all_seen |= {(number, at): verdict for at, verdict in evidence.verdicts.items()}
        if deal.is_played_out:
            plays = {at: v.answer for at, v in evidence.verdicts.items() if at in truth.lawful}
            assert plays == {at: "lawful" if truth.lawful[at] else "unlawful" for at in plays}
            assert evidence.verdicts == Evidence().see_all(deal.sights).verdicts
    assert len(all_seen) == len(truth.lawful) + len(truth.pairs)


def _hands_agree(deal: Deal, evidence: Evidence, truth: Truth, *, is_settled: bool) -> None:
    if not is_settled:
        return  # nobody holds anything yet, or a draw may have happened that nobody noted
    for seat, known in zip(deal.seats, evidence.knowledge(), strict=True):
        certain, possible = ({TOKENS[c] for c in cards_in(mask)} for mask in known)
        assert certain <= truth.hands[seat] <= possible, (
            seat,
            certain,
            truth.hands[seat],
            possible,
        )
