"""Deals as a careless recorder keeps them: draws not noted, seats exchanged, cards shown, breaches."""

from __future__ import annotations

from referee.aggregates.commands import Record
from referee.aggregates.partida import Partida, decide, fold
from referee.errors import Refused
from referee.events import CardPlayed, CardsShown, IncidentNoted, TableAct
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS
from tests.support.records.dealt_out import Player, opened

INCIDENTS = ("talk", "signal", "late", "wrong_gathering", "other")


class CarelessTable(Player):
    """An observed table with breaches, at which cards are shown and draws are not always noted.

    ``noted``: how likely a draw is noted; ``shown``: how likely something happens after a trick.
    """

    def __init__(self, options: Options, seed: int) -> None:
        super().__init__(options, seed, observed=True)
        self.breaches_left = self.chance.randrange(5)
        self.noted = self.chance.choice([0.0, 0.5, 0.9])
        self.shown = self.chance.choice([0.2, 0.5, 0.9])

    def _trick(self, hands: dict[str, list[str]], leader: str, trump: str, *, free: bool) -> str:
        taker = super()._trick(hands, leader, trump, free=free)
        while self.chance.random() < self.shown:
            self._happens(hands)
        return taker

    def _happens(self, hands: dict[str, list[str]]) -> None:
        """A void shown, a card exposed, or an incident without cards."""
        seat = self.chance.choice(self.seats)
        voids = tuple(suit for suit in "OCEB" if all(card[1] != suit for card in hands[seat]))
        kind = self.chance.choice(["void", "exposed", "other"])
        if kind == "void" and voids:
            self.acts.append(CardsShown(seat, (), voids))
        elif kind == "exposed" and hands[seat]:
            self.acts.append(IncidentNoted("exposed", seat, self.chance.choice(hands[seat])))
        else:
            self.acts.append(IncidentNoted(self.chance.choice(INCIDENTS), seat))

    def _draw(self, hands: dict[str, list[str]], stock: list[str], taker: str, pinta: str) -> None:
        at = len(self.acts)
        super()._draw(hands, stock, taker, pinta)
        self.acts[at:] = [act for act in self.acts[at:] if self.chance.random() < self.noted]

    def slip(self) -> None:
        """A wrong tap: two seats of a trick exchanged, or a card too many or too few."""
        size = len(self.seats)
        laid = [at for at, act in enumerate(self.acts) if isinstance(act, CardPlayed)]
        trick = self.chance.randrange(len(laid) // size)
        one, other = self.chance.sample(laid[trick * size : (trick + 1) * size], 2)
        a, b = self.acts[one], self.acts[other]
        assert isinstance(a, CardPlayed)
        assert isinstance(b, CardPlayed)
        match self.chance.choice(["cards", "cards", "cards", "order", "twice", "left out"]):
            case "cards":
                self.acts[one] = CardPlayed(a.seat, b.card)
                self.acts[other] = CardPlayed(b.seat, a.card)
            case "order":
                self.acts[one], self.acts[other] = b, a
            case "twice":
                self.acts.insert(one, CardPlayed(a.seat, b.card))
            case _:
                del self.acts[one]


def dirty_deals(options: Options, seed: int, deals: int = 1) -> Partida:
    """Full deals with up to three slips each; what cannot be recorded is left out."""
    table = CarelessTable(options, seed)
    dealer = table.chance.choice(SEATS[options.players])
    for _ in range(deals):
        dealer = table.deal(dealer)
        for _ in range(table.chance.randrange(4)):
            table.slip()
    return recorded(options, table.acts)


def recorded(options: Options, acts: list[TableAct]) -> Partida:
    """The partida of these acts, without those that are refused."""
    state = fold([opened(options)])
    for act in acts:
        try:
            state = decide(Record(act), state).state
        except Refused:
            continue
    return state
