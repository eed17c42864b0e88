"""A table with random acts: most of them possible, some of them not."""

from __future__ import annotations

import random
from collections.abc import Callable

from referee.aggregates.commands import Amend, PartidaCommand, Record, Undo
from referee.aggregates.partida import decide, fold
from referee.errors import Refused
from referee.events import (
    Abandoned,
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    CardsShown,
    Change,
    ClaimMade,
    Conceded,
    CountEntered,
    DealAnnulled,
    DealStarted,
    HandEntered,
    IncidentNoted,
    Misdealt,
    PintaSwapped,
    PintaTurned,
    PlayResumed,
    PlaySuspended,
    RenuncioDenounced,
    RestClaimed,
    ResultEntered,
    RulingGiven,
    StockEntered,
    SuitRequested,
    TableAct,
    TimeCalled,
    TrickEntered,
    TrickReviewed,
    TuteAnnounced,
    WrongDealFound,
    WrongDraw,
)
from referee.rules.cards import TOKENS, cards_in
from referee.rules.profile.options import Options, deck_mask, is_dos_out
from referee.rules.profile.profile import profile
from referee.rules.seats import SIDES
from referee.table.state import HIDDEN, Deal, Table
from tests.support.records.dealt_out import TABLES, opened

INCIDENTS = (
    "talk",
    "signal",
    "exposed",
    "to_partner",
    "wrong_draw",
    "wrong_gathering",
    "late",
    "other",
)
EFFECTS = (
    "partida",
    "points",
    "dealer",
    "annul_act",
    "annul_deal",
    "replay_deal",
    "renuncio",
    "warning",
)
HOWS = ("first_deal", "claim", "false_claim", "target", "tute", "renuncio", "concession", "ruling")


def options_of(table: tuple[str, int, int]) -> Options:
    """Options of a profile for so many players and such a deck."""
    name, players, deck = table
    return profile(name).options(players, deck)


