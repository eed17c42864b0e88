"""Speed of the law beside a list-of-objects implementation, in one process, rounds interleaved.

    python -m benchmarks.law.rules [--rounds 7]

Processor time; each figure is the median of the rounds with the lowest and highest. Only ratios
within one run are comparable. If ``open_spiel`` is installed, its trick-taking games run too.
"""

from __future__ import annotations

import argparse
import importlib
import random
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

from benchmarks.law import naive
from benchmarks.law.playout import playout
from referee.rules.cards import CARD, DECK_40, SUITS, TOKENS, Card, Mask, cards_in, mask_of
from referee.rules.duties import Position, first_broken_rule, lawful_plays, position_before_play
from referee.rules.profile.options import Options
from referee.rules.profile.profile import PROFILE_IDS, profile
from referee.rules.seats import SEATS

QUESTIONS = 4000
DEALS = 300
# bridge otherwise solves each deal with open cards when the auction ends
SPIEL_GAMES = ("bridge(use_double_dummy_result=false)", "euchre", "hearts", "spades")
SPIEL_DEALS = 60
GOALS = {"mask, club": 8.0, "mask, any profile": 4.0, "complete deals": 6.0}


@dataclass(frozen=True, slots=True)
class Asked:
    """One question in both forms."""

    position: Position
    plays: list[tuple[str, Card]]
    hand: Mask
    seat: str
    trump: int
    cards: list[naive.Card]
    trick: list[naive.Play]


def questions(chance: random.Random, options: Options) -> list[Asked]:
    """Random positions of arrastre: one to three cards on the table, one to six in the hand."""
    made = []
    deck = cards_in(DECK_40)
    for _ in range(QUESTIONS):
        laid, held = chance.randint(1, 3), chance.randint(1, 6)
        cards = chance.sample(deck, laid + held)
        trump, start = chance.randrange(4), chance.randrange(4)
        turn = [SEATS[4][(start + step) % 4] for step in range(laid + 1)]
        plays = list(zip(turn, cards[:laid], strict=False))
        position = position_before_play(plays, turn[laid], trump, options)
        assert position is not None
        hand = [naive.Card(*TOKENS[card]) for card in cards[laid:]]
        trick = [naive.Play(seat, naive.Card(*TOKENS[card])) for seat, card in plays]
        hand_mask = mask_of(cards[laid:])
        made.append(Asked(position, plays, hand_mask, turn[laid], trump, hand, trick))
        expected = {CARD[c.rank + c.suit] for c in naive_answer(made[-1], options)}
        assert set(cards_in(lawful_plays(position, hand_mask))) == expected
    return made


def naive_answer(asked: Asked, options: Options) -> list[naive.Card]:
    return naive.lawful(asked.cards, asked.trick, asked.seat, SUITS[asked.trump], options)


