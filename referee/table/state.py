"""State of a table by its record: immutable values, folded from the acts by ``reading``."""

from __future__ import annotations

from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from referee.events import ClaimJudged, How, PartidaWon, TableConclusion
from referee.rules.articles import ABOUT, Rule
from referee.rules.cards import BIT, SUIT_MASK, SUIT_OF, Card, Mask, Suit
from referee.rules.evidence.history import SungEvidence
from referee.rules.evidence.questions import Verdict
from referee.rules.evidence.sights import Sight
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS, Seat, Side, order_from

Line: TypeAlias = int
NO_CARD: Card = -1
HIDDEN: Suit = -1
NOTHING_SUNG = SungEvidence()
"""Evidence on the cantes of a deal before there is one."""


class Finding(msgspec.Struct, frozen=True):
    """A finding about a line: the rule, the seat, and the line since which it is known."""

    line: Line
    rule: Rule
    seat: Seat
    known_at: Line
    facts: tuple[tuple[str, str], ...] = ()


class Play(msgspec.Struct, frozen=True):
    """A card on the table."""

    seat: Seat
    card: Card
    line: Line


class ClosedTrick(msgspec.Struct, frozen=True):
    """A closed trick. ``points`` is None if nobody counted it; ``plays`` is empty without cards."""

    plays: tuple[Play, ...]
    taker: Seat
    points: int | None
    line: Line


class SuspectPlay(msgspec.Struct, frozen=True):
    """A play in arrastre that would be a breach if its seat held one of ``accusers``."""

    seat: Seat
    line: Line
    trick: int
    accusers: Mask
    plays: tuple[Play, ...]

    @property
    def all_cards_of_suit_led(self) -> Mask:
        """All cards of the suit led; any of them in hand proves a breach of the duty to follow."""
        return SUIT_MASK[SUIT_OF[self.plays[0].card]]


class Breach(msgspec.Struct, frozen=True):
    """A renuncio that is proved: the play, the duty, the card that proves it and since when."""

    line: Line
    rule: Rule
    seat: Seat
    trick: int
    known_at: Line
    proof: Card


class Cante(msgspec.Struct, frozen=True):
    """A cante as announced; ``void`` when it is worth nothing.

    ``verdict``: by a condition that it does not meet, else by the cards. ``is_repeated``: its only
    fault, if it has one, is that the suit was sung before; ``again``: line since which it stands
    nevertheless, as a ruling annulled the other. ``rival``: line of an earlier cante of the same
    seat whose suit is not named, and may be the same.
    """

    line: Line
    seat: Seat
    suit: Suit
    points: int
    trick: int
    void: bool
    verdict: Verdict
    is_barred: bool = False
    rival: Line = 0
    is_repeated: bool = False
    again: Line = 0


class Denunciation(msgspec.Struct, frozen=True):
    """An accusation of renuncio: of a trick, or of any (0), when so many tricks were closed.

    ``deal``: number of the deal meant; 0 if none is named.
    """

    line: Line
    by: Seat
    against: Seat
    trick: int
    closed: int
    deal: int = 0


class Renuncio(msgspec.Struct, frozen=True):
    """A renuncio as the profile defines it: a proved breach, or conduct besides the cards.

    ``known_at``: line that proves it; 0: its own.
    """

    line: Line
    rule: Rule
    seat: Seat
    trick: int
    known_at: Line = 0


class Claim(msgspec.Struct, frozen=True):
    """A claim of 101 that counts: it stops play."""

    line: Line
    seat: Seat


class Ending(msgspec.Struct, frozen=True):
    """An act that ends the partida by itself; ``side`` won it or lost it.

    ``of_deal``: it counts for nothing if its deal does.
    """

    line: Line
    how: How
    side: Side
    has_won: bool
    totals: tuple[tuple[Side, int], ...] = ()
    of_deal: bool = False
    whole_match: bool = False


class RulingPoints(msgspec.Struct, frozen=True):
    """Points given (or taken) by ruling in a deal."""

    line: Line
    side: Side
    points: int
    trick: int = 0


class Gap(msgspec.Struct, frozen=True):
    """The time between two tricks: who still has to draw, who was seen drawing, any swap.

    ``drawn_at``: lines of the draws seen; ``implied``: seats whose draw was not recorded before a
    lead, or before a draw that comes after it.
    """

    to_draw: tuple[Seat, ...] = ()
    drew: tuple[Seat, ...] = ()
    drawn_at: tuple[Line, ...] = ()
    implied: tuple[Seat, ...] = ()
    swapped: bool = False


