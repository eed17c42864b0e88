"""Random deals with breaches: the true hands, and the record of an observer."""

from __future__ import annotations

from typing import NamedTuple

from referee.aggregates.partida import fold
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
from referee.rules.cards import Mask, mask_of_tokens
from referee.rules.evidence.questions import Knowledge
from referee.rules.evidence.sights import Sang, Sight
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS
from referee.table.state import Deal
from tests.support.records.dealt_out import Player, opened
from tests.support.servers.wording import duty_broken


class Careless(Player):
    """A player that sometimes breaks duties, announces false cantes, and shows cards."""

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

    def __init__(self, options: Options) -> None:
        self.options = options
        self.hands: dict[str, set[str]] = {}
        self.stock: list[str] = []
        self.pinta = ""
        self.trick: list[tuple[str, str]] = []
        self.lawful: dict[int, bool] = {}
        self.pairs: dict[int, bool] = {}
        self.held: dict[int, set[Mask]] = {}
        self.left = 0

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
        """Note if it held what it announced; a pair that can only be an earlier one is no new."""
        hand = mask_of_tokens(self.hands[seat])
        held = {cards for cards in sang.sets if not cards & ~hand}
        earlier = self.held.get(sang.rival, set())
        self.held[sang.line] = held
        self.pairs[sang.line] = bool(held - earlier if len(earlier) == 1 else held)

    def _played(self, line: int, seat: str, card: str) -> None:
        hand, law = sorted(self.hands[seat]), (self.pinta[1], self.options)
        free = self.left > 0 or not self.trick
        self.lawful[line] = free or duty_broken(self.trick, seat, card, hand, law) is None
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == len(SEATS[self.options.players]):
            self.trick = []


def deals(options: Options, seed: int, *, noted: bool) -> list[tuple[TableAct, TableAct | None]]:
    """Acts of a partida: the true ones, and the recorded ones."""
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


class Seen(NamedTuple):
    """After an act that was written down: the deal, its new sights, and the truth about its hands.

    ``hands`` is empty while an unrecorded draw may have happened.
    """

    line: int
    deal: Deal
    sights: tuple[Sight, ...]
    hands: tuple[Mask, ...]


def followed(options: Options, seed: int, *, noted: bool) -> tuple[list[Seen], Truth]:
    """A partida after each act that was written down, and the truth about its plays and cantes."""
    truth, state, line, number, done = Truth(options), fold([opened(options)]), 0, 0, 0
    found = []
    for act, written in deals(options, seed, noted=noted):
        if written is None:
            truth.follow(0, act)
            continue
        line += 1
        state = fold([written], state)
        deal = state.table.deal
        number, done = deal.number, done if deal.number == number else 0
        truth.follow(line, act)
        sights, done = deal.sights[done:], len(deal.sights)
        for sight in sights:
            if isinstance(sight, Sang):
                truth.sang(sight, deal.seats[sight.seat])
        is_settled = bool(truth.hands) and not deal.gap.to_draw
        hands = [mask_of_tokens(truth.hands[seat]) for seat in deal.seats] if is_settled else []
        found.append(Seen(line, deal, sights, tuple(hands)))
    return found, truth


def are_possible(known: tuple[Knowledge, ...], hands: tuple[Mask, ...]) -> bool:
    """Whether what is known of each hand agrees with the hands as they were."""
    return all(
        certain & ~hand == 0 and hand & ~possible == 0
        for (certain, possible), hand in zip(known, hands, strict=True)
    )