def rates(
    works: dict[str, tuple[int, Callable[[], object]]], rounds: int
) -> dict[str, list[float]]:
    """Rate of each work in each round, all works in every round."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, (count, work) in works.items():
            start = process_time()
            work()
            found[name].append(count / (process_time() - start))
    return found


def show(name: str, found: list[float], base: list[float] | None = None) -> float:
    """A row of the table; the ratio is the median of the ratios of each round."""
    ratio = statistics.median(a / b for a, b in zip(found, base, strict=True)) if base else 1.0
    low, mid, high = min(found), statistics.median(found), max(found)
    beside = f"  {ratio:6.1f}x" if base else ""
    print(f"{name:44}{mid:14,.0f}/s [{low:,.0f}-{high:,.0f}]{beside}")
    return ratio


def of_masks(asked: list[Asked]) -> None:
    pairs = [(one.position, one.hand) for one in asked]
    for _ in range(10):
        for position, hand in pairs:
            lawful_plays(position, hand)


def of_tricks(asked: list[Asked], options: Options) -> None:
    for one in asked:
        position = position_before_play(one.plays, one.seat, one.trump, options)
        assert position is not None
        lawful_plays(position, one.hand)


def of_objects(asked: list[Asked], options: Options) -> None:
    for one in asked:
        naive_answer(one, options)


def of_reasons(asked: list[Asked]) -> None:
    for one in asked:
        for card in cards_in(one.hand):
            first_broken_rule(one.position, one.hand, card)


def legality(rounds: int, seed: int) -> dict[str, float]:
    """Questions a second under each profile."""
    reached: dict[str, float] = {}
    for name in PROFILE_IDS:
        options = profile(name).options(4)
        asked = questions(random.Random(seed), options)
        works: dict[str, tuple[int, Callable[[], object]]] = {
            "objects": (len(asked), lambda a=asked, o=options: of_objects(a, o)),
            "masks": (10 * len(asked), lambda a=asked: of_masks(a)),
            "from the trick": (len(asked), lambda a=asked, o=options: of_tricks(a, o)),
            "reasons": (len(asked), lambda a=asked: of_reasons(a)),
        }
        found = rates(works, rounds)
        show(f"{name}: list of objects", found["objects"])
        reached[name] = show(f"{name}: mask", found["masks"], found["objects"])
        show(f"{name}: mask, from the open trick", found["from the trick"], found["objects"])
        show(f"{name}: the duty of every card", found["reasons"], found["objects"])
    return {"mask, club": reached["club"], "mask, any profile": min(reached.values())}


def deals(rounds: int, seed: int) -> dict[str, float]:
    """Complete random deals a second, every play checked; both give the same points."""
    chance, options = random.Random(seed), Options()
    dealt = []
    for _ in range(DEALS):
        deck = cards_in(DECK_40)
        chance.shuffle(deck)
        dealt.append((deck, [chance.getrandbits(32) for _ in range(40)]))
    objects = [([naive.Card(*TOKENS[card]) for card in deck], pick) for deck, pick in dealt]
    for (deck, pick), (cards, _) in zip(dealt, objects, strict=True):
        assert playout(deck, pick, options) == tuple(naive.playout(cards, pick, options).values())
    works: dict[str, tuple[int, Callable[[], object]]] = {
        "objects": (
            DEALS,
            lambda: [naive.playout(cards, pick, options) for cards, pick in objects],
        ),
        "masks": (DEALS, lambda: [playout(deck, pick, options) for deck, pick in dealt]),
        **spiel_works(seed),
    }
    found = rates(works, rounds)
    show("complete deals: list of objects", found["objects"])
    ratio = show("complete deals: masks", found["masks"], found["objects"])
    for name in ("objects", "masks"):
        show(f"plays: guiñote, {name}", [40 * rate for rate in found[name]])
    for name in works.keys() - {"objects", "masks"}:
        show(f"plays: {name}", found[name])
    return {"complete deals": ratio}


def spiel_works(seed: int) -> dict[str, tuple[int, Callable[[], object]]]:
    """Random deals of open_spiel's trick-taking games, if it is installed."""
    try:
        spiel: Any = importlib.import_module("pyspiel")
    except ImportError:
        print("SKIPPED: open_spiel is not installed, its games are not measured", file=sys.stderr)
        return {}
    works: dict[str, tuple[int, Callable[[], object]]] = {}
    for name in SPIEL_GAMES:
        game = spiel.load_game(name)
        plays = spiel_deals(game, seed)
        works[f"open_spiel {name}"] = (plays, lambda g=game: spiel_deals(g, seed))
    return works


def spiel_deals(game: Any, seed: int) -> int:
    """Plays made in random deals: the dealing itself is work, but no play."""
    chance, plays = random.Random(seed), 0
    for _ in range(SPIEL_DEALS):
        state = game.new_initial_state()
        while not state.is_terminal():
            plays += not state.is_chance_node()
            state.apply_action(chance.choice(state.legal_actions()))
    return plays


def main() -> int:
    """All tables; exit 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description="Speed of the law")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seed", type=int, default=101)
    given = parser.parse_args()
    reached = {**legality(given.rounds, given.seed), **deals(given.rounds, given.seed)}
    for name, goal in GOALS.items():
        verdict = "reached" if reached[name] >= goal else "MISSED"
        print(f"{name}: {reached[name]:.1f}x, goal {goal:.0f}x: {verdict}")
    return int(any(reached[name] < goal for name, goal in GOALS.items()))


if __name__ == "__main__":
    sys.exit(main())
