"""Random partidas with an independent account of points and winners.

The account does not use the product: it compares ranks as text, adds points from a table, and finds
the winner by the text of the law.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.events import (
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    ClaimMade,
    CountEntered,
    DealStarted,
    HandEntered,
    PartidaOpened,
    PintaSwapped,
    PintaTurned,
    StockEntered,
    TableAct,
)
from referee.rules.cards import CARD, TOKENS, cards_in, mask_of_tokens
from referee.rules.duties import lawful_plays, position_before_play
from referee.rules.profile.options import OPTION_NAMES, Options, deck_mask
from referee.rules.profile.profile import profiles
from referee.rules.profile.values import plain_value
from referee.rules.seats import SEATS, order_from

WORTH = {"A": 11, "3": 10, "R": 4, "S": 3, "C": 2}
HIGH_TO_LOW = {"sota_over_caballo": "A3RSC98765432", "caballo_over_sota": "A3RCS98765432"}
TABLES = [
    (one.id, players, deck) for one in profiles() for players in one.players for deck in one.decks
]


def taker_of(plays: list[tuple[str, str]], trump: str, options: Options) -> str:
    """Seat of the highest trump, else of the highest card of the suit led."""
    order = HIGH_TO_LOW[options.sota_caballo]
    suits = [card[1] for _, card in plays]
    wanted = trump if trump in suits else suits[0]
    running = [(order.index(card[0]), seat) for seat, card in plays if card[1] == wanted]
    return min(running)[1]


@dataclass
class Account:
    """Points of each side over the partida, and who took each trick of each deal."""

    base: dict[str, int]
    cantes: dict[str, int]
    takers: list[list[str]] = field(default_factory=list)
    winner: str = ""
    how: str = ""

    def totals(self, options: Options) -> dict[str, int]:
        counts = {
            side: not options.cantes_need_min_malas or self.base[side] >= options.min_malas
            for side in self.base
        }
        return {s: self.base[s] + (self.cantes[s] if counts[s] else 0) for s in self.base}

    def latest(self, sides: list[str]) -> str:
        """Of these sides, the one that took the latest trick."""
        taken = [seat[0] for deal in self.takers for seat in deal]
        return next(side for side in reversed(taken) if side in sides)

    def after_first(self, options: Options) -> str:
        """Winner of the first deal, by the law; empty for vueltas."""
        totals = self.totals(options)
        there = [s for s in totals if totals[s] >= options.target]
        short = [s for s in totals if self.base[s] < options.min_malas]
        if len(totals) == 2 and short:
            (other,) = [s for s in totals if s not in short]
            if options.min_malas_applies == "always" or len(there) == 2:
                return other
        if len(totals) == 3 and short and len(there) > 1:
            standing = [s for s in totals if s not in short]
            if len(standing) == 1:
                return standing[0]
            there = [s for s in there if s not in short]
        if len(there) > 1 and options.both_reach_target == "highest_total":
            most = max(totals[s] for s in there)
            there = [s for s in there if totals[s] == most]
        return self.latest(there) if there else ""


class Player:
    """Plays random partidas; ``breach_at`` inserts one card against the duties."""

    def __init__(self, options: Options, seed: int, *, observed: bool = False) -> None:
        self.options, self.chance, self.observed = options, random.Random(seed), observed
        self.seats = SEATS[options.players]
        sides = dict.fromkeys(seat[0] for seat in self.seats)
        self.account = Account(dict.fromkeys(sides, 0), dict.fromkeys(sides, 0))
        self.acts: list[TableAct] = []
        self.planted: tuple[int, str] | None = None
        self.breaches_left = 0

    def partida(self) -> list[TableAct]:
        """Every act of a partida, from the first deal to its end."""
        dealer = self.chance.choice(self.seats)
        while not self.account.winner:
            dealer = self.deal(dealer)
        return self.acts

    def deal(self, dealer: str) -> str:
        """One deal; the seat that is due to deal the next."""
        options, number = self.options, len(self.account.takers)
        self.account.takers.append([])
        hands, stock, pinta = self._dealt(dealer)
        trump, sung = pinta[1], set()
        leader = order_from(dealer, len(self.seats))[1]
        for trick in range(options.hand_size + len(stock) // len(self.seats)):
            free = bool(stock) and options.duties_from == "stock_empty"
            leader = self._trick(hands, leader, trump, free=free)
            is_last = not any(hands.values())
            points = 0
            if not is_last:
                points = self._sing(hands, leader, trump, sung, in_arrastre=not stock)
                pinta = self._swap(hands, stock, leader, pinta)
                self._draw(hands, stock, leader, pinta)
            self.account.cantes[leader[0]] += points
            if number and self._may_claim(leader, is_last=is_last):
                return leader
            assert trick < 40
        self._end(dealer, leader, pinta, number)
        return leader

    def _dealt(self, dealer: str) -> tuple[dict[str, list[str]], list[str], str]:
        options, size = self.options, self.options.hand_size
        cards = [TOKENS[card] for card in cards_in(deck_mask(options))]
        self.chance.shuffle(cards)
        order = [*order_from(dealer, len(self.seats))[1:], dealer]
        hands = {seat: cards[size * n : size * (n + 1)] for n, seat in enumerate(order)}
        rest = cards[size * len(order) :]
        stock = [*rest[1:], rest[0]] if options.pinta_from == "first_stock_card" else []
        pinta = rest[0] if rest else hands[dealer][-1]
        self.acts += [DealStarted(dealer), PintaTurned(pinta)]
        if not self.observed:
            self.acts += [HandEntered(seat, tuple(hands[seat])) for seat in self.seats]
            if stock:
                self.acts.append(StockEntered(tuple(stock[:-1])))
        return hands, stock, pinta

    def _trick(self, hands: dict[str, list[str]], leader: str, trump: str, *, free: bool) -> str:
        plays: list[tuple[str, str]] = []
        for seat in order_from(leader, len(self.seats)):
            card = self._chosen(hands[seat], plays, seat, trump, free=free)
            hands[seat].remove(card)
            plays.append((seat, card))
            self.acts.append(CardPlayed(seat, card))
        taker = taker_of(plays, trump, self.options)
        self.account.takers[-1].append(taker)
        self.account.base[taker[0]] += sum(WORTH.get(card[0], 0) for _, card in plays)
        return taker

    def _chosen(
        self, hand: list[str], plays: list[tuple[str, str]], seat: str, trump: str, *, free: bool
    ) -> str:
        before = [(one, CARD[card]) for one, card in plays]
        position = (
            None if free else position_before_play(before, seat, "OCEB".index(trump), self.options)
        )
        if position is None:
            return self.chance.choice(hand)
        may = lawful_plays(position, mask_of_tokens(hand))
        good = [card for card in hand if may >> CARD[card] & 1]
        bad = [card for card in hand if card not in good]
        if bad and self.breaches_left and self.chance.random() < 0.5:
            self.breaches_left -= 1
            self.planted = (len(self.acts) + 1, seat)
            return self.chance.choice(bad)
        return self.chance.choice(good)

    def _sing(
        self,
        hands: dict[str, list[str]],
        taker: str,
        trump: str,
        sung: set[str],
        *,
        in_arrastre: bool,
    ) -> int:
        points, of_side = 0, 0
        if in_arrastre and not self.options.cante_in_arrastre:
            return 0
        for seat in [seat for seat in self.seats if seat[0] == taker[0]]:
            for suit in "OCEB":
                has = {f"R{suit}", f"S{suit}"} <= set(hands[seat])
                if has and suit not in sung and of_side < 2:
                    sung.add(suit)
                    of_side += 1
                    points += 40 if suit == trump else 20
                    self.acts.append(CanteAnnounced(seat, suit))
                    break
        return points

    def _swap(self, hands: dict[str, list[str]], stock: list[str], taker: str, pinta: str) -> str:
        card = ("7" if self.options.deck == 40 else "9") + pinta[1]
        is_early = len(stock) > len(self.seats)
        if self.options.swap and is_early and card in hands[taker] and pinta[0] in WORTH:
            hands[taker][hands[taker].index(card)] = pinta
            stock[-1] = card
            self.acts.append(PintaSwapped(taker))
            return card
        return pinta

    def _draw(self, hands: dict[str, list[str]], stock: list[str], taker: str, pinta: str) -> None:
        for seat in order_from(taker, len(self.seats)) if stock else ():
            card = stock.pop(0)
            hands[seat].append(card)
            is_seen = not self.observed or card == pinta
            self.acts.append(CardDrawn(seat, card if is_seen else ""))

    def _may_claim(self, taker: str, *, is_last: bool) -> bool:
        """The side of the last trick claims when it has 101, and now and then when it has not."""
        if is_last:
            return False
        has = self.account.totals(self.options)[taker[0]] >= self.options.target
        if not has and self.chance.random() > 0.01:
            return False
        self.acts.append(ClaimMade(taker))
        self._claimed(taker[0], has=has)
        return True

    def _claimed(self, side: str, *, has: bool) -> None:
        totals = self.account.totals(self.options)
        others = [other for other in totals if other != side]
        most = [other for other in others if totals[other] == max(totals[o] for o in others)]
        self.account.winner = side if has else (most[0] if len(most) == 1 else "?")
        self.account.how = "claim" if has else "false_claim"

    def _end(self, dealer: str, taker: str, pinta: str, number: int) -> None:
        options, account = self.options, self.account
        account.base[taker[0]] += options.last_trick_points
        if options.pinta_from == "leftover_card":
            account.base[taker[0]] += WORTH.get(pinta[0], 0)
        if not number:
            account.winner, account.how = account.after_first(options), "first_deal"
            return
        self.acts.append(CountEntered())
        totals = account.totals(options)
        there = [side for side in totals if totals[side] >= options.target]
        account.winner, account.how = account.latest(there) if there else "", "unclaimed"


def opened(options: Options, dealer_due: str = "") -> PartidaOpened:
    """Opening of a partida under these options."""
    values = {name: plain_value(getattr(options, name)) for name in OPTION_NAMES}
    return PartidaOpened("an encuentro", 1, values, "hash", dealer_due)


def counted_decks(acts: list[TableAct]) -> Iterator[set[str]]:
    """Cards laid in each deal."""
    laid: set[str] = set()
    for act in acts:
        if isinstance(act, DealStarted) and laid:
            yield laid
            laid = set()
        if isinstance(act, CardPlayed):
            laid.add(act.card)
    yield laid
