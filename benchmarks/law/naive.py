"""A naive implementation of guiñote: cards as objects, hands and tricks as lists.

It follows the wording of section 3 of the law and shares no code with ``referee.rules``. It is the
baseline of the benchmarks and the oracle of the tests.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.rules.profile.options import Options

RANKS = {
    "sota_over_caballo": ["2", "4", "5", "6", "7", "8", "9", "C", "S", "R", "3", "A"],
    "caballo_over_sota": ["2", "4", "5", "6", "7", "8", "9", "S", "C", "R", "3", "A"],
}
POINTS = {"A": 11, "3": 10, "R": 4, "S": 3, "C": 2}


@dataclass(frozen=True)
class Card:
    """A card by its rank and its suit."""

    rank: str
    suit: str

    def is_higher(self, other: Card, options: Options) -> bool:
        """Whether it is the higher of two cards of one suit."""
        order = RANKS[options.sota_caballo]
        return order.index(self.rank) > order.index(other.rank)


@dataclass(frozen=True)
class Play:
    """A card on the table and the seat it came from."""

    seat: str
    card: Card


def winner(trick: list[Play], trump: str, options: Options) -> Play:
    """Play that wins so far."""
    best = trick[0]
    for play in trick[1:]:
        if play.card.suit == best.card.suit:
            if play.card.is_higher(best.card, options):
                best = play
        elif play.card.suit == trump:
            best = play
    return best


def lawful(  # noqa: PLR0911 - one return for each sentence of the law
    hand: list[Card], trick: list[Play], seat: str, trump: str, options: Options
) -> list[Card]:
    """Cards of the hand that the law lets this seat lay."""
    if not trick:
        return list(hand)
    led = trick[0].card.suit
    best = winner(trick, trump, options)
    is_partner = best.seat[0] == seat[0]
    following = [card for card in hand if card.suit == led]
    trumps = [card for card in hand if card.suit == trump]
    if following:
        if is_partner and not options.beat_partner:
            return following
        if best.card.suit == trump and led != trump and not options.beat_after_trumped:
            return following
        highest = winner([play for play in trick if play.card.suit == led], led, options).card
        higher = [card for card in following if card.is_higher(highest, options)]
        return higher or following
    if is_partner:
        return (trumps if options.trump_partner else []) or list(hand)
    if best.card.suit != trump:
        return trumps or list(hand)
    higher = [card for card in trumps if card.is_higher(best.card, options)]
    if higher:
        return higher if options.overtrump else trumps
    return (trumps if options.undertrump == "forced" else []) or list(hand)


@dataclass
class Deal:
    """A deal in play: four seats, six cards each, everything checked, nothing remembered."""

    deck: list[Card]
    options: Options
    hands: dict[str, list[Card]] = field(default_factory=dict)
    stock: list[Card] = field(default_factory=list)
    points: dict[str, int] = field(default_factory=lambda: {"A": 0, "B": 0})
    sung: list[str] = field(default_factory=list)

    seats = ("A1", "B1", "A2", "B2")

    def __post_init__(self) -> None:
        for place, seat in enumerate(self.seats):
            self.hands[seat] = self.deck[6 * place : 6 * place + 6]
        self.trump = self.deck[24].suit
        self.stock = [*self.deck[25:], self.deck[24]]

    def play(self, seat: str, card: Card, trick: list[Play], *, is_arrastre: bool) -> None:
        """A card laid, refused if it is not held or breaks a duty."""
        hand = self.hands[seat]
        if card not in hand:
            raise ValueError(card)
        if is_arrastre and card not in lawful(hand, trick, seat, self.trump, self.options):
            raise ValueError(card)
        hand.remove(card)
        trick.append(Play(seat, card))

    def gather(self, trick: list[Play]) -> str:
        """Seat that takes the trick, its points counted."""
        taker = winner(trick, self.trump, self.options).seat
        self.points[taker[0]] += sum(POINTS.get(play.card.rank, 0) for play in trick)
        return taker

    def sing(self, side: str) -> None:
        """A cante by each player of the side that holds one."""
        for seat in self.seats:
            if seat[0] != side:
                continue
            for suit in "OCEB":
                pair = [Card("R", suit), Card("S", suit)]
                if suit not in self.sung and all(card in self.hands[seat] for card in pair):
                    self.sung.append(suit)
                    self.points[side] += 40 if suit == self.trump else 20
                    break

    def swap(self, side: str) -> None:
        """The siete for the pinta, by a player of the side that holds it."""
        siete = Card("7", self.trump)
        for seat in self.seats:
            if seat[0] == side and siete in self.hands[seat]:
                self.hands[seat].remove(siete)
                self.hands[seat].append(self.stock[-1])
                self.stock[-1] = siete
                return

    def draw(self, taker: str) -> None:
        """A card for each in order of play, the taker first."""
        first = self.seats.index(taker)
        for step in range(4):
            self.hands[self.seats[(first + step) % 4]].append(self.stock.pop(0))


def playout(deck: list[Card], choices: list[int], options: Options) -> dict[str, int]:
    """Points of a deal in which each play is a choice (0…2³²-1) among the lawful cards, sorted."""
    deal = Deal(deck, options)
    order = RANKS["sota_over_caballo"]
    lead, left = "A1", iter(choices)
    for number in range(10):
        trick: list[Play] = []
        start = deal.seats.index(lead)
        for step in range(4):
            seat = deal.seats[(start + step) % 4]
            hand = deal.hands[seat]
            is_arrastre = number >= 4
            may = lawful(hand, trick, seat, deal.trump, options) if is_arrastre else hand
            may = sorted(may, key=lambda card: ("OCEB".index(card.suit), order.index(card.rank)))
            card = may[next(left) * len(may) >> 32]
            deal.play(seat, card, trick, is_arrastre=is_arrastre)
        lead = deal.gather(trick)
        deal.sing(lead[0])
        if number < 4:
            deal.swap(lead[0])
            deal.draw(lead)
    deal.points[lead[0]] += 10
    return deal.points