class Crowd:
    """Random players at a table, and a recorder."""

    def __init__(self, options: Options, seed: int) -> None:
        self.chance = random.Random(seed)
        self.options = options
        self.deck = [TOKENS[card] for card in cards_in(deck_mask(options))]
        self.state = fold([opened(options)])

    @property
    def table(self) -> Table:
        return self.state.table

    def seat(self) -> str:
        return self.chance.choice(self.table.seats)

    def side(self) -> str:
        return self.chance.choice(SIDES[self.options.players])

    def cards(self, most: int) -> tuple[str, ...]:
        """Cards that were not played, most of the time."""
        deal = self.table.deal
        played = deal.played if deal and self.chance.random() < 0.95 else 0
        left = [TOKENS[card] for card in cards_in(deck_mask(self.options) & ~played)]
        return tuple(self.chance.sample(left, min(most, len(left))))

    def card(self) -> str:
        return next(iter(self.cards(1)), "AO")

    def held_or_any(self, deal: Deal, seat: str) -> str:
        """A card that the seat is known to hold, else one that nobody else is known to hold."""
        place = deal.place_of_seat(seat)
        if deal.is_hand_known(seat) and deal.held[place] and self.chance.random() < 0.97:
            return TOKENS[self.chance.choice(cards_in(deal.held[place]))]
        others = sum(held for other, held in enumerate(deal.held) if other != place)
        stock = sum(1 << card for card in deal.stock_cards)
        pinta = 1 << deal.pinta if deal.lies and deal.pinta >= 0 else 0
        free = cards_in(deal.deck & ~(others | deal.played | stock | pinta))
        return TOKENS[self.chance.choice(free)] if free else self.card()

    def act(self) -> TableAct:
        """The next act: play, or something else."""
        deal = self.table.deal
        if self.chance.random() < 0.12:
            return self.chance.choice(self.incidents())()
        if deal is None or (deal.is_played_out and deal.is_counted):
            return DealStarted(self.table.dealer_due or self.seat())
        if deal.trump < 0:
            return PintaTurned(self.card())
        if deal.is_played_out:
            return CountEntered()
        if self.chance.random() < 0.07:
            return self.chance.choice(self.announcements(deal))()
        if deal.gap.to_draw and deal.stock and self.chance.random() < 0.7:
            return CardDrawn(self.chance.choice([deal.gap.to_draw[0], self.seat()]))
        seat = deal.turn if deal.turn and self.chance.random() < 0.93 else self.seat()
        return CardPlayed(seat, self.held_or_any(deal, seat))

    def announcements(self, deal: Deal) -> list[Callable[[], TableAct]]:
        chance, seat = (
            self.chance,
            self.chance.choice([deal.taker_of_last_trick or self.seat(), self.seat()]),
        )
        shown = chance.choice([None, True, False])
        return [
            lambda: CanteAnnounced(seat, chance.choice(["", "O", "C", "E", "B"]), shown),
            lambda: CanteAnnounced(seat, "OCEB"[deal.trump], shown),
            lambda: SuitRequested(
                self.seat(),
                next((c.seat for c in deal.cantes if c.suit == HIDDEN), seat),
                chance.choice(["", "O", "C", "E", "B"]),
            ),
            lambda: PintaSwapped(seat, chance.choice(["", "", self.card()])),
            lambda: TuteAnnounced(seat, chance.choice(["R", "S"]), shown),
            lambda: CardsShown(
                seat,
                self.cards(chance.randrange(3)),
                tuple(chance.sample("OCEB", chance.randrange(2))),
                chance.random() < 0.2,
            ),
            lambda: HandEntered(seat, self.known(deal, seat), chance.choice(["dealt", "now"])),
            lambda: StockEntered(self.cards(max(deal.stock - chance.randrange(3), 0))),
            lambda: CardDrawn(seat, self.card()),
        ]

    def known(self, deal: Deal, seat: str) -> tuple[str, ...]:
        """Cards that a seat may hold: all of them, or some."""
        size = deal.sizes[deal.place_of_seat(seat)]
        found: list[str] = []
        for _ in range(self.chance.choice([size, size, self.chance.randrange(8)])):
            card = self.held_or_any(deal, seat)
            if card not in found:
                found.append(card)
        return tuple(found)

    def incidents(self) -> list[Callable[[], TableAct]]:
        chance, seat, other = self.chance, self.seat(), self.seat()
        totals = {} if chance.random() < 0.5 else dict.fromkeys(SIDES[self.options.players], 65)
        fault = chance.choice(["out_of_order", "two_cards", "none", "pinta_early"])
        line = chance.randint(0, self.state.version + 1)
        return [
            lambda: IncidentNoted(chance.choice(INCIDENTS), seat, chance.choice(["", self.card()])),
            lambda: RenuncioDenounced(
                seat,
                other,
                chance.choice([0, 0, chance.randint(1, 12)]),
                chance.choice([0, 0, 0, 1, 2]),
            ),
            lambda: RulingGiven(
                chance.choice(EFFECTS), "t", self.side(), seat, chance.randint(-20, 20), line
            ),
            lambda: WrongDraw(seat, fault, chance.choice(["", self.card()])),
            lambda: ClaimMade(seat),
            lambda: CountEntered(totals),
            lambda: chance.choice([Misdealt({seat: 5}), DealAnnulled(chance.random() < 0.5)]),
            lambda: WrongDealFound(seat, chance.choice([5, 6, 7, 10])),
            lambda: TrickEntered(seat, chance.choice([None, 0, 11, 23])),
            lambda: TrickReviewed(seat, chance.randint(1, 4)),
            lambda: chance.choice([PlaySuspended(), PlayResumed(), TimeCalled()]),
            lambda: self.rare(seat, totals),
            lambda: DealStarted(
                seat,
                chance.choice([None, 3]),
                chance.choice(["", "2O" if is_dos_out(self.options) else ""]),
                chance.choice(["", self.seat()]),
                chance.choice(["", "3+3", "one_by_one"]),
            ),
            lambda: PintaTurned(self.card()),
        ]

    def rare(self, seat: str, totals: dict[str, int]) -> TableAct:
        """What ends a partida at once, most of the time left out."""
        if self.chance.random() < 0.7:
            return RestClaimed(seat) if seat == "A1" else TimeCalled()
        ends = [Conceded(seat[0]), Abandoned(seat[0])]
        return self.chance.choice([*ends, ResultEntered(seat[0], self.chance.choice(HOWS), totals)])

    def change(self) -> Change:
        """A correction of any line: taken away, put before it, or put in its place."""
        line = self.chance.randint(1, max(self.state.version, 1))
        how = self.chance.choice(["replace", "insert", "withdraw"])
        return Change(line, how, None if how == "withdraw" else self.act())

    def command(self) -> PartidaCommand:
        """What somebody asks to record next."""
        drawn = self.chance.random()
        if drawn < 0.03:
            return Undo()
        if drawn < 0.08:
            return Amend(tuple(self.change() for _ in range(self.chance.choice([1, 1, 1, 2]))))
        return Record(self.act())

    def tries(self, command: PartidaCommand) -> Refused | None:
        """Apply a command; returns whether it was accepted."""
        try:
            self.state = decide(command, self.state).state
        except Refused as refused:
            return refused
        return None


def crowd_of(seed: int) -> Crowd:
    """A crowd at any table of any profile."""
    return Crowd(options_of(TABLES[seed % len(TABLES)]), seed)