class Deal(msgspec.Struct, frozen=True):
    """A deal, as far as it is recorded. Tuples by seat follow the order of ``seats``.

    ``absent``: cards that a seat certainly lacks; no draw can bring those in ``apart``.
    ``supposed``: the seat that drew the last card unseen, which was the pinta if every hand had its
    number of cards. ``otherwise``: the same deal if the draw of whoever draws last in turn came
    before those that nobody noted, as long as that may be. ``has_unseen_duties``: whether a trick
    in which duties held was entered without cards.
    """

    number: int
    line: Line
    dealer: Seat
    seats: tuple[Seat, ...]
    deck: Mask
    sizes: tuple[int, ...]
    held: tuple[Mask, ...]
    absent: tuple[Mask, ...]
    stock: int
    trump: Suit = -1
    pinta: Card = NO_CARD
    lies: bool = False
    supposed: Seat = ""
    stock_cards: tuple[Card, ...] = ()
    swapped_away: tuple[Card, ...] = ()
    played: Mask = 0
    apart: Mask = 0
    laid: tuple[Play, ...] = ()
    tricks: tuple[ClosedTrick, ...] = ()
    gap: Gap = Gap()
    cantes: tuple[Cante, ...] = ()
    sung: SungEvidence = NOTHING_SUNG
    suspects: tuple[SuspectPlay, ...] = ()
    breaches: tuple[Breach, ...] = ()
    denunciations: tuple[Denunciation, ...] = ()
    conduct: tuple[Renuncio, ...] = ()
    ruled: tuple[RulingPoints, ...] = ()
    is_entered: bool = False
    has_unseen_duties: bool = False
    is_counted: bool = False
    called: tuple[tuple[Side, int], ...] = ()
    count_line: Line = 0
    end_line: Line = 0
    sights: tuple[Sight, ...] = ()
    otherwise: Deal | None = None

    def place_of_seat(self, seat: Seat) -> int:
        """Index of a seat in the tuples that are ordered by seat."""
        return self.seats.index(seat)

    @property
    def all_plays(self) -> tuple[Play, ...]:
        """Every card that was laid, in order."""
        return (*(play for trick in self.tricks for play in trick.plays), *self.laid)

    @property
    def seats_from_mano(self) -> tuple[Seat, ...]:
        """Seats in order of play from mano."""
        return (*order_from(self.dealer, len(self.seats))[1:], self.dealer)

    @property
    def seats_with_card_in_trick(self) -> set[Seat]:
        """Seats that laid a card in the open trick."""
        return {play.seat for play in self.laid}

    @property
    def taker_of_last_trick(self) -> Seat | None:
        """Seat that took the last closed trick of the deal; None before the first."""
        return self.tricks[-1].taker if self.tricks else None

    @property
    def leader(self) -> Seat:
        """Seat that leads, or led, the trick on the table."""
        return (
            self.laid[0].seat if self.laid else self.taker_of_last_trick or self.seats_from_mano[0]
        )

    @property
    def turn(self) -> Seat | None:
        """Seat whose turn it is; None when nobody has a card left."""
        laid = self.seats_with_card_in_trick
        for seat in order_from(self.leader, len(self.seats)):
            if seat not in laid and (self.sizes[self.place_of_seat(seat)] or self.stock):
                return seat
        return None

    @property
    def in_arrastre(self) -> bool:
        """Whether nothing is left to draw."""
        return self.stock == 0

    @property
    def is_played_out(self) -> bool:
        """Whether every card has been played, or the count of a deal without cards entered."""
        if self.is_entered and self.is_counted:
            return True
        return bool(self.tricks) and not self.laid and not self.stock and not any(self.sizes)

    def holder(self, card: Card) -> Seat | None:
        """Seat whose hand is known to have a card; None if none is."""
        bit = BIT[card]
        for seat, held in zip(self.seats, self.held, strict=True):
            if held & bit:
                return seat
        return None

    def is_hand_known(self, seat: Seat) -> bool:
        """Whether every card of a seat is known."""
        place = self.place_of_seat(seat)
        return self.held[place].bit_count() >= self.sizes[place]


class Table(msgspec.Struct, frozen=True):
    """A partida, as far as it is recorded. ``lines`` are those read, in order of play.

    ``confirmed``: renuncios that a ruling confirmed, each the line of the ruling and of the play.
    """

    options: Options
    dealer_due: Seat = ""
    lines: tuple[Line, ...] = ()
    ruled_dealer: Seat = ""
    deals: tuple[Deal, ...] = ()
    deal: Deal | None = None
    misdeals: int = 0
    claim: Claim | None = None
    endings: tuple[Ending, ...] = ()
    ruled_out: frozenset[Line] = frozenset()
    confirmed: tuple[tuple[Line, Line], ...] = ()
    findings: tuple[Finding, ...] = ()
    warnings: tuple[tuple[Line, Side], ...] = ()
    suspended: bool = False
    conclusions: tuple[TableConclusion, ...] = ()
    decided: PartidaWon | None = None

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.options.players

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats in order of play."""
        return SEATS[self.options.players]

    @property
    def in_vueltas(self) -> bool:
        """Whether the running deal is not the first of the partida."""
        return bool(self.deals)

    def is_deal_settled(self, deal: Deal) -> bool:
        """Whether a deal is counted, a claim judged, or the vueltas ended at the target."""
        return (
            deal.is_counted
            or any(isinstance(one, ClaimJudged) for one in self.conclusions)
            or (self.decided is not None and self.decided.how == "target")
        )

    def came_before(self, line: Line, other: Line) -> bool:
        """Whether the act of a line happened before another: an inserted act has a later number."""
        return self.lines.index(line) < self.lines.index(other)

    @property
    def all_deals(self) -> tuple[Deal, ...]:
        """Deals that count, the running one last."""
        return self.deals if self.deal is None else (*self.deals, self.deal)


def deal_with_sights(deal: Deal, *sights: Sight) -> Deal:
    """The deal with more sights, as evidence of who held which card."""
    return replace(deal, sights=(*deal.sights, *sights))


def tuple_with_item(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """Copy of a tuple by seat with one value replaced."""
    return (*values[:place], value, *values[place + 1 :])


def add_finding(
    table: Table, line: Line, rule: Rule, seat: Seat = "", known_at: Line = 0, **facts: str
) -> Table:
    """The table with another finding, and its cost if an option gives one."""
    cost = ABOUT[rule].cost
    if cost:
        facts["costs"] = getattr(table.options, cost)
    found = Finding(line, rule, seat, known_at or line, tuple(sorted(facts.items())))
    return replace(table, findings=(*table.findings, found))
