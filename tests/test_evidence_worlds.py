"""Evidence beside all the ways the cards could lie: sound and complete, on small decks."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.articles import Rule
from referee.rules.cards import BIT, cards_in, mask_of
from referee.rules.duties import Charge
from referee.rules.evidence import Evidence
from referee.rules.sights import (
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
from tests.long_runs import RUNS

CARDS = (0, 2, 5, 13, 16, 25, 40)


@dataclass
class World:
    """One way the cards lie, followed through the sights: a false one contradicts a sight."""

    hands: list[set[int]]
    stock: list[int]
    pinta: int = UNSEEN
    dealt: list[set[int]] = field(default_factory=list)
    unseen_draws: list[list[int]] = field(default_factory=list)
    asked: dict[int, bool] = field(default_factory=dict)

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
            case Played(line, seat, card, charges):
                if card not in self.hands[seat]:
                    return False
                self.hands[seat].discard(card)
                self.asked[line] = not any(
                    self.has(seat, c) for ch in charges for c in cards_in(ch.cards)
                )
                return True
            case Held(_, seat, cards):
                return all(self.has(seat, card) for card in cards_in(cards))
            case Lacked(_, seat, cards):
                return not any(self.has(seat, card) for card in cards_in(cards))
            case WasDealt(_, seat, cards, whole):
                dealt = mask_of(self.dealt[seat])
                return dealt == cards if whole else not cards & ~dealt
            case Swapped(_, seat, gave, took):
                if gave not in self.hands[seat] or took != self.pinta:
                    return False
                self.hands[seat] ^= {gave, took}
                self.pinta = gave
                return True
            case Sang(line, seat, sets):
                self.asked[line] = any(all(self.has(seat, c) for c in cards_in(s)) for s in sets)
                return True
            case Stacked(_, cards):
                return not cards & ~mask_of(self.stock)
        return True

    def has(self, seat: int, card: int) -> bool:
        return card in self.hands[seat]


def worlds(sights: list[Sight]) -> list[World]:
    """Every way the cards can lie that no sight contradicts, as it stands after all of them."""
    dealt = sights[0]
    assert isinstance(dealt, Dealt)
    found = []
    for order in permutations(cards_in(dealt.deck)):
        hands, at = [], 0
        for size in dealt.sizes:
            hands.append(set(order[at : at + size]))
            at += size
            if list(order[at - size : at]) != sorted(order[at - size : at]):
                break
        else:
            world = World(hands, list(order[at:]))
            if all(world.agrees(sight) for sight in sights[1:]):
                found.append(world)
    return found


MASKS = st.sets(st.sampled_from(CARDS), min_size=1, max_size=3).map(mask_of)


class Happening:
    """What is seen of one true world, drawn step by step: whatever was seen, was so."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        order = draw(st.permutations(CARDS[: draw(st.sampled_from([5, 6, 7]))]))
        self.seats = draw(st.sampled_from([2, 3]))
        size = len(order) // self.seats if draw(st.booleans()) else 1
        hands = [set(order[i * size : (i + 1) * size]) for i in range(self.seats)]
        self.world = World(hands, list(order[self.seats * size :]))
        self.sights: list[Sight] = [
            Dealt(1, mask_of(order), (size,) * self.seats, len(self.world.stock))
        ]
        self.recallable = -1

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
        seat = self.draw(st.integers(0, self.seats - 1))
        hand = sorted(self.world.hands[seat])
        what = self.draw(
            st.sampled_from("play draw draw held lacked dealt swap sang stacked recall".split())
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
        world, known = self.world, self.draw(st.booleans())
        if what == "recall":
            if self.recallable >= 0:
                self.seen(Recalled(line, self.recallable, world.unseen_draws[self.recallable][-1]))
            self.recallable = -1
        elif world.stock:
            self.seen(Drew(line, seat, world.stock[0] if known else UNSEEN))
            self.recallable = -1 if known else seat
        elif self.pinta_left:
            self.seen(Drew(line, seat, world.pinta))

    def laid_or_shown(self, line: int, seat: int, hand: list[int], what: str) -> None:
        draw, world = self.draw, self.world
        if what == "play":
            free = bool(world.stock) or self.pinta_left
            masks = [] if free else draw(st.lists(MASKS, max_size=2))
            charges = tuple(Charge(Rule.FOLLOW, mask, "") for mask in masks)
            self.seen(Played(line, seat, draw(st.sampled_from(hand)), charges))
        elif what == "held":
            self.seen(Held(line, seat, mask_of(draw(st.sets(st.sampled_from(hand), min_size=1)))))
        elif world.pinta != UNSEEN and (world.stock or self.pinta_left):
            self.seen(Swapped(line, seat, draw(st.sampled_from(hand)), world.pinta))

    def said(self, line: int, seat: int, hand: list[int], what: str) -> None:
        draw, world, dealt = self.draw, self.world, sorted(self.world.dealt[seat])
        if what == "lacked":
            self.seen(Lacked(line, seat, draw(MASKS) & ~mask_of(hand)))
        elif what == "sang":
            masks = draw(st.lists(MASKS, min_size=1, max_size=3, unique=True))
            self.seen(Sang(line, seat, tuple(masks)))
        elif what == "stacked" and world.stock:
            self.seen(Stacked(line, mask_of(world.stock)))
        elif what == "dealt" and dealt:
            whole = draw(st.booleans())
            cards = dealt if whole else draw(st.sets(st.sampled_from(dealt), min_size=1))
            self.seen(WasDealt(line, seat, mask_of(cards), whole))


@st.composite
def histories(draw: st.DrawFn) -> list[Sight]:
    """Sights of a true world."""
    happening = Happening(draw)
    if happening.world.stock and draw(st.booleans()):
        happening.seen(Turned(2, happening.world.stock[-1], NOBODY))
    for line in range(3, 3 + draw(st.integers(1, 9))):
        happening.step(line)
    return happening.sights


@settings(max_examples=600 * RUNS, deadline=None)
@given(histories())
def test_a_verdict_holds_in_every_world_and_open_has_two_of_them(sights):
    left = worlds(sights)
    evidence = Evidence().see_all(sights)
    assert not evidence.broken
    for line, verdict in evidence.verdicts.items():
        answers = {world.asked[line] for world in left}
        assert verdict.answer == {(True,): "lawful", (False,): "unlawful"}.get(
            tuple(answers), "open"
        ), (
            line,
            verdict,
        )


@settings(max_examples=400 * RUNS, deadline=None)
@given(histories())
def test_what_is_known_of_a_hand_is_what_all_worlds_say(sights):
    left = worlds(sights)
    for seat, known in enumerate(Evidence().see_all(sights).knowledge()):
        hands = [mask_of(world.hands[seat]) for world in left]
        certain, possible = hands[0], 0
        for hand in hands:
            certain &= hand
            possible |= hand
        assert known == (certain, possible)


@settings(max_examples=200 * RUNS, deadline=None)
@given(histories())
def test_a_verdict_once_reached_stays_and_is_told_when(sights):
    evidence = Evidence()
    reached: dict[int, tuple[str, int]] = {}
    for sight in sights:
        evidence.see(sight)
        for line, verdict in evidence.verdicts.items():
            if line in reached:
                assert (verdict.answer, verdict.since) == reached[line]
            elif verdict.answer != "open":
                assert verdict.since == sight.line
                reached[line] = verdict.answer, verdict.since
    assert evidence.verdicts == Evidence().see_all(sights).verdicts


def test_bits_are_cards():
    assert BIT[CARDS[1]] == mask_of([CARDS[1]])
