"""All ways in which the unseen cards of a deal can lie: listed one by one, or asked by matching.

A card that was not turned up lies in a *slot*: it was dealt to a seat, or drawn by it in a gap
between two tricks (slot ``(seat, gap)``, gap 0 is the deal), or it lies in the stock. A world gives
each card its slot, and each draw that nobody noted its moment in its gap. The turned card and what
is laid in its place are public, and in no slot.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, product
from typing import NamedTuple

from tests.oracle.law import deck_of
from tests.oracle.matching import Matching, Slots
from tests.oracle.reading import Act, Deal, once

Slot = tuple[str, int]
STOCK: Slot = ("", 0)
NEVER = 10**9
Times = dict[Slot, int]
"""Line before which each draw happened."""
MOMENTS = ("ensena", "ahora", "cambia")
"""Acts between two tricks that say something of the hand of that moment; so do cards shown."""


class Move(NamedTuple):
    """A card that everybody saw coming to a place: a hand, or the table if ``seat`` is empty."""

    line: int
    card: str
    seat: str


@dataclass
class Known:
    """A deal as recorded up to a line, and what everybody could see of its cards.

    ``moves`` are those of the turned card, and of cards laid down for it, in order of time;
    ``given`` is the card that each swap laid down, by its line. ``is_in_turn``: draws that nobody noted
    came before one that was noted after them in turn.
    """

    deal: Deal
    is_in_turn: bool = True
    moves: list[Move] = field(default_factory=list)
    given: dict[int, str] = field(default_factory=dict)
    lying: str = ""
    kept: dict[frozenset[tuple[Slot, int]], Worlds] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.lying = self.deal.pinta
        is_dealers = self.deal.rules.pinta_from == "dealers_last_card"
        self.moves.append(Move(0, self.lying, self.deal.dealer if is_dealers else ""))
        for act in self.deal.acts:
            if act.word == "cambia":
                gave = swapped_in(self.deal, act)
                self.moves += [Move(act.line, self.lying, act.seat), Move(act.line, gave, "")]
                self.lying = self.given[act.line] = gave

    @cached_property
    def lines(self) -> list[int]:
        """Lines of the moves."""
        return [move.line for move in self.moves]

    @cached_property
    def last_drawer(self) -> str:
        """Who draws the turned card; empty as long as the last free trick is not closed.

        It is the last in turn of those whose draw nobody noted, or the one noted last, after theirs.
        """
        gaps, takers = self.deal.gaps, self.deal.takers
        if not 0 < gaps <= len(takers):
            return ""
        order = self.deal.rules.order_from(takers[gaps - 1])
        noted = [seat for seat, gap in self.noted if gap == gaps]
        unnoted = [seat for seat in order if seat not in noted]
        if noted and unnoted and self.is_in_turn:
            return max(noted[-1], unnoted[-1], key=order.index)
        return (unnoted or noted)[-1]

    @cached_property
    def noted(self) -> dict[Slot, Act]:
        """Draws that were noted."""
        draws = [act for act in self.deal.acts if act.word == "draw"]
        return {(act.seat, self.deal.tricks_before(act.line)): act for act in draws}

    @cached_property
    def dealt(self) -> dict[str, int]:
        """Cards dealt to the seats that were found, before they laid any, to have another number."""
        return {act.seat: act.many for act in self.deal.acts if act.word == "tiene"}

    @cached_property
    def laid(self) -> dict[str, int]:
        """Line at which each card was laid."""
        plays = [act for act in self.deal.acts if act.word == "play"]
        return {act.cards[0]: act.line for act in reversed(plays)}

    @cached_property
    def slots(self) -> dict[Slot, int]:
        """Every slot with the number of its cards."""
        rules, gaps = self.deal.rules, self.deal.gaps
        is_dealers = rules.pinta_from == "dealers_last_card"
        found = {
            (seat, 0): self.dealt.get(seat, rules.hand_size)
            - (is_dealers and seat == self.deal.dealer)
            for seat in rules.seats
        }
        begun = min(len(self.deal.takers), gaps)
        found |= {(seat, gap): 1 for gap in range(1, begun + 1) for seat in rules.seats}
        found |= {slot: act.many for slot, act in self.noted.items() if slot in found}
        if self.last_drawer:
            del found[self.last_drawer, gaps]
        rest = len(self.cards) - sum(found.values())
        return found | ({STOCK: rest} if rest else {})

    @cached_property
    def bits(self) -> dict[Slot, Slots]:
        """The bit of each slot."""
        return {slot: 1 << number for number, slot in enumerate(self.slots)}

    @cached_property
    def room(self) -> dict[Slots, int]:
        """Cards of each slot, by its bit."""
        return {self.bits[slot]: many for slot, many in self.slots.items()}

    @cached_property
    def everywhere(self) -> Slots:
        """All slots."""
        return (1 << len(self.slots)) - 1

    @cached_property
    def with_room(self) -> Slots:
        """Slots that have a card."""
        return sum(bit for bit, many in self.room.items() if many > 0)

    @cached_property
    def slots_of(self) -> dict[str, list[Slot]]:
        """The slots of each seat."""
        return {seat: [s for s in self.slots if s[0] == seat] for seat in self.deal.rules.seats}

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """Cards that lie in slots."""
        deck = deck_of(self.deal.rules, self.deal.left_out)
        return tuple(card for card in deck if card != self.deal.pinta)

    def moments(self, slot: Slot, asked: tuple[int, ...]) -> list[int]:
        """Lines of the gap of a draw that say something of the hand of its seat, or are asked."""
        seat, gap = slot
        ends = self.latest(slot)
        return [
            act.line
            for act in self.deal.acts
            if act.seat == seat
            and (act.word in MOMENTS or act.shown or act.line in asked)
            and self.deal.closes(gap) < act.line < ends
        ]

    def latest(self, slot: Slot) -> int:
        """Line by which a draw that nobody noted has happened: the next lead, or the last draw.

        The last draw has happened where it is noted, or where its seat shows the card that lay.
        """
        ends = self.deal.opens(slot[1] + 1) or NEVER
        if slot[1] != self.deal.gaps or not self.last_drawer:
            return ends
        last = self.noted.get((self.last_drawer, self.deal.gaps))
        seen = [
            act.line
            for act in self.deal.acts
            if act.seat == self.last_drawer
            and act.word in ("ensena", "ahora")
            and self.lying in act.cards
            and act.line > self.deal.closes(self.deal.gaps)
        ]
        return min([ends, *seen, *([last.line] if last else [])])

    def choices(self, slot: Slot, lines: list[int], asked: tuple[int, ...]) -> list[int]:
        """Of the moments of a draw those that leave the most worlds for each answer to a question.

        What the seat shows leaves most worlds if it had drawn before, a suit that it lacks if it drew later; so of
        moments between which nothing is asked the first or the last is enough, unless it shows both.
        """
        if slot == (self.last_drawer, self.deal.gaps):
            return lines
        said = [act for act in self.deal.acts if act.seat == slot[0] and act.line in lines]
        holds = any(act.cards or act.shown for act in said)
        lacks = any(act.word == "ensena" and (act.suits or act.whole) for act in said)
        if holds and lacks:
            return lines
        groups: dict[tuple[bool, ...], list[int]] = {}
        for line in lines:
            groups.setdefault((line == NEVER, *(line <= at for at in asked)), []).append(line)
        return [group[-1] if lacks else group[0] for group in groups.values()]

    def all_times(self, asked: tuple[int, ...]) -> Iterator[Times]:
        """Every choice of a moment for the draws that nobody noted, where it says something.

        ``asked`` are the lines of which a question will be.
        """
        fixed: Times = {}
        free: dict[Slot, list[int]] = {}
        slots = dict(self.slots)
        if self.last_drawer:
            slots[self.last_drawer, self.deal.gaps] = 1
        for slot in slots:
            if not slot[1]:
                fixed[slot] = NEVER if slot == STOCK else 0
            elif slot in self.noted:
                fixed[slot] = self.noted[slot].line
            elif lines := self.moments(slot, asked):
                free[slot] = self.choices(slot, [*lines, self.latest(slot)], asked)
            else:
                fixed[slot] = self.latest(slot)
        for chosen in product(*free.values()):
            yield fixed | dict(zip(free, chosen, strict=True))

    def worlds(self, times: Times) -> Worlds:
        """The worlds of these moments, the same ones for questions of other lines."""
        key = frozenset(times.items())
        if key not in self.kept:
            self.kept[key] = Worlds(self, times)
        return self.kept[key]


@once
def known_of(deal: Deal, is_in_turn: bool) -> Known:
    """A deal as recorded: the same one for each question."""
    return Known(deal, is_in_turn)


@once
def worlds_of(
    deal: Deal, *asked: int, orders: tuple[bool, ...] = (True, False)
) -> tuple[Worlds, ...]:
    """Every choice of moments that has a world, for a question of these lines.

    A draw that nobody noted came in its turn, unless that has no world.
    """
    for is_in_turn in orders:
        known = known_of(deal, is_in_turn)
        found = [
            one for times in known.all_times(asked) if (one := known.worlds(times)).is_possible
        ]
        if found:
            return tuple(found)
    return ()


def has_drawn(deal: Deal, seat: str, gap: int, line: int) -> bool:
    """Whether a seat has certainly made its draw of a gap before this line."""
    noted = known_of(deal.cut(line - 1), True).noted
    if (seat, gap) in noted and not noted[seat, gap].many:
        return False
    return all(one.times.get((seat, gap), NEVER) < line for one in _worlds_before(deal, line))


def stock_is_gone(deal: Deal, line: int) -> bool:
    """Whether the turned card was certainly drawn before this line."""
    worlds = _worlds_before(deal, line)
    return all(one.times[one.known.last_drawer, deal.gaps] < line for one in worlds)


def _worlds_before(deal: Deal, line: int) -> tuple[Worlds, ...]:
    """The worlds before a line, with the draws in an order in which its act can be."""
    past = deal.cut(line)
    if len(_drawers(past)) == 1 or worlds_of(past)[0].known.is_in_turn:
        return worlds_of(deal.cut(line - 1))  # what is possible after an act was so before
    return worlds_of(deal.cut(line - 1), orders=(False,))


def last_drawer_of(deal: Deal, *asked: int) -> str:
    """Who is taken to have drawn the turned card; empty as long as the last free trick is not closed."""
    drawers = _drawers(deal)
    return drawers[0] if len(drawers) == 1 else worlds_of(deal, *asked)[0].known.last_drawer


@once
def _drawers(deal: Deal) -> list[str]:
    """Who may have drawn the turned card: whose turn it was first."""
    return list(dict.fromkeys(known_of(deal, order).last_drawer for order in (True, False)))


def swapped_in(deal: Deal, act: Act) -> str:
    """The card that a swap lays down: the one named, else the highest blank trump."""
    return act.cards[0] if act.cards else deal.rules.blank + deal.trump


@dataclass
class Worlds:
    """The possible worlds of one choice of moments: for each card the slots where it may lie."""

    known: Known
    times: Times
    allowed: dict[str, Slots] = field(default_factory=dict)
    is_possible: bool = True
    _places: dict[tuple[int, bool], dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.allowed = dict.fromkeys(self.known.cards, self.known.everywhere)
        self._found: Matching | None = None
        for slot, act in self.known.noted.items():
            if act.cards and slot in self.known.bits:
                self._put(act.cards[0], self.known.bits[slot])
            elif act.cards and act.cards[0] != self.known.lying:
                self.is_possible = False
        for act in self.known.deal.acts:
            if not self.is_possible:
                return
            self._see(act)
        if self.is_possible:
            self._found = self._matched()
            self.is_possible = self._found is not None

    @property
    def found(self) -> dict[str, Slot]:
        """One of these worlds, where there is one."""
        assert self._found
        slots = {bit: slot for slot, bit in self.known.bits.items()}
        return {card: slots[bit] for card, bit in self._found.lies.items()}

    @cached_property
    def _got(self) -> dict[str, tuple[list[int], list[Slots]]]:
        """Of each seat the lines in which it got cards, and its slots before and after each of them."""
        found = {}
        for seat, slots in self.known.slots_of.items():
            in_time = sorted(slots, key=lambda slot: self.times[slot])
            bits = accumulate((self.known.bits[slot] for slot in in_time), initial=0)
            found[seat] = [self.times[slot] for slot in in_time], list(bits)
        return found

    def held(self, seat: str, line: int) -> Slots:
        """Slots whose cards this seat had got before this line."""
        times, slots = self._got[seat]
        return slots[bisect_right(times, line)]

    def places(self, line: int) -> dict[str, str]:
        """Where everybody knows a card to be at this line: a seat, or nothing for the table."""
        known, drawer = self.known, self.known.last_drawer
        many = bisect_right(known.lines, line)
        is_drawn = bool(drawer) and self.times[drawer, known.deal.gaps] <= line
        if (many, is_drawn) not in self._places:
            found = {move.card: move.seat for move in known.moves[:many]}
            self._places[many, is_drawn] = found | ({known.lying: drawer} if is_drawn else {})
        return self._places[many, is_drawn]

    def publicly_held(self, seat: str, line: int) -> set[str]:
        """Cards that everybody knows to be in the hand of a seat at this line."""
        places, laid = self.places(line), self.known.laid
        return {c for c, place in places.items() if place == seat and laid.get(c, NEVER) >= line}

    def elsewhere(self, seat: str, line: int) -> set[str]:
        """Cards that everybody knows not to be in the hand of a seat at this line."""
        others = {card for card, place in self.places(line).items() if place != seat}
        return others | {card for card, at in self.known.laid.items() if at < line}

    def _see(self, act: Act) -> None:
        """Take away the slots that an act excludes."""
        match act.word:
            case "play" | "ahora" | "ensena":
                self._holds(act.seat, act.cards, act.line)
            case "cartas":
                for card in act.cards:
                    self._put(card, self.known.bits[act.seat, 0])
            case "tute" if act.shown:
                self._holds(act.seat, act.cards, act.line)
            case "canta" if act.shown and act.suits:
                self._holds(act.seat, (f"R{act.suits}", f"S{act.suits}"), act.line)
            case "cambia":
                drawer = self.known.last_drawer, self.known.deal.gaps
                self.is_possible &= act.line < self.times.get(drawer, NEVER)
                gave = self.known.given[act.line]
                if gave not in self.publicly_held(act.seat, act.line - 1):
                    self._put(gave, self.held(act.seat, act.line))
        if act.word == "ensena":
            cards = (*self.known.cards, self.known.deal.pinta)
            others = {c for c in cards if c[1] in act.suits or act.whole} - set(act.cards)
            self._lacks(act.seat, others, act.line)

    def _holds(self, seat: str, cards: Iterable[str], line: int) -> None:
        places, laid = self.places(line), self.known.laid
        for card in set(cards):
            place, is_laid = places.get(card), laid.get(card, NEVER) < line
            if place == seat and not is_laid:
                continue  # everybody knows it
            self.is_possible &= place in (None, seat) and not is_laid
            self._put(card, self.held(seat, line))

    def _lacks(self, seat: str, cards: Iterable[str], line: int) -> None:
        if set(cards) & self.publicly_held(seat, line):
            self.is_possible = False
        for card in self.allowed.keys() & set(cards) - self.elsewhere(seat, line):
            self.allowed[card] &= ~self.held(seat, line)

    def _put(self, card: str, slots: Slots) -> None:
        if card in self.allowed:
            self.allowed[card] &= slots
            self.is_possible &= bool(self.allowed[card])
        else:  # the turned card is elsewhere than the record says, or where it says
            is_dealt = self.known.deal.rules.pinta_from == "dealers_last_card"
            self.is_possible &= is_dealt and bool(
                slots & self.known.bits[self.known.deal.dealer, 0]
            )

    def _matched(self) -> Matching | None:
        """One world; None if there is none."""
        matching = Matching(self.known.room.copy(), self.known.with_room)
        in_order = sorted(self.allowed, key=lambda card: self.allowed[card].bit_count())
        return matching if all(matching.put(card, self.allowed) for card in in_order) else None

    def can_be(self, only: dict[str, Slots]) -> bool:
        """Whether there is a world in which each of these cards lies in one of its slots."""
        if not self.is_possible or self._found is None:
            return False
        if not only.keys() <= self.allowed.keys():
            return False
        wrong = [card for card, slots in only.items() if not self._found.lies[card] & slots]
        if not wrong:
            return True
        allowed = self.allowed | {card: self.allowed[card] & slots for card, slots in only.items()}
        matching = self._found.copy()
        for card in wrong:
            matching.take(card)
        return all(matching.put(card, allowed) for card in wrong)

    def may_hold(self, seat: str, cards: Iterable[str], line: int) -> bool:
        """Whether in some world this seat holds all of these cards at this line."""
        wanted = set(cards) - self.publicly_held(seat, line)
        if wanted & self.elsewhere(seat, line):
            return False
        return self.can_be(dict.fromkeys(wanted, self.held(seat, line)))

    def may_lack(self, seat: str, cards: Iterable[str], line: int) -> bool:
        """Whether in some world this seat holds none of these cards at this line."""
        if set(cards) & self.publicly_held(seat, line):
            return False
        wanted = set(cards) - self.elsewhere(seat, line)
        not_here = ~self.held(seat, line)
        return self.can_be({card: not_here for card in wanted if card in self.allowed})

    def can_have(self, seat: str, wanted: Iterable[tuple[str, int, bool]]) -> bool:
        """Whether in some world a seat holds, or lacks, each of these cards at its line."""
        only: dict[str, Slots] = {}
        for card, line, is_held in wanted:
            is_public = card in self.publicly_held(seat, line)
            if is_public or card in self.elsewhere(seat, line):
                if is_public != is_held:
                    return False
                continue
            here = self.held(seat, line)
            slots = here if is_held else ~here
            only[card] = only.get(card, slots) & slots
        return self.can_be(only)

    def listed(self) -> Iterator[dict[str, Slot]]:
        """Every world, one by one; cards of one slot are in no order."""
        cards = sorted(self.allowed, key=lambda card: self.allowed[card].bit_count())
        bits, room = self.known.bits, dict(self.known.slots)
        lies: dict[str, Slot] = {}

        def put(at: int) -> Iterator[dict[str, Slot]]:
            if at == len(cards):
                yield dict(lies)
                return
            for slot in room:
                if room[slot] and self.allowed[cards[at]] & bits[slot]:
                    room[slot] -= 1
                    lies[cards[at]] = slot
                    yield from put(at + 1)
                    room[slot] += 1

        if self.is_possible:
            yield from put(0)

    def hand(self, world: dict[str, Slot], seat: str, line: int) -> set[str]:
        """The whole hand of a seat at this line in one world."""
        here, gone = self.held(seat, line), self.elsewhere(seat, line)
        bits = self.known.bits
        return {c for c, slot in world.items() if bits[slot] & here and c not in gone} | (
            self.publicly_held(seat, line)
        )
