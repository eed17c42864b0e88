"""Small decks: all distributions of their cards by enumeration, as an oracle of evidence."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations

from referee.rules.articles import Rule
from referee.rules.cards import Mask, cards_in, mask_of
from referee.rules.duties import Charge
from referee.rules.evidence.questions import Knowledge, Verdict
from referee.rules.evidence.sights import (
    NOBODY,
    UNSEEN,
    Dealt,
    Drew,
    Held,
    Lacked,
    Played,
    Recalled,
    Sang,
    Sight,
    Stacked,
    Swapped,
    Turned,
    WasDealt,
)
from referee.rules.evidence.verdicts import Evidence

CARDS = (0, 2, 5, 13, 16, 25, 40)


@dataclass
class World:
    """One distribution of the cards, followed through the sights, which may contradict it."""

    hands: list[set[int]]
    stock: list[int]
    pinta: int = UNSEEN
    dealt: list[set[int]] = field(default_factory=list)
    unseen_draws: list[list[int]] = field(default_factory=list)
    asked: dict[int, Mask] = field(default_factory=dict)  # the hand at each play and cante

    def __post_init__(self) -> None:
        self.dealt = [set(hand) for hand in self.hands]
        self.unseen_draws = [[] for _ in self.hands]

    def agrees(self, sight: Sight) -> bool:
        match sight:
            case Turned(_, card, _):
                self.pinta = self.stock.pop()
                return self.pinta == card
            case Drew(_, seat, card):
                drawn = self.stock.pop(0) if self.stock else self.pinta
                self.hands[seat].add(drawn)
                if card == UNSEEN:
                    self.unseen_draws[seat].append(drawn)
                return card in (UNSEEN, drawn)
            case Recalled(_, seat, card):
                return self.unseen_draws[seat][-1] == card
            case Played(line, seat, card, _):
                if card not in self.hands[seat]:
                    return False
                self.hands[seat].discard(card)
                self.asked[line] = mask_of(self.hands[seat])
                return True
            case Held(_, seat, cards):
                return all(card in self.hands[seat] for card in cards_in(cards))
            case Lacked(_, seat, cards):
                return not any(card in self.hands[seat] for card in cards_in(cards))
            case WasDealt(_, seat, cards, whole):
                dealt = mask_of(self.dealt[seat])
                return dealt == cards if whole else not cards & ~dealt
            case Swapped(_, seat, gave, took):
                if gave not in self.hands[seat] or took != self.pinta:
                    return False
                self.hands[seat] ^= {gave, took}
                self.pinta = gave
                return True
            case Sang(line, seat, _):
                self.asked[line] = mask_of(self.hands[seat])
                return True
            case Stacked(_, cards):
                return not cards & ~mask_of(self.stock)
        return True


def ways(dealt: Dealt) -> list[World]:
    """Every way to deal the cards."""

    def hands(cards: frozenset[int], sizes: tuple[int, ...]) -> Iterator[list[set[int]]]:
        if not sizes:
            yield []
            return
        for hand in combinations(sorted(cards), sizes[0]):
            for others in hands(cards - set(hand), sizes[1:]):
                yield [set(hand), *others]

    cards = frozenset(cards_in(dealt.deck))
    return [
        World([set(hand) for hand in dealt_out], list(order))
        for dealt_out in hands(cards, dealt.sizes)
        for order in permutations(sorted(cards.difference(*dealt_out)))
    ]


def worlds(sights: list[Sight]) -> list[World]:
    """Every distribution that no sight contradicts, after all sights."""
    dealt = sights[0]
    assert isinstance(dealt, Dealt)
    return [one for one in ways(dealt) if all(one.agrees(sight) for sight in sights[1:])]


def is_lawful(asked: Played | Sang, hand: Mask) -> bool:
    """Whether a play or a cante was lawful with this hand."""
    if isinstance(asked, Sang):
        return any(not cards & ~hand for cards in asked.sets)
    return not any(charge.cards & hand for charge in asked.charges)


def all_and_any(hands: list[Mask]) -> Knowledge:
    """Cards that are in all of these hands, and in any."""
    certain, possible = hands[0], 0
    for hand in hands:
        certain &= hand
        possible |= hand
    return Knowledge(certain, possible)


class Account:
    """Verdicts and hands from the remaining worlds after each sight."""

    def __init__(self, dealt: Dealt) -> None:
        self.left = ways(dealt)
        self.asked: list[Played | Sang] = []
        self.verdicts: dict[int, Verdict] = {}

    def see(self, sight: Sight) -> None:
        """Keep the worlds that agree, and judge every act again while there is one."""
        self.left = [one for one in self.left if one.agrees(sight)]
        if not self.left:
            return
        if isinstance(sight, Played | Sang):
            self.asked.append(sight)
            self.verdicts[sight.line] = Verdict("open")
        for asked in self.asked:
            hands = [one.asked[asked.line] for one in self.left]
            judge = self._play if isinstance(asked, Played) else self._cante
            self.verdicts[asked.line] = judge(asked, hands, sight.line)

    @property
    def knowledge(self) -> tuple[Knowledge, ...]:
        """Of each hand the cards that are in it in all worlds, and in any."""
        seats = range(len(self.left[0].hands))
        return tuple(all_and_any([mask_of(one.hands[seat]) for one in self.left]) for seat in seats)

    def _play(self, play: Played, hands: list[Mask], line: int) -> Verdict:
        known, (certain, possible) = self.verdicts[play.line], all_and_any(hands)
        answers = {is_lawful(play, hand) for hand in hands}
        if answers == {True}:
            return known if known.answer == "lawful" else Verdict("lawful", line)
        if answers == {False}:
            broken = [[bool(charge.cards & hand) for charge in play.charges] for hand in hands]
            charge = play.charges[max(row.index(True) for row in broken)]
            shown = charge.cards & certain
            if known.answer == "open":
                return Verdict("unlawful", line, charge, shown, named=line, shown=shown)
            if known.charge == charge and (known.shown or not shown):
                return known
            return known._replace(charge=charge, named=line, shown=shown)
        accusers = mask_of(card for charge in play.charges for card in cards_in(charge.cards))
        return Verdict("open", settles=accusers & possible)

    def _cante(self, sang: Sang, hands: list[Mask], line: int) -> Verdict:
        if self.verdicts[sang.line].answer != "open":
            return self.verdicts[sang.line]
        alive = [cards for cards in sang.sets if any(not cards & ~hand for hand in hands)]
        answers = {is_lawful(sang, hand) for hand in hands}
        if answers == {False}:
            return Verdict("unlawful", line)
        if answers == {True}:
            return Verdict("lawful", line, proof=alive[0] if len(alive) == 1 else 0)
        named = mask_of(card for cards in alive for card in cards_in(cards))
        return Verdict("open", settles=named & ~all_and_any(hands).certain)


class Happening:
    """Random true sights of one world."""

    def __init__(self, chance: random.Random, most: int = len(CARDS)) -> None:
        self.chance = chance
        order = list(CARDS[: chance.randrange(5, most + 1)])
        chance.shuffle(order)
        self.seats = chance.choice([2, 3])
        size = len(order) // self.seats if chance.randrange(2) else 1
        hands = [set(order[i * size : (i + 1) * size]) for i in range(self.seats)]
        self.world = World(hands, order[self.seats * size :])
        self.sights: list[Sight] = [
            Dealt(1, mask_of(order), (size,) * self.seats, len(self.world.stock))
        ]
        self.recallable = -1

    def history(self) -> list[Sight]:
        """The sights of up to nine steps, beginning with the deal."""
        if self.world.stock and self.chance.randrange(2):
            self.seen(Turned(2, self.world.stock[-1], NOBODY))
        for line in range(3, 3 + self.chance.randrange(1, 10)):
            self.step(line)
        return self.sights

    def seen(self, sight: Sight) -> None:
        assert self.world.agrees(sight), sight
        self.sights.append(sight)

    @property
    def pinta_left(self) -> bool:
        """Whether the pinta is all that is left to draw."""
        world = self.world
        lies = world.pinta != UNSEEN and all(world.pinta not in hand for hand in world.hands)
        return lies and not world.stock

    def step(self, line: int) -> None:
        seat = self.chance.randrange(self.seats)
        hand = sorted(self.world.hands[seat])
        what = self.chance.choice(
            "play draw draw held lacked dealt swap sang stacked recall".split()
        )
        if what in ("draw", "recall"):
            self.drawn(line, seat, what)
            return
        self.recallable = -1
        if what in ("play", "held", "swap"):
            if hand:
                self.laid_or_shown(line, seat, hand, what)
        else:
            self.said(line, seat, hand, what)

    def drawn(self, line: int, seat: int, what: str) -> None:
        world, is_known = self.world, self.chance.randrange(2)
        if what == "recall":
            if self.recallable >= 0:
                self.seen(Recalled(line, self.recallable, world.unseen_draws[self.recallable][-1]))
            self.recallable = -1
        elif world.stock:
            self.seen(Drew(line, seat, world.stock[0] if is_known else UNSEEN))
            self.recallable = -1 if is_known else seat
        elif self.pinta_left:
            self.seen(Drew(line, seat, world.pinta))

    def some(self, cards: list[int], most: int = len(CARDS)) -> Mask:
        """One of these cards or more."""
        return mask_of(self.chance.sample(cards, self.chance.randrange(min(most, len(cards))) + 1))

    def laid_or_shown(self, line: int, seat: int, hand: list[int], what: str) -> None:
        chance, world = self.chance, self.world
        if what == "play":
            is_free = bool(world.stock) or self.pinta_left
            many = 0 if is_free else chance.randrange(3)
            charges = [Charge(Rule.FOLLOW, self.some([*CARDS], 3), str(n)) for n in range(many)]
            self.seen(Played(line, seat, chance.choice(hand), tuple(charges)))
        elif what == "held":
            self.seen(Held(line, seat, self.some(hand)))
        elif world.pinta != UNSEEN and (world.stock or self.pinta_left):
            self.seen(Swapped(line, seat, chance.choice(hand), world.pinta))

    def invented(self, line: int) -> Sight:
        """A card laid, or cards held or lacked, that may contradict the world."""
        seat, cards = self.chance.randrange(self.seats), self.some([*CARDS], 2)
        return self.chance.choice(
            (
                Played(line, seat, self.chance.choice(CARDS), ()),
                Held(line, seat, cards),
                Lacked(line, seat, cards),
            )
        )

    def said(self, line: int, seat: int, hand: list[int], what: str) -> None:
        world, dealt = self.world, sorted(self.world.dealt[seat])
        if what == "lacked":
            self.seen(Lacked(line, seat, self.some([*CARDS], 3) & ~mask_of(hand)))
        elif what == "sang":
            sets = {self.some([*CARDS], 3) for _ in range(self.chance.randrange(1, 4))}
            self.seen(Sang(line, seat, tuple(sorted(sets))))
        elif what == "stacked" and world.stock:
            self.seen(Stacked(line, mask_of(world.stock)))
        elif what == "dealt" and dealt:
            whole = bool(self.chance.randrange(2))
            self.seen(WasDealt(line, seat, mask_of(dealt) if whole else self.some(dealt), whole))


def conclusions_of(evidence: Evidence) -> tuple[dict[int, Verdict], tuple[Knowledge, ...]]:
    """Verdicts and hands of evidence."""
    return dict(evidence.verdicts), evidence.knowledge()
