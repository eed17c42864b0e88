"""The diagram of a problem: whose cards lie where, and what is on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from projections.puzzles import PuzzleData
from referee.rules.cards import RANKS, SUITS, Pack
from referee.rules.profile.options import options_of
from referee.rules.seats import SEATS, Seat, order_from

_ROUND: Final = ("south", "east", "north", "west")
_MIRRORED: Final = {"east": "west", "west": "east"}


@dataclass(frozen=True, slots=True)
class HandDisplay:
    """A seat by its place on the page, the cards it holds, and the card it has laid, if any."""

    at: str
    cards: tuple[str, ...]
    laid: str


@dataclass(frozen=True, slots=True)
class DiagramDisplay:
    """Four hands around a table. ``places``: by seat; ``line``: places and cards of a solution."""

    hands: tuple[HandDisplay, ...]
    places: dict[Seat, str]
    trump: str
    pack: Pack
    target: int
    line: tuple[tuple[str, str], ...]

    @property
    def cards(self) -> frozenset[str]:
        """Every card in it."""
        return frozenset(card for hand in self.hands for card in (*hand.cards, hand.laid) if card)


def _in_hand(card: str) -> tuple[int, int]:
    """By suit, and in it the strongest first."""
    return SUITS.index(card[1]), -RANKS.index(card[0])


def of_puzzle(puzzle: PuzzleData) -> DiagramDisplay:
    """The diagram of a problem; whoever solves it sits at the bottom."""
    known, options = puzzle.known, options_of(puzzle.known.options)
    places = {
        seat: _MIRRORED.get(at, at) if options.direction == "clockwise" else at
        for seat, at in zip(SEATS[options.players], _ROUND, strict=True)
    }
    seats: tuple[Seat, ...] = order_from(known.leader, len(places))
    laid = dict(zip(seats, known.laid, strict=False))
    return DiagramDisplay(
        tuple(
            HandDisplay(at, tuple(sorted(known.hands[seat], key=_in_hand)), laid.get(seat, ""))
            for seat, at in places.items()
        ),
        places,
        known.trump,
        options.pack,
        options.target,
        tuple((places[seat], card) for seat, card in puzzle.line),
    )
